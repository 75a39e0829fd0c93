// The arguments of `harrier check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/abstraction_options.h"
#include "cli/model_options.h"
#include "cli/walk_options.h"
#include "harrier/harrier.h"

namespace CLI {
class App;
}

namespace harrier::cli {

struct CheckArguments {
  Subject subject;
  std::string expected;
  std::string guide_model;
  std::vector<std::string> guide_defines;
  std::string search = "auto";
  std::string heuristic;
  bool heuristic_clocks = false;
  std::vector<std::string> prefer;
  std::string queues;
  std::string cost;
  std::string evaluation = "eager";
  std::string context_clocks = "off";
  std::string within = "greedy";
  uint32_t weight = 5;
  uint32_t cache = 0;
  bool no_simplify = false;
  bool safe_abstraction = false;
  std::string reduction = "auto";
  std::optional<uint64_t> bitstate;
  uint32_t bitstate_functions = 3;
  bool compact = false;
  bool compress = false;
  std::string symmetry = "on";
  std::string native = "auto";
  uint64_t seed = 1;
  std::optional<uint64_t> depth;
  std::optional<uint32_t> threads;
  AbstractionArguments abstraction;
  WalkArguments walk;
  bool polish = false;
  bool no_polish = false;
  bool first = false;
  std::string trace_file;
  std::string trail_file;
  std::string plan_file;
  std::string chart_file;
  std::string page_file;
  bool json = false;
  bool json_witness = false;
  bool quiet = false;
  std::optional<double> progress_every;

  // `this` has to live as long as the command.
  void add_to(CLI::App& command);
  // Throws Error(Usage) for an option that has no effect with the others.
  void refuse_what_has_no_effect(const CLI::App& command) const;
  // Without limits on time and memory, which depend on what loading took.
  CheckOptions options() const;
  bool is_random() const { return search == "rdfs" || search == "walk"; }
};

}  // namespace harrier::cli
