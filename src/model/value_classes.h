// Which variables and frame slots hold values of one kind, and which kinds are mere names.
//
// Two places are of one kind if a value can go from one to the other, or is compared with it: `id := other` and
// `id == other` make one kind of both, and so does an array whose elements are accessed by a computed index. Variables
// that differ only in the numbers in their names, "P(1).n" and "P(2).n", or "a[0]" and "a[1]", are of one kind, too.
//
// Values of a kind are *names* if nothing is done with them but to store them, to compare them for equality, and to use
// them as indices: nobody counts with them, orders them or takes them for truth values. Then they may be exchanged
// (model/automorphism.h), as those of a scalar set (Ip and Dill 1996), whether or not the model declares them as such.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "model/system.h"

namespace harrier::model {

class ValueClasses {
 public:
  // Of no variable: what is computed, and constants, which are of any kind.
  static constexpr uint32_t kComputed = UINT32_MAX;
  static constexpr uint32_t kAny = UINT32_MAX - 1;

  // The system must outlive it.
  ValueClasses(const System& system, const Property& property, const Watch& watch);

  uint32_t count() const { return count_; }
  uint32_t of(VarId variable) const { return class_[variable.value]; }
  // `frame` is a function, or outside() for the bound variables of other expressions.
  uint32_t outside() const { return static_cast<uint32_t>(system_.functions.size()); }
  uint32_t of_slot(uint32_t frame, uint32_t slot) const { return class_[first_slot_[frame] + slot]; }
  uint32_t of_result(uint32_t function) const { return class_[first_result_ + function]; }
  // Of the value of an expression, which may be of none.
  uint32_t of(ExprId expr, uint32_t frame) const;
  // Nothing that has values of this kind does more with them than with names.
  bool are_names(uint32_t number) const { return !computed_with_[number]; }

 private:
  class Collector;

  const System& system_;
  std::vector<uint32_t> first_slot_;  // by frame
  uint32_t first_result_ = 0;
  std::vector<uint32_t> class_;  // by place
  std::vector<bool> computed_with_;
  uint32_t count_ = 0;
};

}  // namespace harrier::model
