#include "lang/pddl/condition.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "base/suggest.h"
#include "lang/pddl/lexer.h"

namespace harrier::pddl {

namespace {

using Kind = Token::Kind;
using model::ExprId;
using model::Op;
using model::VarId;

constexpr uint32_t kMaxDepth = 200;

class ConditionParser {
 public:
  ConditionParser(model::System& system, uint32_t file, Diagnostics& diagnostics)
      : system_(system), file_(file), diagnostics_(diagnostics), lexer_(system.sources.text(file)) {
    for (size_t v = 0; v < system.variables.size(); ++v) {
      if (system.variables[v].value_names == 0) continue;
      const std::vector<std::string>& names = system.value_names[system.variables[v].value_names - 1];
      for (size_t value = 0; value < names.size(); ++value) {
        // Of several variables that tell it any will do.
        if (names[value].ends_with(')')) atoms_.try_emplace(lower_case(names[value]), VarId(v), value);
      }
    }
    take();
  }

  ExprId parse() {
    const ExprId whole = formula(0);
    return next_.kind == Kind::End ? whole : fail("the end of the condition where there is " + describe(next_));
  }

 private:
  // What a text that is none stands for; the rest of it is not read.
  ExprId fail(const std::string& message) {
    if (!diagnostics_.has_errors()) diagnostics_.error(at(next_), "expected " + message);
    next_ = {.begin = next_.begin};
    return system_.make_const(0);
  }
  SourceRef at(const Token& token) const { return system_.sources.ref_at(file_, token.begin); }
  Token take() { return std::exchange(next_, diagnostics_.has_errors() ? Token{.begin = next_.begin} : lexer_.next()); }

  ExprId formula(uint32_t depth) {
    if (depth > kMaxDepth) return fail("less nesting");
    if (next_.kind != Kind::Open) return fail("'(', as in (and (at truck depot) (not (in parcel truck)))");
    take();
    if (!is_name(next_)) return fail("'and', 'or', 'not' or a predicate");
    const Token head = take();
    const std::string word = lower_case(head.text);
    if (word == "and" || word == "or") return connective(word == "and" ? Op::And : Op::Or, depth);
    if (word != "not") return atom(head, word);
    const ExprId part = formula(depth + 1);
    if (next_.kind != Kind::Close) return fail("')'");
    take();
    return system_.make_unary(Op::Not, part, at(head));
  }

  ExprId connective(Op op, uint32_t depth) {
    ExprId out = system_.make_const(op == Op::And ? 1 : 0);
    while (next_.kind != Kind::Close) {
      const SourceRef place = at(next_);
      const ExprId part = formula(depth + 1);
      if (diagnostics_.has_errors()) return out;
      out = system_.make_binary(op, out, part, place);
    }
    take();
    return out;
  }

  // The variable that tells has a value for it.
  ExprId atom(const Token& head, const std::string& predicate) {
    std::string name = predicate + "(";
    while (is_name(next_)) {
      if (!name.ends_with('(')) name += ", ";
      name += lower_case(take().text);
    }
    name += ')';
    if (next_.kind != Kind::Close) return fail("an object or ')'");
    take();
    const auto found = atoms_.find(name);
    if (found == atoms_.end()) return unknown(head, name);
    return system_.make_binary(Op::Eq, system_.make_var(found->second.first, at(head)),
                               system_.make_const(static_cast<int32_t>(found->second.second)), at(head));
  }

  ExprId unknown(const Token& head, const std::string& name) {
    std::vector<std::string> known;
    for (const auto& [text, place] : atoms_) known.push_back(text);
    const std::string hint = suggestion(name, known);
    diagnostics_.error(at(head), "there is no atom '" + name + "' that can change" + (hint.empty() ? "" : "; " + hint));
    return fail("");
  }

  model::System& system_;
  uint32_t file_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  Token next_;
  std::unordered_map<std::string, std::pair<VarId, size_t>> atoms_;
};

}  // namespace

model::Property condition(model::System& system, std::string text, Diagnostics& diagnostics) {
  model::Property out{.text = text};
  const uint32_t file = system.sources.add_file("condition", std::move(text));
  out.at = system.sources.ref_at(file, 0);
  out.goal.push_back({.conditions = {ConditionParser(system, file, diagnostics).parse()}});
  return out;
}

}  // namespace harrier::pddl
