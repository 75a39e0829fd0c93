#include "random/threads.h"

#include <vector>

#include "step/independence.h"

namespace harrier::testing_support {

namespace {

std::string numbers_of(const std::vector<int32_t>& numbers) {
  std::string out;
  for (const int32_t n : numbers) out += std::to_string(n) + " ";
  return out;
}

std::string text_of(const std::vector<model::ClockAtom>& atoms) {
  std::string out;
  for (const model::ClockAtom& a : atoms) {
    out += std::to_string(a.left.value) + "-" + std::to_string(a.right.value) + (a.strict ? "<" : "<=") +
           std::to_string(a.bound) + " ";
  }
  return out;
}

std::string text_of(const std::optional<model::Path>& path) {
  if (!path) return "no path";
  std::string out = "begins " + numbers_of(path->beginning);
  for (const model::PathStep& step : path->steps) {
    out += "; edges ";
    for (const model::EdgeId e : step.edges) out += std::to_string(e.value) + " ";
    out += "choices " + numbers_of(step.choices) + text_of(step.extra);
  }
  return out + "; clause " + std::to_string(path->goal_clause) + " " + text_of(path->goal_extra);
}

std::string text_of(const search::Result& result, bool with_stored) {
  const Statistics& s = result.statistics;
  std::string out = "verdict " + std::to_string(static_cast<int>(result.verdict)) + " " + result.reason + "\n" +
                    text_of(result.path) + "\nexpanded " + std::to_string(s.expanded) + " generated " +
                    std::to_string(s.generated) + " transient " + std::to_string(s.transient) + " depth " +
                    std::to_string(s.depth);
  if (with_stored) out += " stored " + std::to_string(s.stored);
  if (result.failure) out += "\nfails " + std::to_string(static_cast<int>(result.failure->fault));
  for (const std::string& warning : result.warnings) out += "\n" + warning;
  return out;
}

// Of searches that do not store the same states. A failure and a goal may be found in another order.
std::optional<std::string> difference_in_verdict(const search::Result& one, const search::Result& other) {
  const auto fails = [](const search::Result& r) { return r.verdict == Verdict::Failed; };
  const bool alike = fails(one) || fails(other)
                         ? one.verdict != Verdict::Unreachable && other.verdict != Verdict::Unreachable
                         : one.verdict == other.verdict;
  return alike ? std::nullopt : std::optional(text_of(one, true) + "\nand otherwise\n" + text_of(other, true));
}
std::optional<std::string> difference_in_answer(const search::Result& one, const search::Result& other) {
  if (auto wrong = difference_in_verdict(one, other)) return wrong;
  const auto length = [](const search::Result& r) { return r.path ? r.path->steps.size() : 0; };
  const bool alike = one.verdict != other.verdict || length(one) == length(other);
  return alike ? std::nullopt : std::optional(text_of(one, true) + "\nand otherwise\n" + text_of(other, true));
}

}  // namespace

std::optional<std::string> difference(const search::Result& one, const search::Result& other, bool timed) {
  const bool with_stored = !timed || one.verdict == Verdict::Unreachable;
  const std::string a = text_of(one, with_stored);
  const std::string b = text_of(other, with_stored);
  return a == b ? std::nullopt : std::optional(a + "\nand the other\n" + b);
}

// The same of a search by several threads and by one. `passes`: only that passes through states of exclusive control.
static std::optional<std::string> compare_threads(const model::System& system, const model::Property& property,
                                                  search::Config config, bool passes) {
  config.method = search::BreadthFirstSearch();
  const search::Result one = search::run(system, property, config);
  for (const uint32_t threads : {2, 3}) {
    config.method = search::BreadthFirstSearch{.prefer = {}, .threads = threads, .threads_from = 0};
    const search::Result many = search::run(system, property, config);
    const bool timed = system.clocks.size() > 1;
    if (auto wrong = passes ? difference_in_answer(one, many) : difference(one, many, timed)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> compare_threads(const model::System& system, const model::Property& property,
                                           std::optional<uint64_t> depth_limit) {
  search::Config config;
  config.depth_limit = depth_limit;
  const bool passes = system.control.valid() && !system.has_choices();
  if (passes && depth_limit) return std::nullopt;
  for (const bool symmetry : {false, true}) {
    config.symmetry = symmetry;
    if (auto wrong = compare_threads(system, property, config, passes)) return wrong;
  }
  const bool about_states =
      property.kind == model::PropertyKind::Reachable || property.kind == model::PropertyKind::Invariant;
  if (depth_limit || !about_states || step::hindrance_to_reduction(system, property.goal)) return std::nullopt;
  const search::Result plain = search::run(system, property, config);
  config.reduction = true;
  config.method = search::BreadthFirstSearch();
  const search::Result reduced = search::run(system, property, config);
  if (auto wrong = difference_in_verdict(plain, reduced)) return wrong;
  return compare_threads(system, property, config, false);
}

}  // namespace harrier::testing_support
