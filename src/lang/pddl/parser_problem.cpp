// The sections of a problem.
#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_set>

#include "base/hash.h"
#include "lang/pddl/parser_impl.h"

namespace harrier::pddl {

namespace {

// Numbers of atoms in a list, which are the same where the atoms are; their places do not count.
class AtomSet {
 public:
  explicit AtomSet(std::function<const Atom&(size_t)> atom)
      : atom_(std::move(atom)), set_(0, Hash{this}, Equal{this}) {}
  // The one that is the same; `number` if there was none.
  size_t insert(size_t number) { return *set_.insert(number).first; }
  bool contains(size_t number) const { return set_.contains(number); }

 private:
  struct Hash {
    const AtomSet* all;
    size_t operator()(size_t number) const {
      const Atom& atom = all->atom_(number);
      uint64_t hash = mix64(atom.predicate + 1);
      for (const Term& term : atom.arguments) hash = mix64(hash ^ (uint64_t{term.index} + 1)) + hash;
      return hash;
    }
  };
  struct Equal {
    const AtomSet* all;
    bool operator()(size_t a, size_t b) const {
      const Atom& left = all->atom_(a);
      const Atom& right = all->atom_(b);
      return left.predicate == right.predicate && left.arguments == right.arguments;
    }
  };

  std::function<const Atom&(size_t)> atom_;
  std::unordered_set<size_t, Hash, Equal> set_;
};

template <class T>
void keep_only(std::vector<T>& list, const std::vector<bool>& keep) {
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!keep[i]) continue;
    if (kept != i) list[kept] = std::move(list[i]);
    ++kept;
  }
  list.resize(kept);
}

}  // namespace

void Parser::problem_domain() {
  const Token name = expect_name("the name of a domain");
  expect_close("the name of the domain");
  if (name.text != task_.domain) {
    error(name, "this problem is of the domain " + describe(name) + ", but the domain is " + quoted(task_.domain));
  }
}

void Parser::initial() {
  while (!accept_close()) {
    expect_open("an atom");
    initial_fact();
  }
}

void Parser::initial_fact() {
  const Token name = expect_name("the name of a predicate");
  if (name.is("=") && !predicates_.contains(name.text)) return initial_equation(name);
  if (is_timed(name)) refuse(name, "timed initial literals ('at' with a number)");
  if (!name.is("not")) return initial_atom(name, true);
  expect_open("the atom in 'not'");
  initial_atom(expect_name("the name of a predicate"), false);
  expect_close("the atom in 'not'");
}

void Parser::initial_atom(const Token& name, bool holds) {
  Atom out;
  if (!atom(out, name, nullptr)) return;
  if (task_.predicates[out.predicate].derived) {
    return error(name, "the initial state cannot say what the derived predicate " + describe(name) + " is");
  }
  (holds ? task_.initial : absent_).push_back(std::move(out));
}

// "(at 10 (light on))".
bool Parser::is_timed(const Token& name) {
  if (!name.is("at")) return false;
  Lexer ahead = lexer_;
  const Token time = ahead.next();
  return time.kind == Token::Kind::Word && time.text.front() >= '0' && time.text.front() <= '9' &&
         ahead.next().kind == Token::Kind::Open;
}

// "(= (distance a b) 3)", "(= total-cost 0)"; "(= a a)" says nothing.
void Parser::initial_equation(const Token& equals) {
  Amount amount;
  if (accept(Token::Kind::Open)) {
    const Token name = expect_name("a function");
    if (!function(amount.function, name, nullptr)) return skip_list();
  } else {
    const Token name = expect_word("a function");
    if (!functions_.contains(name.text) || objects_.contains(name.text)) {
      Term left, right;
      const bool known = term(left, name, nullptr);
      const bool other_known = term(right, expect_word("an object"), nullptr);
      if (known && other_known && left != right) error(equals, "different objects are never the same");
      return expect_close("the two sides of '='");
    }
    amount.function.at = place(name);
    amount.function.predicate = functions_.at(name.text);
    if (!task_.functions[amount.function.predicate].parameters.empty()) {
      fail(name, wrong_count(name.text, task_.functions[amount.function.predicate].parameters.size(), 0));
    }
  }
  const Token value = expect_word("a number");
  if (objects_.contains(value.text)) refuse(value, "functions to objects: object fluents");
  amount.value = number(value);
  expect_close("the number");
  if (amount.value != 0 && task_.functions[amount.function.predicate].name == "total-cost") {
    refuse(value, "a total cost that does not begin with 0");
  }
  task_.amounts.push_back(std::move(amount));
}

// Not negative.
int64_t Parser::number(const Token& token) {
  constexpr int64_t kMost = INT32_MAX;
  const std::string_view text = token.text;
  const bool negative = text.size() > 1 && text.front() == '-';
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc::invalid_argument) fail_unexpected(token, "a number");
  if (failure == std::errc::result_out_of_range || value > kMost) refuse(token, "a number of more than 31 bits");
  if (negative) refuse(token, "negative costs");
  if (rest == end) return value;
  if (*rest != '.') fail_unexpected(token, "a number");
  if (!std::all_of(rest + 1, end, [](char c) { return c >= '0' && c <= '9'; })) fail_unexpected(token, "a number");
  if (!std::all_of(rest + 1, end, [](char c) { return c == '0'; })) refuse(token, "costs that are not whole numbers");
  return value;
}

void Parser::goal() {
  task_.goal_at = place(peek());
  Scope scope(task_.goal_variables);
  task_.goal = condition(scope);
  expect_close("the goal");
}

void Parser::metric() {
  const Token direction = expect_word("'minimize'");
  if (!direction.is("minimize") && !direction.is("maximize")) fail_unexpected(direction, "'minimize'");
  if (direction.is("maximize")) refuse(direction, "a metric that is maximized");
  const Token what = peek();
  if (!is_total_cost()) refuse(what, "a metric other than 'total-cost'");
  if (!functions_.contains("total-cost")) error(what, "the function 'total-cost' is not declared");
  expect_close("the metric");
  task_.costs = true;
}

// It was a hint for the planners of 1998.
void Parser::length() { skip_list(); }

// With or without parentheses.
bool Parser::is_total_cost() {
  const bool open = accept(Token::Kind::Open);
  if (!take().is("total-cost")) return false;
  if (open) expect_close("'total-cost'");
  return true;
}

// No atom twice, which does no harm, and none that is said to be false.
void Parser::finish_initial() {
  std::vector<Atom>& atoms = task_.initial;
  AtomSet seen([&](size_t i) -> const Atom& { return i < atoms.size() ? atoms[i] : absent_[i - atoms.size()]; });
  std::vector<bool> keep(atoms.size());
  for (size_t i = 0; i < atoms.size(); ++i) {
    diagnostics_.poll();
    keep[i] = seen.insert(i) == i;
  }
  for (size_t i = 0; i < absent_.size() && !diagnostics_.full(); ++i) {
    diagnostics_.poll();
    if (!seen.contains(atoms.size() + i)) continue;
    diagnostics_.error(absent_[i].at, to_text(task_, absent_[i]) + " is both true and false");
  }
  keep_only(atoms, keep);
}

void Parser::finish_amounts() {
  std::vector<Amount>& amounts = task_.amounts;
  AtomSet seen([&](size_t i) -> const Atom& { return amounts[i].function; });
  std::vector<bool> keep(amounts.size());
  for (size_t i = 0; i < amounts.size(); ++i) {
    diagnostics_.poll();
    const size_t first = seen.insert(i);
    keep[i] = first == i;
    if (amounts[first].value == amounts[i].value) continue;
    diagnostics_.error(amounts[i].function.at,
                       "this value was already said to be " + std::to_string(amounts[first].value));
  }
  keep_only(amounts, keep);
}

void Parser::finish_costs() {
  if (task_.costs) return;
  for (Action& action : task_.actions) action.costs.clear();
}

}  // namespace harrier::pddl
