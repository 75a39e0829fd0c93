#include "trace/page_steps.h"

#include <algorithm>
#include <numeric>

namespace harrier::trace {

namespace {

// More are left out: the page has to open in a moment.
constexpr size_t kMostConstraints = 2'000'000;

const char* kind_name(Transfer::Kind kind) {
  switch (kind) {
    case Transfer::Kind::Sent: return "sent";
    case Transfer::Kind::Taken: return "taken";
    case Transfer::Kind::Rewritten: return "rewritten";
  }
  return "unknown";
}

bool has_too_many_constraints(const Trace& trace) {
  size_t count = trace.initial.zone.size();
  for (const TraceStep& step : trace.steps) count += step.state.zone.size();
  return count > kMostConstraints;
}

void add(PageJson& out, const char* name, PageJson list) {
  if (!list.empty()) out[name] = std::move(list);
}

}  // namespace

PageJson PageSteps::edges(const std::vector<FiredEdge>& fired) {
  PageJson out = PageJson::array();
  for (const FiredEdge& edge : fired) out.push_back(structure_.edge(edge));
  return out;
}

PageJson PageSteps::transfers(size_t number, const TraceStep& step, const TraceState& before) {
  PageJson out = PageJson::array();
  for (const Transfer& t : flow_.step(number, step.edges.front(), before.values, step.state.values)) {
    out.push_back({{"queue", t.queue}, {"kind", kind_name(t.kind)}, {"text", t.text}});
    if (t.sent_in != 0) out.back()["sent_in"] = t.sent_in;
  }
  return out;
}

PageJson PageSteps::queue_contents(const Values& before, const Values& after) const {
  PageJson out = PageJson::array();
  for (size_t q = 0; q < system_.queues.size(); ++q) {
    std::vector<std::string> now = messages(system_, system_.queues[q], after);
    if (now == messages(system_, system_.queues[q], before)) continue;
    out.push_back(q);
    out.push_back(std::move(now));
  }
  return out;
}

PageJson PageSteps::zone(const TraceState& state) {
  PageJson out = PageJson::array();
  for (const std::string& text : state.zone) {
    const auto [at, fresh] = constraints_.emplace(text, static_cast<uint32_t>(constraint_texts_.size()));
    if (fresh) constraint_texts_.push_back(text);
    out.push_back(at->second);
  }
  return out;
}

PageJson PageSteps::initial() {
  std::vector<uint32_t> locations;
  std::vector<int32_t> values;
  for (uint32_t v = 0; v < trace_.initial.values.size(); ++v) {
    if (structure_.variable(v) != PageStructure::kHidden) values.push_back(trace_.initial.values[v]);
  }
  for (size_t p = 0; p < system_.processes.size(); ++p) {
    if (structure_.process(model::ProcessId(p)) == PageStructure::kHidden) continue;
    locations.push_back(static_cast<uint32_t>(location_of(system_.processes[p], trace_.initial.values)));
  }
  PageJson queues = PageJson::array();
  for (const model::Queue& queue : system_.queues) queues.push_back(messages(system_, queue, trace_.initial.values));
  std::vector<int64_t> clocks;
  if (!trace_.initial.clocks.empty()) clocks.assign(trace_.initial.clocks.begin() + 1, trace_.initial.clocks.end());
  return {{"locations", locations}, {"values", values}, {"clocks", clocks}, {"queues", queues}};
}

PageJson PageSteps::step(size_t number, const TraceStep& step, const TraceState& before,
                         std::vector<uint32_t> changed) {
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  PageJson out;
  if (step.delay != 0) out["delay"] = step.delay;
  if (step.time != 0) out["time"] = step.time;
  out["edges"] = edges(step.edges);
  PageJson at = PageJson::array();
  PageJson set = PageJson::array();
  for (const uint32_t v : changed) {
    const int32_t value = step.state.values[v];
    if (const uint32_t process = structure_.located(v); process != PageStructure::kHidden) {
      at.push_back(process);
      at.push_back(value);
    } else if (const uint32_t number_of = structure_.variable(v); number_of != PageStructure::kHidden) {
      set.push_back(number_of);
      set.push_back(value);
    }
  }
  PageJson reset = PageJson::array();
  for (size_t c = 1; c < step.state.clocks.size(); ++c) {
    if (step.state.clocks[c] == before.clocks[c] + step.delay) continue;
    reset.push_back(c - 1);
    reset.push_back(step.state.clocks[c]);
  }
  add(out, "at", std::move(at));
  add(out, "set", std::move(set));
  add(out, "reset", std::move(reset));
  add(out, "messages", transfers(number, step, before));
  add(out, "queues", queue_contents(before.values, step.state.values));
  return out;
}

std::string PageSteps::steps() {
  const bool zones = system_.clocks.size() > 1 && !has_too_many_constraints(trace_);
  std::string out = "[";
  const TraceState* before = &trace_.initial;
  std::vector<uint32_t> changed;
  size_t number = 0;
  for (const TraceStep& now : trace_.steps) {
    watch_.poll();
    changed.insert(changed.end(), now.changed.begin(), now.changed.end());
    if (is_watching(system_, now)) continue;
    PageJson one = step(++number, now, *before, std::move(changed));
    if (zones) add(one, "zone", zone(now.state));
    if (number > 1) out += ",\n";
    out += one.dump(-1, ' ', false, PageJson::error_handler_t::replace);
    before = &now.state;
    changed.clear();
  }
  return out + "]";
}

PageJson PageSteps::end() {
  PageJson out{{"time", trace_.end_time()}};
  if (trace_.final_delay != 0) out["delay"] = trace_.final_delay;
  if (!trace_.reason.empty()) out["reason"] = trace_.reason;
  if (trace_.deadlock) out["deadlock"] = true;
  if (trace_.rest) out["rest"] = *trace_.rest == Rest::Delay ? "delay" : "stuck";
  if (trace_.failure) {
    out["failure"] = {{"text", failure_text(*trace_.failure)}, {"edges", edges(trace_.failure->edges)}};
  }
  return out;
}

void PageSteps::add_to(PageJson& page) {
  page["property"] = {{"text", trace_.property}, {"kind", kind_name(trace_.kind)}};
  page["denominator"] = trace_.denominator;
  page["initial"] = initial();
  if (!has_too_many_constraints(trace_)) add(page["initial"], "zone", zone(trace_.initial));
  page["constraints"] = std::move(constraint_texts_);
  if (trace_.loop_start) page["loop"] = shown_steps(system_, trace_, *trace_.loop_start);
  if (trace_.premise) {
    page["premise"] = {{"steps", shown_steps(system_, trace_, trace_.premise->steps)},
                       {"delay", trace_.premise->delay}};
  }
  page["end"] = end();
}

}  // namespace harrier::trace
