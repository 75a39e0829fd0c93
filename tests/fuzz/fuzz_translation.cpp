// Any two texts are a planning task that becomes a model, and a SAS+ file that can be read, or give diagnostics. A line
// of
// "----" stands between them.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "lang/pddl/parser.h"
#include "lang/pddl/sas.h"
#include "lang/pddl/translation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  constexpr std::string_view kBetween = "\n----\n";
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(text.find(kBetween), size);
  Sources sources;
  const uint32_t domain = sources.add_file("domain.pddl", text.substr(0, end));
  const uint32_t problem = sources.add_file("problem.pddl", text.substr(std::min(end + kBetween.size(), size)));
  try {
    const Watch watch({.polls = 50'000});
    Diagnostics diagnostics(watch);
    const pddl::Task task = pddl::parse(sources, domain, problem, diagnostics);
    if (diagnostics.has_errors()) return 0;
    const pddl::FiniteTask finite = pddl::translate(task, pddl::Stopwatch(watch), diagnostics);
    if (diagnostics.has_errors()) return 0;
    pddl::lower(finite, watch);
    Diagnostics of_sas(watch);
    pddl::parse_sas(sources, sources.add_file("task.sas", pddl::to_sas(finite)), of_sas);
    if (of_sas.has_errors()) std::abort();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
