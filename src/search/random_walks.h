// Random walks, blind or guided, by one walker (walk.h) or by several at the same time (swarm.h).
#pragma once

#include <optional>

#include "search/method.h"

namespace harrier::search {

struct RandomWalks {
  enum class Restart : uint8_t { Initial, Previous, Best };
  enum class Selection : uint8_t { One, All };
  enum class Bias : uint8_t { Linear, Softmax, Greedy, Steps };

  uint64_t seed = 1;
  std::optional<Estimate> estimate;  // none: the walks are blind
  std::optional<uint64_t> walks;     // at most so many
  std::optional<uint64_t> depth;     // of a walk; 0: without end. By default it varies
  bool trails = false;               // never visit a state twice in a walk
  bool end_at_loop = false;          // a walk ends at the first state that it visits twice
  Restart restart = Restart::Initial;
  Selection selection = Selection::One;
  Bias bias = Bias::Softmax;
  double temperature = 0.5;
  bool reverse = false;         // away from the goal
  std::optional<double> delta;  // both: as many walks as it takes to be sure but for a probability of delta that fewer
  std::optional<double> epsilon;     // than a share of epsilon of all walks finds an error
  std::optional<double> saturation;  // stop when less than this share of the states seen lately is new
  uint32_t threads = 1;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  bool answers(Question question) const;
  std::unique_ptr<Task> task(Aims& aims, Budget& budget) const;
  Result run(const step::Semantics& semantics, const Config& config) const;
};

}  // namespace harrier::search
