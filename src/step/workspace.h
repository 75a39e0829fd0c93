// What one thread needs to move a model: a machine for its code, the watch over the run, and memory for derived
// variables and for the broadcasts that are being enumerated, so that nothing is allocated for a transition once the
// lists have grown.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/watch.h"
#include "step/machine.h"

namespace harrier::step {

// A broadcast whose combinations are being enumerated.
struct Broadcast {
  // The alternatives of one process.
  struct Choice {
    uint32_t first = 0;  // in `alternatives`
    uint32_t count = 0;
    uint32_t chosen = 0;      // count: it refuses
    bool may_refuse = false;  // all alternatives have clock guards
  };
  uint32_t sender = 0;
  bool committed = false;  // some process is in a committed location
  std::vector<Choice> choices;
  std::vector<uint32_t> alternatives;  // receiving edges
  std::vector<uint32_t> edges;         // of a combination
  std::vector<uint32_t> refused;
};

class Workspace : public Machine {
 public:
  // Both must outlive it.
  explicit Workspace(const Program& program, const Watch& watch = Watch::none()) : Machine(program), watch_(watch) {}

  const Watch& watch() const { return watch_; }

  // A broadcast for as long as it is enumerated. What is done with its combinations may enumerate others.
  class Enumeration {
   public:
    explicit Enumeration(Workspace& workspace) : workspace_(workspace), broadcast_(workspace.open()) {}
    ~Enumeration() { --workspace_.depth_; }
    Enumeration(const Enumeration&) = delete;
    Enumeration& operator=(const Enumeration&) = delete;
    Broadcast& operator*() { return broadcast_; }

   private:
    Workspace& workspace_;
    Broadcast& broadcast_;
  };

  // What derived variables are computed with (axioms.h), which gives it its size. Between two computations nothing is
  // due or derived.
  struct Derivation {
    std::vector<uint64_t> due;        // a bit for each component
    std::vector<uint32_t> waits_for;  // by axiom: the number of heads
    std::vector<uint8_t> derived;     // by head
    std::vector<uint32_t> open;       // heads
  };
  Derivation& derivation() { return derivation_; }

  // Room for numbers, for as long as they are gone through. What is done meanwhile may ask for more.
  class Numbers {
   public:
    explicit Numbers(Workspace& workspace) : list_(workspace.numbers_), first_(list_.size()) {}
    ~Numbers() { list_.resize(first_); }
    Numbers(const Numbers&) = delete;
    Numbers& operator=(const Numbers&) = delete;
    // Appending to it is for whoever asked last.
    std::vector<uint32_t>& list() { return list_; }
    size_t size() const { return list_.size() - first_; }
    uint32_t operator[](size_t i) const { return list_[first_ + i]; }

   private:
    std::vector<uint32_t>& list_;
    size_t first_;
  };

 private:
  Broadcast& open() {
    if (depth_ == broadcasts_.size()) broadcasts_.emplace_back();
    Broadcast& b = broadcasts_[depth_++];
    b.choices.clear();
    b.alternatives.clear();
    return b;
  }

  const Watch& watch_;
  std::deque<Broadcast> broadcasts_;  // by depth
  size_t depth_ = 0;
  std::vector<uint32_t> numbers_;
  Derivation derivation_;
};

}  // namespace harrier::step
