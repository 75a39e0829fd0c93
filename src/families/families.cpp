#include "families/families.h"

#include <algorithm>

#include "families/generators.h"

namespace harrier::families {
namespace {

constexpr Family kFamilies[] = {
    {"fischer", "Fischer's protocol, n processes; mutual exclusion holds", 2, 200, fischer},
    {"fischer-a", "faulty Fischer, an observer counts by synchronisation; shortest path 8", 2, 200, fischer_a},
    {"fischer-b", "faulty Fischer, the error names two processes; shortest path 6", 2, 200, fischer_b},
    {"fischer-c", "faulty Fischer, a variable counts; shortest path 6", 2, 200, fischer_c},
    {"csma", "CSMA/CD, n stations on a bus; collisions are noticed in time", 2, 200, csma},
    {"train-gate", "n trains before a bridge, first come first served; one train crosses at a time", 2, 50, train_gate},
    {"arbiter", "arbiter tree of height n with a faulty client; shortest path 2n + 8", 2, 10, arbiter},
    {"hanoi", "towers of Hanoi, n disks, locations only; shortest path 2^(n+2) - 2n - 4", 1, 60, hanoi},
    {"philosophers", "n dining philosophers with time-outs; all wait at once after 2n steps", 2, 200, philosophers},
    {"dining", "n dining philosophers without time; shortest path to the deadlock n", 2, 5000, dining},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

const Family* find_family(std::string_view name) {
  const auto* found =
      std::ranges::find(kFamilies, name, [](const Family& family) { return std::string_view(family.name); });
  return found == std::end(kFamilies) ? nullptr : found;
}

}  // namespace harrier::families
