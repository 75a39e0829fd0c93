#include "cli/option_table.h"

#include <algorithm>
#include <map>

#include "cli/known_names.h"

namespace harrier::cli {

namespace {

constexpr Searches kAuto = set_of(Search::Auto);
constexpr Searches kBfs = set_of(Search::BreadthFirst);
constexpr Searches kDfs = set_of(Search::DepthFirst);
constexpr Searches kRdfs = set_of(Search::RandomDepthFirst);
constexpr Searches kGreedy = set_of(Search::Greedy);
constexpr Searches kWalk = set_of(Search::Walk);
constexpr Searches kSymbolic = set_of(Search::SymbolicForward) | set_of(Search::SymbolicBackward) |
                               set_of(Search::SymbolicBoth) | set_of(Search::SymbolicChained) |
                               set_of(Search::SymbolicGuided);
constexpr Searches kSymbolicWalk = set_of(Search::SymbolicWalk);
constexpr Searches kAnytime = set_of(Search::Anytime);
constexpr Searches kBounding = set_of(Search::ContextBoundProcess) | set_of(Search::ContextBoundInterference);
constexpr Searches kBestFirst = set_of(Search::AStar) | set_of(Search::WeightedAStar) | kGreedy;
constexpr Searches kGuided = kBestFirst | kBounding;  // by a heuristic that can be chosen

constexpr Searches kQueues = kBestFirst | kBfs | kDfs | kRdfs;  // in which a preference has a say

// That look at states one by one.
constexpr Searches kExplicit = static_cast<Searches>(kAuto | kQueues | kBounding | kWalk | kAnytime);

constexpr double kMany = 9.2e18;  // within 63 bits

bool has_heuristic(const Use& use) { return use.heuristic.has_value(); }
bool finds_preferred(const Use& use) { return use.heuristic && use.heuristic->preferred; }
bool sees_clocks(const Use& use) {
  return use.search == Search::Auto || use.search == Search::Anytime || (use.heuristic && use.heuristic->clocks);
}
bool counts_costs(const Use& use) {
  return use.search != Search::AStar || use.given.contains("--cost unit") || (use.heuristic && use.heuristic->costs);
}
bool follows_sibling(const Use& use) { return use.search == Search::Auto || (use.heuristic && use.heuristic->sibling); }

// Sets of states are looked up in a symbolic database.
bool has_symbolic_database(const Use& use) {
  return use.search == Search::SymbolicGuided || (use.search == Search::SymbolicWalk && use.given.contains("--guided"));
}

bool is_guided_walk(const Use& use) { return has_heuristic(use) || has_symbolic_database(use); }

bool heeds(const Use& use, const std::string& member) {
  if (!use.heuristic) return false;
  const std::vector<std::string>& heeded = use.heuristic->abstraction;
  const auto has = [&](const std::string& name) {
    return std::find(heeded.begin(), heeded.end(), name) != heeded.end();
  };
  return has(member) || (use.given.contains("--heuristic-clocks") && has(member + "+clocks"));
}
bool builds_abstraction(const Use& use) { return use.heuristic && !use.heuristic->abstraction.empty(); }

bool rates_steps(const Use& use) { return use.heuristic && use.heuristic->sibling; }

bool has_softmax(const Use& use) {
  const auto is_given = [&](const char* bias) { return use.given.contains(std::string("--bias ") + bias); };
  return (use.heuristic || has_symbolic_database(use)) && !is_given("linear") && !is_given("greedy") &&
         !is_given("steps");
}

std::vector<std::string> language_names() {
  std::vector<std::string> names{"auto"};
  for (const LanguageInfo& l : known_languages()) names.push_back(l.name);
  return names;
}

Searches searches_of(LanguageOption::Cycles cycles) {
  switch (cycles) {
    case LanguageOption::Cycles::None: break;
    case LanguageOption::Cycles::Asks:
      return static_cast<Searches>(kAuto | kDfs | kWalk | set_of(Search::SymbolicForward));
    case LanguageOption::Cycles::Needs: return static_cast<Searches>(kAuto | kDfs);
  }
  return kAnySearch;
}

// Options of languages, each once: those that tell how a text is read, or those that tell what is checked.
void add_language_options(std::vector<OptionEntry>& table, bool reading) {
  for (const LanguageInfo& language : known_languages()) {
    for (const LanguageOption& o : language.options) {
      const bool known =
          std::any_of(table.begin(), table.end(), [&](const OptionEntry& e) { return e.name == o.name; });
      if (o.reading != reading || known) continue;
      table.push_back({.name = o.name.c_str(),
                       .section = reading ? Section::Model : Section::Properties,
                       .value = o.value.c_str(),
                       .summary = o.summary.c_str(),
                       .help = o.help.c_str(),
                       .models = with_option(o.name),
                       .searches = searches_of(o.cycles),
                       .needs = o.needs.c_str(),
                       .example = o.example});
      if (o.needs.empty()) continue;
      table.back().satisfied = [&o](const Use& use) {
        return std::none_of(o.excludes.begin(), o.excludes.end(),
                            [&](const std::string& other) { return use.given.contains(other); });
      };
    }
  }
}

// A preference is a value of --prefer with a row of its own.
OptionEntry preference_option(const PreferenceInfo& p) {
  static std::map<std::string, std::string> names;
  const std::string& name = names.emplace(p.name, "--prefer " + p.name).first->second;
  OptionEntry out{.name = name.c_str(),
                  .section = Section::Search,
                  .value = "LIST",
                  .choices = preference_names(),
                  .summary = p.summary.c_str(),
                  .searches = p.guided ? kBestFirst : kQueues,
                  .example = {"--prefer", p.name}};
  if (p.path) {
    out.needs = "a heuristic that finds an abstract path ('harrier explain NAME' tells)";
    out.satisfied = finds_preferred;
  }
  return out;
}

// Designated initialisers keep the entries readable; what is not named has its default.
class TableMaker {
 public:
  std::vector<OptionEntry> make() {
    add_model_and_properties();
    add_heuristics();
    add_preferences();
    add_more_of_searches();
    add_abstractions();
    add_files_of_abstractions();
    add_limits_and_output();
    add_walks();
    add_guided_walks();
    return std::move(table_);
  }

 private:
  void add(OptionEntry entry) { table_.push_back(std::move(entry)); }
  void walk(OptionEntry entry) {
    entry.section = Section::Walks;
    entry.searches = kWalk;
    add(std::move(entry));
  }
  void any_walk(OptionEntry entry) {
    entry.section = Section::Walks;
    entry.searches = kWalk | kSymbolicWalk;
    add(std::move(entry));
  }
  void symbolic_walk(OptionEntry entry) {
    entry.section = Section::Walks;
    entry.searches = kSymbolicWalk;
    add(std::move(entry));
  }
  void add_model_and_properties();
  void add_heuristics();
  void add_preferences();
  void add_more_of_searches();
  // An option that heuristics heed which build an abstraction by this member of AbstractionOptions.
  void abstraction(const char* member, OptionEntry entry) {
    entry.section = Section::Abstractions;
    entry.searches = static_cast<Searches>(kGuided | kWalk);
    entry.needs = "a heuristic that heeds it ('harrier explain NAME' tells)";
    entry.satisfied = [member = std::string(member)](const Use& use) { return heeds(use, member); };
    add(std::move(entry));
  }
  // The same, and symbolic databases heed it.
  void any_abstraction(const char* member, OptionEntry entry) {
    entry.section = Section::Abstractions;
    entry.searches = static_cast<Searches>(kGuided | kWalk | set_of(Search::SymbolicGuided) | kSymbolicWalk);
    entry.needs = "a heuristic that heeds it ('harrier explain NAME' tells), sgmc, or swalk with --guided";
    entry.satisfied = [member = std::string(member)](const Use& use) {
      return has_symbolic_database(use) || heeds(use, member);
    };
    add(std::move(entry));
  }
  void add_abstractions();
  void add_files_of_abstractions();
  void add_limits_and_output();
  void add_walks();
  void add_guided_walks();

  std::vector<OptionEntry> table_;
};

void TableMaker::add_model_and_properties() {
  add({.name = "--language",
       .section = Section::Model,
       .value = "NAME",
       .fallback = "auto",
       .choices = language_names(),
       .summary = "language of the model; auto: told from its suffix and content",
       .example = {"--language", "auto"}});
  add_language_options(table_, true);

  add({.name = "--query",
       .section = Section::Properties,
       .value = "Q",
       .summary = "a query, e.g. 'E<> P.cs'; may be repeated",
       .help = "Added to the queries inside the model and those of QUERIES.q.",
       .models = of_languages([](const LanguageInfo& l) { return l.queries; }),
       .example = {"--query", "E<> true"}});
  add({.name = "--select",
       .section = Section::Properties,
       .value = "N|N-M|NAME",
       .summary = "only these properties: numbers from 1, ranges, names; separated by commas, may be repeated",
       .help = "A name is that of a claim, or the comment or the text of a query. What there is not is refused, with a "
               "list of what there is.",
       .example = {"--select", "1"}});
  add({.name = "--expect",
       .section = Section::Properties,
       .value = "VERDICT",
       .summary =
           "the verdict that is expected of all properties, or of each in order (commas); exit code 0 if all are "
           "so, else 1",
       .help = "holds, violated, reachable, unreachable, unknown (a limit was reached), unsupported, error, or any; "
               "annotated: what the input says, in a comment 'expect: holds' of a query, in an element <expect "
               "outcome=\"success|failure\"> of a query in XML; queries without such a remark count as any. In the "
               "order of the properties that are checked.",
       .example = {"--expect", "any"}});
  add_language_options(table_, false);
}

void TableMaker::add_heuristics() {
  add({.name = "--search",
       .section = Section::Search,
       .value = "ORDER",
       .fallback = "auto",
       .choices = search_names(),
       .summary = "auto takes turns between several; bfs and, with an admissible heuristic, astar give a shortest "
                  "witness",
       .help = "'harrier list' names them all, 'harrier explain NAME' describes one.",
       .example = {}});
  add({.name = "--heuristic",
       .section = Section::Search,
       .value = "NAME",
       .fallback = "hU; none for walk",
       .summary = "distance heuristic of the guided searches; random walks are blind without one",
       .help =
           "'harrier list' names them all, 'harrier explain NAME' describes one. max(A, B) and sum(A, B) make one of "
           "several. greedy and wastar also take several that are separated by commas: each has queues of its own, and "
           "they take turns; useless transitions are those of the first.",
       .searches = static_cast<Searches>(kGuided | kWalk),
       .needs = "--within greedy: the other orders have no estimates",
       .satisfied =
           [](const Use& use) { return !use.given.contains("--within bfs") && !use.given.contains("--within dfs"); },
       .example = {"--heuristic", "hL"}});
  add({.name = "--heuristic-clocks",
       .section = Section::Search,
       .summary = "let the heuristic look at clocks",
       .models = with_clocks(),
       .searches = static_cast<Searches>(kGuided | kWalk | kAuto | kAnytime),
       .needs = "a heuristic that can look at clocks ('harrier explain NAME' tells)",
       .satisfied = sees_clocks,
       .example = {"--heuristic-clocks", "--heuristic", "hL"}});
  add({.name = "--guide-from",
       .section = Section::Search,
       .value = "FILE",
       .summary = "a smaller sibling of the model, whose shortest path to the goal guides h0, h1 and auto",
       .help = "docs/sibling.md tells what a sibling is and how its path guides.",
       .searches = static_cast<Searches>(kGuided | kWalk | kAuto),
       .needs = "--heuristic h0 or h1, or --search auto",
       .satisfied = follows_sibling,
       .example = {"--guide-from", "SIBLING", "--heuristic", "h1"}});
  add({.name = "--guide-define",
       .section = Section::Search,
       .value = "NAME[=VALUE]",
       .summary = "--define for the sibling only; may be repeated",
       .models = with_option("--define"),
       .searches = static_cast<Searches>(kGuided | kWalk | kAuto),
       .needs = "--guide-from",
       .satisfied = [](const Use& use) { return use.given.contains("--guide-from"); },
       .example = {"--guide-define", "N=1", "--guide-from", "SIBLING", "--heuristic", "h1"}});
}

void TableMaker::add_preferences() {
  add({.name = "--prefer",
       .section = Section::Search,
       .value = "LIST",
       .choices = preference_names(),
       .summary = "useless, contexts, preferred: any of them, separated by commas",
       .help = "'harrier explain NAME' describes one, docs/preferences.md all of them.",
       .searches = kQueues,
       .example = {}});
  for (const PreferenceInfo& p : known_preferences()) add(preference_option(p));
  add({.name = "--queues",
       .section = Section::Search,
       .value = "SCHEME",
       .fallback = "alternating with --prefer useless, else boosted",
       .choices = {"boosted", "alternating"},
       .summary = "turns of preferred states: boosted after progress, or alternating, with useless ones last of all",
       .help = "docs/preferences.md tells more.",
       .searches = kBestFirst,
       .needs = "--prefer preferred, without contexts",
       .satisfied =
           [](const Use& use) {
             return use.given.contains("--prefer preferred") && !use.given.contains("--prefer contexts");
           },
       .example = {"--queues", "alternating", "--prefer", "preferred"}});
  add({.name = "--context-clocks",
       .section = Section::Search,
       .value = "on|off",
       .fallback = "off",
       .choices = {"on", "off"},
       .summary = "whether clocks count in interference contexts",
       .models = with_clocks(),
       .searches =
           static_cast<Searches>(kAuto | kBestFirst | kBfs | kDfs | kRdfs | set_of(Search::ContextBoundInterference)),
       .needs = "--prefer contexts, --search ib-interference or --search auto",
       .satisfied =
           [](const Use& use) {
             return use.search == Search::Auto || use.search == Search::ContextBoundInterference ||
                    use.given.contains("--prefer contexts");
           },
       .example = {"--context-clocks", "on", "--prefer", "contexts"}});
  add({.name = "--within",
       .section = Section::Search,
       .value = "ORDER",
       .fallback = "greedy",
       .choices = {"greedy", "bfs", "dfs"},
       .summary = "the order among states with equally many context switches; bfs and dfs need no heuristic",
       .searches = kBounding,
       .example = {"--within", "bfs"}});
  add({.name = "--weight",
       .section = Section::Search,
       .value = "W",
       .fallback = "5",
       .range = {{1, 1000}},
       .summary = "weight of the estimate in wastar",
       .searches = set_of(Search::WeightedAStar),
       .example = {"--weight", "3"}});
  add({.name = "--cost",
       .section = Section::Search,
       .value = "TYPE",
       .fallback = "real if the model asks for costs, else unit",
       .choices = {"unit", "plus-one", "real"},
       .summary = "what a step counts in the length of a path and in estimates: 1, its cost and 1, or its cost",
       .help =
           "Heuristics that do not count costs ('harrier explain NAME' tells) count steps all the same, and cannot "
           "be used with astar then. With real, a step may count nothing. auto counts steps until it has a witness, "
           "and looks for cheaper ones then.",
       .searches = static_cast<Searches>(kBestFirst | kAnytime | kAuto),
       .needs = "a heuristic that counts costs, with --search astar ('harrier explain NAME' tells)",
       .satisfied = counts_costs,
       .example = {"--cost", "plus-one", "--heuristic", "hff"}});
  add({.name = "--evaluation",
       .section = Section::Search,
       .value = "WHEN",
       .fallback = "eager",
       .choices = {"eager", "lazy"},
       .summary = "estimate states when they are found, or, lazily, when it is their turn: until then they wait by the "
                  "estimate of the state that they were reached from",
       .searches = static_cast<Searches>(set_of(Search::WeightedAStar) | kGreedy | kAnytime),
       .needs = "--prefer preferred alone, or no preference, to be lazy",
       .satisfied =
           [](const Use& use) {
             return !use.given.contains("--evaluation lazy") ||
                    (!use.given.contains("--prefer useless") && !use.given.contains("--prefer contexts"));
           },
       .example = {"--evaluation", "lazy"}});
  add({.name = "--cache",
       .section = Section::Search,
       .value = "N",
       .fallback = "0: exact values",
       .range = {{0, 4294967295.0}},
       .summary = "entries of a hashed table of heuristic values instead of exact ones",
       .searches = static_cast<Searches>(kGuided | kAuto),
       .example = {"--cache", "1000"}});
}

void TableMaker::add_more_of_searches() {
  add({.name = "--reduction",
       .section = Section::Search,
       .value = "on|off|auto",
       .fallback = "auto",
       .choices = {"on", "off", "auto"},
       .summary = "off: no partial-order reduction; auto: in dfs, and in a member of auto, where it is sound",
       .help = "auto: not with a depth limit, preferences, or where remarks about a query need all states.",
       .example = {"--reduction", "off"}});
  add({.name = "--reduction on",
       .section = Section::Search,
       .value = "on|off|auto",
       .fallback = "auto",
       .choices = {"on", "off", "auto"},
       .summary = "partial-order reduction; witnesses need not be shortest then",
       .help = "Leaves out orders of independent statements. For models without claims.",
       .models = without_clocks(),
       .searches = static_cast<Searches>(kBfs | kDfs | kRdfs | kGreedy),
       .needs = "a search without --prefer contexts",
       .satisfied = [](const Use& use) { return !use.given.contains("--prefer contexts"); },
       .example = {"--reduction", "on"}});
  add({.name = "--no-simplify",
       .section = Section::Search,
       .summary = "keep values that make no difference to the property",
       .help = "By default a variable gets its initial value as soon as nobody needs its value any more, so that there "
               "are fewer states. Witnesses are those of the model as it was written.",
       .searches = kExplicit,
       .example = {"--no-simplify"}});
  add({.name = "--bitstate",
       .section = Section::Search,
       .value = "MB",
       .range = {{1, 1073741824.0}},
       .summary = "store no states: those that were seen are known by bits in an array of this size; proves nothing",
       .help =
           "Finds errors in state spaces that are too large to store. If it finds none, the verdict is \"unknown\", "
           "and the reason tells how many states it expects to have left out. docs/memory.md describes it. Not for "
           "properties "
           "about infinite paths.",
       .models = without_clocks(),
       .searches = static_cast<Searches>(kDfs | kRdfs),
       .needs = "a search without --prefer",
       .satisfied = [](const Use& use) { return !use.given.contains("--prefer"); },
       .example = {"--bitstate", "64"}});
  add({.name = "--bitstate-functions",
       .section = Section::Search,
       .value = "K",
       .fallback = "3",
       .range = {{1, 32}},
       .summary = "hash functions of --bitstate, each of which sets one bit for a state",
       .models = without_clocks(),
       .searches = static_cast<Searches>(kDfs | kRdfs),
       .needs = "--bitstate",
       .satisfied = [](const Use& use) { return use.given.contains("--bitstate"); },
       .example = {"--bitstate-functions", "5", "--bitstate", "64"}});
  add({.name = "--compact",
       .section = Section::Search,
       .summary = "store no states: those that were seen are known by 64 bits each; proves nothing, but almost",
       .help = "Like --bitstate, with a table of hashes that grows. That a state is left out is very unlikely, and the "
               "reason tells how unlikely.",
       .models = without_clocks(),
       .searches = static_cast<Searches>(kDfs | kRdfs),
       .needs = "a search without --prefer",
       .satisfied = [](const Use& use) { return !use.given.contains("--prefer"); },
       .example = {"--compact"}});
  add({.name = "--compress",
       .section = Section::Search,
       .summary = "keep states in a tree of parts that many of them share: less memory, somewhat more time",
       .help = "Nothing else changes. It pays for most states of 32 bytes and more; docs/memory.md has figures.",
       .models = without_clocks(),
       .searches = static_cast<Searches>(kBestFirst | kBfs | kDfs | kRdfs),
       .needs = "states that are stored",
       .satisfied =
           [](const Use& use) { return !use.given.contains("--bitstate") && !use.given.contains("--compact"); },
       .example = {"--compress"}});
  add({.name = "--symmetry",
       .section = Section::Search,
       .value = "on|off",
       .fallback = "on",
       .choices = {"on", "off"},
       .summary = "one state for all orders of interchangeable processes, where there are such",
       .help = "`harrier analyse` names them, or says why there are none. Not with --prefer contexts, and not where a "
               "heuristic remembers the path; --bitstate and --compact search without.",
       .searches = static_cast<Searches>(kAuto | kAnytime | kQueues),
       .needs = "states that are stored",
       .satisfied =
           [](const Use& use) {
             const bool others = use.given.contains("--bitstate") || use.given.contains("--compact");
             return !use.given.contains("--symmetry on") || !others;
           },
       .example = {"--symmetry", "off"}});
  add({.name = "--native",
       .section = Section::Search,
       .value = "on|off|auto",
       .fallback = "auto",
       .choices = {"on", "off", "auto"},
       .summary = "compile the model with the machine's C compiler: on, before the search; auto, once a search has "
                  "gone on for a while",
       .help =
           "The compiler is $CC, or else cc, gcc or clang. Nothing changes but the time that a search takes; without a "
           "compiler it goes on as it is. docs/native.md tells when it pays.",
       .searches = kExplicit,
       .example = {"--native", "on"}});
  add({.name = "--safe-abstraction",
       .section = Section::Search,
       .summary = "search without the variables that the model can set at will, and put them back into the witness",
       .help = "Not for properties about infinite paths.",
       .example = {"--safe-abstraction"}});
  add({.name = "--polish",
       .section = Section::Search,
       .summary = "look for a shorter witness after the search; auto and walks do so by default",
       .help = "A witness that is known to be a shortest one stays as it is.",
       .example = {"--polish"}});
  add({.name = "--no-polish",
       .section = Section::Search,
       .summary = "keep the witness as it was found",
       .example = {"--no-polish"}});
  add({.name = "--first",
       .section = Section::Search,
       .summary = "stop at the first witness; by default shorter ones are looked for a while",
       .searches = kAuto,
       .example = {"--first"}});
  add({.name = "--seed",
       .section = Section::Search,
       .value = "N",
       .fallback = "1",
       .range = {{0, kMany}},
       .summary = "seed of the random searches",
       .searches = static_cast<Searches>(kRdfs | kWalk | kSymbolicWalk | kAuto),
       .example = {"--seed", "7"}});
  add({.name = "--threads",
       .section = Section::Search,
       .value = "N",
       .fallback = "1 for walk, all processors for bfs and auto",
       .range = {{1, 256}},
       .summary = "search with so many threads: bfs, also in auto, expands states with them, walk goes so many ways",
       .help =
           "With bfs the answer, the witness and all counts are those of the search by one thread. Threads are used "
           "where layers are large.",
       .searches = static_cast<Searches>(kWalk | kBfs | kAuto),
       .needs = "a search without --prefer and --compress, and one without --depth if it has --reduction on",
       .satisfied =
           [](const Use& use) {
             const bool reduced = use.given.contains("--reduction on") && use.given.contains("--depth");
             return use.given.contains("--threads 1") ||
                    (!use.given.contains("--prefer") && !use.given.contains("--compress") && !reduced);
           },
       .example = {"--threads", "2"}});
}

void TableMaker::add_abstractions() {
  abstraction(
      "states",
      {.name = "--abstraction-states",
       .value = "N",
       .fallback = "1000000",
       .range = {{0, kMany}},
       .summary = "abstract states, for spdb nodes of diagrams, that a heuristic may keep; what does not fit is built "
                  "coarser",
       .example = {"--abstraction-states", "10000", "--heuristic", "pdb"}});
  any_abstraction("seconds", {.name = "--abstraction-seconds",
                              .value = "S",
                              .fallback = "10",
                              .range = {{0, 1e300}},
                              .summary = "seconds that building may take; what is ready by then is used",
                              .example = {"--abstraction-seconds", "5", "--heuristic", "pdb", "--guided"}});
  any_abstraction("pattern",
                  {.name = "--pattern",
                   .value = "VARS",
                   .summary = "the variables of a pattern database, by name, separated by commas; a process stands "
                              "for its location; several patterns are separated by semicolons",
                   .example = {"--pattern", "VARIABLE", "--heuristic", "pdb", "--guided"}});
  abstraction("patterns",
              {.name = "--patterns",
               .value = "STRATEGY",
               .fallback = "cegar",
               .summary = "how patterns are chosen where none is given ('harrier explain pdb' names the ways)",
               .example = {"--patterns", "cone", "--heuristic", "pdb"}});
  abstraction("combine", {.name = "--combine",
                          .value = "WAY",
                          .fallback = "auto",
                          .summary = "how the distances of several patterns make one ('harrier explain pdb')",
                          .example = {"--combine", "max", "--heuristic", "pdb"}});
  abstraction("zones", {.name = "--abstraction-zones",
                        .value = "N",
                        .fallback = "50000",
                        .range = {{0, kMany}},
                        .summary = "zones that a zone database may explore, of all projections that it tries",
                        .example = {"--abstraction-zones", "1000", "--heuristic", "zdb"}});
  abstraction("merge_states", {.name = "--merge-states",
                               .value = "N",
                               .fallback = "50000",
                               .range = {{1, kMany}},
                               .summary = "states of a factor that merge-and-shrink keeps: the bound N",
                               .example = {"--merge-states", "50", "--heuristic", "ms"}});
  abstraction("merge", {.name = "--merge",
                        .value = "ORDER",
                        .fallback = "level",
                        .summary = "in which order factors are merged ('harrier explain ms')",
                        .example = {"--merge", "level", "--heuristic", "ms"}});
  abstraction("shrink", {.name = "--shrink",
                         .value = "WAY",
                         .fallback = "bisimulation",
                         .summary = "which abstract states become one ('harrier explain ms')",
                         .example = {"--shrink", "f", "--heuristic", "ms"}});
  abstraction("predicates",
              {.name = "--predicates",
               .value = "SOURCE",
               .fallback = "syntax",
               .summary = "where predicates come from: the text of the model, or refinement along spurious "
                          "paths",
               .example = {"--predicates", "refinement", "--heuristic", "pa"}});
  abstraction("split", {.name = "--split",
                        .value = "B",
                        .fallback = "2",
                        .range = {{0, 4294967295.0}},
                        .summary = "processes in one part of the network, each part abstracted apart; 0: all in one",
                        .example = {"--split", "1", "--heuristic", "pa"}});
  abstraction("part_values",
              {.name = "--part-values",
               .value = "sum|max",
               .fallback = "sum",
               .choices = {"sum", "max"},
               .summary = "how the distances of the parts make one; the largest never exceeds the true one",
               .example = {"--part-values", "max", "--heuristic", "pa"}});
  abstraction("refinements", {.name = "--refinements",
                              .value = "R",
                              .fallback = "4",
                              .range = {{0, 4294967295.0}},
                              .summary = "iterations of refinement, at most",
                              .example = {"--refinements", "2", "--heuristic", "pa", "--predicates", "refinement"}});
  abstraction("stop_rule",
              {.name = "--stop-rule",
               .summary = "refine until the shortest spurious path no longer grows, and take the iteration "
                          "before that",
               .example = {"--stop-rule", "--heuristic", "pa", "--predicates", "refinement"}});
}

void TableMaker::add_files_of_abstractions() {
  add({.name = "--save-abstraction",
       .section = Section::Abstractions,
       .value = "FILE",
       .summary = "write the abstraction that the heuristic built; with several properties their number is put before "
                  "the suffix",
       .searches = static_cast<Searches>(kGuided | kWalk),
       .needs = "a heuristic that builds one",
       .satisfied = builds_abstraction,
       .example = {"--save-abstraction", "FILE", "--heuristic", "pdb"}});
  add({.name = "--load-abstraction",
       .section = Section::Abstractions,
       .value = "FILE",
       .summary = "look distances up in an abstraction that was saved for this model, property and heuristic",
       .help = "A file that is damaged or was made for something else is refused (exit code 2).",
       .searches = static_cast<Searches>(kGuided | kWalk),
       .needs = "a heuristic that builds one, and no other option about how it is built",
       .satisfied =
           [](const Use& use) {
             return builds_abstraction(use) &&
                    std::none_of(option_table().begin(), option_table().end(), [&](const OptionEntry& e) {
                      return e.section == Section::Abstractions &&
                             !std::string_view(e.name).ends_with("-abstraction") && use.given.contains(e.name);
                    });
           },
       .example = {}});
}

void TableMaker::add_limits_and_output() {
  add({.name = "--depth",
       .section = Section::Limits,
       .value = "N",
       .range = {{0, 2147483648.0}},
       .summary = "explore at most N transitions deep",
       .searches = static_cast<Searches>(kAnySearch & ~(kWalk | kBounding | kSymbolic | kSymbolicWalk)),
       .example = {"--depth", "100"}});
  add({.name = "--time-limit",
       .section = Section::Limits,
       .value = "S",
       .range = {{0, 1e300}},
       .summary = "seconds, for each property; loading the model is part of them",
       .example = {"--time-limit", "60"}});
  add({.name = "--memory-limit",
       .section = Section::Limits,
       .value = "MB",
       .fallback = "90 % of the machine's",
       .range = {{1, 1099511627776.0}},
       .summary = "MB that the program may use beyond its own size",
       .help = "docs/limits.md tells what the limits bind.",
       .example = {"--memory-limit", "500"}});

  add({.name = "--trace",
       .section = Section::Output,
       .value = "FILE.json",
       .summary = "write the witness as JSON; with several properties their number is put before the suffix",
       .help = "docs/trace.md describes the file; 'harrier validate' replays it.",
       .example = {"--trace", "FILE"}});
  add({.name = "--trail",
       .section = Section::Output,
       .value = "FILE",
       .summary = "write the witness as a trail for Spin, which 'spin -t -p -k FILE MODEL' replays",
       .models = of_languages([](const LanguageInfo& l) { return l.trail; }),
       .example = {"--trail", "FILE"}});
  add({.name = "--plan",
       .section = Section::Output,
       .value = "FILE",
       .summary = "write the plan as planning competitions do, an action a line; 'harrier validate' checks such files",
       .models = of_languages([](const LanguageInfo& l) { return l.plan; }),
       .example = {"--plan", "FILE"}});
  add({.name = "--chart",
       .section = Section::Output,
       .value = "FILE.mmd",
       .summary = "write the witness as a sequence chart for Mermaid, or for PlantUML if it is FILE.puml",
       .example = {"--chart", "FILE"}});
  add({.name = "--html",
       .section = Section::Output,
       .value = "FILE.html",
       .summary = "write the witness as a page for browsers: steps, lanes, values, sources, automata, plots",
       .help =
           "One file that needs no other and no network; docs/page.md shows it. With several properties their number "
           "is put before the suffix.",
       .example = {"--html", "FILE"}});
  add({.name = "--json",
       .section = Section::Output,
       .summary = "print one JSON object instead of text, errors included",
       .help = "docs/result.schema.json describes it.",
       .example = {"--json"}});
  add({.name = "--json-witness",
       .section = Section::Output,
       .summary = "with --json: put the witnesses into the object",
       .needs = "--json",
       .satisfied = [](const Use& use) { return use.given.contains("--json"); },
       .example = {"--json-witness", "--json"}});
  add({.name = "--quiet",
       .section = Section::Output,
       .summary = "verdicts only: no statistics, trace or progress",
       .example = {"--quiet"}});
  add({.name = "--progress",
       .section = Section::Output,
       .value = "S",
       .range = {{0.1, 1e6}},
       .summary = "print a line of progress to standard error every S seconds, also into a file",
       .help = "Without it a line on a terminal shows what goes on, and a file or a pipe gets nothing.",
       .needs = "a run without --quiet",
       .satisfied = [](const Use& use) { return !use.given.contains("--quiet"); },
       .example = {"--progress", "5"}});
}

void TableMaker::add_walks() {
  any_walk({.name = "--walks",
            .section = Section::Walks,
            .value = "N",
            .range = {{0, kMany}},
            .summary = "give up after N walks",
            .example = {"--walks", "10"}});
  any_walk({.name = "--walk-depth",
            .section = Section::Walks,
            .value = "N",
            .fallback = "varied",
            .range = {{0, kMany}},
            .summary = "steps of a walk at most, 0: no limit",
            .example = {"--walk-depth", "100"}});
  any_walk({.name = "--trails",
            .section = Section::Walks,
            .summary = "never visit a state twice in a walk",
            .example = {"--trails"}});
  any_walk({.name = "--end-at-loop",
            .section = Section::Walks,
            .summary = "end a walk at the first state that it visits twice",
            .example = {"--end-at-loop"}});
  any_walk({.name = "--restart",
            .section = Section::Walks,
            .value = "initial|previous|best",
            .fallback = "initial",
            .choices = {"initial", "previous", "best"},
            .summary =
                "where a walk starts: at the initial state, at a random state of the walk before, or at the best one "
                "so far",
            .example = {"--restart", "previous"}});
  walk({.name = "--restart best",
        .section = Section::Walks,
        .value = "initial|previous|best",
        .fallback = "initial",
        .choices = {"initial", "previous", "best"},
        .summary = "a walk starts at the state of the walk before that looked nearest",
        .needs = "--heuristic: only guided walks know the best state",
        .satisfied = has_heuristic,
        .example = {"--restart", "best", "--heuristic", "hU"}});
}

void TableMaker::add_guided_walks() {
  walk({.name = "--selection",
        .section = Section::Walks,
        .value = "one|all",
        .fallback = "one",
        .choices = {"one", "all"},
        .summary = "try successors one by one, process by process, or choose among all",
        .example = {"--selection", "all"}});
  any_walk({.name = "--bias",
            .section = Section::Walks,
            .value = "linear|softmax|greedy|steps",
            .fallback = "softmax",
            .choices = {"linear", "softmax", "greedy", "steps"},
            .summary = "how estimates decide in guided walks",
            .needs = "--heuristic, or --guided with swalk",
            .satisfied = is_guided_walk,
            .example = {"--bias", "linear", "--heuristic", "hU", "--guided"}});
  walk({.name = "--bias steps",
        .section = Section::Walks,
        .value = "linear|softmax|greedy|steps",
        .fallback = "softmax",
        .choices = {"linear", "softmax", "greedy", "steps"},
        .summary = "not by estimates of states, but by what the step of the process that moves costs",
        .needs = "--heuristic h0 or h1: they know what steps cost",
        .satisfied = rates_steps,
        .example = {"--bias", "steps", "--heuristic", "h1", "--guide-from", "SIBLING"}});
  any_walk({.name = "--temperature",
            .section = Section::Walks,
            .value = "T",
            .fallback = "0.5",
            .range = {{1e-9, 1e9}},
            .summary = "of softmax: the lower, the greedier",
            .needs = "--heuristic, or --guided with swalk, and --bias softmax",
            .satisfied = has_softmax,
            .example = {"--temperature", "2", "--heuristic", "hU", "--guided"}});
  any_walk({.name = "--reverse-bias",
            .section = Section::Walks,
            .summary = "prefer successors that look far from the goal",
            .needs = "--heuristic, or --guided with swalk",
            .satisfied = is_guided_walk,
            .example = {"--reverse-bias", "--heuristic", "hU", "--guided"}});
  any_walk({.name = "--delta",
            .section = Section::Walks,
            .value = "D",
            .range = {{0, 1}},
            .summary =
                "with --epsilon: enough walks for a probability below D that a share of at least E of all walks finds "
                "an error",
            .needs = "--epsilon",
            .satisfied = [](const Use& use) { return use.given.contains("--epsilon"); },
            .example = {"--delta", "0.1", "--epsilon", "0.1"}});
  any_walk({.name = "--epsilon",
            .section = Section::Walks,
            .value = "E",
            .range = {{0, 1}},
            .summary = "see --delta",
            .needs = "--delta",
            .satisfied = [](const Use& use) { return use.given.contains("--delta"); },
            .example = {"--epsilon", "0.1", "--delta", "0.1"}});
  walk({.name = "--saturation",
        .section = Section::Walks,
        .value = "S",
        .range = {{0, 1}},
        .summary = "give up when less than this share of the states seen lately is new",
        .example = {"--saturation", "0.01"}});
  symbolic_walk({.name = "--guided",
                 .section = Section::Walks,
                 .summary = "successors that are near the goal in a symbolic pattern database are more likely",
                 .example = {"--guided"}});
  symbolic_walk({.name = "--draw",
                 .section = Section::Walks,
                 .value = "uniform|branches",
                 .fallback = "uniform",
                 .choices = {"uniform", "branches"},
                 .summary = "how a successor is drawn out of a set: all alike, or all branches of its diagram alike",
                 .example = {"--draw", "branches"}});
}

}  // namespace

std::span<const OptionEntry> option_table() {
  static const std::vector<OptionEntry> table = TableMaker().make();
  return table;
}

}  // namespace harrier::cli
