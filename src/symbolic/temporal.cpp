#include "symbolic/temporal.h"

#include "base/error.h"

namespace harrier::symbolic {

using model::FormulaKind;
using model::FormulaNode;

Engine::Status Temporal::advance() {
  if (status_ != Status::Running) return status_;
  switch (reachability_.advance()) {
    case Status::Running: break;
    case Status::Found: status_ = Status::Found; break;
    case Status::Exhausted: decide(); break;
  }
  return status_;
}

void Temporal::decide() {
  paths_.emplace(space_, reachability_.reached());
  fair_ = paths_->always(paths_->states());
  Bdd found = fair_;
  if (property_.kind == model::PropertyKind::Branching) {
    look_for_vacuity();
    for (const FormulaNode& node : property_.formula) satisfying_.push_back(satisfying(node));
    found &= space_.initial() & satisfying_.back();
  }
  status_ = found.is_false() ? Status::Exhausted : Status::Found;
}

// An automaton that watches the model may stop where the model does not: it is no reason to say so.
void Temporal::look_for_vacuity() {
  if (const Bdd& all = paths_->states(); !(all - paths_->before(all)).is_false()) {
    remarks_.emplace_back(
        "the transition relation is not total: some reachable state has no successor, and paths that end do not count");
  }
  if ((space_.initial() & fair_).is_false()) {
    remarks_.emplace_back(
        "no infinite path that meets all fairness constraints begins in an initial state, so that everything holds");
  }
}

Bdd Temporal::satisfying(const FormulaNode& node) {
  FairPaths& paths = *paths_;
  if (node.kind == FormulaKind::State) return paths.states() & space_.conditions()[satisfying_.size()];
  const Bdd& a = satisfying_[node.a];
  const Bdd& b = satisfying_[node.b];
  // A[a U b] is what E[!b W !a & !b] is not.
  const auto not_a = [&] { return paths.complement(a); };
  const auto not_b = [&] { return paths.complement(b); };
  const auto until = [&](const Bdd& left, const Bdd& right) { return paths.until(left, right & fair_); };
  switch (node.kind) {
    case FormulaKind::State: break;
    case FormulaKind::And: return a & b;
    case FormulaKind::Or: return a | b;
    case FormulaKind::SomeNext: return paths.before(a & fair_);
    case FormulaKind::AllNext: return paths.complement(paths.before(not_a() & fair_));
    case FormulaKind::SomeUntil: return until(a, b);
    case FormulaKind::SomeWeak: return until(a, b) | paths.always(a);
    case FormulaKind::AllUntil: return paths.complement(until(not_b(), not_a() & not_b()) | paths.always(not_b()));
    case FormulaKind::AllWeak: return paths.complement(until(not_b(), not_a() & not_b()));
  }
  throw Error(ErrorKind::Internal, "a formula of no kind");
}

bool Temporal::has_path() const {
  return !paths_ || property_.kind != model::PropertyKind::Branching || is_shown_by_a_path(property_.formula);
}

std::vector<StateValues> Temporal::way_to_first(const Bdd& some) const {
  std::vector<Bdd> layers;
  for (const Bdd& layer : reachability_.forward_layers()) {
    layers.push_back(layer);
    if (const Bdd both = layer & some; !both.is_false()) return way_through(space_, layers, some_state(space_, both));
  }
  throw Error(ErrorKind::Internal, "no layer of states has what was reached");
}

void Temporal::show(const FormulaNode& node, Shown& path) {
  const auto go = [&](const Bdd& targets, const Bdd& inside, bool moves) {
    const auto way = way_to(space_, path.states.back(), targets & fair_, inside, moves);
    if (way) path.states.insert(path.states.end(), way->begin() + 1, way->end());
    return way.has_value();
  };
  const auto must = [](bool done) {
    if (!done) throw Error(ErrorKind::Internal, "there is no path that shows why a formula holds");
  };
  const model::Formula& all = property_.formula;
  switch (node.kind) {
    case FormulaKind::State: return;
    case FormulaKind::And:
      // One of them is about the state alone.
      show(all[node.a], path);
      show(all[node.b], path);
      return;
    case FormulaKind::Or: show(all[is_in(path.states.back(), satisfying_[node.a]) ? node.a : node.b], path); return;
    case FormulaKind::SomeNext:
      must(go(satisfying_[node.a], Bdd(), true));
      show(all[node.a], path);
      return;
    case FormulaKind::SomeUntil:
      must(go(satisfying_[node.b], satisfying_[node.a], false));
      show(all[node.b], path);
      return;
    case FormulaKind::SomeWeak:
      if (go(satisfying_[node.b], satisfying_[node.a], false)) {
        show(all[node.b], path);
      } else {
        path.loop_start = paths_->go_round(path.states, paths_->always(satisfying_[node.a]));
      }
      return;
    case FormulaKind::AllNext:
    case FormulaKind::AllUntil:
    case FormulaKind::AllWeak: must(false);
  }
}

model::Path Temporal::path() {
  if (!paths_) return reachability_.path();
  Shown path;
  const bool branching = property_.kind == model::PropertyKind::Branching;
  if (branching) {
    path.states.push_back(some_state(space_, space_.initial() & fair_ & satisfying_.back()));
    show(property_.formula.back(), path);
  } else {
    path.states = way_to_first(fair_);
  }
  // Only fair paths count; where all do, readers need not see how it goes on.
  const bool whole = path.loop_start || (branching && space_.accepting().empty());
  if (!whole) path.loop_start = paths_->go_round(path.states, fair_);
  model::Path out = steps_along(space_, path.states);
  out.loop_start = path.loop_start;
  return out;
}

}  // namespace harrier::symbolic
