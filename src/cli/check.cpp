// `harrier check`: the properties of a model, one after the other.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/model_options.h"
#include "cli/progress.h"
#include "cli/walk_options.h"
#include "harrier/harrier.h"

namespace harrier::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  Subject subject;
  std::string guide_model;
  std::vector<std::string> guide_defines;
  std::string search = "auto";
  std::string heuristic;
  bool heuristic_clocks = false;
  std::vector<std::string> prefer;
  uint32_t weight = 5;
  uint32_t cache = 0;
  std::string within = "greedy";
  std::string queues = "boosted";
  std::string context_clocks = "on";
  bool first = false;
  bool safe_abstraction = false;
  std::string reduction = "off";
  uint64_t seed = 1;
  std::optional<uint64_t> depth;
  WalkArguments walk;
  std::optional<bool> polish;
  std::string trace_file;
  std::string trail_file;
  std::string chart_file;
  bool json = false;
  bool quiet = false;
};

const std::map<std::string, Search> kSearches = {{"bfs", Search::BreadthFirst},
                                                 {"dfs", Search::DepthFirst},
                                                 {"rdfs", Search::RandomDepthFirst},
                                                 {"astar", Search::AStar},
                                                 {"wastar", Search::WeightedAStar},
                                                 {"greedy", Search::Greedy},
                                                 {"ib-process", Search::ContextBoundProcess},
                                                 {"ib-interference", Search::ContextBoundInterference},
                                                 {"walk", Search::Walk},
                                                 {"anytime", Search::Anytime},
                                                 {"auto", Search::Auto}};

const std::map<std::string, Order> kOrders = {
    {"greedy", Order::BestFirst}, {"bfs", Order::BreadthFirst}, {"dfs", Order::DepthFirst}};

const std::map<std::string, Queues> kQueues = {{"boosted", Queues::Boosted}, {"alternating", Queues::Alternating}};

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Reachable: return "reachable";
    case Verdict::Unreachable: return "unreachable";
    case Verdict::Failed: return "failed";
    case Verdict::Unknown: break;
  }
  return "unknown";
}

double steps_per_second(const Statistics& s) { return s.time_s > 0 ? static_cast<double>(s.steps) / s.time_s : 0; }

Json to_json(const CheckResult& r) {
  Json out;
  out["property"] = r.property;
  out["verdict"] = verdict_name(r.verdict);
  out["holds"] = r.holds ? Json(*r.holds) : Json(nullptr);
  out["witness_length"] = r.witness_length ? Json(*r.witness_length) : Json(nullptr);
  if (r.loop_start) out["loop_start"] = *r.loop_start;
  out["shortest"] = r.shortest ? Json(true) : Json(nullptr);
  out["validated"] = r.witness_length ? Json(true) : Json(nullptr);
  if (r.verdict == Verdict::Unknown) out["reason"] = r.reason;
  if (r.verdict == Verdict::Failed) out["failure"] = r.failure;
  if (!r.warnings.empty()) out["warnings"] = r.warnings;
  out["statistics"] = {{"expanded", r.statistics.expanded}, {"generated", r.statistics.generated},
                       {"stored", r.statistics.stored},     {"transient", r.statistics.transient},
                       {"time_s", r.statistics.time_s},     {"memory_bytes", r.statistics.memory_bytes}};
  if (r.statistics.evaluated != 0) {
    Json queues = Json::array();
    for (const Statistics::Queue& q : r.statistics.queues)
      queues.push_back({{"pushed", q.pushed}, {"popped", q.popped}});
    out["statistics"]["evaluated"] = r.statistics.evaluated;
    out["statistics"]["dead_ends"] = r.statistics.dead_ends;
    out["statistics"]["deferred_expanded"] = r.statistics.deferred_expanded;
    out["statistics"]["queues"] = queues;
  }
  if (r.statistics.walks != 0) {
    out["statistics"]["walks"] = r.statistics.walks;
    out["statistics"]["steps"] = r.statistics.steps;
    out["statistics"]["steps_per_s"] = steps_per_second(r.statistics);
    if (r.witness_length) out["statistics"]["walk_length"] = r.statistics.walk_length;
  }
  return out;
}

std::string to_text(const CheckResult& r, bool quiet) {
  std::string line = r.property + "\n  ";
  if (r.verdict == Verdict::Unknown) {
    line += "unknown: " + r.reason + "\n";
  } else if (r.verdict == Verdict::Failed) {
    line += "the model fails: " + r.failure;
    if (r.witness_length) {
      line += fmt::format(", after {} step{}, validated", *r.witness_length, *r.witness_length == 1 ? "" : "s");
    }
    line += '\n';
  } else {
    line += *r.holds ? "holds: " : "does not hold: ";
    if (r.witness_length) {
      const uint64_t length = *r.witness_length;
      line += fmt::format("a witness of {} step{}", length, length == 1 ? "" : "s");
      if (r.loop_start) line += fmt::format(", the last {} of them for ever", length - *r.loop_start);
      line += fmt::format(", validated{}\n", r.shortest ? ", shortest" : "");
    } else {
      line += *r.holds ? "proved, no violation is reachable\n" : "proved, no such state is reachable\n";
    }
  }
  for (const std::string& warning : r.warnings) line += "  warning: " + warning + "\n";
  if (quiet) return line;
  const Statistics& s = r.statistics;
  if (s.walks != 0) {
    line += fmt::format("  {} walk{}, {} steps, {:.0f} steps/s", s.walks, s.walks == 1 ? "" : "s", s.steps,
                        steps_per_second(s));
    line += s.walk_length != 0 ? fmt::format(", found after {} steps\n", s.walk_length) : "\n";
  }
  line += fmt::format("  expanded {}, generated {}, stored {}, {:.3f} s, {:.1f} MB\n", s.expanded, s.generated,
                      s.stored, s.time_s, static_cast<double>(s.memory_bytes) / 1e6);
  if (s.evaluated != 0) {
    line += fmt::format("  evaluated {}, dead ends {}, deferred expanded {}\n", s.evaluated, s.dead_ends,
                        s.deferred_expanded);
  }
  if (!r.trace_text.empty()) line += "\n" + r.trace_text;
  return line + "\n";
}

// Where the witness of a property goes. With several properties the number is put before the suffix.
std::string trace_path(const std::string& file, size_t property, size_t count) {
  if (count == 1) return file;
  std::filesystem::path path(file);
  const std::string suffix = path.extension().string();
  return path.replace_extension().string() + "." + std::to_string(property + 1) + suffix;
}

Model load(const Arguments& a) {
  Model model = load_subject(a.subject, a.quiet);
  if (!a.trail_file.empty() && model.language() != Language::Promela) {
    throw Error(ErrorKind::Usage, "--trail is for Promela models");
  }
  return model;
}

// The smaller sibling whose path guides the search; none unless asked for.
std::optional<Model> load_sibling(const Arguments& a) {
  if (a.guide_model.empty()) return std::nullopt;
  Subject subject = a.subject;
  subject.model = a.guide_model;
  subject.query_file.clear();
  for (const std::string& define : a.guide_defines) subject.model_options.redefine(define);
  Model sibling = load_with_queries(subject, a.quiet);
  // A query file that suits any size may serve both.
  if (sibling.property_count() == 0 && !a.subject.query_file.empty()) {
    sibling.add_query_file(a.subject.query_file, subject.model_options.load_options());
  }
  return sibling;
}

int run(const Arguments& a) {
  if (const CLI::Option* walk = a.walk.given(); walk != nullptr && a.search != "walk") {
    throw Error(ErrorKind::Usage, walk->get_name() + " is for --search walk");
  }
  const Model model = load(a);
  const std::optional<Model> sibling = load_sibling(a);
  CheckOptions options;
  options.search = kSearches.at(a.search);
  options.seed = a.seed;
  options.heuristic = a.heuristic;
  options.heuristic_clocks = a.heuristic_clocks;
  options.weight = a.weight;
  options.cache_entries = a.cache;
  options.walk = a.walk.options;
  options.polish = a.polish;
  options.forms = {!a.json && !a.quiet, !a.trace_file.empty(), !a.chart_file.empty(), !a.trail_file.empty()};
  options.safe_abstraction = a.safe_abstraction;
  options.reduction = a.reduction == "on";
  for (const std::string& p : a.prefer) {
    options.prefer_useless = options.prefer_useless || p == "useless";
    options.prefer_contexts = options.prefer_contexts || p == "contexts";
    options.prefer_preferred = options.prefer_preferred || p == "preferred";
  }
  options.within = kOrders.at(a.within);
  options.queues = kQueues.at(a.queues);
  options.context_clocks = a.context_clocks == "on";
  options.first = a.first;
  options.depth_limit = a.depth;
  a.subject.model_options.limits.bind(options, model.load_seconds() + (sibling ? sibling->load_seconds() : 0));
  ProgressLine progress(!a.quiet);
  if (progress.active()) options.progress = [&](const Statistics& s) { progress.show(s); };
  if ((options.search == Search::RandomDepthFirst || options.search == Search::Walk) && !a.quiet)
    fmt::print(stderr, "seed {}\n", a.seed);

  Json results = Json::array();
  bool witness = false;
  bool failed = false;
  bool unknown = model.queries_left_out() != 0;
  for (size_t i = 0; i < model.property_count(); ++i) {
    if (sibling) {
      options.guide = model.guide_from(*sibling, i, options);
      progress.clear();
      if (!a.quiet)
        fmt::print(stderr, "guided by a path of {} steps of {}\n", options.guide->steps.size(), a.guide_model);
    }
    const CheckResult result = model.check(i, options);
    progress.clear();
    witness = witness || result.verdict == Verdict::Reachable;
    unknown = unknown || result.verdict == Verdict::Unknown;
    failed = failed || result.verdict == Verdict::Failed;
    if (a.json) {
      results.push_back(to_json(result));
    } else {
      write_result(to_text(result, a.quiet));
    }
    if (!result.witness_length) continue;
    for (const auto& [file, text] :
         {std::pair(a.trace_file, result.trace_json), std::pair(a.trail_file, result.trace_trail),
          std::pair(a.chart_file, result.trace_chart)}) {
      if (!file.empty()) write_file(trace_path(file, i, model.property_count()), text);
    }
  }
  if (a.json) {
    const Json out = {{"schema", "harrier-result/1"}, {"model", a.subject.model}, {"results", results}};
    write_result(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  if (failed) return kBadInput;
  return witness ? kWitness : unknown ? kInconclusive : kProved;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("check", "Check the properties of a model");
  add_subject(*command, a->subject);
  command
      ->add_option(
          "--search", a->search,
          "auto takes turns between several; bfs and, with an admissible heuristic, astar give a shortest witness")
      ->check(CLI::IsMember(kSearches))
      ->type_name("ORDER")
      ->capture_default_str();
  command
      ->add_option("--heuristic", a->heuristic,
                   "distance heuristic of the guided searches, hU by default; random walks are blind without one")
      ->type_name("NAME");
  command->add_flag("--heuristic-clocks", a->heuristic_clocks,
                    "let the heuristic look at clocks, if it can ('harrier explain' tells)");
  CLI::Option* guide =
      command
          ->add_option("--guide-from", a->guide_model,
                       "a smaller sibling of the model, whose shortest path to the goal guides h0, h1 and auto")
          ->type_name("FILE");
  command->add_option("--guide-define", a->guide_defines, "Promela: --define for the sibling only; may be repeated")
      ->needs(guide)
      ->type_name("NAME=VALUE");
  command->add_option("--prefer", a->prefer, "useless, contexts, preferred: any of them, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"useless", "contexts", "preferred"}))
      ->type_name("LIST");
  command
      ->add_option("--queues", a->queues,
                   "turns of preferred states: boosted after progress, or alternating, with useless ones last of all")
      ->check(CLI::IsMember(kQueues))
      ->type_name("SCHEME")
      ->capture_default_str();
  command->add_option("--context-clocks", a->context_clocks, "whether clocks count in interference contexts")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->capture_default_str();
  command
      ->add_option("--within", a->within,
                   "ib-process, ib-interference: the order among states with equally many context switches")
      ->check(CLI::IsMember(kOrders))
      ->type_name("ORDER")
      ->capture_default_str();
  command->add_option("--weight", a->weight, "weight of the estimate in wastar")
      ->type_name("W")
      ->check(CLI::Range(1, 1000));
  command->add_option("--cache", a->cache, "entries of a hashed table of heuristic values instead of exact ones")
      ->type_name("N");
  command
      ->add_option("--reduction", a->reduction,
                   "on: partial-order reduction (untimed; bfs, dfs, rdfs, greedy); paths need not be shortest then")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->capture_default_str();
  command->add_flag("--safe-abstraction", a->safe_abstraction,
                    "search without the variables that the model can set at will, and put them back into the witness");
  command->add_flag_callback(
      "--polish", [a] { a->polish = true; },
      "look for a shorter witness after the search; auto and walk do so by default");
  command->add_flag_callback(
      "--no-polish", [a] { a->polish = false; }, "keep the witness as it was found");
  command->add_flag("--first", a->first,
                    "auto: stop at the first witness; by default shorter ones are looked for a while");
  command->add_option("--seed", a->seed, "seed of the random searches")->type_name("N")->capture_default_str();
  command->add_option("--depth", a->depth, "explore at most N transitions deep")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 31));
  command
      ->add_option("--trace", a->trace_file,
                   "write the witness as JSON; with several properties their number is put before the suffix")
      ->type_name("FILE.json");
  command
      ->add_option("--trail", a->trail_file,
                   "Promela: write the witness as a trail for Spin, which 'spin -t -p -k FILE MODEL' replays")
      ->type_name("FILE");
  command->add_option("--chart", a->chart_file, "write the witness as a message sequence chart for Mermaid")
      ->type_name("FILE.mmd");
  command->add_flag("--json", a->json, "print one JSON object instead of text");
  command->add_flag("--quiet", a->quiet, "verdicts only: no statistics, trace or progress");
  add_walk_options(*command, a->walk);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace harrier::cli
