#include "trace/program_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "trace/values.h"
#include "trace/wrapped_list.h"

namespace harrier::trace {

namespace {

using model::Process;
using model::System;
using model::VarId;

constexpr size_t kWidestStatement = 40;
constexpr const char* kNothingRuns = "nothing runs";

// "dir/file:line:column" without the directory and the column.
std::string short_place(const std::string& position) {
  const size_t directory = position.rfind('/') + 1;  // npos + 1 is 0
  return position.substr(directory, position.rfind(':') - directory);
}

class Writer {
 public:
  Writer(const System& system, const Trace& trace, const Watch& watch) : system_(system), trace_(trace), watch_(watch) {
    for (const TraceStep& step : trace.steps) {
      watch.poll();
      if (is_watching(system, step)) continue;
      for (const FiredEdge& edge : step.edges) measure(edge.process, edge.position, edge.label);
    }
    if (trace.failure) {
      for (const FiredEdge& edge : trace.failure->edges) measure(edge.process, edge.position, edge.label);
    }
  }

  std::string text() {
    initial();
    const Values* before = &trace_.initial.values;
    size_t number = 0;
    bool moves = false;  // something other than the claim, in the cycle
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      watch_.poll();
      const TraceStep& now = trace_.steps[i];
      if (i == trace_.loop_start) out_ += std::string(kIndent) + "cycle starts here\n";
      if (is_watching(system_, now)) continue;
      step(++number, now, *before);
      before = &now.state.values;
      moves = moves || (trace_.loop_start && i >= *trace_.loop_start);
    }
    if (trace_.loop_start && !moves) out_ += std::string(kIndent) + "the system stands still\n";
    if (!trace_.reason.empty()) out_ += fmt::format("end  {}\n", trace_.reason);
    if (trace_.failure) {
      out_ += fmt::format("end  {}\n", failure_text(*trace_.failure));
      for (const FiredEdge& edge : trace_.failure->edges) out_ += line_of(kIndent, edge) + '\n';
    }
    if (trace_.deadlock) stuck(trace_.last().values);
    return std::move(out_);
  }

 private:
  void measure(const std::string& process, const std::string& position, const std::string& statement) {
    process_width_ = std::max(process_width_, process.size());
    place_width_ = std::max(place_width_, short_place(position).size());
    if (statement.size() <= kWidestStatement) statement_width_ = std::max(statement_width_, statement.size());
  }

  // A channel that was declared as such is known by its content.
  bool shown(VarId v, const Values& values) const {
    const model::Variable& variable = system_.variable(v);
    return variable.kind == model::VarKind::Data && !variable.internal &&
           value_text(system_, v, values) != variable.name;
  }

  void initial() {
    const Values& values = trace_.initial.values;
    std::vector<std::string> places;
    for (const Process& process : system_.processes) {
      const bool watches = system_.claim.valid() && &process == &system_.process(system_.claim);
      if (watches || !runs(process, values)) continue;
      places.push_back(process.name + " " + process.locations[location_of(process, values)].name);
    }
    if (places.empty()) places.emplace_back(kNothingRuns);
    write_list(out_, "  0  start at ", places);
    std::vector<std::string> items;
    bool zeros = false;
    for (size_t i = 0; i < values.size(); ++i) {
      const VarId v(i);
      if (!shown(v, values)) continue;
      if (values[i] != 0) items.push_back(system_.variable(v).name + " = " + value_text(system_, v, values));
      zeros = zeros || values[i] == 0;
    }
    if (zeros && !items.empty()) items.emplace_back("all others 0");
    write_list(out_, kIndent, items);
  }

  // What a step changed that a line about the process shows. The last line of a step has everything that is not local
  // to another process of it.
  std::vector<std::string> changes(const TraceStep& step, const Values& before, const FiredEdge& line) const {
    const Values& after = step.state.values;
    const auto elsewhere = [&](const std::string& name) {
      if (&line != &step.edges.back() && !belongs_to(name, line.process)) return true;
      const bool ends = ends_process(system_, id_of(line));
      return std::any_of(step.edges.begin(), step.edges.end(), [&](const FiredEdge& edge) {
        return (edge.process != line.process || ends) && belongs_to(name, edge.process);
      });
    };
    std::vector<std::string> out;
    for (const uint32_t changed : step.changed) {
      const VarId v(changed);
      const std::string& name = system_.variable(v).name;
      if (!shown(v, after) || elsewhere(name)) continue;
      std::string item = local_name(name, line.process) + " = " + value_text(system_, v, after);
      if (item != line.label) out.push_back(std::move(item));  // a statement like `x = 2` says it all
    }
    for (const model::Queue& queue : system_.queues) {
      if (elsewhere(queue.name)) continue;
      const auto now = messages(system_, queue, after);
      if (now == messages(system_, queue, before)) continue;
      out.push_back(fmt::format("{} = <{}>", local_name(queue.name, line.process), fmt::join(now, " ")));
    }
    return out;
  }

  std::string line_of(const std::string& head, const FiredEdge& edge) const {
    return fmt::format("{}{:{}}  {:{}}  {}", head, edge.process, process_width_, short_place(edge.position),
                       place_width_, edge.label);
  }

  void step(size_t number, const TraceStep& step, const Values& before) {
    for (const FiredEdge& edge : step.edges) {
      const std::string head = &edge == &step.edges.front() ? fmt::format("{:3}  ", number) : kIndent;
      std::string line = line_of(head, edge);
      const auto items = changes(step, before, edge);
      const size_t column = kIndentWidth + process_width_ + place_width_ + statement_width_ + 4;
      if (!items.empty() && line.size() <= column) {
        line.append(column + 2 - line.size(), ' ');
        if (line.size() + fmt::formatted_size("{}", fmt::join(items, ", ")) <= kWidth) {
          out_ += fmt::format("{}{}\n", line, fmt::join(items, ", "));
          continue;
        }
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += line + '\n';
      write_list(out_, kIndent + std::string(2, ' '), items);
    }
  }

  // Where every process stands, and what it waits for.
  void stuck(const Values& values) {
    for (const Process& process : system_.processes) {
      if (!runs(process, values)) continue;
      const size_t at = location_of(process, values);
      std::vector<std::string> waits;
      for (const model::EdgeId id : process.edges) {
        const model::Edge& edge = system_.edge(id);
        if (edge.source != at || std::find(waits.begin(), waits.end(), edge.label) != waits.end()) continue;
        waits.push_back(edge.label);
      }
      out_ += fmt::format("{}{:{}}  {:{}}  {}\n", kIndent, process.name, process_width_,
                          short_place(system_.sources.describe(process.locations[at].at)), place_width_,
                          waits.empty() ? "has no statement" : fmt::format("{}", fmt::join(waits, " | ")));
    }
  }

  const System& system_;
  const Trace& trace_;
  const Watch& watch_;
  size_t process_width_ = 0, place_width_ = 0, statement_width_ = 0;
  std::string out_;
};

}  // namespace

std::string program_text(const System& system, const Trace& trace, const Watch& watch) {
  return Writer(system, trace, watch).text();
}

}  // namespace harrier::trace
