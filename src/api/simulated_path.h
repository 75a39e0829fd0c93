// The path of a simulation: states that were entered one after the other, and a place among them. What lies behind the
// place is what was taken back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "api/data.h"
#include "api/stepper.h"
#include "trace/trace.h"

namespace harrier::api {

class SimulatedPath {
 public:
  SimulatedPath(InstancePtr instance, const Watch& watch);

  const InstancePtr& instance() const { return instance_; }
  const model::System& system() const { return instance_->system(); }
  const step::Semantics& semantics() const { return *semantics_; }

  bool begun() const { return !states_.empty(); }
  void begin(std::vector<int32_t> choices, const Position& position);
  // Steps to where it stands, and all that are known.
  size_t place() const { return place_; }
  size_t last() const { return states_.empty() ? 0 : states_.size() - 1; }
  void go_to(size_t place) { place_ = place; }
  Position position(size_t place) const;
  Position here() const { return position(place_); }
  const model::PathStep& step(size_t place) const { return states_[place].step; }  // that led to it
  const std::optional<int32_t>& delay() const { return states_[place_].delay; }
  // What was taken back is forgotten.
  void set_delay(std::optional<int32_t> delay);
  void append(model::PathStep step, const Position& position);
  // If the system lacks something where the path stands (lang::Instance::refined), takes the same steps in another one
  // that has it.
  void refine(const Watch& watch);
  // Takes the steps of a valid trace of the system, from the start. Their times are open.
  void follow(const trace::Trace& trace, const Watch& watch);

  // What leads to where it stands.
  model::Path path() const;
  trace::Delays delays() const;

 private:
  struct State {
    std::vector<uint64_t> words;
    std::vector<zone::Bound> entered;
    std::optional<int32_t> delay;  // after it was entered
    model::PathStep step;
  };

  std::vector<uint64_t> packed(const Position& position) const;
  bool is_incomplete() const;
  // In an initial state with these choices, if there is one.
  void begin_with(Stepper& stepper, const std::vector<int32_t>& choices);
  void take_all_of(const SimulatedPath& other, const Watch& watch);

  InstancePtr instance_;
  std::unique_ptr<const model::Property> run_;
  std::unique_ptr<const step::Semantics> semantics_;
  std::vector<int32_t> beginning_;
  std::vector<State> states_;
  size_t place_ = 0;
};

}  // namespace harrier::api
