#include "lang/ltl/buchi.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace harrier::ltl {

namespace {

using Id = Formulas::Id;
using Kind = Formulas::Kind;
using Guard = std::vector<Buchi::Literal>;

constexpr size_t kMostTerms = 10'000;
constexpr size_t kMostStates = 4'000;
constexpr uint32_t kMostUntils = 63;

struct TooLarge {};

// One way to satisfy a set of formulas: what has to hold now, what from the next moment on, and which untils are put
// off to it.
struct Term {
  std::set<Buchi::Literal> now;
  std::set<Id> next;
  uint64_t postponed = 0;
};

bool no_worse(const Term& a, const Term& b) {
  return (a.postponed & ~b.postponed) == 0 && std::includes(b.now.begin(), b.now.end(), a.now.begin(), a.now.end()) &&
         std::includes(b.next.begin(), b.next.end(), a.next.begin(), a.next.end());
}

class Expansion {
 public:
  Expansion(const Formulas& formulas, std::map<Id, uint32_t>& untils) : formulas_(formulas), untils_(untils) {}

  std::vector<Term> terms(const std::set<Id>& state) {
    expand({state.begin(), state.end()}, {});
    std::vector<Term> out;
    for (size_t i = 0; i < terms_.size(); ++i) {
      bool redundant = false;
      for (size_t j = 0; j < terms_.size() && !redundant; ++j) {
        redundant = i != j && no_worse(terms_[j], terms_[i]) && (j < i || !no_worse(terms_[i], terms_[j]));
      }
      if (!redundant) out.push_back(terms_[i]);
    }
    return out;
  }

 private:
  void expand(std::vector<Id> open, Term term) {
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      const Formulas::Node& f = formulas_[id];
      switch (f.kind) {
        case Kind::True: break;
        case Kind::False: return;
        case Kind::Literal:
          if (term.now.contains({f.a, f.b == 0})) return;
          term.now.insert({f.a, f.b != 0});
          break;
        case Kind::And: open.insert(open.end(), {f.a, f.b}); break;
        case Kind::Next: later(f.a, term.next); break;
        case Kind::Or:
          branch(open, f.a, term);
          open.push_back(f.b);
          break;
        case Kind::Until:
          branch(open, f.b, term);
          open.push_back(f.a);
          term.next.insert(id);
          term.postponed |= uint64_t{1} << number_of(id);
          break;
        case Kind::Release: {
          std::vector<Id> released = open;
          released.push_back(f.a);
          branch(std::move(released), f.b, term);
          open.push_back(f.b);
          term.next.insert(id);
          break;
        }
      }
    }
    if (terms_.size() == kMostTerms) throw TooLarge();
    terms_.push_back(std::move(term));
  }

  void branch(std::vector<Id> open, Id first, const Term& term) {
    open.push_back(first);
    expand(std::move(open), term);
  }

  void later(Id id, std::set<Id>& next) const {
    if (formulas_[id].kind == Kind::And) {
      later(formulas_[id].a, next);
      later(formulas_[id].b, next);
    } else {
      next.insert(id);
    }
  }

  uint32_t number_of(Id until) {
    const uint32_t number = untils_.emplace(until, static_cast<uint32_t>(untils_.size())).first->second;
    if (number >= kMostUntils) throw TooLarge();
    return number;
  }

  const Formulas& formulas_;
  std::map<Id, uint32_t>& untils_;
  std::vector<Term> terms_;
};

// States are sets of formulas; a run is accepted if no until is postponed for ever.
struct Generalised {
  struct Transition {
    Guard guard;
    uint32_t target = 0;
    uint64_t postponed = 0;
  };
  std::vector<std::vector<Transition>> states;
  uint32_t conditions = 0;
};

Generalised tableau(const Formulas& formulas, Id formula, const Watch& watch) {
  Generalised out;
  std::map<Id, uint32_t> untils;
  std::map<std::set<Id>, uint32_t> numbers{{{formula}, 0}};
  std::vector<std::set<Id>> sets{{formula}};
  for (size_t s = 0; s < sets.size(); ++s) {
    std::vector<Generalised::Transition> transitions;
    for (const Term& term : Expansion(formulas, untils).terms(sets[s])) {
      watch.poll();
      const auto [at, fresh] = numbers.emplace(term.next, static_cast<uint32_t>(sets.size()));
      if (fresh) sets.push_back(term.next);
      transitions.push_back({{term.now.begin(), term.now.end()}, at->second, term.postponed});
    }
    if (sets.size() > kMostStates) throw TooLarge();
    out.states.push_back(std::move(transitions));
  }
  out.conditions = static_cast<uint32_t>(untils.size());
  return out;
}

// A state waits for one condition after the other, and is accepting when it has seen all of them.
Buchi count_through(const Generalised& from) {
  Buchi out;
  using Place = std::pair<uint32_t, uint32_t>;  // a state, and how many conditions have been seen
  std::map<Place, uint32_t> numbers{{{0, 0}, 0}};
  std::vector<Place> places{{0, 0}};
  for (size_t s = 0; s < places.size(); ++s) {
    const auto [source, seen] = places[s];
    Buchi::State state;
    state.accepting = seen == from.conditions;
    for (const Generalised::Transition& t : from.states[source]) {
      uint32_t now = state.accepting ? 0 : seen;
      while (now < from.conditions && (t.postponed >> now & 1) == 0) ++now;
      const Place place{t.target, now};
      const auto [at, fresh] = numbers.emplace(place, static_cast<uint32_t>(places.size()));
      if (fresh) places.push_back(place);
      state.transitions.push_back({t.guard, at->second});
    }
    if (places.size() > kMostStates) throw TooLarge();
    out.states.push_back(std::move(state));
  }
  return out;
}

// Which states can be reached from a state by at least one transition.
std::vector<bool> reachable(const Buchi& automaton, uint32_t from) {
  std::vector<bool> seen(automaton.states.size(), false);
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    const uint32_t s = open.back();
    open.pop_back();
    for (const Buchi::Transition& t : automaton.states[s].transitions) {
      if (seen[t.target]) continue;
      seen[t.target] = true;
      open.push_back(t.target);
    }
  }
  return seen;
}

// Leaves only states from which a word is accepted, and only acceptance that a run can see again and again.
void remove_useless(Buchi& automaton) {
  std::vector<bool> useful(automaton.states.size(), false);
  std::vector<std::vector<uint32_t>> predecessors(automaton.states.size());
  std::vector<uint32_t> open;
  for (uint32_t s = 0; s < automaton.states.size(); ++s) {
    Buchi::State& state = automaton.states[s];
    for (const Buchi::Transition& t : state.transitions) predecessors[t.target].push_back(s);
    state.accepting = state.universal || (state.accepting && reachable(automaton, s)[s]);
    if (!state.accepting) continue;
    useful[s] = true;
    open.push_back(s);
  }
  while (!open.empty()) {
    const uint32_t s = open.back();
    open.pop_back();
    for (const uint32_t p : predecessors[s]) {
      if (useful[p]) continue;
      useful[p] = true;
      open.push_back(p);
    }
  }
  for (Buchi::State& state : automaton.states) {
    std::erase_if(state.transitions, [&](const Buchi::Transition& t) { return !useful[t.target]; });
  }
}

// The guard of two transitions to the same state that differ in the sign of one literal only.
std::optional<Guard> joined(const Guard& a, const Guard& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::optional<size_t> differs;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (differs || a[i].atom != b[i].atom) return std::nullopt;
    differs = i;
  }
  if (!differs) return std::nullopt;
  Guard out = a;
  out.erase(out.begin() + static_cast<ptrdiff_t>(*differs));
  return out;
}

void simplify_transitions(Buchi& automaton, Buchi::State& state, const Watch& watch) {
  auto& transitions = state.transitions;
  for (bool changed = true; changed;) {
    changed = false;
    std::sort(transitions.begin(), transitions.end());
    transitions.erase(std::unique(transitions.begin(), transitions.end()), transitions.end());
    for (size_t i = 0; i < transitions.size(); ++i) {
      watch.poll();
      for (size_t j = 0; j < transitions.size(); ++j) {
        const Buchi::Transition& weak = transitions[i];
        const Buchi::Transition& strong = transitions[j];
        const bool covers = weak.target == strong.target || automaton.states[weak.target].universal;
        if (i == j || !covers) continue;
        if (std::includes(strong.guard.begin(), strong.guard.end(), weak.guard.begin(), weak.guard.end())) {
          transitions.erase(transitions.begin() + static_cast<ptrdiff_t>(j));
          changed = true;
          break;
        }
        if (weak.target != strong.target) continue;
        if (auto guard = joined(weak.guard, strong.guard)) {
          transitions[i].guard = std::move(*guard);
          changed = true;
        }
      }
      if (changed) break;
    }
  }
}

// Replaces states by the first one that behaves alike; keeps those that can be reached. True if that changed anything.
bool merge(Buchi& automaton) {
  const size_t count = automaton.states.size();
  // Classes are split until the members of each have the same transitions to the same classes.
  std::vector<uint32_t> classes(count, 0);
  for (size_t known = 0;;) {
    using Signature = std::tuple<bool, bool, uint32_t, std::set<Buchi::Transition>>;
    std::map<Signature, uint32_t> signatures;
    std::vector<uint32_t> refined(count);
    for (size_t s = 0; s < count; ++s) {
      const Buchi::State& state = automaton.states[s];
      std::set<Buchi::Transition> transitions;
      for (const Buchi::Transition& t : state.transitions) transitions.insert({t.guard, classes[t.target]});
      const Signature signature{state.accepting, state.universal, classes[s], std::move(transitions)};
      refined[s] = signatures.emplace(signature, static_cast<uint32_t>(signatures.size())).first->second;
    }
    classes = std::move(refined);
    if (signatures.size() == known) break;
    known = signatures.size();
  }
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> number(count, kNone);  // of a class
  std::vector<uint32_t> members{0};
  number[classes[0]] = 0;
  Buchi out;
  for (size_t i = 0; i < members.size(); ++i) {
    Buchi::State state = automaton.states[members[i]];
    for (Buchi::Transition& t : state.transitions) {
      uint32_t& target = number[classes[t.target]];
      if (target == kNone) {
        target = static_cast<uint32_t>(members.size());
        members.push_back(t.target);
      }
      t.target = target;
    }
    out.states.push_back(std::move(state));
  }
  automaton = std::move(out);
  return automaton.states.size() != count;
}

// An accepting state that can always stay accepts everything.
bool mark_universal(Buchi& automaton) {
  bool changed = false;
  for (uint32_t s = 0; s < automaton.states.size(); ++s) {
    Buchi::State& state = automaton.states[s];
    if (!state.accepting || state.universal) continue;
    if (std::none_of(state.transitions.begin(), state.transitions.end(),
                     [&](const Buchi::Transition& t) { return t.guard.empty() && t.target == s; })) {
      continue;
    }
    state.universal = true;
    state.transitions.clear();
    changed = true;
  }
  return changed;
}

}  // namespace

bool Buchi::is_finite() const {
  return std::none_of(states.begin(), states.end(), [](const State& s) { return s.accepting && !s.universal; });
}

std::optional<Buchi> translate(const Formulas& formulas, Formulas::Id formula, const Watch& watch) {
  try {
    Buchi automaton = count_through(tableau(formulas, formula, watch));
    for (bool changed = true; changed;) {
      remove_useless(automaton);
      for (Buchi::State& state : automaton.states) simplify_transitions(automaton, state, watch);
      changed = mark_universal(automaton);
      changed = merge(automaton) || changed;
    }
    return automaton;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace harrier::ltl
