#include "lang/ltl/formulas.h"

#include <utility>

namespace harrier::ltl {

Formulas::Formulas() {
  add({Kind::False});
  add({Kind::True});
}

Formulas::Id Formulas::add(Node node) {
  const auto [at, fresh] = numbers_.emplace(node, static_cast<Id>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return at->second;
}

bool Formulas::opposite(Id a, Id b) const {
  return nodes_[a].kind == Kind::Literal && nodes_[b].kind == Kind::Literal && nodes_[a].a == nodes_[b].a &&
         nodes_[a].b != nodes_[b].b;
}

Formulas::Id Formulas::both(Id a, Id b) {
  if (a > b) std::swap(a, b);
  if (a == kFalse || opposite(a, b)) return kFalse;
  if (a == kTrue || a == b) return b;
  return add({Kind::And, a, b});
}

Formulas::Id Formulas::either(Id a, Id b) {
  if (a > b) std::swap(a, b);
  if (a == kFalse || a == b) return b;
  if (a == kTrue || opposite(a, b)) return kTrue;
  return add({Kind::Or, a, b});
}

Formulas::Id Formulas::next(Id a) { return a == kTrue || a == kFalse ? a : add({Kind::Next, a}); }

Formulas::Id Formulas::until(Id a, Id b) {
  if (b == kTrue || b == kFalse || a == kFalse || a == b) return b;
  const Node& second = nodes_[b];
  if (second.kind == Kind::Until && (second.a == a || a == kTrue)) {
    // a U (a U c) is a U c, and <>(c U d) is <>d.
    return second.a == a ? b : until(kTrue, second.b);
  }
  if (a == kTrue && second.kind == Kind::Release && second.a == kFalse) {
    // <>[]<>c is []<>c.
    const Node& inner = nodes_[second.b];
    if (inner.kind == Kind::Until && inner.a == kTrue) return b;
  }
  return add({Kind::Until, a, b});
}

Formulas::Id Formulas::release(Id a, Id b) {
  if (b == kTrue || b == kFalse || a == kTrue || a == b) return b;
  const Node& second = nodes_[b];
  if (second.kind == Kind::Release && (second.a == a || a == kFalse)) {
    return second.a == a ? b : release(kFalse, second.b);
  }
  if (a == kFalse && second.kind == Kind::Until && second.a == kTrue) {
    // []<>[]c is <>[]c.
    const Node& inner = nodes_[second.b];
    if (inner.kind == Kind::Release && inner.a == kFalse) return b;
  }
  return add({Kind::Release, a, b});
}

Formulas::Id Formulas::negation(Id id) {
  const Node node = nodes_[id];
  switch (node.kind) {
    case Kind::False: return kTrue;
    case Kind::True: return kFalse;
    case Kind::Literal: return literal(node.a, node.b == 0);
    case Kind::Next: return next(negation(node.a));
    default: break;
  }
  const Id a = negation(node.a);
  const Id b = negation(node.b);
  switch (node.kind) {
    case Kind::And: return either(a, b);
    case Kind::Or: return both(a, b);
    case Kind::Until: return release(a, b);
    default: return until(a, b);
  }
}

}  // namespace harrier::ltl
