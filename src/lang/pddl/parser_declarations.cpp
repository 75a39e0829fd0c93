// Types, objects, predicates, functions, actions and axioms.
#include <algorithm>

#include "lang/pddl/layers.h"
#include "lang/pddl/parser_impl.h"

namespace harrier::pddl {

namespace {

constexpr size_t kDeepestType = 1000;  // others go from a type to those above it, often

constexpr size_t kMostTypes = 50;       // of 'either': all that are of them have a list of their own
constexpr size_t kMostVariables = 500;  // that are bound at one place: others nest a loop for each

// Numbers may be announced: where more of them is used than costs, that is refused there.
constexpr std::string_view kRequirements[] = {
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":domain-axioms",
    ":adl",
    ":ucpop",
    ":action-costs",
    ":negation",
    ":fluents",
    ":numeric-fluents",
};

// What conditions and effects begin with.
constexpr std::string_view kReserved[] = {
    "and", "or", "not", "imply",  "exists", "forall",   "when",       "=",        "<",
    ">",   "<=", ">=",  "assign", "either", "increase", "preference", "decrease", "define"};

}  // namespace

void Parser::requirements() {
  while (!accept_close()) {
    const Token requirement = expect_word("a requirement");
    if (!requirement.keyword()) fail_unexpected(requirement, "a requirement such as ':typing'");
    if (!has(kRequirements, requirement.text)) unsupported(requirement, "the requirement " + describe(requirement));
  }
}

// The first one who declares it has it.
bool Parser::declare(Names& names, const Token& name, size_t number, std::string_view what) {
  if (names.emplace(name.text, static_cast<uint32_t>(number)).second) return true;
  error(name, "the " + std::string(what) + " " + describe(name) + " is declared twice");
  return false;
}

// "a b - type c d - (either …) e", to the end of the list.
template <class Expect, class Take>
void Parser::typed_list(Expect expect, Take group) {
  Group next;
  while (!accept_close()) {
    if (!peek().is("-")) {
      next.names.push_back(expect());
      continue;
    }
    const Token dash = take();
    if (next.names.empty()) fail(dash, "there is nothing that this type is of");
    next.types = type_names();
    group(next);
    next.names.clear();
    next.types.clear();
  }
  if (!next.names.empty()) group(next);
}

std::vector<Token> Parser::type_names() {
  if (!accept(Token::Kind::Open)) return {expect_name("the name of a type")};
  const Token either = expect_word("'either'");
  if (!either.is("either")) fail_unexpected(either, "'either'");
  std::vector<Token> out;
  while (!accept_close()) out.push_back(expect_name("the name of a type"));
  if (out.empty()) fail(either, "'either' without types");
  if (out.size() > kMostTypes) refuse(either, "'either' of so many types");
  return out;
}

std::vector<uint32_t> Parser::resolve_types(const std::vector<Token>& names) {
  if (names.empty()) return {0};
  std::vector<uint32_t> out;
  for (const Token& name : names) out.push_back(declared_type(name));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

uint32_t Parser::declared_type(const Token& name) {
  const auto found = types_.find(name.text);
  if (found != types_.end()) return found->second;
  fail(name, not_declared(name, "type", task_.types));
}

void Parser::types() {
  // They may be declared later than what is of them.
  struct Parents {
    size_t end = 0;  // of the types that have them
    std::vector<Token> names;
  };
  std::vector<Parents> parents;
  typed_list([&] { return expect_name("the name of a type"); },
             [&](const Group& group) {
               for (const Token& name : group.names) {
                 if (name.is("object") && (group.types.empty() || group.types.front().is("object"))) continue;
                 if (name.is("object")) fail(name, "'object' is the type of everything, and of no other type");
                 if (!declare(types_, name, task_.types.size(), "type")) continue;
                 task_.types.push_back({.name = std::string(name.text), .parents = {}, .at = place(name)});
               }
               parents.push_back({.end = task_.types.size(), .names = group.types});
             });
  size_t type = 1;
  for (const Parents& of : parents) {
    const std::vector<uint32_t> numbers = resolve_types(of.names);
    for (; type < of.end; ++type) {
      diagnostics_.poll();
      task_.types[type].parents = numbers;
    }
  }
  check_hierarchy();
}

// Types whose parents are all known to be without cycles are so, too (Kahn 1962).
void Parser::check_hierarchy() {
  std::vector<std::vector<uint32_t>> children(task_.types.size());
  std::vector<size_t> missing(task_.types.size());
  for (uint32_t t = 0; t < task_.types.size(); ++t) {
    missing[t] = task_.types[t].parents.size();
    for (const uint32_t parent : task_.types[t].parents) children[parent].push_back(t);
  }
  std::vector<uint32_t> done{0};
  std::vector<size_t> depth(task_.types.size());
  for (size_t i = 0; i < done.size(); ++i) {
    diagnostics_.poll();
    const uint32_t type = done[i];
    if (depth[type] > kDeepestType) return diagnostics_.unsupported(task_.types[type].at, "types nested so deeply");
    for (const uint32_t child : children[type]) {
      depth[child] = std::max(depth[child], depth[type] + 1);
      if (--missing[child] == 0) done.push_back(child);
    }
  }
  if (done.size() == task_.types.size()) return;
  // Whoever goes from one that is left to a parent that is left comes to a cycle.
  const auto left = [&](uint32_t t) { return missing[t] != 0; };
  uint32_t type = 0;
  while (!left(type)) ++type;
  for (size_t steps = 0; steps < task_.types.size(); ++steps) {
    const auto& parents = task_.types[type].parents;
    type = *std::find_if(parents.begin(), parents.end(), left);
  }
  diagnostics_.error(task_.types[type].at, "the type " + quoted(task_.types[type].name) + " is above itself");
}

void Parser::objects() {
  typed_list([&] { return expect_name("the name of an object"); },
             [&](const Group& group) {
               const std::vector<uint32_t> types = resolve_types(group.types);
               for (const Token& name : group.names) declare_object(name, types);
             });
}

// Problems repeat constants of their domain, which does no harm.
void Parser::declare_object(const Token& name, const std::vector<uint32_t>& types) {
  diagnostics_.poll();
  const auto [known, is_new] = objects_.emplace(name.text, static_cast<uint32_t>(task_.objects.size()));
  if (is_new) {
    task_.objects.push_back({.name = std::string(name.text), .types = types, .at = place(name)});
  } else if (task_.objects[known->second].types != types) {
    error(name, "the object " + describe(name) + " is declared twice, with different types");
  }
}

// A list of variables, which are visible from now on.
Parser::Bound Parser::enter(Scope& scope) {
  Bound bound;
  Names names;
  typed_list([&] { return expect_variable(); },
             [&](const Group& group) {
               const std::vector<uint32_t> types = resolve_types(group.types);
               for (const Token& name : group.names) {
                 const auto number = static_cast<uint32_t>(scope.variables->size());
                 if (!declare(names, name, number, "variable")) continue;
                 if (++scope.inside > kMostVariables) refuse(name, "so many variables at one place");
                 scope.variables->push_back({.name = std::string(name.text), .types = types, .at = place(name)});
                 bound.variables.push_back(number);
                 const auto [visible, is_new] = scope.visible.emplace(name.text, number);
                 bound.hidden.emplace_back(name.text, is_new ? kNone : std::exchange(visible->second, number));
               }
             });
  return bound;
}

void Parser::leave(Scope& scope, const Bound& bound) {
  scope.inside -= bound.variables.size();
  for (const auto& [name, hidden] : bound.hidden) {
    if (hidden == kNone) {
      scope.visible.erase(name);
    } else {
      scope.visible[name] = hidden;
    }
  }
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> out;
  Scope scope(out);
  enter(scope);
  return out;
}

void Parser::predicates() {
  while (!accept_close()) {
    expect_open("a predicate");
    predicate();
  }
}

void Parser::predicate() {
  const Token name = expect_name("the name of a predicate");
  // Some domains declare what is there anyway.
  if (name.is("=")) return skip_list();
  if (has(kReserved, name.text)) fail(name, "a predicate cannot be called " + describe(name));
  const bool is_new = declare(predicates_, name, task_.predicates.size(), "predicate");
  Predicate predicate{.name = std::string(name.text), .parameters = parameters(), .at = place(name)};
  if (is_new) task_.predicates.push_back(std::move(predicate));
}

// "(distance ?a ?b - place) (total-cost) - number".
void Parser::functions() {
  while (!accept_close()) {
    if (peek().is("-")) {
      take();
      const Token type = expect_name("'number'");
      if (!type.is("number")) refuse(type, "functions to objects: object fluents");
      continue;
    }
    expect_open("a function");
    const Token name = expect_name("the name of a function");
    const bool is_new = declare(functions_, name, task_.functions.size(), "function");
    Function function{.name = std::string(name.text), .parameters = parameters(), .at = place(name)};
    if (is_new) task_.functions.push_back(std::move(function));
  }
}

void Parser::axiom() {
  Axiom axiom;
  axiom.at = place(peek());
  Scope scope(axiom.variables);
  axiom_head(axiom, scope);
  axiom.parameters = static_cast<uint32_t>(axiom.variables.size());
  axiom.condition = condition(scope);
  expect_close("the condition of ':derived'");
  task_.axioms.push_back(std::move(axiom));
}

void Parser::axiom_head(Axiom& axiom, Scope& scope) {
  expect_open("the derived predicate");
  const Token name = expect_name("the name of a predicate");
  const auto found = predicates_.find(name.text);
  if (found == predicates_.end()) fail(name, not_declared(name, "predicate", task_.predicates));
  axiom.head = found->second;
  Predicate& predicate = task_.predicates[axiom.head];
  predicate.derived = true;
  enter(scope);
  if (axiom.variables.size() != predicate.parameters.size()) {
    return error(name, wrong_count(predicate.name, predicate.parameters.size(), axiom.variables.size()));
  }
  for (size_t v = 0; v < axiom.variables.size(); ++v) {
    const Variable& variable = axiom.variables[v];
    if (may_fit(variable.types, predicate.parameters[v])) continue;
    diagnostics_.error(variable.at, "the predicate " + quoted(predicate.name) + " is about " +
                                        type_text(predicate.parameters[v].types) + " there, not " +
                                        type_text(variable.types));
  }
}

void Parser::check_layers() {
  if (diagnostics_.has_errors()) return;
  const Layers layers = layers_of(task_, diagnostics_.watch());
  if (layers.unstratified == kNone) return;
  const Axiom& axiom = task_.axioms[layers.unstratified];
  diagnostics_.error(
      axiom.at, "the derived predicate " + quoted(task_.predicates[axiom.head].name) + " depends on its own negation");
}

void Parser::action() {
  const Token name = expect_name("the name of an action");
  declare(actions_, name, task_.actions.size(), "action");
  Action action;
  action.name = name.text;
  action.at = place(name);
  Scope scope(action.variables);
  std::vector<std::string_view> parts;
  while (!accept_close()) {
    const Token part = expect_word("':parameters', ':precondition' or ':effect'");
    if (std::find(parts.begin(), parts.end(), part.text) != parts.end()) fail(part, "a second " + describe(part));
    parts.push_back(part.text);
    action_part(action, scope, part);
  }
  task_.actions.push_back(std::move(action));
}

void Parser::action_part(Action& action, Scope& scope, const Token& keyword) {
  if (keyword.is(":parameters")) {
    if (!action.variables.empty()) fail(keyword, "':parameters' come first");
    expect_open("the parameters");
    enter(scope);
    action.parameters = static_cast<uint32_t>(action.variables.size());
  } else if (keyword.is(":precondition")) {
    action.precondition = condition(scope);
  } else if (keyword.is(":effect")) {
    Surroundings around;
    effect(action, scope, around);
  } else if (keyword.is(":duration") || keyword.is(":condition")) {
    refuse(keyword, "durative actions (" + describe(keyword) + ")");
  } else if (keyword.is(":vars")) {
    refuse(keyword, "':vars': quantifiers say the same");
  } else {
    fail_unexpected(keyword, "':parameters', ':precondition' or ':effect'");
  }
}

}  // namespace harrier::pddl
