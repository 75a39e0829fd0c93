// Moves a model one step at a time, with clocks or without: what simulations stand on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/path.h"
#include "step/discrete_generator.h"
#include "step/zone_stepper.h"

namespace harrier::api {

// A state as it is entered, with its zone if there are clocks.
using Position = step::ZoneStepper::Position;

class Stepper {
 public:
  // Both must outlive it. With clocks, the semantics has bounds of all of them (step::all_clocks).
  Stepper(const step::Semantics& semantics, const Watch& watch);

  // Calls visit(choices, state) for every initial state, until it returns false.
  void initial(const std::function<bool(std::vector<int32_t> choices, Position position)>& visit);
  // The state to leave, after this delay, or any. False: so much time cannot pass.
  bool load(const Position& position, std::optional<int32_t> delay);
  // Calls visit() for every successor, which is the candidate then, until it returns false. Throws EvalFailure.
  void successors(const std::function<bool()>& visit);
  // The candidate, and the step that leads there.
  Position candidate() const;
  model::PathStep step() const;

  // What the state to leave satisfies of the goal. Throws EvalFailure.
  std::optional<step::ZoneStepper::Reached> goal();
  // The constraints of its zone; of models without clocks none.
  std::vector<std::string> zone() const;

 private:
  const step::Semantics& semantics_;
  std::optional<step::DiscreteGenerator> discrete_;
  std::optional<step::ZoneStepper> timed_;
  const step::Firing* firing_ = nullptr;  // of the candidate
  const std::vector<model::ClockAtom>* extra_ = nullptr;
};

}  // namespace harrier::api
