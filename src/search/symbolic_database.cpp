#include "search/symbolic_database.h"

#include <algorithm>
#include <chrono>

#include "abstraction/patterns/pattern_text.h"
#include "base/error.h"

namespace harrier::search {

namespace {

constexpr uint64_t kMostNodes = 500'000;  // of a database whose pattern was not given

std::vector<model::VarId> variables_of(const std::string& text, const std::vector<std::string>& known) {
  const auto patterns = abstraction::names_in_patterns(text);
  if (patterns.size() != 1) throw Error(ErrorKind::Usage, "a symbolic database has one pattern");
  std::vector<model::VarId> out;
  for (const std::string& name : patterns.front()) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) abstraction::refuse_name(name, known);
    out.emplace_back(static_cast<size_t>(at - known.begin()));
  }
  return out;
}

}  // namespace

symbolic::Database symbolic_database(symbolic::Space& space, const model::Property& property,
                                     abstraction::Workshop& workshop) {
  const auto start = std::chrono::steady_clock::now();
  const AbstractionOptions& options = workshop.options();
  const std::vector<std::string> names = abstraction::names_for_users(space.encoding().system());
  symbolic::Database out =
      options.pattern.empty()
          ? symbolic::layered_database(space, property, {options.seconds, kMostNodes})
          : symbolic::Database(space, variables_of(options.pattern, names), {options.seconds, UINT64_MAX});
  AbstractionReport report;
  report.heuristic = "sdb";
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.proved = !out.distance(space.initial()).has_value();
  std::string pattern;
  for (const model::VarId v : out.pattern()) pattern += (pattern.empty() ? "" : ", ") + names[v.value];
  report.details = {{"pattern", pattern},
                    {"distances", std::to_string(out.layers().size()) + (out.complete() ? "" : ", and more")},
                    {"nodes", std::to_string(out.nodes())}};
  workshop.record(std::move(report));
  return out;
}

}  // namespace harrier::search
