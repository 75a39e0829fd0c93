// The causal graph heuristic h^CG (Wehrle 2011, §5.4; Helmert 2004, 2006).
//
// The cost of taking a variable p from a value l to another is found by Dijkstra's algorithm in the
// graph of p, where taking an edge costs what its label does plus the costs of bringing the predecessors of p in the
// causal graph from where they are by then (the *context* of the edge's source) to values from which the label can be
// taken (Wehrle 2011, fig. 5.4).
//
// Only predecessors count that come earlier in the order of the graph (task/causal_graph.h).
//
// Not admissible. Not safe: a context once chosen is kept, so that the heuristic can talk itself into a dead end where
// there is none (Wehrle 2011, ex. 5.8).
//
// A row of costs, from one value of a variable to all others, depends on the values of its ancestors in the graph only.
// Rows are computed when first asked for, and kept for good if a variable has so few ancestors that all its rows have
// room.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/heuristic.h"
#include "heur/marked_labels.h"
#include "heur/value_graphs.h"
#include "task/causal_graph.h"
#include "task/variable_domains.h"

namespace harrier::heur {

class CausalGraphHeuristic : public Heuristic {
 public:
  explicit CausalGraphHeuristic(const std::shared_ptr<const task::VariableDomains>& domains,
                                const Watch& watch = Watch::none());

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t> edges) const override { return preferred_.contain(edges); }

 private:
  using Value = task::Value;

  using Edge = ValueGraphs::Edge;
  using Need = ValueGraphs::Need;

  struct Entry {
    uint32_t cost = 0;
    uint32_t first = 0;  // the edge that the cheapest path starts with
  };
  struct Waiting {
    uint32_t cost = 0;
    Value value = 0;
  };
  struct Variable {
    uint32_t size = 0;
    uint32_t first_row = 0;  // into row_of_value_
    std::vector<uint32_t> ancestors;
    bool kept = false;  // rows are kept for good
    std::vector<uint32_t>
        rows;  // kept ones, by the values of the variable and its ancestors: offsets into kept_, or kNoRow
    // Scratch of the computation of one row; a variable is never needed for its own row.
    std::vector<Value> contexts;  // by value and position of the predecessor
    std::vector<Entry> entries;
    std::vector<uint8_t> settled;
    std::vector<Waiting> queue;
  };
  struct RowOfValue {
    uint64_t stamp = 0;
    uint32_t row = 0;
  };

  CausalGraphHeuristic(std::shared_ptr<const task::VariableDomains> domains, const task::CausalGraph& graph,
                       const Watch& watch);
  void make_room_for_rows();
  uint32_t estimate(const int32_t* values);
  const Entry* row(uint32_t variable, Value from);
  void compute(uint32_t variable, Value from);
  Value cheapest(const Entry* row, uint32_t set) const;
  void mark_preferred(uint32_t variable, Value from, Value to);

  std::shared_ptr<const task::VariableDomains> domains_;
  const Watch& watch_;
  ValueGraphs graphs_;  // a context is the predecessors
  uint32_t largest_;    // larger costs are not told apart
  std::vector<Variable> variables_;
  std::vector<uint32_t> order_;
  std::vector<Entry> kept_;

  // Scratch of one evaluation.
  uint64_t stamp_ = 0;
  std::vector<Value> state_;
  std::vector<RowOfValue> row_of_value_;
  std::vector<Entry> rows_;
  std::vector<uint64_t> banned_;   // by label: stamp
  std::vector<uint64_t> changed_;  // by variable: stamp, if its rows are not the usual ones because of banned labels
  bool bans_ = false;
  MarkedLabels preferred_;
  std::vector<uint64_t> seen_edges_;  // by edge: stamp
};

}  // namespace harrier::heur
