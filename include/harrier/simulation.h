// Steps through a model by hand: what can happen in a state, one of it done, taken back, done otherwise.
//
//     harrier::Simulation simulation(model, {});
//     for (const auto& t : simulation.transitions().all) std::cout << t.text << "\n";
//     simulation.take(0);
//     simulation.run_until("P.done && x > 3", 1000);
//     simulation.go_to(2);                                  // what came after stays, until another step is taken
//     std::cout << harrier::to_json(simulation.trace());    // validated
//
// Of a model with clocks a state stands for all times at which the steps so far can happen; what is listed can happen
// for some of them. A delay that is asked for (`wait`) restricts them. Exact times are those of the trace.
//
// The limits of a call bind that call alone: Error(Limit) is thrown where one is reached, and the simulation stands
// where it had come to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier {

struct SimulationLimits {
  std::optional<double> time_limit_s;
  std::optional<uint64_t> memory_limit_bytes;  // resident, beyond what there was before the model was loaded
  const std::atomic<bool>* stop = nullptr;
  std::optional<uint64_t> poll_limit;  // see LoadOptions
};

class Simulation {
 public:
  using Limits = SimulationLimits;

  // A part of a state as readers know it.
  struct Value {
    enum class Kind : uint8_t { Location, Variable, Queue };
    Kind kind = Kind::Variable;
    std::string name;
    std::string value;
    bool changed = false;  // by the last step

    bool operator==(const Value&) const = default;
  };

  // What is true of a property in a state.
  struct Standing {
    size_t property = 0;  // its number in the model
    std::string text;     // "violates 'A[] not deadlock'"
  };

  // What can happen.
  struct Transition {
    std::string text;                // one line
    std::vector<TraceFiring> edges;  // none: an initial state to begin in
    std::vector<int32_t> choices;
  };
  struct Transitions {
    std::vector<Transition> all;
    bool more = false;    // than are listed
    std::string failure;  // what goes wrong in a step from here, and where; the model fails then
  };

  // Throws Error(Limit), and Error(Unsupported) for what has no steps. A model with claims is simulated without them if
  // it can be.
  explicit Simulation(const Model& model, const Limits& limits = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // Of several initial states one has to be taken before anything else. A model may have none.
  bool begun() const;
  // Where it stands, in steps, and how many are known: those that were taken back are there until another one is taken.
  size_t position() const;
  size_t known_steps() const;
  bool timed() const;

  // Of the state where it stands.
  std::vector<Value> values() const;
  // Constraints on the clocks, of models that have them: all values that are possible here.
  std::vector<std::string> zone(const Limits& limits = {});
  std::optional<int32_t> waited() const;  // a delay that was asked for
  // The properties of the model that a state violates, or whose goal it is.
  std::vector<Standing> standings(const Limits& limits = {});
  const Transitions& transitions(const Limits& limits = {});
  // A line about the step that led here.
  std::string last_step() const;

  // Takes a transition, by its place in the list. Throws Error(Usage) if there is none.
  void take(size_t transition, const Limits& limits = {});
  // Lets exactly so much time pass before the next step, in addition to what was asked for; nothing: as much as the
  // next step wants. Throws Error(Usage) if that is not possible.
  void wait(std::optional<int32_t> delay, const Limits& limits = {});
  // To a state that is known. Throws Error(Usage) if there is none.
  void go_to(size_t position);

  // Random steps, every transition being as likely as the others. Returns how many there were: fewer than asked for if
  // nothing can happen any more, or the model fails.
  void seed(uint64_t seed);
  uint64_t random(uint64_t steps, const Limits& limits = {});
  // Random steps, one at least and at most so many, to a state in which a condition holds: an expression of the
  // language of the model. False: there was none. Throws what is wrong with the expression.
  bool run_until(const std::string& condition, uint64_t most_steps, const Limits& limits = {});

  // The steps so far as a trace: of a run (Validation::run), or of a witness for a property that the state shows.
  // Throws Error(Usage) if it does not, Error(Internal) if the trace does not pass validation.
  Trace trace(std::optional<size_t> property = std::nullopt, const Limits& limits = {});
  // Goes on from a trace, which must be valid: stands at its end, and all its steps are known. Their times are open
  // again. Throws Error(Input) otherwise.
  void load(const std::string& trace_json, const std::string& name, const Limits& limits = {});

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace harrier
