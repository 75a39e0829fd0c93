// Predicate abstraction databases (Hoffmann, Smaus, Rybalchenko, Kupferschmid and Podelski 2006): distances in abstract
// state spaces that are built before a search, and looked up in it.
//
// The network is split into parts (split.h), each part is abstracted by predicates (part.h, cartesian.h), and its
// abstract state space is built backwards from the goal (abstract_space.h). A state is as far from the goal in a part
// as the nearest abstract state that it, or a point of its zone, belongs to: that is a question about subsets, which a
// UBTree answers (ubtree.h). The values of the parts are added up, or the largest of them counts.
//
// *Safe*: each part over-approximates the network, so if one part sees no way to the goal there is none. *Admissible*:
// the value of each part, and so the largest. The sum is not, for a synchronisation between two parts is a step in
// both.
//
// Where predicates come from:
//   syntax       all that guards, invariants and the goal of the part compare
//   refinement   those of the goal first; as long as a shortest abstract path from the initial state turns out to be
//                spurious, those that tell why (path_check.h)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abstraction/distance.h"
#include "abstraction/predicates/cartesian.h"
#include "abstraction/predicates/ubtree.h"
#include "base/archive.h"
#include "base/watch.h"
#include "harrier/abstraction.h"
#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::abstraction {

// A way to find predicates, and one to combine the values of parts.
struct PredicateSource {
  const char* name;
  const char* summary;
  bool refines;
};
struct PartCombination {
  const char* name;
  const char* summary;
  bool adds;
};
std::span<const PredicateSource> predicate_sources();
std::span<const PartCombination> part_combinations();

class PredicateAbstraction {
 public:
  // Without `clocks`, nothing is known of the clocks of states that are looked up. Throws Error(Usage) if an option
  // names nothing.
  PredicateAbstraction(const model::System& system, const std::vector<model::Clause>& goal, bool clocks,
                       const AbstractionOptions& options, const Watch& watch = Watch::none());

  // Memory of one who looks up.
  class Scratch {
    friend class PredicateAbstraction;
    struct Part {
      std::vector<uint8_t> members;   // by element: whether the state has it
      std::vector<uint32_t> located;  // the elements of locations that it has
    };
    std::vector<Part> parts_;
  };
  Scratch make_scratch() const;
  // The distance of a state, or of a zone that is closed under delay; kInfinity if there is no way.
  uint32_t look_up(const int32_t* state, const zone::ZoneView& zone, Scratch& scratch) const;
  // The value of one part alone.
  size_t parts() const { return tables_.size(); }
  uint32_t look_up_in_part(size_t part, const int32_t* state, const zone::ZoneView& zone, Scratch& scratch) const;

  AbstractionReport report() const { return report_; }
  void save(ArchiveWriter& out) const;
  // What was saved for the same system. Throws Error(Input) if it does not fit.
  static PredicateAbstraction load(ArchiveReader& in, const model::System& system);

 private:
  struct Location {
    uint32_t variable = 0;
    uint32_t first_element = 0;
  };
  struct Literal {
    Predicate predicate;
    uint32_t first_element = 0;  // false; the next one is true
  };
  // What is looked up for one part.
  struct Table {
    uint32_t elements = 0;
    std::vector<Location> locations;
    std::vector<Literal> variables;
    std::vector<Literal> clocks;
    UBTree tree;
  };
  class Builder;

  PredicateAbstraction() = default;

  std::vector<Table> tables_;  // of parts that are not trivial
  bool sum_ = false;
  AbstractionReport report_;
};

}  // namespace harrier::abstraction
