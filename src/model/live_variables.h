// Which variables are live: whose value may still make a difference.
//
// A value makes a difference if it can reach a condition (a guard, an invariant, a constraint on clocks, what a
// property asks for), a reset of a clock, or what can fail at run time, perhaps through other variables. That a value
// is read is not enough: if it only goes to variables that are not live themselves, it is as dead as one that is
// overwritten
// (*faint*, Giegerich, Möncke and Wilhelm 1981). States that agree in their live variables are bisimilar, so that dead
// ones may get any value (Bozga, Fernandez and Ghirvu 1999; Holzmann 1999).
//
// For every process p and location l, the analysis computes a set L(p, l): what the edges of p on the ways from l need
// before p itself overwrites it. A variable is live in a state if it is in L(p, l) for the location l of some process
// p, or if it is needed everywhere: by the property, an axiom, before_update, after_update, or because it is a location
// or System::control. The sets are the least ones with:
//   1. the invariant of l is in L(p, l);
//   2. for an edge of p from l to m: what is in L(p, m) and not overwritten for sure; what its guards read; and what
//   its
//      effect reads, where that goes to a variable that is needed. Needed by an effect of p is what is in L(p, m), what
//      a later statement needs, and what is in L(q, k) for any *other* process q and any k;
//   3. an edge that sets the location of another process c to m also needs L(c, m), as far as it does not overwrite it.
// What a sender or a receiver of a binary channel reads may count for its partner instead, which is then there, too:
// the value of a variable that only the sender uses otherwise is not wanted where the sender is elsewhere.
//
// Why states s and t that agree in what is live in s are bisimilar. The same transitions are enabled, since all that is
// read to tell is live by 1 and 2, at the location of the process or of its partner; failing included. Let both lead on
// by the same one, to s' and t', and v be live in s'; then both agree in v: (a) nobody wrote v. It is in L(p, k) for
// the location k of some p in s'. Either p has not moved, and k is its location in s; or an edge of p or one that moved
// p was taken, and v was live in s by 2 or 3. (b) v was written, last by an edge e of q. All that this value was
// computed from was needed, by 2, since v is in L(q, ·) of the target of e, or in L(p, ·) for another process p; so it
// was live in s, or written before in the same transition, and needed there for the same reason. What a function writes
// is not taken apart: if any of it is needed, all that it reads is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::model {

class LiveVariables {
 public:
  // A set of variables.
  class Set {
   public:
    explicit Set(size_t size = 0) : words_((size + 63) / 64) {}
    bool contains(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
    void insert(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
    void erase(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
    void clear() { words_.assign(words_.size(), 0); }
    // True if it grows.
    bool join(const Set& other) {
      uint64_t fresh = 0;
      for (size_t w = 0; w < words_.size(); ++w) {
        fresh |= other.words_[w] & ~words_[w];
        words_[w] |= other.words_[w];
      }
      return fresh != 0;
    }
    // Calls visit(i) for all that are not in the other set, in order.
    template <class Visit>
    void for_each_besides(const Set& other, Visit&& visit) const {
      for (size_t w = 0; w < words_.size(); ++w) {
        for (uint64_t rest = words_[w] & ~other.words_[w]; rest != 0; rest &= rest - 1) {
          visit(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
        }
      }
    }

   private:
    std::vector<uint64_t> words_;
  };

  // `values` are those that variables can have. The watch is polled.
  LiveVariables(const System& system, const Property& property, std::span<const ValueSet> values,
                const Watch& watch = Watch::none());

  // It is needed everywhere.
  const Set& always() const { return always_; }
  // L(p, location), and the union over all locations.
  const Set& at(ProcessId p, uint32_t location) const { return at_[p.value][location]; }
  const Set& somewhere(ProcessId p) const { return somewhere_[p.value]; }
  // Its value never makes a difference.
  bool never(VarId v) const;

 private:
  class Analysis;

  Set always_;
  std::vector<std::vector<Set>> at_;
  std::vector<Set> somewhere_;  // by process
};

}  // namespace harrier::model
