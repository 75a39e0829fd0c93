#include "lang/pddl/layers.h"

#include <algorithm>

namespace harrier::pddl {

namespace {

struct Dependency {
  uint32_t on = 0;  // a derived predicate
  bool negative = false;
};

class Stratification {
 public:
  Stratification(const Task& task, const Watch& watch) : task_(task), watch_(watch), axioms_(task.predicates.size()) {
    for (const Axiom& axiom : task.axioms) {
      axioms_[axiom.head].push_back(static_cast<uint32_t>(&axiom - task.axioms.data()));
      depend(dependencies_.emplace_back(), axiom.condition, false);
    }
  }

  Layers run() {
    layer_.assign(task_.predicates.size(), kNone);
    number_.assign(task_.predicates.size(), 0);
    for (const Axiom& axiom : task_.axioms) {
      if (number_[axiom.head] == 0) visit(axiom.head);
    }
    Layers out;
    out.axioms.resize(layers_);
    for (uint32_t a = 0; a < task_.axioms.size(); ++a) {
      const uint32_t layer = layer_[task_.axioms[a].head];
      out.axioms[layer].push_back(a);
      const bool cyclic = std::any_of(dependencies_[a].begin(), dependencies_[a].end(),
                                      [&](const Dependency& d) { return d.negative && layer_[d.on] == layer; });
      if (cyclic && out.unstratified == kNone) out.unstratified = a;
    }
    return out;
  }

 private:
  void depend(std::vector<Dependency>& out, const Condition& condition, bool negated) {
    watch_.poll();
    if (condition.kind == Condition::Kind::Holds && task_.predicates[condition.atom.predicate].derived) {
      out.push_back({condition.atom.predicate, negated});
    }
    for (const Condition& part : condition.parts) {
      const bool premise = condition.kind == Condition::Kind::Imply && &part == condition.parts.data();
      depend(out, part, negated != (premise || condition.kind == Condition::Kind::Not));
    }
  }

  // Strongly connected components (Tarjan 1972), those that others depend on first; without recursion, since chains of
  // predicates may be long.
  struct Frame {
    uint32_t predicate = 0;
    size_t axiom = 0;       // of axioms_[predicate]
    size_t dependency = 0;  // of that axiom
    uint32_t lowest = 0;
  };

  void visit(uint32_t first) {
    std::vector<Frame> path;
    enter(path, first);
    while (!path.empty()) {
      watch_.poll();
      Frame& frame = path.back();
      if (frame.axiom == axioms_[frame.predicate].size()) {
        leave(path);
        continue;
      }
      const auto& dependencies = dependencies_[axioms_[frame.predicate][frame.axiom]];
      if (frame.dependency == dependencies.size()) {
        ++frame.axiom;
        frame.dependency = 0;
        continue;
      }
      const uint32_t next = dependencies[frame.dependency++].on;
      if (number_[next] == 0) {
        enter(path, next);
      } else if (layer_[next] == kNone) {
        frame.lowest = std::min(frame.lowest, number_[next]);
      }
    }
  }

  void enter(std::vector<Frame>& path, uint32_t predicate) {
    number_[predicate] = ++last_number_;
    open_.push_back(predicate);
    path.push_back({.predicate = predicate, .lowest = number_[predicate]});
  }

  void leave(std::vector<Frame>& path) {
    const Frame done = path.back();
    path.pop_back();
    if (!path.empty()) path.back().lowest = std::min(path.back().lowest, done.lowest);
    if (done.lowest != number_[done.predicate]) return;
    uint32_t member = kNone;
    do {
      member = open_.back();
      open_.pop_back();
      layer_[member] = layers_;
    } while (member != done.predicate);
    ++layers_;
  }

  const Task& task_;
  const Watch& watch_;
  std::vector<std::vector<uint32_t>> axioms_;          // by their head
  std::vector<std::vector<Dependency>> dependencies_;  // by axiom
  std::vector<uint32_t> number_;                       // by predicate, in the order of the visit; 0: not visited
  std::vector<uint32_t> layer_;                        // by predicate; kNone: not known
  std::vector<uint32_t> open_;                         // visited ones without a layer
  uint32_t last_number_ = 0;
  uint32_t layers_ = 0;
};

}  // namespace

Layers layers_of(const Task& task, const Watch& watch) { return Stratification(task, watch).run(); }

}  // namespace harrier::pddl
