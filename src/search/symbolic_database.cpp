#include "search/symbolic_database.h"

#include <chrono>

#include "abstraction/diagrams/symbolic_choice.h"

namespace harrier::search {

namespace {

constexpr uint64_t kMostNodes = 500'000;  // of a database whose pattern was not given

}  // namespace

symbolic::Database symbolic_database(symbolic::Space& space, const model::Property& property,
                                     abstraction::Workshop& workshop) {
  const auto start = std::chrono::steady_clock::now();
  const AbstractionOptions& options = workshop.options();
  const uint64_t nodes = options.pattern.empty() ? kMostNodes : UINT64_MAX;
  symbolic::Database out = abstraction::choose_database(space, property, options.pattern, {options.seconds, nodes});
  AbstractionReport report;
  report.heuristic = "sdb";
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.proved = !out.distance(space.initial()).has_value();
  report.details = {{"pattern", abstraction::pattern_text(space.encoding().system(), out.pattern())},
                    {"distances", std::to_string(out.layers().size()) + (out.complete() ? "" : ", and more")},
                    {"nodes", std::to_string(out.nodes())}};
  workshop.record(std::move(report));
  return out;
}

}  // namespace harrier::search
