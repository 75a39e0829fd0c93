// One factor of merge-and-shrink: a graph whose arcs have labels.
//
// Labels with the same arcs form a group, as Sievers, Wehrle and Helmert (2014) keep them; a label in no group has a
// loop at every state and nothing else, so that a factor knows those labels alone that have to do with it. A label that
// has no arc at all can never be taken, in no factor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/allowance.h"
#include "abstraction/distance.h"
#include "abstraction/merging/goal_sets.h"

namespace harrier::abstraction {

// What a state may become besides another state.
inline constexpr uint32_t kDeadState = UINT32_MAX;         // no goal state can be reached from it
inline constexpr uint32_t kUnknownState = UINT32_MAX - 1;  // not reachable from the initial state; nothing is known

constexpr bool is_state(uint32_t s) { return s < kUnknownState; }

struct Arc {
  uint32_t from = 0;
  uint32_t to = 0;

  auto operator<=>(const Arc&) const = default;
};

class TransitionSystem {
 public:
  struct Group {
    std::vector<uint32_t> labels;  // sorted
    std::vector<Arc> arcs;         // sorted, each once
    uint64_t hash = 0;             // of the arcs; 0: not known, they may be in any order
  };
  // What each state becomes: the number of another one, or kDeadState or kUnknownState.
  struct Mapping {
    std::vector<uint32_t> to;
    uint32_t size = 0;  // number of states afterwards
  };

  TransitionSystem() = default;
  // With no groups. `goals`: by state, the clauses whose part it satisfies.
  TransitionSystem(std::vector<uint32_t> goals, uint32_t initial) : goals_(std::move(goals)), initial_(initial) {}

  uint32_t size() const { return static_cast<uint32_t>(goals_.size()); }
  uint32_t initial() const { return initial_; }  // kDeadState: it was dropped, or there are no states
  uint32_t goals(uint32_t state) const { return goals_[state]; }
  std::span<const Group> groups() const { return groups_; }

  // Some state lacks some clause.
  bool is_about_goal(const GoalSets& sets) const;
  // It has one state, which satisfies all clauses and allows every label.
  bool is_trivial(const GoalSets& sets) const { return size() == 1 && groups_.empty() && goals_[0] == sets.all(); }

  // Of each state: the least cost of a path to a state that satisfies a clause, and from the initial state.
  std::span<const uint32_t> to_goal() const { return to_goal_; }
  std::span<const uint32_t> from_initial() const { return from_initial_; }
  void measure(std::span<const uint32_t> costs);

  // Group ids change with these.
  void add(Group group) { groups_.push_back(std::move(group)); }
  // Forgets labels, sorts arcs, joins groups with the same ones. Labels without an arc go to `impossible`.
  template <class Keep>
  void tidy(Keep&& keep, std::vector<uint32_t>& impossible) {
    for (Group& group : groups_) std::erase_if(group.labels, [&](uint32_t l) { return !keep(l); });
    tidy(impossible);
  }
  void tidy(std::vector<uint32_t>& impossible);
  // States that become one satisfy the clauses that any of them does, and have the least of their distances. Needs to
  // be tidied, and, if states became one, measured again.
  void apply(const Mapping& mapping, GoalSets& sets);

  // Which states to drop: from which no goal can be reached, and such that cannot be reached; none if all stay. After
  // measure, which is not needed again if this is applied.
  std::optional<Mapping> pruning() const;

  // The synchronised product: state (s, t) is s * b.size() + t. None if time is up.
  static std::optional<TransitionSystem> product(const TransitionSystem& a, const TransitionSystem& b, GoalSets& sets,
                                                 uint32_t labels, Allowance& allowance);
  // An upper bound of its number of arcs.
  static uint64_t product_arcs(const TransitionSystem& a, const TransitionSystem& b, uint32_t labels);

 private:
  static constexpr uint32_t kNoGroup = UINT32_MAX;

  // What groups the labels have in two factors, and which labels.
  struct Joint {
    uint32_t a = kNoGroup;
    uint32_t b = kNoGroup;
    std::vector<uint32_t> labels;
  };
  static std::vector<Joint> joint_groups(const TransitionSystem& a, const TransitionSystem& b, uint32_t labels);
  bool is_loop_everywhere(const std::vector<Arc>& arcs) const;

  std::vector<uint32_t> goals_;
  uint32_t initial_ = kDeadState;
  std::vector<Group> groups_;
  std::vector<uint32_t> to_goal_;
  std::vector<uint32_t> from_initial_;
};

}  // namespace harrier::abstraction
