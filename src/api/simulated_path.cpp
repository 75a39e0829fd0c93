#include "api/simulated_path.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "trace/run.h"

namespace harrier::api {

namespace {

using model::System;

// Which variables of two systems of one model readers know by the same name.
class CommonVariables {
 public:
  CommonVariables(const System& one, const System& other) {
    std::unordered_map<std::string, size_t> places;
    for (size_t v = 0; v < other.variables.size(); ++v) places[other.variables[v].name] = v;
    for (size_t v = 0; v < one.variables.size(); ++v) {
      const auto found = places.find(one.variables[v].name);
      if (found != places.end() && !one.variables[v].internal) pairs_.emplace_back(v, found->second);
    }
  }
  bool agree(const std::vector<int32_t>& one, const std::vector<int32_t>& other) const {
    return std::all_of(pairs_.begin(), pairs_.end(),
                       [&](const auto& pair) { return one[pair.first] == other[pair.second]; });
  }

 private:
  std::vector<std::pair<size_t, size_t>> pairs_;
};

// Whether two steps are told alike; their edges have other numbers in other systems.
bool alike(const System& a, const model::PathStep& one, const System& b, const model::PathStep& other) {
  const auto same = [&](model::EdgeId x, model::EdgeId y) {
    trace::FiredEdge first = trace::describe(a, x);
    const trace::FiredEdge second = trace::describe(b, y);
    first.edge = second.edge;
    return first == second;
  };
  return one.choices == other.choices &&
         std::equal(one.edges.begin(), one.edges.end(), other.edges.begin(), other.edges.end(), same);
}

bool is_step(const model::PathStep& step, const trace::TraceStep& wanted) {
  return step.choices == wanted.choices &&
         std::equal(step.edges.begin(), step.edges.end(), wanted.edges.begin(), wanted.edges.end(),
                    [](model::EdgeId id, const trace::FiredEdge& edge) { return id.value == edge.edge; });
}

// Whether these clock values are in the part of the zone from which the step is taken.
bool allows(const model::PathStep& step, const std::vector<int64_t>& clocks, int64_t delay, int64_t denominator) {
  return std::all_of(step.extra.begin(), step.extra.end(), [&](const model::ClockAtom& atom) {
    const auto value = [&](model::ClockId clock) { return clock.value == 0 ? 0 : clocks[clock.value] + delay; };
    const int64_t difference = value(atom.left) - value(atom.right);
    const int64_t bound = atom.bound * denominator;
    return atom.strict ? difference < bound : difference <= bound;
  });
}

}  // namespace

SimulatedPath::SimulatedPath(InstancePtr instance, const Watch& watch)
    : instance_(std::move(instance)),
      run_(std::make_unique<const model::Property>(trace::run_property())),
      semantics_(std::make_unique<const step::Semantics>(instance_->system(), *run_, watch,
                                                         step::all_clocks(instance_->system()))) {}

std::vector<uint64_t> SimulatedPath::packed(const Position& position) const {
  std::vector<uint64_t> out(semantics_->layout().words(), 0);
  semantics_->layout().pack(position.values.data(), out.data());
  return out;
}

void SimulatedPath::begin(std::vector<int32_t> choices, const Position& position) {
  beginning_ = std::move(choices);
  states_.assign(1, {packed(position), position.entered, {}, {}});
  place_ = 0;
}

Position SimulatedPath::position(size_t place) const {
  Position out{std::vector<int32_t>(system().variables.size()), states_[place].entered};
  semantics_->layout().unpack(states_[place].words.data(), out.values.data());
  return out;
}

void SimulatedPath::set_delay(std::optional<int32_t> delay) {
  states_.resize(place_ + 1);
  states_.back().delay = delay;
}

void SimulatedPath::append(model::PathStep step, const Position& position) {
  states_.resize(place_ + 1);
  states_.push_back({packed(position), position.entered, {}, std::move(step)});
  ++place_;
}

bool SimulatedPath::is_incomplete() const {
  if (!instance_->may_be_incomplete()) return false;
  const std::vector<int32_t> values = here().values;
  for (const model::Property& property : instance_->properties()) {
    // All of them say so alike.
    for (const model::Clause& clause : property.goal) {
      if (clause.incomplete) return model::Interpreter(system()).holds(clause.conditions, values);
    }
  }
  return false;
}

void SimulatedPath::refine(const Watch& watch) {
  while (is_incomplete()) {
    SimulatedPath again(instance_->refined(here().values, watch), watch);
    again.take_all_of(*this, watch);
    *this = std::move(again);
  }
}

void SimulatedPath::begin_with(Stepper& stepper, const std::vector<int32_t>& choices) {
  stepper.initial([&](std::vector<int32_t> these, const Position& position) {
    if (these != choices) return true;
    begin(std::move(these), position);
    return false;
  });
}

void SimulatedPath::follow(const trace::Trace& trace, const Watch& watch) {
  Stepper stepper(*semantics_, watch);
  begin_with(stepper, trace.beginning);
  for (const trace::TraceStep& wanted : trace.steps) {
    watch.poll();
    const trace::TraceState& before = trace.state(place_);
    std::optional<std::pair<model::PathStep, Position>> found;
    if (begun()) {
      stepper.load(here(), std::nullopt);
      stepper.successors([&] {
        model::PathStep step = stepper.step();
        if (!is_step(step, wanted) || !allows(step, before.clocks, wanted.delay, trace.denominator)) return true;
        found.emplace(std::move(step), stepper.candidate());
        return false;
      });
    }
    if (!found) throw Error(ErrorKind::Internal, "a valid trace cannot be followed step by step");
    append(std::move(found->first), found->second);
  }
  if (!begun()) throw Error(ErrorKind::Unsupported, "unsupported: a trace that fails before its first state");
}

void SimulatedPath::take_all_of(const SimulatedPath& other, const Watch& watch) {
  const CommonVariables common(other.system(), system());
  Stepper stepper(*semantics_, watch);
  begin_with(stepper, other.beginning_);
  for (size_t i = 1; i <= other.place_ && begun(); ++i) {
    stepper.load(here(), std::nullopt);
    // What the last step led to means nothing: there was no room for it.
    const bool last = i == other.place_;
    const Position wanted = other.position(i);
    std::optional<std::pair<model::PathStep, Position>> found;
    stepper.successors([&] {
      model::PathStep step = stepper.step();
      Position position = stepper.candidate();
      if (!alike(other.system(), other.step(i), system(), step)) return true;
      if (!last && !common.agree(wanted.values, position.values)) return true;
      found.emplace(std::move(step), std::move(position));
      return false;
    });
    if (found) append(std::move(found->first), found->second);
    if (place_ != i) break;
  }
  if (!begun() || place_ != other.place_) {
    throw Error(ErrorKind::Internal, "a step of the simulation cannot be taken with room for more processes");
  }
}

model::Path SimulatedPath::path() const {
  model::Path out;
  out.beginning = beginning_;
  for (size_t i = 1; i <= place_; ++i) out.steps.push_back(states_[i].step);
  return out;
}

trace::Delays SimulatedPath::delays() const {
  trace::Delays out;
  for (size_t i = 0; i <= place_; ++i) out.push_back(states_[i].delay);
  return out;
}

}  // namespace harrier::api
