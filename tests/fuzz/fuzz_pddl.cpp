// Any texts are a domain, a problem and a plan, or give diagnostics; where they are, the plan solves the task or not.
// Lines of "----" stand between them.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "lang/pddl/parser.h"
#include "lang/pddl/plan.h"
#include "lang/pddl/plan_validator.h"

namespace {

// Takes what is before the next line of "----".
std::string take_text(std::string& rest) {
  constexpr std::string_view kBetween = "\n----\n";
  const size_t end = std::min(rest.find(kBetween), rest.size());
  std::string text = rest.substr(0, end);
  rest.erase(0, std::min(end + kBetween.size(), rest.size()));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  std::string rest(reinterpret_cast<const char*>(data), size);
  Sources sources;
  Diagnostics diagnostics;
  pddl::kind_of(rest);
  const uint32_t domain = sources.add_file("domain.pddl", take_text(rest));
  const uint32_t problem = sources.add_file("problem.pddl", take_text(rest));
  const pddl::Task task = pddl::parse(sources, domain, problem, diagnostics);
  const auto plan = pddl::parse_plan(sources, sources.add_file("plan", std::move(rest)), diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(sources, diagnostic);
  if (diagnostics.has_errors()) return 0;
  try {
    // Nested quantifiers take long.
    pddl::validate_plan(task, plan, Watch({.polls = 1'000'000}));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Limit) std::abort();
  }
  return 0;
}
