// The translation of formulas to automata, against the meaning of formulas on words that repeat themselves.
#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"
#include "lang/ltl/buchi.h"
#include "lang/ltl/formulas.h"

namespace harrier::ltl {
namespace {

constexpr uint32_t kAtoms = 3;

// A word: letters[0 … n), and after the last letter again letters[loop …).
struct Word {
  std::vector<uint32_t> letters;  // bit i: atom i holds
  size_t loop = 0;
  size_t after(size_t position) const { return position + 1 < letters.size() ? position + 1 : loop; }
};

// Where a formula holds in a word, as the smallest or largest solution of its equation.
std::vector<bool> holds(const Formulas& f, Formulas::Id id, const Word& word) {
  const Formulas::Node node = f[id];
  const size_t n = word.letters.size();
  using Kind = Formulas::Kind;
  if (node.kind == Kind::False || node.kind == Kind::True) return std::vector<bool>(n, node.kind == Kind::True);
  std::vector<bool> out(n);
  if (node.kind == Kind::Literal) {
    for (size_t i = 0; i < n; ++i) out[i] = (word.letters[i] >> node.a & 1) != node.b;
    return out;
  }
  const std::vector<bool> a = holds(f, node.a, word);
  if (node.kind == Kind::Next) {
    for (size_t i = 0; i < n; ++i) out[i] = a[word.after(i)];
    return out;
  }
  const std::vector<bool> b = holds(f, node.b, word);
  if (node.kind == Kind::Release) out.assign(n, true);
  for (size_t round = 0; round <= n; ++round) {
    for (size_t i = n; i-- > 0;) {
      switch (node.kind) {
        case Kind::And: out[i] = a[i] && b[i]; break;
        case Kind::Or: out[i] = a[i] || b[i]; break;
        case Kind::Until: out[i] = b[i] || (a[i] && out[word.after(i)]); break;
        default: out[i] = b[i] && (a[i] || out[word.after(i)]); break;
      }
    }
  }
  return out;
}

bool accepts(const Buchi& automaton, const Word& word) {
  const size_t n = word.letters.size();
  const auto reach = [&](size_t from) {
    std::vector<bool> seen(automaton.states.size() * n, false);
    std::vector<size_t> open{from};
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      for (const Buchi::Transition& t : automaton.states[at / n].transitions) {
        bool enabled = true;
        for (const Buchi::Literal& l : t.guard) {
          enabled = enabled && (word.letters[at % n] >> l.atom & 1) != (l.negated ? 1U : 0U);
        }
        const size_t to = t.target * n + word.after(at % n);
        if (!enabled || seen[to]) continue;
        seen[to] = true;
        open.push_back(to);
      }
    }
    return seen;
  };
  if (automaton.states[0].universal) return true;
  const std::vector<bool> reached = reach(0);
  for (size_t at = 0; at < reached.size(); ++at) {
    if (!reached[at] && at != 0) continue;
    const Buchi::State& state = automaton.states[at / n];
    if (state.universal || (state.accepting && reach(at)[at])) return true;
  }
  return false;
}

Formulas::Id random_formula(Formulas& f, Rng& rng, int depth) {
  if (depth == 0 || rng.below(8) == 0) {
    return rng.below(12) == 0 ? f.constant(rng.below(2) == 0)
                              : f.literal(static_cast<uint32_t>(rng.below(kAtoms)), rng.below(2) == 0);
  }
  const Formulas::Id a = random_formula(f, rng, depth - 1);
  switch (rng.below(8)) {
    case 0: return f.next(a);
    case 1: return f.always(a);
    case 2: return f.eventually(a);
    case 3: return f.negation(a);
    default: break;
  }
  const Formulas::Id b = random_formula(f, rng, depth - 1);
  switch (rng.below(4)) {
    case 0: return f.both(a, b);
    case 1: return f.either(a, b);
    case 2: return f.until(a, b);
    default: return f.release(a, b);
  }
}

Word random_word(Rng& rng) {
  Word word;
  for (size_t n = 1 + rng.below(6); n > 0; --n) word.letters.push_back(static_cast<uint32_t>(rng.below(1U << kAtoms)));
  word.loop = rng.below(word.letters.size());
  return word;
}

TEST(Ltl, AutomataAcceptWhatFormulasMean) {
  Rng rng(7);
  size_t accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    Formulas f;
    const Formulas::Id formula = random_formula(f, rng, 1 + static_cast<int>(rng.below(4)));
    const std::optional<Buchi> automaton = translate(f, formula);
    ASSERT_TRUE(automaton);
    const std::optional<Buchi> opposite = translate(f, f.negation(formula));
    ASSERT_TRUE(opposite);
    for (int i = 0; i < 20; ++i) {
      const Word word = random_word(rng);
      const bool truth = holds(f, formula, word)[0];
      accepted += truth ? 1 : 0;
      ASSERT_EQ(accepts(*automaton, word), truth) << "round " << round;
      ASSERT_EQ(accepts(*opposite, word), !truth) << "round " << round;
    }
  }
  EXPECT_GT(accepted, 10'000U);
}

TEST(Ltl, CommonFormulasHaveSmallAutomata) {
  Formulas f;
  const Formulas::Id p = f.literal(0, false);
  const Formulas::Id q = f.literal(1, false);
  const auto states = [&](Formulas::Id id) { return translate(f, id)->states.size(); };
  EXPECT_EQ(states(f.eventually(p)), 2U);
  EXPECT_EQ(states(f.always(p)), 1U);
  EXPECT_EQ(states(f.eventually(f.always(p))), 2U);
  EXPECT_EQ(states(f.always(f.eventually(p))), 2U);
  EXPECT_EQ(states(f.eventually(f.both(p, f.always(q)))), 2U);
  EXPECT_EQ(states(f.until(p, q)), 2U);
  EXPECT_TRUE(translate(f, f.eventually(p))->is_finite());
  EXPECT_TRUE(translate(f, f.until(p, q))->is_finite());
  EXPECT_FALSE(translate(f, f.always(p))->is_finite());
}

}  // namespace
}  // namespace harrier::ltl
