#include "cli/result_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace harrier::cli {

namespace {

// "sup: x <= 5", or both borders.
std::string values_text(const TermValues& v) {
  if (!v.inf && !v.sup) return v.term + ": no value";
  std::string text;
  if (v.inf) text = fmt::format("inf: {} {} {}", v.term, v.inf->strict ? ">" : ">=", v.inf->value);
  if (!v.sup) return text;
  if (!text.empty()) text += ", ";
  if (v.sup->infinite) return text + fmt::format("sup: {} < infinity", v.term);
  return text + fmt::format("sup: {} {} {}", v.term, v.sup->strict ? "<" : "<=", v.sup->value);
}

std::string verdict_text(const CheckResult& r, bool plan) {
  if (r.verdict == Verdict::Unknown) return "unknown: " + r.reason;
  if (r.verdict == Verdict::Failed) {
    std::string out = "the model fails: " + r.failure;
    if (!r.witness_length) return out;
    return fmt::format("{}, after {} step{}, validated", out, *r.witness_length, *r.witness_length == 1 ? "" : "s");
  }
  if (r.verdict == Verdict::Computed) {
    std::string lines;
    for (const TermValues& v : r.values) lines += (lines.empty() ? "" : "\n  ") + values_text(v);
    return lines;
  }
  std::string out = *r.holds ? "holds: " : "does not hold: ";
  if (!r.witness_length && r.verdict == Verdict::Reachable) return out + "proved, without a witness";
  if (!r.witness_length) {
    if (plan) return out + "proved, there is no plan";
    return out + (*r.holds ? "proved, no violation is reachable" : "proved, no such state is reachable");
  }
  const uint64_t length = *r.witness_length;
  out += fmt::format("a {} of {} step{}", plan ? "plan" : "witness", length, length == 1 ? "" : "s");
  if (r.witness_cost) out += fmt::format(" that costs {}", *r.witness_cost);
  if (r.loop_start) out += fmt::format(", the last {} of them for ever", length - *r.loop_start);
  if (r.rest == "delay") out += ", after which time passes for ever";
  if (r.rest == "stuck") out += ", after which nothing can happen";
  return out + ", validated" + (r.shortest ? ", shortest" : "") + (r.cheapest ? ", cheapest" : "");
}

std::string statistics_text(const Statistics& s) {
  std::string out;
  if (s.walks != 0) {
    out += fmt::format("  {} walk{}, {} steps, {:.0f} steps/s", s.walks, s.walks == 1 ? "" : "s", s.steps,
                       steps_per_second(s));
    out += s.walk_length != 0 ? fmt::format(", found after {} steps\n", s.walk_length) : "\n";
  }
  out += fmt::format("  expanded {}, generated {}, stored {}, {:.3f} s, {:.1f} MB\n", s.expanded, s.generated, s.stored,
                     s.time_s, static_cast<double>(s.memory_bytes) / 1e6);
  if (s.native_s != 0) out += fmt::format("  with native code, compiled in {:.3f} s\n", s.native_s);
  if (s.interchangeable != 0) out += fmt::format("  with symmetry: {} interchangeable processes\n", s.interchangeable);
  if (s.peak_nodes != 0) {
    out += "  ";
    if (s.walks == 0) out += fmt::format("{:.15g} states, ", s.states);
    if (s.layers != 0) out += fmt::format("{} layers, ", s.layers);
    out += fmt::format("{} images, at most {} nodes\n", s.images, s.peak_nodes);
  }
  if (s.evaluated != 0) {
    out += fmt::format("  evaluated {}, dead ends {}, deferred expanded {}\n", s.evaluated, s.dead_ends,
                       s.deferred_expanded);
  }
  return out;
}

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Reachable: return "reachable";
    case Verdict::Unreachable: return "unreachable";
    case Verdict::Failed: return "failed";
    case Verdict::Computed: return "computed";
    case Verdict::Unknown: break;
  }
  return "unknown";
}

double steps_per_second(const Statistics& s) { return s.time_s > 0 ? static_cast<double>(s.steps) / s.time_s : 0; }

std::string to_text(const AbstractionReport& report, bool details) {
  std::string out = fmt::format("  {} {}: {} abstract state{}, {:.3f} s, {:.1f} MB{}\n", report.heuristic,
                                report.loaded ? "loaded" : "built", report.states, report.states == 1 ? "" : "s",
                                report.seconds, static_cast<double>(report.bytes) / 1e6,
                                report.proved ? "; it proves that the goal cannot be reached" : "");
  if (!details) return out;
  for (const auto& [title, text] : report.details) out += fmt::format("    {:<12} {}\n", title, text);
  return out;
}

std::string to_text(const Translation& translation) {
  if (translation.seconds.empty()) return "";
  double all = 0;
  std::string parts;
  for (const auto& [name, seconds] : translation.seconds) {
    all += seconds;
    parts += fmt::format("{}{} {:.3f}", parts.empty() ? "" : ", ", name, seconds);
  }
  std::string sizes;
  for (const auto& [name, count] : translation.sizes) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", words, count);
  }
  return fmt::format("translated in {:.3f} s ({})\n  {}\n\n", all, parts, sizes);
}

std::string to_text(const Answer& answer, bool quiet) {
  std::string out = answer.property.text + "\n";
  if (answer.failure) {
    out += "  not answered: " + answer.failure->first_line() + "\n";
  } else {
    out += "  " + verdict_text(*answer.result, answer.property.plan) + "\n";
  }
  if (!answer.expected.empty()) {
    out += answer.as_expected ? "  as expected\n" : "  not as expected: " + answer.expected + "\n";
  }
  if (answer.failure) return out + (quiet ? "" : "\n");
  const CheckResult& r = *answer.result;
  for (const std::string& warning : r.warnings) out += "  warning: " + warning + "\n";
  if (quiet) return out;
  if (!r.search.empty()) {
    out += "  by " + r.search + (r.search_reason.empty() ? "" : ": " + r.search_reason) + "\n";
  }
  out += statistics_text(r.statistics);
  for (const AbstractionReport& report : r.abstractions) out += to_text(report, false);
  if (!r.trace_text.empty()) out += "\n" + r.trace_text;
  return out + "\n";
}

}  // namespace harrier::cli
