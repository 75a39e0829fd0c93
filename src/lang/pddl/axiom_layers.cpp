#include "lang/pddl/axiom_layers.h"

#include <algorithm>
#include <deque>

namespace harrier::pddl {

std::vector<int32_t> axiom_layers(const GroundTask& ground, const Watch& watch) {
  std::vector<int32_t> layers(ground.atoms.size(), 0);
  std::vector<std::vector<uint32_t>> readers(ground.atoms.size());
  std::deque<uint32_t> open;
  std::vector<bool> is_open(ground.axioms.size(), true);
  for (uint32_t a = 0; a < ground.axioms.size(); ++a) {
    open.push_back(a);
    for (const Literal literal : ground.axioms[a].body) {
      if (ground.atoms[literal.atom].derived) readers[literal.atom].push_back(a);
    }
  }
  while (!open.empty()) {
    watch.poll();
    const uint32_t a = open.front();
    open.pop_front();
    is_open[a] = false;
    const GroundAxiom& axiom = ground.axioms[a];
    int32_t layer = layers[axiom.head];
    for (const Literal literal : axiom.body) {
      if (ground.atoms[literal.atom].derived)
        layer = std::max(layer, layers[literal.atom] + (literal.positive ? 0 : 1));
    }
    if (layer == layers[axiom.head]) continue;
    layers[axiom.head] = layer;
    for (const uint32_t reader : readers[axiom.head]) {
      if (!is_open[reader]) open.push_back(reader);
      is_open[reader] = true;
    }
  }
  return layers;
}

}  // namespace harrier::pddl
