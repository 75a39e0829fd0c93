// What the page of a trace knows of its steps. Each has what it changes: `at` are pairs of a process and its location,
// `set` pairs of a variable and its value, `reset` pairs of a clock and its value where that is not the one before plus
// the delay, `queues` pairs of a queue and its content, `zone` numbers of constraints. The steps of a claim are told
// with the step that follows.
#pragma once

#include <map>
#include <string>

#include "trace/message_flow.h"
#include "trace/page_structure.h"

namespace harrier::trace {

class PageSteps {
 public:
  PageSteps(const model::System& system, const Trace& trace, PageStructure& structure, const Watch& watch)
      : system_(system), trace_(trace), structure_(structure), watch_(watch), flow_(system) {}

  // The list of steps, as text: all of them as objects would take many times the memory of the trace.
  std::string steps();
  // Adds everything else: last.
  void add_to(PageJson& page);

 private:
  PageJson initial();
  PageJson step(size_t number, const TraceStep& step, const TraceState& before, std::vector<uint32_t> changed);
  PageJson edges(const std::vector<FiredEdge>& fired);
  PageJson transfers(size_t number, const TraceStep& step, const TraceState& before);
  PageJson queue_contents(const Values& before, const Values& after) const;
  PageJson zone(const TraceState& state);
  PageJson end();

  const model::System& system_;
  const Trace& trace_;
  PageStructure& structure_;
  const Watch& watch_;
  MessageFlow flow_;
  std::map<std::string, uint32_t> constraints_;  // of zones, which have many in common
  PageJson constraint_texts_ = PageJson::array();
};

}  // namespace harrier::trace
