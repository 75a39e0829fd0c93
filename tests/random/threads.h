// Breadth-first search by several threads against that by one: they must not differ in anything that can be seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/system.h"
#include "search/search.h"

namespace harrier::testing_support {

// What differs between two results of the same search; nothing if they are alike. Where the search ended early in a
// timed model, it may have stored a little more.
std::optional<std::string> difference(const search::Result& one, const search::Result& other, bool timed);

// The same of searches by 1, 2 and 3 threads, which share even a layer of two states, with and without symmetry, and
// with partial-order reduction, where only the verdict is that of the search without. Where one thread passes through
// states of exclusive control, only verdicts and lengths are alike.
std::optional<std::string> compare_threads(const model::System& system, const model::Property& property,
                                           std::optional<uint64_t> depth_limit = {});

}  // namespace harrier::testing_support
