// Writes traces as numbered steps: what fires, what changed, where the clocks stand.
#include "trace/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "trace/program_text.h"
#include "trace/values.h"
#include "trace/wrapped_list.h"

namespace harrier::trace {

namespace {

using model::Direction;
using model::System;

class Writer {
 public:
  Writer(const System& system, const Trace& trace, bool zones, const Watch& watch)
      : system_(system), trace_(trace), watch_(watch), zones_(zones) {
    is_location_.resize(system.variables.size(), false);
    for (const auto& process : system.processes) is_location_[process.location.value] = true;
  }

  std::string text() {
    const size_t steps = shown_steps(system_, trace_);
    out_ = fmt::format("{}: {} {} step{}", trace_.property, verb(), steps, steps == 1 ? "" : "s");
    if (timed()) out_ += " at time " + time(trace_.end_time());
    out_ += "\n\n";
    if (system_.telling == model::Telling::Statements) return std::move(out_) + program_text(system_, trace_, watch_);
    initial();
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      marks_after(i);
      step(i + 1, trace_.steps[i]);
    }
    marks_after(trace_.steps.size());
    if (trace_.final_delay != 0) {
      fmt::format_to(std::back_inserter(out_), "end  time {}, after a delay of {}\n", time(trace_.end_time()),
                     time(trace_.final_delay));
      std::vector<std::string> items;
      for (size_t i = 1; i < system_.clocks.size(); ++i) {
        items.push_back(clock(i, trace_.last().clocks[i] + trace_.final_delay));
      }
      write_list(out_, kIndent, items);
    }
    if (trace_.failure) {
      out_ += fmt::format("{}{}\n", trace_.final_delay == 0 ? "end  " : kIndent, failure_text(*trace_.failure));
      for (const FiredEdge& edge : trace_.failure->edges) fired(kIndent, edge);
    }
    ending();
    return std::move(out_);
  }

 private:
  const char* verb() const {
    if (trace_.failure) return "the model fails after";
    switch (trace_.kind) {
      case model::PropertyKind::Reachable: return "reached in";
      case model::PropertyKind::PotentiallyAlways: return "kept up in";
      default: return "violated in";
    }
  }

  // What the reader should know before the next step.
  void marks_after(size_t steps) {
    if (trace_.premise && trace_.premise->steps == steps) {
      out_ += kIndent + std::string("here the left side of '-->' holds");
      if (trace_.premise->delay != 0) out_ += ", after a delay of " + time(trace_.premise->delay);
      out_ += '\n';
    }
    if (trace_.loop_start == steps) out_ += kIndent + std::string("cycle starts here\n");
  }

  // How a maximal path goes on for ever, or why it does not.
  void ending() {
    if (trace_.rest == Rest::Delay) out_ += "end  time passes for ever\n";
    if (trace_.rest == Rest::Stuck) out_ += "end  nothing can happen any more\n";
    if (!trace_.loop_start) return;
    const size_t start = *trace_.loop_start;
    const int64_t length = trace_.end_time() - (start == 0 ? 0 : trace_.steps[start - 1].time);
    out_ += fmt::format("end  the last {} steps again and again", trace_.steps.size() - start);
    if (timed()) out_ += length == 0 ? "; the cycle takes no time" : "; this round takes " + time(length);
    out_ += '\n';
  }

  bool timed() const { return system_.clocks.size() > 1; }

  std::string time(int64_t t) const { return time_text(t, trace_.denominator); }

  std::string clock(size_t i, int64_t value) const {
    return fmt::format("{} = {}", system_.clocks[i].name, time(value));
  }

  void clocks_and_zone(const TraceState& state) {
    std::vector<std::string> items;
    for (size_t i = 1; i < system_.clocks.size(); ++i) items.push_back(clock(i, state.clocks[i]));
    write_list(out_, kIndent, items);
    if (zones_) write_list(out_, kIndent + std::string("zone: "), state.zone);
  }

  bool tells_actions() const { return system_.telling == model::Telling::Actions; }
  bool tells_states() const { return system_.telling == model::Telling::States || tells_actions(); }

  // A variable with its value, if it is shown.
  void add_value(size_t variable, const TraceState& state, std::vector<std::string>& items) const {
    if (is_location_[variable] || system_.variables[variable].internal) return;
    const std::string value = value_text(system_, model::VarId(variable), state.values);
    // "at(truck, depot)" says it all; another variable may say the same.
    const bool is_atom = tells_actions() && value.ends_with(')');
    if (is_atom && std::find(items.begin(), items.end(), value) != items.end()) return;
    items.push_back(is_atom ? value : fmt::format("{} = {}", system_.variables[variable].name, value));
  }

  void initial() {
    std::string head = "  0  ";
    if (tells_states()) {
      std::vector<std::string> items;
      for (size_t i = 0; i < system_.variables.size(); ++i) add_value(i, trace_.initial, items);
      write_list(out_, head, items);
      return;
    }
    if (timed()) {
      out_ += head + "time 0\n";
      head = kIndent;
    }
    std::vector<std::string> items;
    for (const auto& process : system_.processes) {
      const auto here = static_cast<size_t>(trace_.initial.values[process.location.value]);
      items.push_back(process.name + "." + process.locations[here].name);
    }
    write_list(out_, head + "at ", items);
    items.clear();
    for (size_t i = 0; i < system_.variables.size(); ++i) {
      if (is_location_[i]) continue;
      items.push_back(fmt::format("{} = {}", system_.variables[i].name, trace_.initial.values[i]));
    }
    write_list(out_, kIndent, items);
    clocks_and_zone(trace_.initial);
  }

  void step(size_t number, const TraceStep& step) {
    watch_.poll();
    std::string head = fmt::format("{:3}  ", number);
    if (tells_states()) {
      std::vector<std::string> items;
      for (const uint32_t v : step.changed) add_value(v, step.state, items);
      if (items.empty()) items.emplace_back("nothing changes");
      if (tells_actions()) {
        out_ += head + step.edges.front().label + '\n';
        head = kIndent;
      }
      if (system_.processes.size() > 1) head += step.edges.front().process + ": ";
      write_list(out_, head, items);
      return;
    }
    if (timed()) {
      out_ += head + "time " + time(step.time);
      if (step.delay != 0) out_ += ", after a delay of " + time(step.delay);
      out_ += '\n';
      head = kIndent;
    }
    for (const FiredEdge& edge : step.edges) {
      fired(head, edge);
      head = kIndent;
    }
    std::vector<std::string> items;
    for (const uint32_t v : step.changed) {
      if (is_location_[v]) continue;
      items.push_back(fmt::format("{} = {}", system_.variables[v].name, step.state.values[v]));
    }
    write_list(out_, kIndent, items);
    clocks_and_zone(step.state);
  }

  void fired(const std::string& head, const FiredEdge& edge) {
    auto to = std::back_inserter(out_);
    if (tells_states()) {
      fmt::format_to(to, "{}in a step of {}\n", head, edge.process);
      return;
    }
    fmt::format_to(to, "{}{}: {} -> {}", head, edge.process, edge.source, edge.target);
    if (edge.direction != Direction::Internal) {
      fmt::format_to(to, "  {}{}", edge.channel, edge.direction == Direction::Send ? '!' : '?');
    }
    if (!edge.label.empty()) fmt::format_to(to, "  {}", edge.label);
    const std::string effects = effect_text(system_, system_.edge(id_of(edge)));
    if (!effects.empty()) fmt::format_to(to, "  [{}]", effects);
    if (!edge.position.empty()) fmt::format_to(to, "  ({})", edge.position);
    out_ += '\n';
  }

  const System& system_;
  const Trace& trace_;
  const Watch& watch_;
  bool zones_;
  std::vector<bool> is_location_;
  std::string out_;
};

}  // namespace

std::string to_text(const System& system, const Trace& trace, bool zones, const Watch& watch) {
  return Writer(system, trace, zones, watch).text();
}

}  // namespace harrier::trace
