// Which exchange (automorphism.h) could be the one that maps a process to another one of its type.
//
// Edges that can only correspond to each other are compared, and what differs in them is exchanged: a channel with a
// channel, a variable with a variable, a name with a name. What follows is exchanged as well: the elements of a block
// that is indexed by such names, and the processes that use what is exchanged. Of what stays open, that is taken first
// which asks for least. Nothing here needs to be right, since every exchange is proved.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/watch.h"
#include "model/automorphism.h"
#include "model/system.h"
#include "model/value_classes.h"

namespace harrier::model {

class ExchangeGuesser {
 public:
  // All must outlive it.
  ExchangeGuesser(const System& system, const Property& property, const ValueClasses& classes, const Watch& watch);
  ~ExchangeGuesser();

  std::optional<Exchange> guess(ProcessId a, ProcessId b) const;

 private:
  class Guess;

  // A block, and how it is indexed: by a constant, and values times factors.
  struct Access {
    uint32_t first = 0;
    uint32_t count = 0;
    int64_t constant = 0;
    struct Term {
      int64_t factor = 1;
      uint32_t kind = 0;
      int64_t lo = 0;
      int64_t hi = 0;
    };
    std::vector<Term> terms;
  };
  // A variable by the numbers in its name: "m[1][2]" is 1, 2 of "m[][]".
  struct Numbered {
    uint32_t family = 0;
    std::vector<uint32_t> numbers;
    auto operator<=>(const Numbered&) const = default;
  };
  void read_names();
  void find_accesses();
  bool read_index(ExprId id, uint32_t frame, int64_t factor, Access& access) const;
  void find_uses();

  const System& system_;
  const Property& property_;
  const ValueClasses& classes_;
  const Watch& watch_;
  std::vector<Access> accesses_;                     // by names
  std::vector<std::vector<uint32_t>> uses_;          // by process: variables, sorted
  std::vector<std::vector<uint32_t>> synchronises_;  // by process: channels, sorted
  std::vector<Numbered> numbered_;                   // by variable
  std::map<Numbered, uint32_t> by_number_;
  std::vector<std::vector<uint32_t>> families_;  // of variables with numbers
  std::vector<uint64_t> shape_;                  // by edge: what those have in common that can correspond
};

}  // namespace harrier::model
