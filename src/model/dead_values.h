// Values that nobody needs any more are forgotten: after a transition, variables that have died get their initial
// values, so that states that differ in dead values only become one. What is dead is for model/live_variables.h to say,
// and that it does not matter what is done to it: every path of the states that are made so is a path of the model,
// with the same edges, and the other way round.
//
// A variable can have died if the transition has written it, or if it was live because of a process that has moved. It
// is dead if, besides, no process is at a location where it needs the variable. Then states are canonical: every dead
// variable has its initial value, unless before_update or after_update is all that ever writes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/live_variables.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::model {

class DeadValues {
 public:
  DeadValues() = default;
  // The watch is polled.
  DeadValues(const System& system, const Property& property, std::span<const ValueSet> values, const Watch& watch);

  // Nothing is ever forgotten.
  bool empty() const { return resets_.empty(); }

  // Calls write(variable, value) for what has died, after the edge has fired with others and all locations are set.
  template <class Write>
  void forget(uint32_t edge, const int32_t* values, Write&& write) const {
    for (uint32_t i = first_[edge]; i < first_[edge + 1]; ++i) {
      const Reset& r = resets_[i];
      if (values[r.variable] != r.value && (r.first_user == r.end_user || is_dead(r, values))) {
        write(r.variable, r.value);
      }
    }
  }

  // What an edge forgets, for readers.
  struct Death {
    struct Unless {
      VarId process;  // its location
      std::vector<uint32_t> locations;
    };
    VarId variable;
    int32_t value = 0;
    std::vector<Unless> unless;  // a process is at one of these
  };
  std::vector<Death> deaths(EdgeId edge) const;

  // Variables that some edge may forget, and those whose values never make a difference, in order.
  const std::vector<VarId>& forgotten() const { return forgotten_; }
  const std::vector<VarId>& never_needed() const { return never_needed_; }

 private:
  // A process that needs the variable at some of its locations.
  struct User {
    uint32_t location = 0;  // the variable
    uint32_t needs = 0;     // in needs_, by location
    uint32_t locations = 0;
  };
  struct Reset {
    uint32_t variable = 0;
    int32_t value = 0;
    uint32_t first_user = 0;  // those who have a say besides the process of the edge
    uint32_t end_user = 0;
  };
  bool is_dead(const Reset& r, const int32_t* values) const {
    for (uint32_t i = r.first_user; i < r.end_user; ++i) {
      if (needs_[users_[i].needs + static_cast<uint32_t>(values[users_[i].location])] != 0) return false;
    }
    return true;
  }
  class Builder;

  std::vector<uint32_t> first_;  // by edge, in resets_
  std::vector<Reset> resets_;
  std::vector<User> users_;
  std::vector<uint8_t> needs_;
  std::vector<VarId> forgotten_;
  std::vector<VarId> never_needed_;
};

}  // namespace harrier::model
