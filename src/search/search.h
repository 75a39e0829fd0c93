// Reachability: finds a path to a state that satisfies a goal, or proves that there is none.
//
//     Options options;
//     options.order = Order::BreadthFirst;
//     Result result = search::run(system, property, options);
//     if (result.verdict == Verdict::Reachable) …   // result.path is the witness, not yet validated
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/system.h"
#include "trace/path.h"

namespace harrier::search {

enum class Order : uint8_t { BreadthFirst, DepthFirst, RandomDepthFirst };

// Names are stable: they are the keys of the JSON output.
struct Statistics {
  uint64_t expanded = 0;   // states whose successors were generated
  uint64_t generated = 0;  // successors generated
  uint64_t stored = 0;     // states in the store at the end
  double time_s = 0;
  uint64_t memory_bytes = 0;  // of the state store, open list and bookkeeping, at the end
};

struct Options {
  Order order = Order::BreadthFirst;
  uint64_t seed = 1;
  std::optional<uint64_t> depth_limit;
  std::optional<double> time_limit_s;
  std::optional<uint64_t> memory_limit_bytes;
  const std::atomic<bool>* stop = nullptr;  // set from outside (Ctrl-C): the search ends soon, with statistics
  std::function<void(const Statistics&)> progress;  // called now and then
};

enum class Verdict : uint8_t { Reachable, Unreachable, Unknown };

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::optional<trace::Path> path;  // with Reachable
  std::string reason;               // with Unknown: "time limit", "memory limit", "depth limit", "interrupted"
  Statistics statistics;
};

// Searches for a state in the goal of a Reachable or Invariant property.
// Throws Error(Runtime) if the model fails at run time, Error(Unsupported) for other properties.
Result run(const model::System& system, const model::Property& property, const Options& options);

}  // namespace harrier::search
