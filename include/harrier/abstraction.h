// Abstractions that heuristics look distances up in: what a user can ask for, and what was built.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace harrier {

// How abstractions are built. Each number binds all that one heuristic builds; what does not fit is left out, or built
// coarser, and the report says so.
struct AbstractionOptions {
  uint64_t states = 1'000'000;  // abstract states that are kept
  double seconds = 10;          // that building takes

  // Pattern databases (pdb).
  std::string pattern;             // names of variables, separated by commas; several patterns by semicolons
  std::string patterns = "cegar";  // without a pattern: the strategy that chooses some
  std::string combine = "auto";

  // Zone databases (zdb).
  uint64_t zones = 50'000;  // that are explored, of all projections that are tried

  // Merge-and-shrink (ms).
  uint64_t merge_states = 50'000;  // of one factor: the bound N
  std::string merge = "level";
  std::string shrink = "bisimulation";

  // Predicate abstraction (pa).
  std::string predicates = "syntax";
  uint32_t split = 2;               // processes in a part of the network; 0: all in one
  std::string part_values = "sum";  // or "max", which is admissible
  uint32_t refinements = 4;         // iterations, at most
  bool stop_rule = false;           // refine until the shortest spurious path no longer grows

  bool operator==(const AbstractionOptions&) const = default;
};

// What was built for one heuristic.
struct AbstractionReport {
  std::string heuristic;
  double seconds = 0;
  uint64_t states = 0;  // 2^53: so many or more
  uint64_t bytes = 0;
  bool proved = false;  // the goal cannot be reached in the abstraction from the initial state
  bool loaded = false;  // from a file
  // Patterns, predicates, splits, tables: in the order in which they are to be shown.
  std::vector<std::pair<std::string, std::string>> details;
};

}  // namespace harrier
