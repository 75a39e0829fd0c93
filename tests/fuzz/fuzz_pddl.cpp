// Any two texts are a planning task or give diagnostics; so does any text as a plan for it. The domain ends at the
// first form feed.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "lang/pddl/parser.h"
#include "lang/pddl/plan.h"
#include "lang/pddl/plan_validator.h"
#include "lang/pddl/sas.h"
#include "lang/pddl/translation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(text.find('\f'), size);
  const Watch watch({.polls = 20'000});
  Sources sources;
  const uint32_t domain = sources.add_file("domain.pddl", text.substr(0, end));
  const uint32_t problem = sources.add_file("problem.pddl", text.substr(std::min(end + 1, size)));
  try {
    Diagnostics diagnostics(watch);
    const pddl::Task task = pddl::parse(sources, domain, problem, diagnostics);
    format_all(sources, diagnostics);
    if (diagnostics.has_errors()) return 0;
    Diagnostics of_plan(watch);
    const auto plan = pddl::parse_plan(sources, problem, of_plan);
    pddl::validate_plan(task, plan, watch);
    const pddl::FiniteTask finite = pddl::translate(task, pddl::Stopwatch(watch), watch);
    pddl::lower(finite, watch);
    Sources written;
    Diagnostics of_sas(watch);
    pddl::parse_sas(written, written.add_file("task.sas", pddl::to_sas(finite)), of_sas);
    if (of_sas.has_errors()) std::abort();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
