// The public C++ interface of Harrier: load a model, check its properties, read the error paths.
//
//     harrier::Model model = harrier::Model::load_file("fischer.xta");
//     model.add_query("E<> P(1).cs && P(2).cs");
//     harrier::CheckResult result = model.check(0, {});
//     if (result.trace) std::cout << to_text(*result.trace);
//
// Nothing here prints, exits or keeps global state. What goes wrong is thrown as harrier::Error (harrier/error.h),
// whose text is ready to be shown.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harrier/abstraction.h"
#include "harrier/cost.h"
#include "harrier/error.h"
#include "harrier/goal_path.h"
#include "harrier/language.h"
#include "harrier/statistics.h"
#include "harrier/trace.h"

namespace harrier {

namespace api {
struct Data;
struct Inside;
}  // namespace api

enum class Search : uint8_t {
  BreadthFirst,
  DepthFirst,
  RandomDepthFirst,
  AStar,
  WeightedAStar,
  Greedy,
  ContextBoundProcess,
  ContextBoundInterference,
  Walk,              // random walks, guided or not; they prove nothing
  Anytime,           // a first path fast, then ever shorter ones
  Auto,              // several searches in turns, chosen by the tool
  SymbolicForward,   // layers of states as decision diagrams, from the initial ones
  SymbolicBackward,  // from the goal
  SymbolicBoth,      // both, until they meet
  SymbolicChained,   // one transition after the other on all states that have been reached
  SymbolicGuided,    // sets of states by distance so far plus estimate, A* with a symbolic pattern database
  SymbolicWalk,      // random walks that see all successors of a state as one set; they prove nothing
};

// In which order a search with context bounds looks at states with equally many context switches on the way to them.
enum class Order : uint8_t { BestFirst, BreadthFirst, DepthFirst };

// How preferred and other states take turns.
enum class Queues : uint8_t {
  Default,      // Alternating with useless transitions, Boosted without
  Boosted,      // preferred ones more often after progress; useless ones come last in both sets of queues
  Alternating,  // strictly (Wehrle 2011, fig. 3.7); useless ones come last of all, preferred or not
};

// Random walks (Bui 2009, chapters 4 to 7). Without a heuristic they are blind.
struct WalkOptions {
  enum class Restart : uint8_t {
    Initial,   // every walk starts at the initial state
    Previous,  // or at a random state of the walk before (RANSPIN's random start)
    Best,      // or at the state of the walk before that looked nearest (Nakhost and Müller 2009); needs a heuristic
  };
  enum class Selection : uint8_t {
    One,  // a process at random and one of its transitions (try-a-child)
    All,  // one of all transitions (all-children)
  };
  // How likely a successor is, given its estimate h.
  enum class Bias : uint8_t {
    Linear,   // in proportion to max - h (Bui 2009, §5.3)
    Softmax,  // in proportion to exp(-h / temperature)
    Greedy,   // one of the nearest, but one in ten times any
    Steps,    // not by h, but by what the step of the process that moves costs (Bui 2009, §6.2.1); with h0 or h1
  };

  // How SymbolicWalk draws a successor out of a set.
  enum class Draw : uint8_t {
    Uniform,   // all are equally likely
    Branches,  // all branches of the decision diagram are, as without counting
  };

  std::optional<uint64_t> walks;  // at most so many
  std::optional<uint64_t> depth;  // of a walk; 0: without end. By default the tool varies it
  bool trails = false;            // never visit a state twice in a walk (Bui 2009, def. 5.3.1)
  bool end_at_loop = false;       // a walk ends at the first state that it visits twice
  Restart restart = Restart::Initial;
  Selection selection = Selection::One;
  Bias bias = Bias::Softmax;
  double temperature = 0.5;
  bool reverse = false;  // away from the goal, for experiments (Bui 2009, §6.3.2)
  // Both: as many walks as it takes to be sure but for a probability of delta that fewer than a share of epsilon of all
  // walks finds an error (Bui 2009, §3.2.3).
  std::optional<double> delta;
  std::optional<double> epsilon;
  std::optional<double> saturation;  // stop when less than this share of the states seen lately is new
  bool guided = false;               // SymbolicWalk: by a symbolic pattern database
  Draw draw = Draw::Uniform;
  uint32_t threads = 1;  // walkers at the same time, each with its own random numbers
};

// The forms in which a witness is written.
struct WitnessForms {
  bool text = true;
  bool json = true;
  bool chart = true;
  ChartForm chart_form = ChartForm::Mermaid;
  bool trail = true;  // of languages that have them
  bool trace = true;  // as data
  bool page = false;  // for a browser
};

struct CheckOptions {
  Search search = Search::Auto;
  uint64_t seed = 1;  // of the random searches
  // A name of `heuristics()`, or max(…) or sum(…) of several; several in turns, separated by commas, for Greedy and
  // WeightedAStar. Empty: hU, and none for random walks.
  std::string heuristic;
  bool heuristic_clocks = false;    // heuristics that can look at clocks do so
  uint32_t weight = 5;              // of the estimate in weighted A*
  std::vector<std::string> prefer;  // names of `preferences()`
  Queues queues = Queues::Default;
  // What a step counts, for AStar, WeightedAStar, Greedy and Anytime. None: what the model says its edges cost, if it
  // does, and 1 otherwise.
  std::optional<CostType> cost;
  // Greedy, WeightedAStar and Anytime: states are estimated when their turn comes, not when they are found.
  bool lazy = false;
  bool context_clocks = false;      // interference contexts: clocks count as variables
  Order within = Order::BestFirst;  // the same number of context switches; the others need no heuristic
  bool simplify = true;             // search without values that make no difference to the property
  bool safe_abstraction = false;    // search, and count depth, without the variables that can be set at will
  // Partial-order reduction of untimed models: witnesses need not be shortest then. None: where it is sound, and nobody
  // asks for lengths or for all states.
  std::optional<bool> reduction;
  // Of DepthFirst and RandomDepthFirst, in models without clocks: no states are stored; those that were seen are known
  // by bits in an array of so many MB, each by so many hash functions, or by a hash. Such a search proves nothing.
  std::optional<uint64_t> bitstate_mb;
  uint32_t bitstate_functions = 3;
  bool compact = false;
  // States are kept in a tree of parts that many of them share: less memory, somewhat more time.
  bool compress = false;
  // Compile the model with the C compiler of the machine: true before a search begins, none during a search that goes
  // on for a while. Without a compiler the search goes on as it is, with a warning if it was asked for.
  std::optional<bool> native;
  bool symmetry = true;                   // one state for all orders of interchangeable processes, where there are some
  std::shared_ptr<const GoalPath> guide;  // of h0 and h1: the way to the goal in a smaller sibling (Model::guide_from)
  // Of a hashed table of heuristic values (Kupferschmid et al. 2006, §5); 0: exact values.
  uint32_t cache_entries = 0;
  AbstractionOptions abstraction;  // of heuristics that build one
  // Abstractions that were kept (CheckResult::kept_abstractions) are used instead of building them; the name is for
  // messages. Throws Error(Input) if they do not fit the model, the property and the heuristic.
  std::shared_ptr<const std::string> load_abstractions;
  std::string load_abstractions_name;
  bool keep_abstractions = false;
  WalkOptions walk;
  std::optional<bool> polish;  // shorten the witness; by default that of auto and of random walks
  bool first = false;          // auto: the first witness will do; otherwise shorter ones are looked for a while
  // BreadthFirst, also in Auto: so many expand states together, where there are many; that changes nothing but the time
  // it takes. 0: one a processor. Random walks have WalkOptions::threads.
  uint32_t threads = 0;
  WitnessForms forms;  // what is asked for; describing a long witness takes longer than a walk to it
  std::optional<uint64_t> depth_limit;
  // These bind all that is done for the property; see LoadOptions. A path that has been found when the time is up is
  // still made a witness, for which there is a tenth of the limit more, and at least a second.
  std::optional<double> time_limit_s;
  std::optional<uint64_t> memory_limit_bytes;
  const std::atomic<bool>* stop = nullptr;          // set it from outside to end the search soon, with statistics
  std::optional<uint64_t> poll_limit;               // see LoadOptions
  std::function<void(const Statistics&)> progress;  // called now and then
};

struct CheckResult {
  std::string property;
  Verdict verdict = Verdict::Unknown;
  std::optional<bool> holds;       // of the property as written: `A[] p` holds if its violation is unreachable
  std::vector<TermValues> values;  // with Computed, in the order of the query
  std::string reason;  // with Unknown: "time limit", "memory limit", "depth limit", "interrupted", "out of memory"
  std::string search;  // that answered: "bfs", "greedy hU useless", …
  std::string search_reason;  // why `auto` chose it: a sentence, or empty
  std::string failure;        // with Failed: what goes wrong, and where
  // Remarks on the answer: what was proved holds for a reason that the user may not have meant.
  std::vector<std::string> warnings;
  Statistics statistics;
  std::vector<AbstractionReport> abstractions;  // that heuristics built, or took from what was loaded
  std::string kept_abstractions;                // with CheckOptions::keep_abstractions
  // With Reachable, and with Failed:
  std::optional<uint64_t> witness_length;  // discrete transitions; those of a claim do not count
  std::optional<uint64_t> loop_start;      // of an infinite witness: how many of them come before its cycle
  std::string rest;       // of a maximal witness without a cycle: "delay" (time passes for ever) or "stuck"
  bool shortest = false;  // proved to be a shortest one
  // Where costs are asked for, by the options or by the model: the sum of what the steps cost, and whether it is proved
  // that no witness costs less, by what was counted.
  std::optional<uint64_t> witness_cost;
  bool cheapest = false;
  // If it was asked for (CheckOptions::forms). The texts are those that to_text, to_json, to_chart and to_trail make of
  // the trace, within the limits of the check; the page also tells of the search.
  std::shared_ptr<const Trace> trace;
  std::string trace_text;
  std::string trace_json;
  std::string trace_chart;  // a message sequence chart
  std::string trace_trail;  // for the tool of the language, where it reads trails
  std::string trace_page;   // HTML that needs nothing else (docs/page.md)
};

// What a trace that was read back is worth.
struct Validation {
  std::string problem;                // empty: the trace is valid
  std::string property;               // that the trace is about
  bool of_model = true;               // the property is one of the model's; otherwise only the trace names it
  bool run = false;                   // it is a run of the model (harrier/simulation.h), which proves nothing else
  uint64_t length = 0;                // discrete transitions
  std::optional<uint64_t> plan_cost;  // of a plan
  // What a valid trace proves about the property:
  Verdict verdict = Verdict::Unknown;
  std::optional<bool> holds;
  std::string failure;  // with Failed
};

// What is known about a model and one of its properties before any search; `docs/analysis.md` defines it.
struct Analysis {
  std::string property;

  // The model. In Promela a process is one that may run, as far as is known before a search.
  uint64_t processes = 0;  // without the claim
  uint64_t locations = 0;
  uint64_t edges = 0;
  uint64_t variables = 0;   // the locations of processes among them
  uint64_t state_bits = 0;  // of a packed state, without clocks
  // What CheckOptions::simplify does to states: the bits that are left of them, and by name (of queues, too) whose
  // values are forgotten as soon as nobody needs them; of the latter those that nobody needs ever.
  uint64_t simplified_bits = 0;
  std::vector<std::string> forgotten;
  std::vector<std::string> never_needed;
  uint64_t clocks = 0;
  uint64_t channels = 0;  // that edges synchronise on
  uint64_t queues = 0;    // message channels
  bool exclusive_control = false;
  bool claim = false;

  // The property.
  bool proof = false;             // it is meant to hold for all paths; otherwise a state is asked for
  bool liveness = false;          // it is about infinite paths
  uint64_t deadlock_clauses = 0;  // alternatives of its goal that ask for a deadlock, and others
  uint64_t other_clauses = 0;

  // Process Error Participation. If the goal has both kinds of clauses, of the others only: for deadlocks it is 1.
  std::vector<std::string> participants;  // names of processes
  double pep = 0;                         // participants / processes
  bool high_pep = false;                  // most or all processes participate

  // Groups of processes that can be exchanged with each other, by name; or why there are none.
  std::vector<std::vector<std::string>> interchangeable;
  std::string not_interchangeable;

  // Names of variables, clocks, queues and, for their locations, processes, each in its first layer only.
  std::vector<std::vector<std::string>> layers;
  std::vector<std::string> weak;  // those in no layer

  // Of the classification by Bui (2009, figure 7.11); formulas of branching time have symbolic search only.
  enum class Suggestion : uint8_t { GuidedSearch, GuidedRandomWalks, SymbolicSearch };
  Suggestion suggestion = Suggestion::GuidedSearch;
  std::string automatic;            // what Search::Auto does, in words
  std::string not_reduced_because;  // why partial-order reduction does not apply; empty: it does

  // If a heuristic was named: what it is made of, and what it says of the initial state.
  std::string heuristic;
  std::optional<uint64_t> estimate;  // none: a dead end
  bool proved = false;               // a dead end that is proved: the goal cannot be reached
  std::vector<AbstractionReport> abstractions;
};

struct LoadOptions {
  // A name of `languages()`; auto: told from the suffix of the name, and from the content.
  std::string language = "auto";
  LanguageOptions options = {};  // of the language (LanguageInfo::options), e.g. {"--goal", "x == 2"}
  // A second file: a part of the model where a language has such (LanguageInfo::companion); for any other queries, as
  // Model::add_query_file adds them.
  std::string second_file = {};
  // What loading may take; Error(Limit) is thrown when it is used up. Memory is what the process has resident, beyond
  // what it had before the model was loaded.
  std::optional<double> time_limit_s;
  std::optional<uint64_t> memory_limit_bytes;
  const std::atomic<bool>* stop = nullptr;
  std::optional<uint64_t> poll_limit;  // how often the limits may be looked at: the same on every machine, for tests
};

// What the input says about a property.
struct PropertyInfo {
  std::string text;
  std::string name;       // empty: it has none
  std::string comment;    // of the query; empty: it has none
  std::string expected;   // the verdict that it is said to have ("holds", "violated", …); empty: nothing is said
  bool infinite = false;  // it is about infinite paths
  bool plan = false;      // a witness of it is a plan
};

// A model with its properties. To check it changes nothing that can be seen, so that several threads may do so at the
// same time; a copy costs nothing, and queries that are added to it are not added to the other.
class Model {
 public:
  // Throws Error(Input) or Error(Unsupported) with all diagnostics, Error(Limit) if a limit of the options is reached.
  static Model load_file(const std::string& path, const LoadOptions& options = {});
  static Model load_text(std::string text, const std::string& name, const LoadOptions& options = {});
  const LanguageInfo& language() const;
  bool has_clocks() const;
  const std::vector<std::string>& files() const;  // that were read for it, by name: the model's first
  double load_seconds() const;                    // that loading took

  // Adds the queries of a `.q` file, or a single query; they are checked by number, counting from those in the model. A
  // query that is not understood or not supported is a property like any other; to check it throws why.
  void add_query_file(const std::string& path, const LoadOptions& limits = {});
  void add_query(const std::string& query, const LoadOptions& limits = {});

  size_t property_count() const;
  const std::string& property_text(size_t property) const;
  PropertyInfo property(size_t property) const;

  // Throws Error(Unsupported) or Error(Input) for a property that is not supported or was not understood,
  // Error(Internal) if a witness does not pass validation.
  CheckResult check(size_t property, const CheckOptions& options) const;

  // Looks at the property without a search. Of the options it heeds the limits, and those about the heuristic, if one
  // is named. Throws Error(Unsupported) for a property that is not supported, Error(Limit) if a limit of the options is
  // reached.
  Analysis analyse(size_t property, const CheckOptions& options = {}) const;

  // A shortest path to the goal of a property, for guidance in a larger model of the same kind. Throws Error(Usage) if
  // there is none, Error(Limit) if a limit of the options was reached first, and what `check` throws.
  GoalPath goal_path(size_t property, const CheckOptions& options) const;
  // The path of a smaller sibling that guides the search for a property of this model: it is about the sibling's
  // property of the same number, or the only one. Throws Error(Usage) also if the two have no language or no template
  // in common.
  std::shared_ptr<const GoalPath> guide_from(const Model& sibling, size_t property, const CheckOptions& options) const;

  // Looks for a shorter path to the error of a trace (JSON), with fewer context switches. `effort` bounds the states
  // that are looked at. The trace must be valid. The result has a witness that is never longer.
  CheckResult polish(const std::string& trace_json, const std::string& trace_name, const CheckOptions& options,
                     uint64_t effort) const;

  // Replays a trace (JSON) step by step in an independent interpreter, and checks everything else that it claims; or a
  // plan, of languages that have them (LanguageInfo::plan). Throws Error(Limit) if a limit of the options is reached.
  Validation validate(const std::string& trace_json, const std::string& trace_name,
                      const CheckOptions& limits = {}) const;

  // The trace as data, which need not be valid. Throws Error(Input) if it is none of this model.
  Trace read_trace(const std::string& trace_json, const std::string& trace_name, const CheckOptions& limits = {}) const;

  // Warnings of the front end, ready to be shown; empty if there are none.
  const std::string& warnings() const;
  const Translation& translation() const;
  // The model inside, as text.
  std::string print() const;
  // The same as CheckOptions::simplify makes it for a property. Throws Error(Limit) if a limit is reached.
  std::string print_simplified(size_t property, const LoadOptions& limits = {}) const;
  // The model as a SAS+ task, version 3 of the format. Throws Error(Usage) for languages without (LanguageInfo::sas),
  // Error(Limit) if a limit is reached.
  std::string sas(const LoadOptions& limits = {}) const;

 private:
  friend struct api::Inside;
  explicit Model(std::shared_ptr<const api::Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const api::Data> data_;
};

// The input languages that there are.
std::vector<LanguageInfo> languages();

struct HeuristicInfo {
  std::string name;
  bool admissible = false;  // never exceeds the true distance
  bool safe = false;        // says "dead end" only where there is one
  bool clocks = false;      // looks at clocks with CheckOptions::heuristic_clocks
  bool preferred = false;   // finds an abstract path, for the preference "preferred"
  bool costs = false;       // counts what steps cost (CheckOptions::cost); otherwise it counts steps
  bool sibling = false;     // follows CheckOptions::guide
  bool timed = true;        // can be used in models with clocks
  bool choices = true;      // can be used in models whose effects choose, or that have several initial states
  // The members of AbstractionOptions that it heeds; with "+clocks" behind it, one that it heeds only if it looks
  // at clocks.
  std::vector<std::string> abstraction;
  std::string summary;
  std::string citation;
  std::string help;
};
std::vector<HeuristicInfo> heuristics();
// What is true of what CheckOptions::heuristic may say. Throws Error(Usage) if that is not understood.
HeuristicInfo heuristic(const std::string& text);

struct SearchInfo {
  Search search = Search::Auto;
  std::string name;  // on the command line
  std::string summary;
  std::string help;
};
std::vector<SearchInfo> searches();

// What decides about the order of states besides a heuristic.
struct PreferenceInfo {
  std::string name;
  bool guided = false;  // it needs a search with a heuristic
  bool path = false;    // it needs one that finds an abstract path (HeuristicInfo::preferred)
  std::string summary;
  std::string citation;
  std::string help;
};
// Of several the first ranks first.
std::vector<PreferenceInfo> preferences();

// A trace that a Model handed out as a page for browsers (docs/page.md). Throws std::invalid_argument for any other,
// Error(Limit) if a limit of the options is reached.
std::string to_page(const Trace& trace, const CheckOptions& limits = {});

// The content of a file or pipe. Throws Error(Input) if it cannot be read, Error(Limit) if a limit is reached.
std::string read_file(const std::string& path, const LoadOptions& limits = {});

}  // namespace harrier
