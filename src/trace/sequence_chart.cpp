#include "trace/sequence_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "trace/values.h"

namespace harrier::trace {

namespace {

using model::System;

// Text that Mermaid takes as it is: what would end a statement or start a code becomes a code.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '#' || c == ';') {
      out += fmt::format("#{};", static_cast<int>(c));
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

class Chart {
 public:
  Chart(const System& system, const Trace& trace, const Watch& watch) : system_(system), trace_(trace), watch_(watch) {}

  std::string text() {
    const Values* before = &trace_.initial.values;
    int64_t noted = 0;
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      watch_.poll();
      const TraceStep& step = trace_.steps[i];
      if (i == trace_.loop_start) lines_.push_back({true, "cycle starts here"});
      if (is_watching(system_, step)) continue;
      const size_t arrows = lines_.size();
      if (step.edges.size() > 1) synchronisation(step);
      queues(step, *before);
      if (lines_.size() > arrows && step.time != noted) {
        noted = step.time;
        lines_.insert(lines_.begin() + static_cast<ptrdiff_t>(arrows), {true, "time " + time(step.time)});
      }
      before = &step.state.values;
    }
    // The error is the business of the process that moved last.
    if (!trace_.reason.empty()) {
      const auto last = std::find_if(trace_.steps.rbegin(), trace_.steps.rend(),
                                     [&](const TraceStep& step) { return !is_watching(system_, step); });
      if (last != trace_.steps.rend()) participant(last->edges.front().process);
      lines_.push_back({true, escaped(trace_.reason)});
    } else {
      const std::string when = trace_.end_time() != noted ? " at time " + time(trace_.end_time()) : "";
      lines_.push_back({true, escaped(trace_.property) + when});
    }
    return written();
  }

 private:
  struct Line {
    bool note = false;  // over all participants
    std::string text;
  };

  std::string time(int64_t t) const { return time_text(t, trace_.denominator); }

  // Participants stand in the order in which they first take part.
  std::string participant(const std::string& name) {
    const auto [at, fresh] = participants_.emplace(name, names_.size());
    if (fresh) names_.push_back(name);
    return fmt::format("p{}", at->second);
  }

  void arrow(const std::string& from, const char* kind, const std::string& to, const std::string& text) {
    const std::string left = participant(from);
    lines_.push_back({false, fmt::format("{}{}{}: {}", left, kind, participant(to), escaped(text))});
  }

  void synchronisation(const TraceStep& step) {
    const FiredEdge& sender = step.edges.front();
    for (size_t i = 1; i < step.edges.size(); ++i) {
      const FiredEdge& receiver = step.edges[i];
      std::string text = sender.channel;
      if (system_.program) {
        std::vector<std::string> received;
        for (const model::VarId v : step.changed) {
          const std::string& name = system_.variable(v).name;
          if (system_.variable(v).kind == model::VarKind::Location || !belongs_to(name, receiver.process)) continue;
          received.push_back(local_name(name, receiver.process) + " = " + value_text(system_, v, step.state.values));
        }
        text = sender.label;
        if (!received.empty()) text += fmt::format(" ({})", fmt::join(received, ", "));
      }
      arrow(sender.process, "->>", receiver.process, text);
    }
  }

  void queues(const TraceStep& step, const Values& before) {
    const std::string& process = step.edges.front().process;
    if (system_.program && system_.edge(step.edges.front().edge).target == 0) return;  // its queues end with it
    for (const model::Queue& queue : system_.queues) {
      const auto old = messages(system_, queue, before);
      const auto now = messages(system_, queue, step.state.values);
      if (old == now) continue;
      const bool sent = now.size() == old.size() + 1;
      const bool taken = now.size() + 1 == old.size();
      const auto& longer = sent ? now : old;
      const auto& shorter = sent ? old : now;
      const auto [at, rest] = std::mismatch(longer.begin(), longer.end(), shorter.begin(), shorter.end());
      if ((sent || taken) && std::equal(at + 1, longer.end(), rest, shorter.end())) {
        if (sent) {
          arrow(process, "-)", queue.name, *at);
        } else {
          arrow(queue.name, "-->>", process, *at);
        }
      } else {
        arrow(process, "-)", queue.name, fmt::format("<{}>", fmt::join(now, " ")));
      }
    }
  }

  std::string written() const {
    std::string out = "sequenceDiagram\n";
    for (size_t i = 0; i < names_.size(); ++i) {
      out += fmt::format("  participant p{} as {}\n", i, escaped(names_[i]));
    }
    const std::string all = names_.size() < 2 ? "p0" : fmt::format("p0,p{}", names_.size() - 1);
    for (const Line& line : lines_) {
      if (!line.note) {
        out += fmt::format("  {}\n", line.text);
      } else if (names_.empty()) {
        out += fmt::format("  %% {}\n", line.text);
      } else {
        out += fmt::format("  Note over {}: {}\n", all, line.text);
      }
    }
    return out;
  }

  const System& system_;
  const Trace& trace_;
  const Watch& watch_;
  std::map<std::string, size_t> participants_;
  std::vector<std::string> names_;
  std::vector<Line> lines_;
};

}  // namespace

std::string to_sequence_chart(const System& system, const Trace& trace, const Watch& watch) {
  return Chart(system, trace, watch).text();
}

}  // namespace harrier::trace
