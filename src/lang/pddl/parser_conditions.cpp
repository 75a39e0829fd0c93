// Conditions, effects, terms.
#include <algorithm>

#include "lang/pddl/parser_impl.h"

namespace harrier::pddl {

namespace {

constexpr size_t kMostCopied = 10'000'000;  // parts of conditions, copied from `when` to the effects in it

// What conditions begin with that is more than PDDL 2.2 without numbers.
constexpr std::string_view kModal[] = {"preference",   "always",         "sometime",        "within",
                                       "at-most-once", "sometime-after", "sometime-before", "always-within",
                                       "hold-during",  "hold-after"};
constexpr std::string_view kComparisons[] = {"<", ">", "<=", ">="};
constexpr std::string_view kChanges[] = {"assign", "decrease", "scale-up", "scale-down"};

size_t size_of(const Condition& condition) {
  size_t size = 1;
  for (const Condition& part : condition.parts) size += size_of(part);
  return size;
}

}  // namespace

// "()" is true.
Condition Parser::condition(Scope& scope) {
  expect_open("a condition");
  Condition out;
  const Token word = take();
  out.at = place(word);
  if (word.kind == Token::Kind::Close) return out;
  if (word.kind != Token::Kind::Word) fail_unexpected(word, "a predicate, 'and', 'or', 'not', …");
  condition_of(out, word, scope);
  return out;
}

void Parser::condition_of(Condition& out, const Token& word, Scope& scope) {
  using Kind = Condition::Kind;
  const auto parts = [&](Kind kind, size_t count) {
    out.kind = kind;
    for (size_t i = 0; i < count; ++i) out.parts.push_back(condition(scope));
    expect_close("the condition in " + describe(word));
  };
  if (word.is("and") || word.is("or")) {
    out.kind = word.is("and") ? Kind::And : Kind::Or;
    while (!accept_close()) out.parts.push_back(condition(scope));
    return;
  }
  if (word.is("not")) return parts(Kind::Not, 1);
  if (word.is("imply")) return parts(Kind::Imply, 2);
  if (word.is("exists") || word.is("forall")) {
    expect_open("the variables of " + describe(word));
    const Bound bound = enter(scope);
    out.variables = bound.variables;
    parts(word.is("exists") ? Kind::Exists : Kind::Forall, 1);
    return leave(scope, bound);
  }
  if (word.is("=")) return equality(out, word, scope);
  if (!predicates_.contains(word.text)) {
    if (has(kComparisons, word.text)) refuse(word, "a comparison of numbers (" + describe(word) + ")");
    if (has(kModal, word.text)) refuse(word, "preferences and constraints (" + describe(word) + ")");
  }
  out.kind = Kind::Holds;
  atom(out.atom, word, &scope);
}

void Parser::equality(Condition& out, const Token& word, Scope& scope) {
  out.kind = Condition::Kind::Equal;
  out.atom.at = place(word);
  for (size_t i = 0; i < 2; ++i) {
    const Token token = take();
    if (token.kind == Token::Kind::Open) refuse(word, "a comparison of numbers or of functions to objects ('=')");
    if (token.kind != Token::Kind::Word) fail_unexpected(token, "the two sides of '='");
    Term side;
    term(side, token, &scope);
    out.atom.arguments.push_back(side);
  }
  expect_close("the two sides of '='");
}

void Parser::effect(Action& action, Scope& scope, Surroundings& around) {
  expect_open("an effect");
  const Token word = take();
  if (word.kind == Token::Kind::Close) return;
  if (word.kind != Token::Kind::Word) fail_unexpected(word, "a predicate, 'and', 'not', …");
  effect_of(action, word, scope, around);
}

void Parser::effect_of(Action& action, const Token& word, Scope& scope, Surroundings& around) {
  if (word.is("and")) {
    while (!accept_close()) effect(action, scope, around);
  } else if (word.is("forall")) {
    expect_open("the variables of 'forall'");
    const Bound bound = enter(scope);
    const size_t outside = around.variables.size();
    around.variables.insert(around.variables.end(), bound.variables.begin(), bound.variables.end());
    effect(action, scope, around);
    expect_close("the effect in 'forall'");
    around.variables.resize(outside);
    leave(scope, bound);
  } else if (word.is("when")) {
    const Condition when = condition(scope);
    const size_t size = size_of(when);
    around.conditions.push_back(&when);
    around.size += size;
    effect(action, scope, around);
    expect_close("the effect in 'when'");
    around.conditions.pop_back();
    around.size -= size;
  } else if (word.is("not")) {
    expect_open("the atom in 'not'");
    atom_effect(action, expect_name("the name of a predicate"), false, scope, around);
    expect_close("the atom in 'not'");
  } else if (word.is("increase")) {
    increase(action, word, scope, around);
  } else {
    atom_effect(action, word, true, scope, around);
  }
}

void Parser::atom_effect(Action& action, const Token& word, bool adds, Scope& scope, const Surroundings& around) {
  if (!predicates_.contains(word.text)) {
    if (has(kChanges, word.text)) refuse(word, "an effect on a number (" + describe(word) + ")");
    if (word.is("or") || word.is("exists") || word.is("imply") || word.is("=") || word.is("oneof")) {
      fail(word, describe(word) + " cannot be an effect");
    }
  }
  Effect out{.variables = around.variables, .condition = {}, .atom = {}, .adds = adds};
  const bool known = atom(out.atom, word, &scope);
  if (!known) return;
  if (task_.predicates[out.atom.predicate].derived) {
    return error(word, "an action cannot change the derived predicate " + describe(word));
  }
  copied_ += around.size;
  if (copied_ > kMostCopied) refuse(word, "so many effects with so long conditions");
  if (around.conditions.size() == 1) {
    out.condition = *around.conditions.front();
  } else {
    for (const Condition* condition : around.conditions) out.condition.parts.push_back(*condition);
  }
  action.effects.push_back(std::move(out));
}

// "(increase (total-cost) …)".
void Parser::increase(Action& action, const Token& word, Scope& scope, const Surroundings& around) {
  if (!is_total_cost()) refuse(word, "an effect on a number other than 'total-cost'");
  if (!functions_.contains("total-cost")) error(word, "the function 'total-cost' is not declared");
  if (around.conditional()) refuse(word, "costs that depend on a condition");
  summand(action, scope);
  expect_close("the cost");
}

void Parser::summand(Action& action, Scope& scope) {
  const Token token = take();
  if (token.kind == Token::Kind::Word) {
    action.costs.push_back({.constant = true, .value = number(token), .function = {}});
    return;
  }
  if (token.kind != Token::Kind::Open) fail_unexpected(token, "a cost");
  const Token word = expect_name("a function");
  if (word.is("+")) {
    while (!accept_close()) summand(action, scope);
    return;
  }
  if (word.is("*") || word.is("/") || word.is("-")) refuse(word, "a cost that is calculated by " + describe(word));
  if (word.is("total-cost")) refuse(word, "a cost that depends on 'total-cost'");
  Cost cost{.constant = false, .value = 0, .function = {}};
  if (function(cost.function, word, &scope)) action.costs.push_back(std::move(cost));
}

// Behind its name; to the end of it. False: it is wrong, and that has been said.
bool Parser::atom(Atom& out, const Token& name, Scope* scope) {
  out.at = place(name);
  const auto found = predicates_.find(name.text);
  if (found == predicates_.end()) {
    error(name, not_declared(name, "predicate", task_.predicates));
    skip_list();
    return false;
  }
  out.predicate = found->second;
  return arguments(out, name, task_.predicates[out.predicate].parameters, scope);
}

bool Parser::function(Atom& out, const Token& name, Scope* scope) {
  out.at = place(name);
  const auto found = functions_.find(name.text);
  if (found == functions_.end()) {
    error(name, not_declared(name, "function", task_.functions));
    skip_list();
    return false;
  }
  out.predicate = found->second;
  return arguments(out, name, task_.functions[out.predicate].parameters, scope);
}

bool Parser::arguments(Atom& out, const Token& name, const std::vector<Variable>& parameters, Scope* scope) {
  bool right = true;
  size_t count = 0;
  out.arguments.reserve(parameters.size());
  while (!accept_close()) {
    const Token token = take();
    if (token.kind == Token::Kind::Open) refuse(token, "a function as an argument: object fluents");
    if (token.kind != Token::Kind::Word) fail_unexpected(token, "an argument of " + describe(name));
    if (++count > parameters.size()) continue;
    Term argument;
    right = term(argument, token, scope) && right &&
            check_argument(token, argument, name, parameters[count - 1], count, scope);
    out.arguments.push_back(argument);
  }
  if (count == parameters.size()) return right;
  error(name, wrong_count(name.text, parameters.size(), count));
  return false;
}

// Without a scope, of an object.
bool Parser::term(Term& out, const Token& token, Scope* scope) {
  if (token.variable()) {
    if (scope == nullptr) fail(token, "there cannot be a variable here");
    const auto found = scope->visible.find(token.text);
    if (found != scope->visible.end()) {
      out = {.variable = true, .index = found->second};
      return true;
    }
    std::vector<Variable> known;
    for (const auto& [name, index] : scope->visible) known.push_back((*scope->variables)[index]);
    std::sort(known.begin(), known.end(), [](const Variable& a, const Variable& b) { return a.name < b.name; });
    error(token, not_declared(token, "variable", known));
    return false;
  }
  const auto found = objects_.find(token.text);
  if (found == objects_.end()) {
    error(token, not_declared(token, "object", task_.objects));
    return false;
  }
  out = {.variable = false, .index = found->second};
  return true;
}

bool Parser::check_argument(const Token& token, const Term& term, const Token& of, const Variable& parameter,
                            size_t number, Scope* scope) {
  const std::vector<uint32_t>& types =
      term.variable ? (*scope->variables)[term.index].types : task_.objects[term.index].types;
  if (may_fit(types, parameter)) return true;
  error(token, "argument " + std::to_string(number) + " of " + describe(of) + " is of type " +
                   type_text(parameter.types) + ", but " + describe(token) + " is of type " + type_text(types));
  return false;
}

// Whether what is of one of the types can be what a parameter stands for. A variable of a more general type may be.
bool Parser::may_fit(const std::vector<uint32_t>& types, const Variable& parameter) {
  return std::any_of(parameter.types.begin(), parameter.types.end(), [&](uint32_t wanted) {
    return std::any_of(types.begin(), types.end(), [&](uint32_t type) { return may_be(type, wanted); });
  });
}

bool Parser::may_be(uint32_t type, uint32_t of) {
  if (type == of || type == 0 || of == 0) return true;
  const auto [known, is_new] = may_be_.emplace(uint64_t{type} << 32 | of, false);
  if (!is_new) return known->second;
  bool related = task_.is_a(type, of) || task_.is_a(of, type);
  // Where types have several parents, something may be of both.
  for (uint32_t t = 1; t < task_.types.size() && !related; ++t) {
    diagnostics_.poll();
    related = task_.types[t].parents.size() > 1 && task_.is_a(t, type) && task_.is_a(t, of);
  }
  return known->second = related;
}

std::string Parser::type_text(const std::vector<uint32_t>& types) const {
  if (types.size() == 1) return quoted(task_.types[types.front()].name);
  constexpr size_t kMost = 5;
  std::string out = "(either";
  for (size_t i = 0; i < types.size() && i < kMost; ++i) out += " " + quoted(task_.types[types[i]].name);
  return out + (types.size() > kMost ? " …)" : ")");
}

}  // namespace harrier::pddl
