#include "families/families.h"

#include <algorithm>

#include "families/generators.h"

namespace harrier::families {
namespace {

constexpr Family kUppaal[] = {
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

constexpr Family kSmv[] = {
    {"philosophers", "n dining philosophers; all hold one fork after 2n steps", 2, 1000, smv::philosophers},
    {"leader", "a token and claims in a ring of n; two have the resource after n + 3 steps", 3, 200, smv::leader},
    {"send-receive", "n senders that count to 10 and n receivers; a sender gives up after 12 steps", 1, 200,
     smv::send_receive},
    {"mutex", "n processes that raise their flags too late; the first two get in after 6 steps", 2, 200, smv::mutex},
    {"peterson", "Peterson's algorithm for n processes with a mistake; two get in after 2n(n + 1) steps", 2, 50,
     smv::peterson},
    {"peterson-low", "the same, but only the first two processes count; as long", 3, 50, smv::peterson_low},
};

constexpr Language kLanguages[] = {{"uppaal", kUppaal}, {"smv", kSmv}};

}  // namespace

std::span<const Language> languages() { return kLanguages; }

std::span<const Family> families() { return kUppaal; }

const Family* find_family(std::string_view name, std::string_view language) {
  for (const Language& of : kLanguages) {
    if (!language.empty() && language != of.name) continue;
    const auto found =
        std::ranges::find(of.families, name, [](const Family& family) { return std::string_view(family.name); });
    if (found != of.families.end()) return &*found;
  }
  return nullptr;
}

}  // namespace harrier::families
