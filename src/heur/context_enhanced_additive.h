// The context-enhanced additive heuristic h^cea (Helmert and Geffner 2008).
//
// Like h^CG it adds the costs of what an edge needs, starting from the values that the variables have by then (the
// context of the edge's source), but it breaks no cycles. There is a *problem* for every variable and start value that
// comes up, all of them are solved together by one Dijkstra-like exploration: an edge whose needs are not reached yet
// in their own problems waits there.
//
//     h(x | x') = min over edges o: x'' -> x of cost(o) + h(x'' | x') + sum over needs z of o: h(z | value of its
//     variable in the
//                                                                                   context of x'')
//
// With all contexts replaced by the state this is h^add.
//
// Not admissible. Not safe, for the same reason as h^CG: the context of a value is that of the cheapest way to reach
// it, and what is reachable from there may be less than what is reachable in the model (Wehrle 2011, ex. 5.8). It
// keeps more of the model than h^CG, because no dependency is left out, and so it finds a way less often.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/heuristic.h"
#include "heur/marked_labels.h"
#include "heur/value_graphs.h"
#include "task/variable_domains.h"

namespace harrier::heur {

class ContextEnhancedAdditive : public Heuristic {
 public:
  explicit ContextEnhancedAdditive(std::shared_ptr<const task::VariableDomains> domains,
                                   const Watch& watch = Watch::none());

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t> edges) const override { return preferred_.contain(edges); }

 private:
  using Value = task::Value;

  using Edge = ValueGraphs::Edge;
  using Need = ValueGraphs::Need;

  struct Problem {
    uint32_t variable = 0;
    uint32_t base = 0;           // priority at which it came up
    uint32_t first_node = 0;     // of its values
    uint32_t first_context = 0;  // of its values
  };
  struct Node {
    uint32_t problem = 0;
    uint32_t cost = 0;
    uint32_t attempt = 0;  // that reached it
    uint32_t first = 0;    // attempt that the way to it starts with
    uint32_t waiting = 0;  // list of waits
    bool expanded = false;
  };
  // An edge whose source has been reached.
  struct Attempt {
    uint32_t edge = 0;
    uint32_t source = 0;  // node
    uint32_t cost = 0;    // so far
    uint32_t unmet = 0;
    uint32_t first_choice = 0;  // values chosen for its needs
  };
  struct Wait {
    uint32_t attempt = 0;
    uint32_t need = 0;
    uint32_t next = 0;
  };
  struct ProblemOfValue {
    uint64_t stamp = 0;
    uint32_t problem = 0;
  };
  struct Entry {
    uint32_t priority = 0;
    uint32_t node = 0;
  };

  uint32_t estimate(const int32_t* values, uint32_t limit);
  uint32_t problem(uint32_t variable, Value start, uint32_t priority);
  void push(uint32_t node);
  void expand(uint32_t node);
  void attempt(const Edge& edge, uint32_t source);
  void satisfy(uint32_t attempt, uint32_t need, Value value, uint32_t cost);
  void fire(uint32_t attempt);
  void mark_preferred(uint32_t node);
  Value value_of(uint32_t node) const { return static_cast<Value>(node - problems_[nodes_[node].problem].first_node); }
  Value* context(uint32_t node);

  std::shared_ptr<const task::VariableDomains> domains_;
  const Watch& watch_;
  ValueGraphs graphs_;
  uint32_t largest_;                     // larger costs are not told apart
  std::vector<uint32_t> first_problem_;  // by variable: into problem_of_value_

  // Scratch of one evaluation.
  uint64_t stamp_ = 0;
  std::vector<Value> state_;
  std::vector<ProblemOfValue> problem_of_value_;
  std::vector<Problem> problems_;
  std::vector<Node> nodes_;
  std::vector<Value> contexts_;
  std::vector<Attempt> attempts_;
  std::vector<Value> choices_;
  std::vector<Wait> waits_;
  std::vector<Entry> queue_;
  std::vector<uint64_t> banned_;  // by label: stamp
  bool bans_ = false;
  MarkedLabels preferred_;
  std::vector<uint8_t> marked_;  // by attempt
};

}  // namespace harrier::heur
