// The items of a plan, and what is done next.
#include "lang/smv/plan.h"

#include <algorithm>
#include <tuple>

#include "model/operators.h"

namespace harrier::smv {

using model::Op;

namespace {

constexpr uint64_t kMaxFiltered = 1024;      // values of a slot that a constraint on it alone is tried with
constexpr uint64_t kMaxGuessed = 1U << 24U;  // values of a slot that are tried one after the other when the model runs

}  // namespace

uint32_t Planner::add_slot(const Variable& variable) {
  slots_.push_back({.variable = &variable, .domain = {variable.lo, variable.hi, variable.values}});
  unknowns_ = static_cast<uint32_t>(slots_.size());
  return unknowns_ - 1;
}

void Planner::define(uint32_t slot, const Value& value, SourceRef at) {
  slots_[slot].assigned = true;
  Item item{.is_define = true, .slot = slot, .value = value, .at = at};
  std::vector<uint32_t> reads;
  const auto read = [&](TermId term) {
    const std::vector<uint32_t> slots = terms_.slots(term);
    reads.insert(reads.end(), slots.begin(), slots.end());
    return term;
  };
  if (value.set) {
    values_.rewrite(value.set, read);
  } else {
    read(value.term);
  }
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  const auto number = static_cast<uint32_t>(items_.size());
  item.open = static_cast<uint32_t>(reads.size());
  for (const uint32_t other : reads) slots_[other].uses.push_back(number);
  const bool ready = reads.empty();
  item.reads = std::move(reads);
  items_.push_back(std::move(item));
  if (ready) (value.set ? pickable_ : computable_).push_back(number);
}

uint32_t Planner::count_open(const std::vector<uint32_t>& slots) const {
  return static_cast<uint32_t>(std::count_if(slots.begin(), slots.end(), [&](uint32_t s) { return !slots_[s].known; }));
}

// Takes a constraint apart: conjunctions, and the negations of disjunctions.
void Planner::constrain(const Guards& guards, TermId body) {
  std::vector<TermId> open{body};
  while (!open.empty()) {
    diagnostics_.poll();
    const TermId id = open.back();
    open.pop_back();
    const Term term = terms_[id];
    const bool negated = terms_.is_node(id, Op::Not);
    const Term inner = negated ? terms_[term.a] : term;
    if (terms_.is_node(id, Op::And)) {
      open.insert(open.end(), {term.b, term.a});
    } else if (negated && inner.kind == TermKind::Node && inner.op == Op::Or) {
      open.insert(open.end(), {terms_.negation(inner.b), terms_.negation(inner.a)});
    } else if (negated && inner.kind == TermKind::Node && inner.op == Op::And) {
      add_item(guards, terms_.either(terms_.negation(inner.a), terms_.negation(inner.b), term.at));
    } else if (negated && inner.kind == TermKind::Node && inner.op == Op::Ite) {
      add_item(guards, terms_.ite(inner.a, terms_.negation(inner.b), terms_.negation(inner.c), term.at));
    } else if (!terms_.is_true(id)) {
      add_item(guards, id);
    }
  }
}

// The parts of a disjunction, negations of conjunctions taken apart.
std::vector<TermId> Planner::alternatives(TermId body) {
  std::vector<TermId> out;
  std::vector<TermId> open{body};
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    const Term term = terms_[id];
    if (terms_.is_node(id, Op::Or)) {
      open.insert(open.end(), {term.b, term.a});
    } else if (terms_.is_node(id, Op::Not) && terms_.is_node(term.a, Op::And)) {
      const Term inner = terms_[term.a];
      open.insert(open.end(), {terms_.negation(inner.b), terms_.negation(inner.a)});
    } else {
      out.push_back(id);
    }
  }
  return out;
}

void Planner::add_item(Guards guards, TermId body) {
  if (guards.empty() && restrict_domain(body)) return;
  const std::vector<uint32_t> slots = terms_.slots(body);
  Item item{.guards = std::move(guards), .body = body, .open = count_open(slots), .at = terms_[body].at};
  if (terms_.is_node(body, Op::Or)) item.alternatives = alternatives(body);
  const auto number = static_cast<uint32_t>(items_.size());
  for (const uint32_t slot : slots) {
    if (!slots_[slot].known) slots_[slot].uses.push_back(number);
  }
  item.reads = slots;
  items_.push_back(std::move(item));
  touched_.push_back(number);
}

// A constraint on one slot and nothing else: it is tried with all values, and those that pass are the domain.
bool Planner::restrict_domain(TermId body) {
  const Term& term = terms_[body];
  if (term.fails) return false;
  const std::vector<uint32_t> slots = terms_.slots(body);
  if (slots.size() != 1) return false;
  Slot& slot = slots_[slots.front()];
  if (slot.known || slot.assigned || slots.front() >= unknowns_ || slot.domain.count() > kMaxFiltered) return false;
  for (const TermId part : terms_.parts(body)) {
    const TermKind kind = terms_[part].kind;
    if (kind != TermKind::Const && kind != TermKind::Slot && kind != TermKind::Node) return false;
  }
  std::vector<int32_t> passing;
  for (uint64_t i = 0; i < slot.domain.count(); ++i) {
    const int32_t value = slot.domain.values.empty() ? slot.domain.lo + static_cast<int32_t>(i) : slot.domain.values[i];
    Terms::Memo memo;
    const TermId result = terms_.rewrite(
        body, memo, [&](TermId leaf) { return terms_[leaf].kind == TermKind::Slot ? terms_.constant(value) : leaf; });
    if (!terms_.is_const(result)) return false;
    if (terms_.is_true(result)) passing.push_back(value);
  }
  if (passing.empty()) return false;  // it is assumed in vain
  slot.domain.values = std::move(passing);
  return true;
}

// A definition must not read what depends on it.
void Planner::check_cycles() {
  std::vector<std::vector<uint32_t>> readers(items_.size());
  std::vector<uint32_t> missing(items_.size(), 0);
  std::vector<uint32_t> item_of(slots_.size(), 0);
  std::vector<bool> is_assigned(slots_.size(), false);
  size_t count = 0;
  for (uint32_t i = 0; i < items_.size(); ++i) {
    if (!items_[i].is_define) continue;
    item_of[items_[i].slot] = i;
    is_assigned[items_[i].slot] = true;
    ++count;
  }
  for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (!is_assigned[slot]) continue;
    for (const uint32_t user : slots_[slot].uses) {
      if (!items_[user].is_define) continue;
      readers[item_of[slot]].push_back(user);
      ++missing[user];
    }
  }
  std::vector<uint32_t> ready;
  for (uint32_t i = 0; i < items_.size(); ++i) {
    if (items_[i].is_define && missing[i] == 0) ready.push_back(i);
  }
  size_t sorted = 0;
  while (!ready.empty()) {
    const uint32_t item = ready.back();
    ready.pop_back();
    ++sorted;
    for (const uint32_t reader : readers[item]) {
      if (--missing[reader] == 0) ready.push_back(reader);
    }
  }
  if (sorted == count) return;
  // What is left reads something that is left: going back from one of them ends in a cycle.
  std::vector<uint32_t> before(items_.size(), 0);
  uint32_t item = 0;
  for (uint32_t i = 0; i < items_.size(); ++i) {
    if (missing[i] == 0) continue;
    item = i;
    for (const uint32_t reader : readers[i]) {
      if (missing[reader] != 0) before[reader] = i;
    }
  }
  for (size_t i = 0; i < items_.size(); ++i) item = before[item];
  const Variable& variable = *slots_[items_[item].slot].variable;
  values_.fail(items_[item].at, "the assignments are cyclic: '" + variable.name + "' depends on itself");
}

void Planner::learn(uint32_t slot) {
  slots_[slot].known = true;
  for (const uint32_t number : slots_[slot].uses) {
    Item& item = items_[number];
    if (item.done) continue;
    --item.open;
    if (!item.is_define) {
      touched_.push_back(number);
    } else if (item.open == 0) {
      (item.value.set ? pickable_ : computable_).push_back(number);
    }
  }
}

uint32_t Planner::open_slot(const Item& item) const {
  return *std::find_if(item.reads.begin(), item.reads.end(), [&](uint32_t s) { return !slots_[s].known; });
}

// The value that a constraint gives the slot, which is all of it that is not known; none: it gives none.
TermId Planner::definition(TermId body, uint32_t slot) {
  const Term term = terms_[body];
  const TermId own = slot_term(slot);
  const bool bit = terms_.is_boolean(own);
  if (body == own && bit) return terms_.truth(true);
  if (term.kind != TermKind::Node) return {};
  if (term.op == Op::Not && term.a == own && bit) return terms_.truth(false);
  if (term.op != Op::Eq && term.op != Op::Ne) return {};
  const TermId other = term.a == own ? term.b : term.b == own ? term.a : TermId();
  if (!other.valid() || !is_known(other)) return {};
  if (term.op == Op::Eq) return other;
  return bit && terms_.is_boolean(other) ? terms_.negation(other) : TermId();
}

// An implication or a case whose condition is known becomes a constraint under a guard.
bool Planner::split(Item& item) {
  Guards guards = item.guards;
  const Term body = terms_[item.body];
  if (terms_.is_node(item.body, Op::Ite) && is_known(body.a)) {
    item.done = true;
    Guards other = guards;
    guards.push_back(body.a);
    other.push_back(terms_.negation(body.a));
    constrain(guards, body.b);
    constrain(other, body.c);
    return true;
  }
  if (item.alternatives.empty()) return false;
  TermId open;
  size_t open_count = 0;
  std::vector<TermId> known;
  for (const TermId alternative : item.alternatives) {
    if (is_known(alternative)) {
      known.push_back(alternative);
    } else {
      open = alternative;
      if (++open_count > 1) return false;
    }
  }
  if (open_count != 1) return false;
  item.done = true;
  for (const TermId alternative : known) guards.push_back(terms_.negation(alternative));
  constrain(guards, open);
  return true;
}

// A constraint of which more is known than before.
void Planner::touch(uint32_t number) {
  Item& item = items_[number];
  if (item.done) return;
  if (item.open == 0) {
    assumable_.push_back(number);
    return;
  }
  if (Item copy = item; split(copy)) {
    items_[number].done = true;  // the items may have moved
    return;
  }
  if (item.open != 1) return;
  const uint32_t slot = open_slot(item);
  if (slots_[slot].assigned) return;
  const TermId value = definition(item.body, slot);
  if (!value.valid()) return;
  if (!item.guards.empty()) {
    std::vector<uint32_t>& pending = slots_[slot].pending;
    if (std::find(pending.begin(), pending.end(), number) == pending.end()) pending.push_back(number);
    return;
  }
  item.done = true;
  const TermId fits = in_domain(value, slots_[slot].domain);
  if (!terms_.is_true(fits)) emit_assume(fits, item.at);
  emit({.kind = ActionKind::Assign, .slot = slot, .term = value, .at = item.at});
  learn(slot);
}

// One thing more is done; false: everything is.
bool Planner::step() {
  diagnostics_.poll();
  const auto take = [](std::vector<uint32_t>& from) {
    const uint32_t item = from.front();
    from.erase(from.begin());
    return item;
  };
  if (!touched_.empty()) {
    const uint32_t number = touched_.back();
    touched_.pop_back();
    touch(number);
    return true;
  }
  if (!assumable_.empty()) {
    Item& item = items_[assumable_.back()];
    assumable_.pop_back();
    if (!item.done) emit_assume(guarded(item.guards, item.body), item.at);
    item.done = true;
    return true;
  }
  for (std::vector<uint32_t>* ready : {&computable_, &pickable_}) {
    if (ready->empty()) continue;
    Item& item = items_[ready == &computable_ ? ready->back() : ready->front()];
    if (ready == &computable_) {
      ready->pop_back();
    } else {
      take(*ready);
    }
    emit_define(item);
    return true;
  }
  return act_pending(true) || act_branch() || act_pending(false) || act_guess();
}

bool Planner::act_pending(bool total_only) {
  uint32_t best = 0;
  bool found = false;
  for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
    Slot& s = slots_[slot];
    if (s.known || s.pending.empty()) continue;
    if (s.covered_by != s.pending.size()) {
      std::vector<Guards> all;
      for (const uint32_t item : s.pending) all.push_back(items_[item].guards);
      uint32_t budget = 10'000;
      s.covered = covers(std::move(all), budget);
      s.covered_by = s.pending.size();
    }
    if (total_only && !s.covered) continue;
    if (found && s.pending.size() <= slots_[best].pending.size()) continue;
    best = slot;
    found = true;
    if (total_only) break;
  }
  if (found) emit_guarded(best, slots_[best].covered);
  return found;
}

// Whether an alternative, if it holds, gives a slot its value.
bool Planner::is_productive(TermId alternative) {
  std::vector<TermId> open{alternative};
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    if (terms_.is_node(id, Op::And)) {
      open.push_back(terms_[id].a);
      open.push_back(terms_[id].b);
      continue;
    }
    const std::vector<uint32_t> slots = terms_.slots(id);
    if (count_open(slots) != 1) continue;
    const auto slot = *std::find_if(slots.begin(), slots.end(), [&](uint32_t s) { return !slots_[s].known; });
    if (!slots_[slot].assigned && definition(id, slot).valid()) return true;
  }
  return false;
}

bool Planner::act_branch() {
  for (uint32_t number = 0; number < items_.size(); ++number) {
    const Item& item = items_[number];
    if (item.done || item.is_define || item.alternatives.empty()) continue;
    diagnostics_.poll();
    // A few values are better guessed.
    uint64_t guesses = 1;
    for (const uint32_t slot : item.reads) {
      if (!slots_[slot].known) guesses = std::min<uint64_t>(guesses * slots_[slot].domain.count(), kMaxGuessed);
    }
    if (guesses <= 2 * item.alternatives.size()) continue;
    const auto helps = [&](TermId alternative) { return is_known(alternative) || is_productive(alternative); };
    if (!std::all_of(item.alternatives.begin(), item.alternatives.end(), helps)) continue;
    branch(number);
    return true;
  }
  return false;
}

// Guesses a slot: first such of constraints, of which least is open; then such that assignments read; then the others.
bool Planner::act_guess() {
  struct Rank {
    uint32_t open = 0;
    uint64_t values = 0;
    uint32_t slot = 0;
    bool operator<(const Rank& other) const {
      return std::tie(open, values, slot) < std::tie(other.open, other.values, other.slot);
    }
  };
  for (const bool defines : {false, true}) {
    Rank best{~0U, ~0ULL, ~0U};
    for (const Item& item : items_) {
      if (item.done || item.is_define != defines) continue;
      diagnostics_.poll();
      for (const uint32_t slot : item.reads) {
        if (slots_[slot].known || slots_[slot].assigned) continue;
        best = std::min(best, {item.open, slots_[slot].domain.count(), slot});
      }
      if (defines && best.slot != ~0U) break;
    }
    if (best.slot == ~0U) continue;
    emit_guess(best.slot);
    return true;
  }
  bool any = false;
  for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].known || slots_[slot].assigned) continue;
    emit_guess(slot);
    any = true;
  }
  return any;
}

Plan Planner::run() {
  check_cycles();
  while (step()) {
  }
  plan_.slots = static_cast<uint32_t>(slots_.size());
  return std::move(plan_);
}

void Planner::emit_guess(uint32_t slot) {
  const Slot& s = slots_[slot];
  if (s.domain.count() > kMaxGuessed) {
    values_.refuse(s.variable->at,
                   "a free choice among " + std::to_string(s.domain.count()) + " values of '" + s.variable->name + "'");
  }
  emit({.kind = ActionKind::Guess, .slot = slot, .domain = s.domain, .at = s.variable->at});
  learn(slot);
}

}  // namespace harrier::smv
