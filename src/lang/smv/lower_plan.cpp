// A plan as statements.
#include <algorithm>

#include "lang/smv/lower.h"
#include "model/operators.h"

namespace harrier::smv {

using model::ExprId;
using model::Op;
using model::StmtId;
using model::StmtKind;

namespace {

constexpr uint32_t kLetSize = 12;          // a smaller term is computed again
constexpr uint32_t kLetDepth = 300;        // a deeper one is computed on its own
constexpr uint32_t kMaxDepth = 3000;       // of an expression: others walk it recursively
constexpr uint64_t kMaxSize = 4'000'000;   // of all expressions of an effect
constexpr uint32_t kMaxGuard = 1'000'000;  // of one outside of an effect, where nothing is computed once

class PlanLowering {
 public:
  PlanLowering(const Plan& plan, const Terms& terms, model::System& system, Diagnostics& diagnostics)
      : plan_(plan),
        terms_(terms),
        system_(system),
        diagnostics_(diagnostics),
        lowering_(terms, system),
        slots_(plan.slots) {}

  std::vector<StmtId> run();
  uint32_t slots() const { return slots_; }

 private:
  static void add_terms(const Choice& choice, std::vector<TermId>& out);
  static std::vector<TermId> terms_of(const Action& action);
  void find_lets();
  void add_lets(const Action& action, std::vector<StmtId>& out);
  StmtId lowered(const Action& action);
  StmtId store(uint32_t slot, ExprId value) {
    return system_.make_expr_stmt(system_.make({.op = Op::StoreLocal, .base = slot, .b = value}));
  }
  StmtId choose(uint32_t slot, int32_t low, uint32_t count, SourceRef at) {
    return system_.make_stmt({.kind = StmtKind::Choose, .first = slot, .count = count, .low = low, .at = at});
  }
  StmtId one_of(uint32_t slot, std::vector<int32_t> values, SourceRef at);
  StmtId guess(uint32_t slot, const Domain& domain, SourceRef at);
  StmtId pick(uint32_t slot, const Choice& choice, SourceRef at);
  StmtId pick_element(uint32_t slot, const std::vector<TermId>& elements, SourceRef at);
  StmtId guarded(const Action& action);
  StmtId conditional(ExprId condition, StmtId then, StmtId otherwise, SourceRef at) {
    return system_.make_stmt({.kind = StmtKind::If, .expr = condition, .a = then, .b = otherwise, .at = at});
  }

  const Plan& plan_;
  const Terms& terms_;
  model::System& system_;
  Diagnostics& diagnostics_;
  Lowering lowering_;
  uint32_t slots_;
  std::unordered_map<uint32_t, bool> computed_;
};

void PlanLowering::add_terms(const Choice& choice, std::vector<TermId>& out) {
  out.insert(out.end(), choice.elements.begin(), choice.elements.end());
  if (!choice.condition.valid()) return;
  out.push_back(choice.condition);
  add_terms(*choice.then, out);
  add_terms(*choice.otherwise, out);
}

std::vector<TermId> PlanLowering::terms_of(const Action& action) {
  std::vector<TermId> out;
  if (action.term.valid()) out.push_back(action.term);
  if (action.choice) add_terms(*action.choice, out);
  for (const auto& [guard, value] : action.cases) out.insert(out.end(), {guard, value});
  return out;
}

// How often each term would be evaluated, from the roots down.
void PlanLowering::find_lets() {
  std::unordered_map<uint32_t, uint64_t> times;
  std::vector<uint32_t> all;
  const auto add = [&](TermId term, uint64_t count) {
    const auto [entry, is_new] = times.try_emplace(term.value, 0);
    if (is_new) all.push_back(term.value);
    entry->second = std::min(entry->second + count, kMaxSize);
    return is_new;
  };
  std::vector<TermId> open;
  for (const Action& action : plan_.actions) {
    for (const TermId root : terms_of(action)) {
      if (add(root, 1)) open.push_back(root);
    }
  }
  while (!open.empty()) {
    diagnostics_.poll();
    const Term& term = terms_[open.back()];
    open.pop_back();
    for (const TermId part : {term.a, term.b, term.c}) {
      if (part.valid() && add(part, 0)) open.push_back(part);
    }
  }
  std::sort(all.rbegin(), all.rend());
  uint64_t size = 0;
  for (const uint32_t id : all) {
    const Term& term = terms_[TermId(id)];
    uint64_t count = times[id];
    const bool often = count > 1 && term.size >= kLetSize;
    if (!term.fails && term.kind == TermKind::Node && (often || term.depth % kLetDepth == 0)) {
      lowering_.lets[id] = slots_++;
      count = 1;
    }
    size += count;
    if (size > kMaxSize) {
      diagnostics_.unsupported(term.at, "expressions that are so large");
      throw Failure();
    }
    for (const TermId part : {term.a, term.b, term.c}) {
      if (part.valid()) add(part, count);
    }
  }
}

// What is needed for an action and has a slot, operands first.
void PlanLowering::add_lets(const Action& action, std::vector<StmtId>& out) {
  for (const TermId root : terms_of(action)) {
    if (terms_[root].depth > kMaxDepth && terms_[root].fails) {
      diagnostics_.unsupported(terms_[root].at, "an expression that is nested so deeply");
      throw Failure();
    }
    std::vector<TermId> open{root};
    while (!open.empty()) {
      const TermId id = open.back();
      bool& done = computed_[id.value];
      if (done) {
        open.pop_back();
        continue;
      }
      const size_t before = open.size();
      const Term& term = terms_[id];
      for (const TermId part : {term.c, term.b, term.a}) {
        if (part.valid() && !computed_[part.value]) open.push_back(part);
      }
      if (open.size() != before) continue;
      computed_[id.value] = true;
      if (const auto let = lowering_.lets.find(id.value); let != lowering_.lets.end()) {
        out.push_back(store(let->second, lowering_.body(id)));
      }
    }
  }
}

// One of some constants.
StmtId PlanLowering::one_of(uint32_t slot, std::vector<int32_t> values, SourceRef at) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto count = static_cast<uint32_t>(values.size());
  if (count == 1) return store(slot, system_.make_const(values.front(), at));
  const int32_t low = values.front();
  if (int64_t{values.back()} - low + 1 == count) return choose(slot, low, count, at);
  // The number of the value, and then the value.
  ExprId value = system_.make_const(values.back(), at);
  for (uint32_t i = count - 1; i-- > 0;) {
    const ExprId is_it =
        system_.make_binary(Op::Eq, lowering_.local(slot), system_.make_const(static_cast<int32_t>(i)));
    value = system_.make_ite(is_it, system_.make_const(values[i], at), value, at);
  }
  return system_.make_block(std::vector{choose(slot, 0, count, at), store(slot, value)}, at);
}

StmtId PlanLowering::guess(uint32_t slot, const Domain& domain, SourceRef at) {
  if (!domain.values.empty()) return one_of(slot, domain.values, at);
  if (domain.lo == domain.hi) return store(slot, system_.make_const(domain.lo, at));
  return choose(slot, domain.lo, static_cast<uint32_t>(domain.count()), at);
}

// Elements that turn out to be the same are chosen once.
StmtId PlanLowering::pick_element(uint32_t slot, const std::vector<TermId>& given, SourceRef at) {
  std::vector<TermId> elements;
  std::vector<int32_t> constants;
  for (const TermId element : given) {
    if (std::find(elements.begin(), elements.end(), element) == elements.end()) elements.push_back(element);
    if (terms_.is_const(element)) constants.push_back(terms_[element].value);
    if (elements.size() > 64 && constants.size() == given.size()) break;
  }
  if (constants.size() == given.size() || elements.size() > 64) {
    constants.clear();
    for (const TermId element : given) {
      if (!terms_.is_const(element)) {
        diagnostics_.unsupported(at, "a set of so many elements that are no constants");
        throw Failure();
      }
      constants.push_back(terms_[element].value);
    }
    return one_of(slot, std::move(constants), at);
  }
  const ExprId first = lowering_.expr(elements[0]);
  if (elements.size() == 1) return store(slot, first);
  if (elements.size() == 2) {
    const ExprId second = lowering_.expr(elements[1]);
    const ExprId same = system_.make_binary(Op::Eq, first, second, at);
    StmtId differs = choose(slot, 0, 2, at);
    if (!terms_.is_boolean(elements[0]) || !terms_.is_boolean(elements[1])) {
      const ExprId value = system_.make_ite(lowering_.local(slot), second, first, at);
      differs = system_.make_block(std::vector{differs, store(slot, value)}, at);
    }
    return conditional(same, store(slot, first), differs, at);
  }
  const uint32_t number = slots_++;
  ExprId value = lowering_.expr(elements.back());
  ExprId again = system_.make_const(0, at);  // an element before it is the same
  for (size_t i = elements.size(); i-- > 0;) {
    const ExprId is_it =
        system_.make_binary(Op::Eq, lowering_.local(number), system_.make_const(static_cast<int32_t>(i)));
    const ExprId element = lowering_.expr(elements[i]);
    if (i + 1 < elements.size()) value = system_.make_ite(is_it, element, value, at);
    ExprId before = system_.make_const(0, at);
    for (size_t j = 0; j < i; ++j) {
      before = system_.make_binary(Op::Or, system_.make_binary(Op::Eq, element, lowering_.expr(elements[j]), at),
                                   before, at);
    }
    again = system_.make_binary(Op::Or, system_.make_binary(Op::And, is_it, before, at), again, at);
  }
  const StmtId fresh =
      system_.make_stmt({.kind = StmtKind::Assume, .expr = system_.make_unary(Op::Not, again, at), .at = at});
  const auto count = static_cast<uint32_t>(elements.size());
  return system_.make_block(std::vector{choose(number, 0, count, at), fresh, store(slot, value)}, at);
}

StmtId PlanLowering::pick(uint32_t slot, const Choice& choice, SourceRef at) {
  if (!choice.condition.valid()) return pick_element(slot, choice.elements, at);
  const StmtId then = pick(slot, *choice.then, at);
  const StmtId otherwise = pick(slot, *choice.otherwise, at);
  return conditional(lowering_.expr(choice.condition), then, otherwise, at);
}

StmtId PlanLowering::guarded(const Action& action) {
  size_t last = action.cases.size();
  StmtId out;
  if (action.total) {
    --last;
    out = store(action.slot, lowering_.expr(action.cases[last].second));
  } else {
    out = guess(action.slot, action.domain, action.at);
  }
  while (last-- > 0) {
    const auto& [guard, value] = action.cases[last];
    out = conditional(lowering_.expr(guard), store(action.slot, lowering_.expr(value)), out, action.at);
  }
  return out;
}

StmtId PlanLowering::lowered(const Action& action) {
  switch (action.kind) {
    case ActionKind::Assign: return store(action.slot, lowering_.expr(action.term));
    case ActionKind::Assume:
      return system_.make_stmt({.kind = StmtKind::Assume, .expr = lowering_.expr(action.term), .at = action.at});
    case ActionKind::Pick: return pick(action.slot, *action.choice, action.at);
    case ActionKind::Guess: return guess(action.slot, action.domain, action.at);
    case ActionKind::Guarded: return guarded(action);
    case ActionKind::Branch: {
      const StmtId chosen = choose(action.slot, 0, action.count, action.at);
      if (terms_.is_true(action.term)) return chosen;
      return conditional(lowering_.expr(action.term), chosen, store(action.slot, system_.make_const(0)), action.at);
    }
  }
  return {};
}

std::vector<StmtId> PlanLowering::run() {
  find_lets();
  std::vector<StmtId> out;
  for (const Action& action : plan_.actions) {
    diagnostics_.poll();
    add_lets(action, out);
    out.push_back(lowered(action));
  }
  return out;
}

}  // namespace

ExprId Lowering::expr(TermId term) {
  if (const auto let = lets.find(term.value); let != lets.end()) return local(let->second);
  return body(term);
}

ExprId Lowering::body(TermId root) {
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    if (known_.contains(id.value)) {
      open.pop_back();
      continue;
    }
    const size_t before = open.size();
    const Term& term = terms_[id];
    for (const TermId part : {term.c, term.b, term.a}) {
      if (part.valid() && !lets.contains(part.value) && !known_.contains(part.value)) open.push_back(part);
    }
    if (open.size() == before) known_[id.value] = made(id);
  }
  return known_[root.value];
}

ExprId Lowering::made(TermId id) {
  const Term& term = terms_[id];
  const auto part = [&](TermId p) { return lets.contains(p.value) ? local(lets[p.value]) : known_[p.value]; };
  switch (term.kind) {
    case TermKind::Const: return system_.make_const(term.value, term.at);
    case TermKind::Current: return system_.make_var(model::VarId(static_cast<uint32_t>(term.value)), term.at);
    case TermKind::Slot: return local(static_cast<uint32_t>(term.value));
    case TermKind::Fail: return system_.make_fail(terms_.text(term), term.at);
    case TermKind::Next:
    case TermKind::Running: break;  // rewritten before
    case TermKind::Node:
      if (term.op == Op::Ite) return system_.make_ite(part(term.a), part(term.b), part(term.c), term.at);
      if (!term.b.valid()) return system_.make_unary(term.op, part(term.a), term.at);
      return system_.make_binary(term.op, part(term.a), part(term.b), term.at);
  }
  return {};
}

bool is_too_large(const Term& term) { return term.depth > kMaxDepth || term.size > kMaxGuard; }

std::vector<StmtId> lower_plan(const Plan& plan, const Terms& terms, model::System& system, uint32_t& slots,
                               Diagnostics& diagnostics) {
  PlanLowering lowering(plan, terms, system, diagnostics);
  std::vector<StmtId> out = lowering.run();
  slots = lowering.slots();
  return out;
}

}  // namespace harrier::smv
