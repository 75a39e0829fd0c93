// Helpers of the PDDL tests: tasks from texts, and what was said about them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lang/pddl/parser.h"
#include "lang/pddl/plan.h"
#include "lang/pddl/plan_validator.h"

namespace harrier::testing {

struct PddlTask {
  Sources sources;
  Diagnostics diagnostics;
  pddl::Task task;

  PddlTask(const std::string& domain, const std::string& problem) {
    const uint32_t domain_file = sources.add_file("domain.pddl", domain);
    const uint32_t problem_file = sources.add_file("problem.pddl", problem);
    task = pddl::parse(sources, domain_file, problem_file, diagnostics);
  }
  // "file line:column message", one a line, where the file is 'd' for the domain and 'p' for the problem; what is not
  // supported with a '-' before it.
  std::string said() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      if (!out.empty()) out += "\n";
      out += (d.at.file == 0 ? "d " : "p ") + std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " ";
      if (d.severity == Severity::Unsupported) out += "- ";
      out += d.message;
    }
    return out;
  }
  std::vector<pddl::PlanStep> plan(const std::string& text) {
    return pddl::parse_plan(sources, sources.add_file("plan", text), diagnostics);
  }
  pddl::PlanVerdict run(const std::string& text) { return pddl::validate_plan(task, plan(text), Watch::none()); }
};

// A condition as PDDL writes it, variables by their names.
inline std::string to_text(const pddl::Task& task, const pddl::Condition& condition,
                           const std::vector<pddl::Variable>& scope) {
  using Kind = pddl::Condition::Kind;
  const auto name_of = [&](const pddl::Term& term) {
    return term.variable ? scope[term.index].name : task.objects[term.index].name;
  };
  switch (condition.kind) {
    case Kind::Holds: return pddl::to_text(task, condition.atom, scope);
    case Kind::Equal:
      return "(= " + name_of(condition.atom.arguments[0]) + " " + name_of(condition.atom.arguments[1]) + ")";
    default: break;
  }
  const char* const words[] = {"and", "or", "not", "imply", "exists", "forall"};
  std::string out = std::string("(") + words[static_cast<size_t>(condition.kind)];
  for (const uint32_t v : condition.variables) out += " " + scope[v].name;
  for (const pddl::Condition& part : condition.parts) out += " " + to_text(task, part, scope);
  return out + ")";
}

}  // namespace harrier::testing
