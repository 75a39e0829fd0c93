// Random models of interchangeable processes: several instances of one template, with names of processes in variables,
// arrays and matrices indexed by them, channels for each, broadcasts, clocks, and others that serve them all. Now and
// then something tells two apart. Every search with symmetry is compared with breadth-first search without.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace harrier::testing_support {

struct SymmetricOutcome {
  size_t queries = 0;
  size_t reachable = 0;
  size_t symmetric = 0;                                        // queries for which processes are interchangeable
  std::optional<std::pair<std::string, std::string>> problem;  // the search, and what is wrong; with the model
};

SymmetricOutcome check_symmetric(uint64_t seed);
// A model and its queries, one a line.
std::pair<std::string, std::string> symmetric_model(uint64_t seed);

}  // namespace harrier::testing_support
