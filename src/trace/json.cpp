// Writes and reads traces as JSON.
#include "trace/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace harrier::trace {

namespace {

using model::Direction;
using model::PropertyKind;
using model::System;
using OutputJson = nlohmann::ordered_json;  // keeps the fields in the order in which they are explained
using Json = nlohmann::json;                // looks them up fast

constexpr Direction kDirections[] = {Direction::Internal, Direction::Send, Direction::Receive};
constexpr PathFailure::Part kParts[] = {PathFailure::Part::Invariant, PathFailure::Part::Guard,
                                        PathFailure::Part::Transition, PathFailure::Part::Goal};
constexpr PropertyKind kKinds[] = {PropertyKind::Reachable,  PropertyKind::Invariant, PropertyKind::PotentiallyAlways,
                                   PropertyKind::Eventually, PropertyKind::LeadsTo,   PropertyKind::Extrema,
                                   PropertyKind::Liveness,   PropertyKind::Branching};
constexpr Rest kRests[] = {Rest::Delay, Rest::Stuck};

const char* direction_name(Direction direction) {
  switch (direction) {
    case Direction::Internal: return "internal";
    case Direction::Send: return "send";
    case Direction::Receive: return "receive";
  }
  return "unknown";
}

const char* rest_name(Rest rest) { return rest == Rest::Delay ? "delay" : "stuck"; }

// The process whose location a variable is, by variable.
std::unordered_map<uint32_t, size_t> location_variables(const System& system) {
  std::unordered_map<uint32_t, size_t> out;
  for (size_t p = 0; p < system.processes.size(); ++p) out[system.processes[p].location.value] = p;
  return out;
}

class Writer {
 public:
  Writer(const System& system, const Trace& trace, const Watch& watch)
      : system_(system), trace_(trace), watch_(watch), process_of_(location_variables(system)) {}

  // The steps are written one by one: all of them together would take many times the memory of the trace.
  std::string text() const {
    std::string out = dumped(without_steps(), "");
    if (trace_.steps.empty()) return out + "\n";
    const std::string list = "\n  \"steps\": [";
    const size_t at = out.find(list + "]") + list.size();
    const std::string rest = "\n  " + out.substr(at) + "\n";
    out.resize(at);
    for (const TraceStep& step : trace_.steps) {
      watch_.poll();
      out += &step == &trace_.steps.front() ? "\n    " : ",\n    ";
      out += dumped(json_of(step), "    ");
    }
    return out + rest;
  }

 private:
  static std::string dumped(const OutputJson& json, const char* indent) {
    std::string out;
    for (const char c : json.dump(2, ' ', false, OutputJson::error_handler_t::replace)) {
      out += c;
      if (c == '\n') out += indent;
    }
    return out;
  }

  OutputJson without_steps() const {
    OutputJson out;
    out["format"] = kTraceFormat;
    out["model"] = {
        {"name", trace_.model}, {"language", trace_.language}, {"hash", fmt::format("{:016x}", trace_.content_hash)}};
    out["property"] = {
        {"text", trace_.property}, {"kind", kind_name(trace_.kind)}, {"goal_clause", trace_.goal_clause}};
    if (trace_.loop_start) out["loop_start"] = *trace_.loop_start;
    if (trace_.premise) out["premise"] = {{"steps", trace_.premise->steps}, {"delay", trace_.premise->delay}};
    out["time_denominator"] = trace_.denominator;
    if (!trace_.beginning.empty()) out["beginning"] = trace_.beginning;
    std::vector<uint32_t> all(trace_.initial.values.size());
    std::iota(all.begin(), all.end(), 0u);
    out["initial"] = values(all, trace_.initial);
    add_clocks(out["initial"], trace_.initial);
    out["steps"] = OutputJson::array();
    out["end"] = {{"delay", trace_.final_delay},
                  {"time", trace_.end_time()},
                  {"reason", trace_.reason},
                  {"deadlock", trace_.deadlock}};
    if (trace_.failure) {
      out["end"]["failure"] = {{"error", trace_.failure->error},
                               {"part", part_name(trace_.failure->part)},
                               {"position", trace_.failure->position},
                               {"edges", json_of(trace_.failure->edges)}};
      if (!trace_.failure->choices.empty()) out["end"]["failure"]["choices"] = trace_.failure->choices;
    }
    if (trace_.rest) out["end"]["rest"] = rest_name(*trace_.rest);
    return out;
  }

  // Names are distinct, so that an object grows without a search for the name.
  static void append(OutputJson& object, const std::string& name, OutputJson value) {
    object.get_ref<OutputJson::object_t&>().push_back({name, std::move(value)});
  }

  OutputJson values(const std::vector<uint32_t>& variables, const TraceState& state) const {
    OutputJson locations = OutputJson::object();
    OutputJson others = OutputJson::object();
    for (const uint32_t v : variables) {
      const int32_t value = state.values[v];
      const auto process = process_of_.find(v);
      if (process == process_of_.end()) {
        append(others, system_.variables[v].name, value);
      } else {
        const model::Process& p = system_.processes[process->second];
        append(locations, p.name, p.locations[static_cast<size_t>(value)].name);
      }
    }
    return {{"locations", std::move(locations)}, {"variables", std::move(others)}};
  }

  void add_clocks(OutputJson& out, const TraceState& state) const {
    OutputJson clocks = OutputJson::object();
    for (size_t i = 1; i < state.clocks.size(); ++i) append(clocks, system_.clocks[i].name, state.clocks[i]);
    out["clocks"] = std::move(clocks);
    out["zone"] = state.zone;
  }

  static OutputJson json_of(const std::vector<FiredEdge>& edges) {
    OutputJson out = OutputJson::array();
    for (const FiredEdge& f : edges) {
      out.push_back({{"edge", f.edge},
                     {"process", f.process},
                     {"source", f.source},
                     {"target", f.target},
                     {"direction", direction_name(f.direction)},
                     {"channel", f.channel},
                     {"label", f.label},
                     {"position", f.position}});
    }
    return out;
  }

  OutputJson json_of(const TraceStep& step) const {
    OutputJson out{{"delay", step.delay}, {"time", step.time}, {"edges", json_of(step.edges)}};
    if (!step.choices.empty()) out["choices"] = step.choices;
    out["changed"] = values(step.changed, step.state);
    add_clocks(out, step.state);
    return out;
  }

  const System& system_;
  const Trace& trace_;
  const Watch& watch_;
  std::unordered_map<uint32_t, size_t> process_of_;
};

[[noreturn]] void bad(const std::string& message) { throw Error(ErrorKind::Input, "bad trace: " + message); }

template <class Enum, size_t N>
Enum one_of(const std::string& text, const Enum (&all)[N], const char* (*name)(Enum)) {
  for (const Enum value : all) {
    if (text == name(value)) return value;
  }
  bad(fmt::format("unknown word '{}'", text));
}

class Reader {
 public:
  Reader(const System& system, const Watch& watch) : system_(system), watch_(watch) {
    const auto locations = location_variables(system);
    for (size_t i = 0; i < system.variables.size(); ++i) {
      if (!locations.contains(static_cast<uint32_t>(i))) variables_[system.variables[i].name] = i;
    }
    for (size_t i = 1; i < system.clocks.size(); ++i) clocks_[system.clocks[i].name] = i;
    for (size_t i = 0; i < system.processes.size(); ++i) processes_[system.processes[i].name] = i;
  }

  Trace read(const Json& json) const {
    if (!json.is_object()) bad("not a JSON object");
    only(json, {"format", "model", "property", "loop_start", "premise", "time_denominator", "beginning", "initial",
                "steps", "end"});
    const std::string format = string(json, "format");
    if (format != kTraceFormat) bad(fmt::format("format '{}' where '{}' is expected", format, kTraceFormat));
    Trace trace;
    const Json& model = object(json, "model");
    only(model, {"name", "language", "hash"});
    trace.model = string(model, "name");
    trace.language = string(model, "language");
    trace.content_hash = hash(string(model, "hash"));
    const Json& property = object(json, "property");
    only(property, {"text", "kind", "goal_clause"});
    trace.property = string(property, "text");
    trace.kind = one_of(string(property, "kind"), kKinds, kind_name);
    trace.goal_clause = static_cast<size_t>(integer(property, "goal_clause", 0, UINT32_MAX));
    if (json.contains("loop_start")) {
      trace.loop_start = static_cast<size_t>(integer(json, "loop_start", 0, UINT32_MAX));
    }
    if (json.contains("premise")) {
      const Json& premise = object(json, "premise");
      trace.premise = PremiseMoment{static_cast<size_t>(integer(premise, "steps", 0, UINT32_MAX)),
                                    integer(premise, "delay", -kLargest, kLargest)};
    }
    trace.denominator = integer(json, "time_denominator", -kLargest, kLargest);
    trace.beginning = choices(json, "beginning");

    const Json& initial = object(json, "initial");
    only(initial, {"locations", "variables", "clocks", "zone"});
    trace.initial.values = system_.initial_values();
    const size_t given = values(initial, trace.initial.values).size();
    if (given != system_.variables.size()) bad("'initial' does not name all locations and variables");
    clocks_and_zone(initial, trace.initial);
    const TraceState* previous = &trace.initial;
    const Json& steps = array(json, "steps");
    trace.steps.reserve(steps.size());
    for (const Json& step : steps) {
      watch_.poll();
      trace.steps.push_back(read_step(step, *previous));
      previous = &trace.steps.back().state;
    }
    const Json& end = object(json, "end");
    only(end, {"delay", "time", "reason", "deadlock", "failure", "rest"});
    trace.final_delay = integer(end, "delay", -kLargest, kLargest);
    if (integer(end, "time", -2 * kLargest, 2 * kLargest) != trace.end_time()) {
      bad("the time of 'end' is not that of the last step plus the delay");
    }
    trace.reason = string(end, "reason");
    trace.deadlock = boolean(end, "deadlock");
    if (end.contains("failure")) {
      const Json& failure = object(end, "failure");
      only(failure, {"error", "part", "position", "edges", "choices"});
      trace.failure = {one_of(string(failure, "part"), kParts, part_name), string(failure, "error"),
                       string(failure, "position"), edges(failure), choices(failure, "choices")};
    }
    if (end.contains("rest")) trace.rest = one_of(string(end, "rest"), kRests, rest_name);
    return trace;
  }

 private:
  static constexpr int64_t kLargest = int64_t{1} << 60;  // sums of two times do not overflow

  // A field that nobody knows would be a claim that nobody checks.
  static void only(const Json& json, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) bad(fmt::format("unknown field '{}'", key));
    }
  }

  static const Json& member(const Json& json, const char* key) {
    if (!json.is_object()) bad(fmt::format("'{}' is looked for in something that is not an object", key));
    const auto found = json.find(key);
    if (found == json.end()) bad(fmt::format("'{}' is missing", key));
    return *found;
  }

  static const Json& object(const Json& json, const char* key) {
    const Json& found = member(json, key);
    if (!found.is_object()) bad(fmt::format("'{}' is not an object", key));
    return found;
  }

  static const Json& array(const Json& json, const char* key) {
    const Json& found = member(json, key);
    if (!found.is_array()) bad(fmt::format("'{}' is not an array", key));
    return found;
  }

  static std::string string(const Json& json, const char* key) {
    const Json& found = member(json, key);
    if (!found.is_string()) bad(fmt::format("'{}' is not a string", key));
    return found.get<std::string>();
  }

  static bool boolean(const Json& json, const char* key) {
    const Json& found = member(json, key);
    if (!found.is_boolean()) bad(fmt::format("'{}' is neither true nor false", key));
    return found.get<bool>();
  }

  static int64_t integer(const Json& found, const std::string& what, int64_t lo, int64_t hi) {
    const bool too_large = found.is_number_unsigned() && found.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
    if (!found.is_number_integer() || too_large) bad(fmt::format("'{}' is not an integer", what));
    const auto value = found.get<int64_t>();
    if (value < lo || value > hi) bad(fmt::format("'{}' is out of range", what));
    return value;
  }

  static int64_t integer(const Json& json, const char* key, int64_t lo, int64_t hi) {
    return integer(member(json, key), std::string(key), lo, hi);
  }

  static uint64_t hash(const std::string& text) {
    const bool digits = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (text.size() != 16 || !digits) bad("'hash' is not 16 hexadecimal digits");
    return std::stoull(text, nullptr, 16);
  }

  static size_t look_up(const std::unordered_map<std::string, size_t>& names, const std::string& name,
                        const char* what) {
    const auto found = names.find(name);
    if (found == names.end()) bad(fmt::format("the model has no {} '{}'", what, name));
    return found->second;
  }

  // Overwrites the values that are given; returns their variables in order.
  std::vector<uint32_t> values(const Json& json, std::vector<int32_t>& out) const {
    std::vector<uint32_t> changed;
    for (const auto& [name, value] : object(json, "locations").items()) {
      const model::Process& process = system_.processes[look_up(processes_, name, "process")];
      if (!value.is_string()) bad(fmt::format("the location of '{}' is not a string", name));
      const auto& wanted = value.template get_ref<const std::string&>();
      const auto location = std::find_if(process.locations.begin(), process.locations.end(),
                                         [&](const auto& l) { return l.name == wanted; });
      if (location == process.locations.end()) bad(fmt::format("process '{}' has no such location", name));
      out[process.location.value] = static_cast<int32_t>(location - process.locations.begin());
      changed.push_back(process.location.value);
    }
    for (const auto& [name, value] : object(json, "variables").items()) {
      const size_t variable = look_up(variables_, name, "variable");
      out[variable] = static_cast<int32_t>(integer(value, name, INT32_MIN, INT32_MAX));
      changed.push_back(static_cast<uint32_t>(variable));
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed;
  }

  void clocks_and_zone(const Json& json, TraceState& state) const {
    state.clocks.assign(system_.clocks.size(), 0);
    const Json& clocks = object(json, "clocks");
    if (clocks.size() != clocks_.size()) bad("'clocks' does not name all clocks");
    for (const auto& [name, value] : clocks.items()) {
      state.clocks[look_up(clocks_, name, "clock")] = integer(value, name, -kLargest, kLargest);
    }
    for (const Json& constraint : array(json, "zone")) {
      if (!constraint.is_string()) bad("a constraint of 'zone' is not a string");
      state.zone.push_back(constraint.get<std::string>());
    }
  }

  TraceStep read_step(const Json& json, const TraceState& previous) const {
    TraceStep step;
    if (json.is_object()) only(json, {"delay", "time", "edges", "choices", "changed", "clocks", "zone"});
    step.delay = integer(json, "delay", -kLargest, kLargest);
    step.time = integer(json, "time", -kLargest, kLargest);
    step.edges = edges(json);
    step.choices = choices(json, "choices");
    step.state.values = previous.values;
    only(object(json, "changed"), {"locations", "variables"});
    step.changed = values(object(json, "changed"), step.state.values);
    clocks_and_zone(json, step.state);
    return step;
  }

  // May be left out.
  static std::vector<int32_t> choices(const Json& json, const char* key) {
    std::vector<int32_t> out;
    if (!json.contains(key)) return out;
    for (const Json& value : array(json, key)) {
      out.push_back(static_cast<int32_t>(integer(value, std::string(key), INT32_MIN, INT32_MAX)));
    }
    return out;
  }

  std::vector<FiredEdge> edges(const Json& json) const {
    std::vector<FiredEdge> out;
    for (const Json& edge : array(json, "edges")) {
      FiredEdge fired;
      if (edge.is_object()) {
        only(edge, {"edge", "process", "source", "target", "direction", "channel", "label", "position"});
      }
      const int64_t number = integer(edge, "edge", 0, UINT32_MAX - 1);
      if (static_cast<size_t>(number) >= system_.edges.size()) bad(fmt::format("the model has no edge {}", number));
      fired.edge = static_cast<uint32_t>(number);
      fired.process = string(edge, "process");
      fired.source = string(edge, "source");
      fired.target = string(edge, "target");
      fired.direction = one_of(string(edge, "direction"), kDirections, direction_name);
      fired.channel = string(edge, "channel");
      fired.label = string(edge, "label");
      fired.position = string(edge, "position");
      out.push_back(std::move(fired));
    }
    return out;
  }

  const System& system_;
  const Watch& watch_;
  std::unordered_map<std::string, size_t> variables_;
  std::unordered_map<std::string, size_t> clocks_;
  std::unordered_map<std::string, size_t> processes_;
};

}  // namespace

std::string to_json(const System& system, const Trace& trace, const Watch& watch) {
  return Writer(system, trace, watch).text();
}

namespace {

// Of two fields of one name one would be read and the other not.
Json parsed(std::string_view text, const Watch& watch) {
  std::vector<std::set<std::string>> open;  // the fields so far of the objects that are being read
  const auto look = [&](int, Json::parse_event_t event, Json& part) {
    watch.poll();
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(part.get<std::string>()).second) {
      bad(fmt::format("two fields '{}' of one object", part.get<std::string>()));
    }
    return true;
  };
  try {
    return Json::parse(text, look);
  } catch (const Json::exception& e) {
    bad(e.what());
  }
}

}  // namespace

Trace from_json(const System& system, std::string_view text, const Watch& watch) {
  return Reader(system, watch).read(parsed(text, watch));
}

Head head_of(std::string_view text, const Watch& watch) {
  const Json json = parsed(text, watch);
  const auto word = [&](const char* pointer, const char* what) {
    const Json::json_pointer at(pointer);
    if (!json.contains(at) || !json[at].is_string()) bad(fmt::format("'property' has no {}", what));
    return json[at].get<std::string>();
  };
  Head head;
  head.property = word("/property/text", "text");
  head.kind = one_of(word("/property/kind", "kind"), kKinds, kind_name);
  const Json::json_pointer locations("/initial/locations");
  if (!json.contains(locations)) bad("'initial' does not name the locations");
  for (const auto& [name, location] : json[locations].items()) head.processes.push_back(name);
  return head;
}

}  // namespace harrier::trace
