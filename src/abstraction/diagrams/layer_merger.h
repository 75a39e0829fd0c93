// Makes one diagram with distances of a decision diagram for each distance:
//
//     LayerMerger merger(budget, 1'000'000);
//     for (const symbolic::Bdd& layer : layers) if (!merger.add(layer)) break;
//     DistanceDiagram all = merger.diagram(encoding, merger.layers());
//
// A layer is laid over what there is: where it holds its distance counts, elsewhere what was there before. That takes
// about as many steps as the layer has nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "abstraction/diagrams/distance_diagram.h"
#include "base/budget.h"
#include "base/counted_vector.h"
#include "base/number_table.h"
#include "symbolic/bdd.h"
#include "symbolic/encoding.h"

namespace harrier::abstraction {

class LayerMerger {
 public:
  // The diagram has at most so many nodes.
  LayerMerger(Budget& budget, uint64_t most_nodes);

  // What is at the next distance. It has bits of now alone, and is apart from all layers before. False if there is no
  // room for it: then nothing has changed.
  bool add(const symbolic::Bdd& layer);
  // How many there are.
  uint32_t layers() const { return layers_; }
  // The values outside of all layers are as far as `far`.
  DistanceDiagram diagram(const symbolic::Encoding& encoding, uint32_t far) const;

 private:
  using Node = DistanceDiagram::Node;  // its digit is a bit of the encoding

  uint32_t lay_over(uint32_t below, int above);
  uint32_t number_of(const Node& node);
  const Node* node(uint32_t at) const {
    return at < DistanceDiagram::kFirstNode ? nullptr : &nodes_[at - DistanceDiagram::kFirstNode];
  }
  std::vector<bool> reached(uint32_t from) const;
  void collect();

  Budget& budget_;
  uint64_t most_;
  CountedVector<Node> nodes_;  // successors first; also some that are not needed any more
  NumberTable known_;
  uint32_t root_ = DistanceDiagram::kFar;
  uint32_t layers_ = 0;
};

}  // namespace harrier::abstraction
