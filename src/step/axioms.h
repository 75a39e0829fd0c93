// The derived variables of a model (System::axioms), prepared for speed: after a transition only what it touched is
// computed anew.
//
// Heads that depend on each other in a cycle are a component, every other head is one by itself; components are ordered
// so that each reads only those before it. A written variable makes the components due that read it, and these make
// others due if their heads change. So a state costs what follows from the transition that leads to it, not what there
// is of axioms.
//
//   - a head by itself has its value if any body holds;
//   - in a cycle all heads fall back to their initial values, and come back one after the other: each axiom counts the
//     heads of the cycle that its body still waits for (Dowling and Gallier 1984).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/system.h"
#include "step/program.h"
#include "step/workspace.h"

namespace harrier::step {

class Axioms {
 public:
  // Refuses axioms whose layers do not say what they mean. The watch is polled.
  Axioms(const model::System& system, Program& program, const Watch& watch);

  bool empty() const { return heads_.empty(); }
  // Given values whose heads follow from what they were before the writes in the journal of the work: makes them follow
  // from what they are now. It writes through the journal.
  void update(Workspace& work, int32_t* values) const;

 private:
  // A variable that axioms give a value.
  struct Head {
    uint32_t variable = 0;
    int32_t value = 0;
    int32_t otherwise = 0;
    uint32_t component = 0;
    std::vector<uint32_t> waiting;  // axioms of its component that read it
  };
  struct Rule {
    uint32_t head = 0;
    uint32_t heads_read = 0;  // of its component
    Code condition;           // the rest of its body; of a component that is tried, the whole body
  };
  enum class Kind : uint8_t { Single, Cycle, Tried };  // Tried: a cycle whose axioms are tried until nothing changes
  struct Component {
    Kind kind = Kind::Single;
    uint32_t first_head = 0;  // in members_
    uint32_t head_count = 0;
    uint32_t first_rule = 0;
    uint32_t rule_count = 0;
  };
  class Builder;

  std::span<const uint32_t> members(const Component& c) const {
    return std::span(members_).subspan(c.first_head, c.head_count);
  }
  std::span<const Rule> rules(const Component& c) const {
    return std::span(rules_).subspan(c.first_rule, c.rule_count);
  }
  void make_due(Workspace& work, uint32_t variable) const;
  void compute(const Component& c, Workspace& work, int32_t* values) const;
  void compute_single(const Component& c, Workspace& work, int32_t* values) const;
  void compute_cycle(const Component& c, Workspace& work, int32_t* values) const;
  void compute_tried(const Component& c, Workspace& work, int32_t* values) const;
  void settle(const Head& head, bool derived, Workspace& work, int32_t* values) const;

  std::vector<Head> heads_;
  std::vector<uint32_t> members_;  // heads by component
  std::vector<Rule> rules_;        // by component
  std::vector<Component> components_;
  std::vector<std::vector<uint32_t>> readers_;  // by variable: components that read it, not that of its own
};

}  // namespace harrier::step
