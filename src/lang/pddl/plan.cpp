#include "lang/pddl/plan.h"

#include "lang/pddl/lexer.h"

namespace harrier::pddl {

std::vector<PlanStep> parse_plan(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  const std::string text = lower_case(sources.text(file));
  Lexer lexer(text);
  std::vector<PlanStep> plan;
  const auto unexpected = [&](const Token& found, const std::string& wanted) {
    diagnostics.error(sources.ref_at(file, found.begin), "expected " + wanted + ", but found " + describe(found));
    return plan;
  };
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    if (token.kind != Token::Kind::Open) return unexpected(token, "'(' before the name of an action");
    token = lexer.next();
    if (!is_name(token)) return unexpected(token, "the name of an action");
    PlanStep& step = plan.emplace_back();
    step.action = token.text;
    step.at = sources.ref_at(file, token.begin);
    for (token = lexer.next(); token.kind != Token::Kind::Close; token = lexer.next()) {
      diagnostics.poll();
      if (!is_name(token)) return unexpected(token, "the name of an object or ')'");
      step.arguments.emplace_back(token.text);
    }
  }
  return plan;
}

std::string plan_text(const std::vector<std::string>& names, uint64_t cost, bool unit_cost) {
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out + "; cost = " + std::to_string(cost) + (unit_cost ? " (unit cost)\n" : " (general cost)\n");
}

}  // namespace harrier::pddl
