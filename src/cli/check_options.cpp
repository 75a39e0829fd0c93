#include "cli/check_options.h"

#include <algorithm>

#include "cli/known_names.h"
#include "cli/option_binding.h"
#include "cli/output.h"

namespace harrier::cli {

namespace {

std::string heuristic_problem(const std::string& text) {
  try {
    heuristic(text);
    return "";
  } catch (const Error& e) {
    return e.what();
  }
}

CostType cost_of(const std::string& name) {
  return name == "real" ? CostType::Real : name == "plus-one" ? CostType::PlusOne : CostType::Unit;
}

// The heuristic that a search follows; none: it is blind, or chooses by itself.
std::optional<HeuristicInfo> followed_by(Search search, const std::string& text) {
  const OptionEntry& entry = option_entry("--heuristic");
  if (!(entry.searches & set_of(search)) || (text.empty() && search == Search::Walk)) return std::nullopt;
  return heuristic(text);
}

}  // namespace

void CheckArguments::add_to(CLI::App& command) {
  add_subject(command, subject);
  bind_option(command, "--expect", expected);
  bind_option(command, "--search", search);
  bind_option(command, "--heuristic", heuristic)
      ->check(CLI::Validator([](std::string& text) { return heuristic_problem(text); }, ""));
  bind_option(command, "--heuristic-clocks", heuristic_clocks);
  bind_option(command, "--guide-from", guide_model);
  bind_option(command, "--guide-define", guide_defines);
  bind_option(command, "--prefer", prefer)->delimiter(',');
  bind_option(command, "--queues", queues);
  bind_option(command, "--cost", cost);
  bind_option(command, "--evaluation", evaluation);
  bind_option(command, "--context-clocks", context_clocks);
  bind_option(command, "--within", within);
  bind_option(command, "--weight", weight);
  bind_option(command, "--cache", cache);
  bind_option(command, "--reduction", reduction);
  bind_option(command, "--no-simplify", no_simplify);
  CLI::Option* bits = bind_option(command, "--bitstate", bitstate);
  bind_option(command, "--bitstate-functions", bitstate_functions);
  bind_option(command, "--compact", compact)->excludes(bits);
  bind_option(command, "--compress", compress);
  bind_option(command, "--symmetry", symmetry);
  bind_option(command, "--native", native);
  bind_option(command, "--safe-abstraction", safe_abstraction);
  CLI::Option* shorter = bind_option(command, "--polish", polish);
  bind_option(command, "--no-polish", no_polish)->excludes(shorter);
  bind_option(command, "--first", first);
  bind_option(command, "--seed", seed);
  bind_option(command, "--depth", depth);
  bind_option(command, "--threads", threads);
  bind_option(command, "--trace", trace_file);
  bind_option(command, "--trail", trail_file);
  bind_option(command, "--plan", plan_file);
  bind_option(command, "--chart", chart_file);
  bind_option(command, "--html", page_file);
  bind_option(command, "--json", json);
  bind_option(command, "--json-witness", json_witness);
  bind_option(command, "--quiet", quiet);
  bind_option(command, "--progress", progress_every);
  abstraction.add_to(command);
  abstraction.add_saving_to(command);
  walk.add_to(command);
}

void CheckArguments::refuse_what_has_no_effect(const CLI::App& command) const {
  const Search order = find_search(search)->search;
  const std::string problem = refusal_by_search({order, followed_by(order, heuristic), given_options(command)});
  if (!problem.empty()) throw Error(ErrorKind::Usage, problem);
}

CheckOptions CheckArguments::options() const {
  CheckOptions out;
  out.search = find_search(search)->search;
  out.seed = seed;
  out.heuristic = heuristic;
  out.heuristic_clocks = heuristic_clocks;
  out.weight = weight;
  out.cache_entries = cache;
  abstraction.bind(out);
  out.walk = walk.options();
  if (threads) out.threads = out.walk.threads = *threads;
  if (polish || no_polish) out.polish = polish;
  out.forms = {.text = !json && !quiet,
               .json = !trace_file.empty() || json_witness,
               .chart = !chart_file.empty(),
               .chart_form = chart_form(chart_file),
               .trail = !trail_file.empty() || !plan_file.empty(),
               .trace = false,
               .page = !page_file.empty()};
  out.simplify = !no_simplify;
  out.safe_abstraction = safe_abstraction;
  if (reduction != "auto") out.reduction = reduction == "on";
  out.bitstate_mb = bitstate;
  out.bitstate_functions = bitstate_functions;
  out.compact = compact;
  out.compress = compress;
  out.symmetry = symmetry != "off";
  if (native != "auto") out.native = native == "on";
  out.prefer = prefer;
  if (!queues.empty()) out.queues = queues == "alternating" ? Queues::Alternating : Queues::Boosted;
  if (!cost.empty()) out.cost = cost_of(cost);
  out.lazy = evaluation == "lazy";
  out.context_clocks = context_clocks == "on";
  out.within = within == "bfs" ? Order::BreadthFirst : within == "dfs" ? Order::DepthFirst : Order::BestFirst;
  out.first = first;
  out.depth_limit = depth;
  return out;
}

}  // namespace harrier::cli
