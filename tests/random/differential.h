// One random model against everything: the front end, the reference interpreter, the compiled evaluator, all search
// orders, traces and their validator are asked about it and compared with the reference explorer.
#pragma once

#include <cstdint>
#include <string>

#include "random/generator.h"

namespace harrier::testing_support {

struct Outcome {
  enum class Kind : uint8_t { Agreed, Skipped, Disagreed };
  Kind kind = Kind::Agreed;
  std::string stage;    // what disagreed: stays the same while a model is reduced
  std::string problem;  // in full, or why the model was skipped
  size_t queries = 0;
  size_t reachable = 0;
  size_t failing = 0;  // queries
};

// What is compared: everything, or what is found out before a search (databases and landmarks) and the searches with
// it, or searches by costs, or a few searches with and without the values that make no difference, or with and without
// native code.
enum class Scope : uint8_t { Everything, Databases, Costs, Simplified, Native };

Outcome check(const TaModel& model, const Profile& profile, uint64_t seed, Scope scope = Scope::Everything);

// The queries of a model, one a line.
std::string queries_text(const TaModel& model);

}  // namespace harrier::testing_support
