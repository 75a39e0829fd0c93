// The factors of merge-and-shrink, their labels, and where each state of each of them comes from.
//
// A state of the model is a state of every factor, found in a tree: a leaf tells which state of a factor a value of a
// variable is, an inner node which state of a product two states of its parts are. Shrinking changes what the root of a
// factor's tree tells.
//
// States that cannot be reached are dropped like those from which no goal can be; but where the former are met (nobody
// but a test has reason to look one up) the answer is "unknown", which is safe, not "dead".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/allowance.h"
#include "abstraction/factors.h"
#include "abstraction/merging/goal_sets.h"
#include "abstraction/merging/transition_system.h"

namespace harrier::abstraction {

class FactoredSystem {
 public:
  struct Node {
    uint32_t variable = 0;  // of the factors; of a leaf
    uint32_t left = 0;      // nodes; of an inner node
    uint32_t right = 0;
    uint32_t stride = 0;           // states of the right factor; 0: a leaf
    std::vector<uint32_t> states;  // by value, or by left * stride + right
  };
  // Of these variables.
  FactoredSystem(const Factors& factors, std::span<const uint32_t> variables, const Watch& watch);

  uint32_t label_count() const { return static_cast<uint32_t>(costs_.size()); }  // numbers are below this
  uint32_t labels_left() const { return labels_left_; }
  uint32_t cost(uint32_t label) const { return costs_[label]; }
  GoalSets& goal_sets() { return sets_; }
  const GoalSets& goal_sets() const { return sets_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // Those that are not part of another one, by number. The numbers of products follow those of the variables.
  const std::vector<uint32_t>& active() const { return active_; }
  // Those that were dropped: what is left of them has nothing to say, but may know of dead states.
  const std::vector<uint32_t>& dropped() const { return dropped_; }
  const TransitionSystem& system(uint32_t factor) const { return factors_[factor].system; }
  // Another number whenever the factor changed.
  uint32_t revision(uint32_t factor) const { return factors_[factor].revision; }
  uint32_t node(uint32_t factor) const { return factors_[factor].node; }  // the root of its tree
  // Of a factor that is no product: which variable it is.
  uint32_t variable_of(uint32_t factor) const { return nodes_[factors_[factor].node].variable; }

  // Drops what cannot be reached, is dead, or can never be taken, in all factors that changed, until nothing changes.
  void settle();
  // Factors of one state that allow every label are no longer active.
  void drop_trivial();
  void shrink(uint32_t factor, const TransitionSystem::Mapping& mapping);
  // The number of the product; none if time is up. Both factors have states.
  std::optional<uint32_t> merge(uint32_t a, uint32_t b, Allowance& allowance);

  // For label reduction. Factors may still have labels that were removed; whoever changes one tidies it.
  bool is_label(uint32_t label) const { return alive_[label] != 0; }
  void remove_label(uint32_t label);
  TransitionSystem& change(uint32_t factor) {
    ++factors_[factor].revision;
    return factors_[factor].system;
  }

 private:
  struct Factor {
    TransitionSystem system;
    uint32_t node = 0;
    uint32_t revision = 0;
  };

  void add_variables(const Factors& factors, std::span<const uint32_t> variables);
  void apply(uint32_t factor, const TransitionSystem::Mapping& mapping);

  const Watch& watch_;
  GoalSets sets_;
  std::vector<uint32_t> costs_;  // by label
  std::vector<uint8_t> alive_;   // by label
  uint32_t labels_left_ = 0;
  std::vector<Factor> factors_;
  std::vector<uint8_t> changed_;  // by factor
  std::vector<uint32_t> active_;
  std::vector<uint32_t> dropped_;
  std::vector<Node> nodes_;
};

}  // namespace harrier::abstraction
