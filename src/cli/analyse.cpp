// `harrier analyse`: what is known about the properties of a model before any search.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/abstraction_options.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/model_options.h"
#include "cli/option_binding.h"
#include "cli/output.h"
#include "cli/result_json.h"
#include "cli/result_text.h"
#include "cli/selection.h"
#include "harrier/harrier.h"
#include "harrier/version.h"

namespace harrier::cli {

namespace {

struct Arguments {
  Subject subject;
  std::string heuristic;
  bool heuristic_clocks = false;
  AbstractionArguments abstraction;
  bool json = false;
  bool full = false;
};

constexpr size_t kMostNames = 8;  // of a list, unless all are wanted
constexpr size_t kMostLayers = 5;

std::string counted(uint64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names, bool full) {
  const size_t shown = full || names.size() <= kMostNames + 1 ? names.size() : kMostNames;
  std::string out = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", "));
  if (shown < names.size()) out += fmt::format(", … ({} in all)", names.size());
  return out;
}

const char* suggestion_name(Analysis::Suggestion suggestion) {
  switch (suggestion) {
    case Analysis::Suggestion::GuidedSearch: return "guided search";
    case Analysis::Suggestion::GuidedRandomWalks: return "guided random walks";
    case Analysis::Suggestion::SymbolicSearch: return "symbolic search";
  }
  return "";
}

std::string model_text(const Analysis& a) {
  std::string out = fmt::format("{}, {}, {}, {} in {}", counted(a.processes, "process", "processes"),
                                counted(a.locations, "location", "locations"), counted(a.edges, "edge", "edges"),
                                counted(a.variables, "variable", "variables"), counted(a.state_bits, "bit", "bits"));
  if (a.clocks != 0) out += ", " + counted(a.clocks, "clock", "clocks");
  if (a.channels != 0) out += ", " + counted(a.channels, "synchronisation channel", "synchronisation channels");
  if (a.queues != 0) out += ", " + counted(a.queues, "message queue", "message queues");
  if (a.exclusive_control) out += "; has atomic sequences";
  if (a.claim) out += "; watched by a claim";
  return out;
}

bool is_branching(const Analysis& a) { return a.suggestion == Analysis::Suggestion::SymbolicSearch; }

std::string property_text(const Analysis& a) {
  if (is_branching(a)) return "a formula of branching time: to be proved, or violated by an initial state";
  if (a.liveness) return "about infinite paths: to be proved, or violated by a cycle";
  std::string out = a.proof ? "to be proved, or violated by " : "asks for ";
  if (a.deadlock_clauses == 0) return out + "a state";
  return out + (a.other_clauses == 0 ? "a deadlock" : "a state or a deadlock");
}

std::string pep_text(const Analysis& a, bool full) {
  const bool everybody = a.participants.size() == a.processes;
  std::string out = fmt::format("{}/{} = {:.3g}, {}", a.participants.size(), a.processes, a.pep,
                                a.high_pep               ? "high: "
                                : a.participants.empty() ? "nobody"
                                                         : "low: ");
  if (!a.participants.empty()) out += (everybody && !full ? "everybody" : listed(a.participants, full));
  if (a.deadlock_clauses != 0 && a.other_clauses != 0 && !everybody) out += "; for the deadlock everybody";
  return out;
}

std::string suggestion_text(const Analysis& a) {
  const std::string name = suggestion_name(a.suggestion);
  if (is_branching(a)) return name + ", the only one for formulas of branching time";
  if (a.participants.empty()) return "any search: no process changes what the goal reads";
  if (a.liveness) return name + ", as for all formulas about paths";
  if (a.high_pep) return name + ", since a heuristic cannot tell apart processes that matter alike";
  return name + ", since a heuristic has few processes to look at";
}

std::string to_text(const Analysis& a, bool full) {
  const auto line = [](const std::string& title, const std::string& text) {
    return fmt::format("  {:<10} {}\n", title, text);
  };
  std::string out = a.property + "\n";
  out += line("model", model_text(a)) + line("property", property_text(a)) + line("PEP", pep_text(a, full));
  if (a.interchangeable.empty()) out += line("symmetry", "none: " + a.not_interchangeable);
  for (const auto& group : a.interchangeable) out += line("symmetry", "interchangeable: " + listed(group, full));
  const size_t shown = full || a.layers.size() <= kMostLayers + 1 ? a.layers.size() : kMostLayers;
  for (size_t i = 0; i < shown; ++i) out += line(fmt::format("layer {}", i), listed(a.layers[i], full));
  if (shown < a.layers.size()) out += line("…", fmt::format("{} layers in all", a.layers.size()));
  if (!a.weak.empty()) out += line("weak", listed(a.weak, full));
  if (!a.never_needed.empty()) out += line("unneeded", listed(a.never_needed, full));
  if (!a.forgotten.empty()) out += line("forgotten", listed(a.forgotten, full));
  if (a.simplified_bits != a.state_bits) out += line("simplified", counted(a.simplified_bits, "bit", "bits"));
  out += line("suggested", suggestion_text(a)) + line("auto", a.automatic);
  out += line("reduction", a.not_reduced_because.empty() ? "partial orders, where processes are independent"
                                                         : "no partial orders: " + a.not_reduced_because);
  if (!a.heuristic.empty()) {
    out += line("heuristic", a.estimate ? fmt::format("{}: {} from the initial state", a.heuristic, *a.estimate)
                             : a.proved ? fmt::format("{}: no goal state can be reached, which is proved", a.heuristic)
                                        : fmt::format("{}: no goal state seems to be reachable", a.heuristic));
  }
  for (const AbstractionReport& report : a.abstractions) out += cli::to_text(report, true);
  return out + "\n";
}

Json to_json(const Analysis& a) {
  Json out = {{"property", a.property},
              {"processes", a.processes},
              {"locations", a.locations},
              {"edges", a.edges},
              {"variables", a.variables},
              {"state_bits", a.state_bits},
              {"simplified_bits", a.simplified_bits},
              {"forgotten", a.forgotten},
              {"never_needed", a.never_needed},
              {"clocks", a.clocks},
              {"channels", a.channels},
              {"queues", a.queues},
              {"exclusive_control", a.exclusive_control},
              {"claim", a.claim},
              {"proof", a.proof},
              {"liveness", a.liveness},
              {"deadlock_clauses", a.deadlock_clauses},
              {"other_clauses", a.other_clauses},
              {"participants", a.participants},
              {"pep", a.pep},
              {"high_pep", a.high_pep},
              {"interchangeable", a.interchangeable},
              {"layers", a.layers},
              {"weak", a.weak},
              {"suggestion", suggestion_name(a.suggestion)},
              {"auto", a.automatic},
              {"not_reduced_because", a.not_reduced_because}};
  if (a.heuristic.empty()) return out;
  out["heuristic"] = a.heuristic;
  out["estimate"] = a.estimate ? Json(*a.estimate) : Json(nullptr);
  out["proved"] = a.proved;
  out["abstractions"] = Json::array();
  for (const AbstractionReport& report : a.abstractions) out["abstractions"].push_back(cli::to_json(report));
  return out;
}

// As with `check`, a property that cannot be analysed keeps no other from being so.
int run(const Arguments& a, const CLI::App& command) {
  const auto followed = a.heuristic.empty() ? std::nullopt : std::optional(heuristic(a.heuristic));
  const std::string problem = refusal_by_search({Search::Walk, followed, given_options(command)});
  if (!problem.empty()) throw Error(ErrorKind::Usage, problem);
  const Model model = load_subject(a.subject, a.json, command);
  CheckOptions options;
  options.heuristic = a.heuristic;
  options.heuristic_clocks = a.heuristic_clocks;
  a.abstraction.bind(options);
  a.abstraction.load(options);
  a.subject.model_options.limits.bind(options, model.load_seconds());
  Json results = Json::array();
  std::vector<int> exit_codes;
  for (const size_t i : selected_properties(model, a.subject.selected)) {
    std::string text;
    try {
      const Analysis analysis = model.analyse(i, options);
      results.push_back(to_json(analysis));
      text = to_text(analysis, a.full);
    } catch (...) {
      const Failure failure = current_failure();
      exit_codes.push_back(exit_code_of(failure.kind));
      note(failure.complaint() + "\n");
      results.push_back({{"property", model.property_text(i)}, {"error", cli::to_json(failure)}});
      text = model.property_text(i) + "\n  not answered: " + failure.first_line() + "\n\n";
    }
    if (!a.json) write_result(text);
  }
  const int exit_code = worst_of(exit_codes);
  if (a.json) {
    write_result(printed({{"schema", "harrier-analysis/1"},
                          {"version", HARRIER_VERSION},
                          {"model", a.subject.model},
                          {"exit_code", exit_code},
                          {"results", results}}));
  }
  return exit_code;
}

}  // namespace

void add_analyse(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("analyse",
                         "Look at the properties of a model without a search: sizes, who takes part in the "
                         "error (PEP), which variables matter, which search suits");
  add_subject(*command, a->subject);
  bind_option(*command, "--heuristic", a->heuristic);
  bind_option(*command, "--heuristic-clocks", a->heuristic_clocks);
  a->abstraction.add_to(*command);
  command->add_flag("--full", a->full, "do not shorten lists");
  command->add_flag("--json", a->json, "print one JSON object instead of text, with full lists");
  command->callback([a, command, &exit_code] { exit_code = run(*a, *command); });
}

}  // namespace harrier::cli
