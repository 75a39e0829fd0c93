// The actions of a plan, and the guards of its constraints.
#include <algorithm>
#include <limits>
#include <numeric>

#include "lang/smv/plan.h"

namespace harrier::smv {

using model::Op;

namespace {

constexpr size_t kMaxElements = 100'000;
constexpr uint32_t kMaxChoices = 10'000;  // of one assignment

}  // namespace

TermId Planner::guarded(const Guards& guards, TermId body) {
  std::vector<TermId> parts;
  for (const TermId guard : guards) parts.push_back(terms_.negation(guard));
  parts.push_back(body);
  return terms_.any_of(std::move(parts), terms_[body].at);
}

void Planner::emit_assume(TermId term, SourceRef at) {
  if (terms_.is_true(term)) return;
  if (terms_.slots(term).empty()) {
    plan_.guard.push_back(term);
  } else {
    emit({.kind = ActionKind::Assume, .term = term, .at = at});
  }
}

TermId Planner::in_domain(TermId term, const Domain& domain) {
  if (domain.values.empty()) {
    return terms_.both(terms_.make(Op::Ge, term, terms_.constant(domain.lo), {}),
                       terms_.make(Op::Le, term, terms_.constant(domain.hi), {}));
  }
  std::vector<TermId> parts;
  for (const int32_t value : domain.values) parts.push_back(terms_.equal(term, terms_.constant(value)));
  const Term& t = terms_[term];
  // A constant that is one of them, and a term that can be nothing else.
  if (!t.fails && int64_t{t.hi} - t.lo < static_cast<int64_t>(domain.values.size())) {
    const auto has = [&](int64_t v) {
      return std::binary_search(domain.values.begin(), domain.values.end(), static_cast<int32_t>(v));
    };
    bool all = true;
    for (int64_t v = t.lo; v <= t.hi && all; ++v) all = has(v);
    if (all) return terms_.truth(true);
  }
  return terms_.any_of(std::move(parts));
}

// A value in the coding of a variable. What is no value of it is an error of the model: at once, where it surely
// happens.
TermId Planner::fitting(const Value& value, const Variable& variable, bool surely, SourceRef at) {
  const TermId missing = terms_.fail("value outside of the range of " + variable.name, at);
  const TermId term = values_.recoded(value, variable.type, missing, at);
  const TermId fits = in_domain(term, {variable.lo, variable.hi, variable.values});
  if (terms_[term].kind == TermKind::Fail || terms_.is_false(fits)) {
    if (surely && term == missing) values_.fail(at, "'" + variable.name + "' cannot have this value");
    if (surely && terms_.is_const(term)) {
      values_.fail(at, "'" + variable.name + "' cannot have the value " + std::to_string(terms_[term].value));
    }
    return terms_[term].kind == TermKind::Fail ? term : missing;
  }
  return terms_.ite(fits, term, missing, at);
}

std::unique_ptr<const Choice> Planner::choice_of(const SetNode& set, const Variable& variable, bool surely,
                                                 SourceRef at) {
  if (choices_++ > kMaxChoices) values_.refuse(at, "a set that depends on so many conditions");
  auto out = std::make_unique<Choice>();
  if (set.kind == SetKind::Ite) {
    out->condition = set.term;
    out->then = choice_of(*set.parts[0], variable, false, at);
    out->otherwise = choice_of(*set.parts[1], variable, false, at);
    return out;
  }
  if (set.kind != SetKind::Union) {
    add_elements(set, variable, surely, at, out->elements);
    return out;
  }
  std::vector<SetPtr> open(set.parts.rbegin(), set.parts.rend());
  std::vector<SetPtr> parts;
  while (!open.empty()) {
    diagnostics_.poll();
    const SetPtr part = open.back();
    open.pop_back();
    if (part->kind == SetKind::Union) {
      open.insert(open.end(), part->parts.rbegin(), part->parts.rend());
    } else {
      parts.push_back(part);
    }
  }
  // A condition inside of a union comes first.
  const auto is_conditional = [](const SetPtr& part) { return part->kind == SetKind::Ite; };
  const auto found = std::find_if(parts.begin(), parts.end(), is_conditional);
  if (found == parts.end()) {
    for (const SetPtr& part : parts) add_elements(*part, variable, surely, at, out->elements);
    return out;
  }
  const SetPtr condition = *found;
  const auto with = [&](const SetPtr& part) {
    *found = part;
    return choice_of({.kind = SetKind::Union, .type = set.type, .parts = parts}, variable, false, at);
  };
  out->condition = condition->term;
  out->then = with(condition->parts[0]);
  out->otherwise = with(condition->parts[1]);
  return out;
}

void Planner::add_elements(const SetNode& set, const Variable& variable, bool surely, SourceRef at,
                           std::vector<TermId>& out) {
  if (set.kind == SetKind::Single) {
    out.push_back(fitting({set.type, set.term}, variable, surely, at));
    return;
  }
  if (int64_t{set.hi} - set.lo >= static_cast<int64_t>(kMaxElements)) values_.refuse(at, "a set of so many elements");
  for (int64_t i = set.lo; i <= set.hi; ++i) {
    diagnostics_.poll();
    out.push_back(fitting(values_.integer(terms_.constant(static_cast<int32_t>(i))), variable, surely, at));
  }
}

void Planner::emit_define(Item& item) {
  const uint32_t slot = item.slot;
  item.done = true;
  const Variable& variable = *slots_[slot].variable;
  Action action{.slot = slot, .at = item.at};
  if (item.value.set) {
    action.kind = ActionKind::Pick;
    choices_ = 0;
    action.choice = choice_of(*item.value.set, variable, true, item.at);
  } else {
    action.term = fitting(item.value, variable, true, item.at);
  }
  emit(std::move(action));
  learn(slot);
}

void Planner::emit_guarded(uint32_t slot, bool total) {
  const std::vector<uint32_t> pending = slots_[slot].pending;
  Action action{.kind = ActionKind::Guarded, .slot = slot, .domain = slots_[slot].domain, .total = total};
  std::vector<TermId> checks;
  for (size_t i = 0; i < pending.size(); ++i) {
    Item& item = items_[pending[i]];
    const TermId value = definition(item.body, slot);
    const TermId guard = terms_.all_of(item.guards);
    const TermId fits = in_domain(value, slots_[slot].domain);
    if (!terms_.is_true(fits)) checks.push_back(guarded(item.guards, fits));
    action.cases.emplace_back(guard, value);
    action.at = item.at;
    // It says more than the case where a guard before it holds, too.
    bool apart = pending.size() <= 256;
    for (size_t j = 0; j < i && apart; ++j) apart = exclusive(items_[pending[j]].guards, item.guards);
    item.done = apart || i == 0;
  }
  for (const TermId check : checks) emit_assume(check, action.at);
  emit(std::move(action));
  learn(slot);
}

void Planner::branch(uint32_t number) {
  Item item = items_[number];
  items_[number].done = true;
  const auto slot = static_cast<uint32_t>(slots_.size());
  const auto count = static_cast<uint32_t>(item.alternatives.size());
  slots_.push_back({.domain = {0, static_cast<int32_t>(count) - 1}, .known = true});
  emit({.kind = ActionKind::Branch, .slot = slot, .term = terms_.all_of(item.guards), .count = count, .at = item.at});
  const TermId chosen = slot_term(slot);
  for (uint32_t i = 0; i < count; ++i) {
    Guards guards = item.guards;
    guards.push_back(terms_.equal(chosen, terms_.constant(static_cast<int32_t>(i))));
    constrain(guards, item.alternatives[i]);
  }
}

// A guard of the form "this alternative was chosen". One of two is the slot itself, or its negation.
Planner::Selector Planner::selector(TermId guard) const {
  const Term& term = terms_[guard];
  const auto chosen = [&](TermId id, int32_t value) -> Selector {
    const Term& t = terms_[id];
    const bool is_it = t.kind == TermKind::Slot && static_cast<uint32_t>(t.value) >= unknowns_;
    return {static_cast<uint32_t>(t.value), value, is_it};
  };
  if (term.kind == TermKind::Slot) return chosen(guard, 1);
  if (term.kind != TermKind::Node) return {};
  if (term.op == Op::Not) return chosen(term.a, 0);
  if (term.op == Op::Eq && terms_.is_const(term.b)) return chosen(term.a, terms_[term.b].value);
  return {};
}

bool Planner::exclusive(const Guards& a, const Guards& b) {
  for (const TermId left : a) {
    const Selector chosen = selector(left);
    for (const TermId right : b) {
      if (terms_.negation(left) == right) return true;
      const Selector other = selector(right);
      if (chosen.valid && other.valid && chosen.slot == other.slot && chosen.value != other.value) return true;
    }
  }
  return false;
}

// Whether some of the guards always hold.
bool Planner::covers(std::vector<Guards> all, uint32_t& budget) {
  if (all.empty() || budget == 0) return false;
  --budget;
  if (std::any_of(all.begin(), all.end(), [](const Guards& g) { return g.empty(); })) return true;
  const TermId first = all.front().front();
  const Selector chosen = selector(first);
  // The guards if a condition holds, and the others if it does not.
  const auto given = [&](TermId condition, const Selector& selected) {
    std::vector<Guards> out;
    const TermId opposite = terms_.negation(condition);
    for (const Guards& guards : all) {
      Guards left;
      bool possible = true;
      for (const TermId guard : guards) {
        const Selector other = selector(guard);
        const bool same = selected.valid && other.valid && other.slot == selected.slot;
        if (guard == condition || (same && other.value == selected.value)) continue;
        possible = possible && guard != opposite && !same;
        left.push_back(guard);
      }
      if (possible) out.push_back(std::move(left));
    }
    return out;
  };
  if (!chosen.valid) {
    return covers(given(first, {}), budget) && covers(given(terms_.negation(first), {}), budget);
  }
  for (int32_t i = 0; i <= slots_[chosen.slot].domain.hi; ++i) {
    const TermId condition = terms_.equal(slot_term(chosen.slot), terms_.constant(i));
    if (!covers(given(condition, {chosen.slot, i, true}), budget)) return false;
  }
  return true;
}

}  // namespace harrier::smv
