#include "heur/table.h"

#include <algorithm>
#include <string>

#include "abstraction/diagrams/symbolic_patterns.h"
#include "abstraction/merging/merge_and_shrink.h"
#include "abstraction/patterns/pattern_tables.h"
#include "abstraction/predicates/predicate_abstraction.h"
#include "abstraction/zones/zone_choice.h"
#include "base/error.h"
#include "base/suggest.h"
#include "heur/active_processes.h"
#include "heur/causal_graph.h"
#include "heur/claim_distance.h"
#include "heur/combination.h"
#include "heur/context_enhanced_additive.h"
#include "heur/graph_distance.h"
#include "heur/hamming.h"
#include "heur/landmark_count.h"
#include "heur/landmark_cut.h"
#include "heur/local_distance.h"
#include "heur/look_up.h"
#include "heur/relaxation.h"
#include "heur/sibling_path.h"
#include "heur/views.h"

namespace harrier::heur {

namespace {

template <RelaxedValue value>
std::unique_ptr<Heuristic> relaxation(const Purpose& p) {
  return std::make_unique<Relaxation>(p.views.relaxed(p.clocks, p.watch), value, p.watch);
}

std::unique_ptr<Heuristic> landmark_cut(const Purpose& p) {
  return std::make_unique<LandmarkCut>(p.views.relaxed(p.clocks, p.watch), p.watch);
}

std::unique_ptr<Heuristic> landmark_count(const Purpose& p) {
  return std::make_unique<LandmarkCount>(p.views.relaxed(p.clocks, p.watch), p.watch);
}

template <bool sum>
std::unique_ptr<Heuristic> graph_distance(const Purpose& p) {
  return std::make_unique<GraphDistance>(p.views.system(), p.views.goal(), sum);
}

std::unique_ptr<Heuristic> active_processes(const Purpose& p) {
  return std::make_unique<ActiveProcesses>(p.views.network(p.watch), p.views.goal());
}

std::unique_ptr<Heuristic> hamming(const Purpose& p) {
  return std::make_unique<HammingDistance>(p.views.system(), p.views.goal());
}

std::unique_ptr<Heuristic> claim_distance(const Purpose& p) {
  return std::make_unique<ClaimDistance>(p.views.system(), p.views.goal());
}

template <class OnDomains>
std::unique_ptr<Heuristic> on_domains(const Purpose& p) {
  return std::make_unique<OnDomains>(p.views.domains(p.watch), p.watch);
}

std::unique_ptr<Heuristic> local_distance(const Purpose& p) {
  return std::make_unique<LocalDistance>(p.views.system(), p.views.goal(), p.guide);
}

std::unique_ptr<Heuristic> sibling_path(const Purpose& p) {
  return std::make_unique<SiblingPath>(p.views.system(), p.guide);
}

// A heuristic that looks distances up in what the workshop builds, or loads. With clocks it is another one.
template <class Database, class Build, class Load>
std::unique_ptr<Heuristic> look_up(const char* name, const Purpose& p, Build&& build, Load&& load) {
  const std::string key = p.clocks == Clocks::Use ? name + std::string(" with clocks") : name;
  return std::make_unique<LookUp<Database>>(
      p.workshop->get<Database>(key, p.views.fingerprint(), std::forward<Build>(build), std::forward<Load>(load)),
      p.clocks);
}

std::unique_ptr<Heuristic> zone_database(const Purpose& p) {
  using abstraction::ChosenZones;
  return look_up<ChosenZones>(
      "zdb", p, [&] { return abstraction::choose_zones(p.views.system(), p.views.goal(), p.abstraction(), p.watch); },
      [&](ArchiveReader& in) { return ChosenZones::load(in, p.views.system(), p.views.goal(), p.watch); });
}

// With clocks, the zone graph of a projection has a say, too.
std::unique_ptr<Heuristic> pattern_database(const Purpose& p) {
  using abstraction::PatternTables;
  auto tables = look_up<PatternTables>(
      "pdb", p, [&] { return PatternTables::build(p.views.factors(p.watch), p.abstraction(), p.watch); },
      [&](ArchiveReader& in) { return PatternTables::load(in, p.views.factors(p.watch)); });
  if (p.clocks == Clocks::Ignore || p.views.costs() != CostType::Unit) return tables;  // a zone database counts steps
  std::vector<std::unique_ptr<Heuristic>> parts;
  parts.push_back(std::move(tables));
  parts.push_back(zone_database(p));
  return std::make_unique<Combination>(Composition::Max, std::move(parts));
}

std::unique_ptr<Heuristic> symbolic_patterns(const Purpose& p) {
  using abstraction::SymbolicPatterns;
  return look_up<SymbolicPatterns>(
      "spdb", p, [&] { return SymbolicPatterns::build(p.views.system(), p.views.goal(), p.abstraction(), p.watch); },
      [&](ArchiveReader& in) { return SymbolicPatterns::load(in, p.views.system()); });
}

std::unique_ptr<Heuristic> merge_and_shrink(const Purpose& p) {
  using abstraction::MergeAndShrink;
  return look_up<MergeAndShrink>(
      "ms", p, [&] { return MergeAndShrink(p.views.factors(p.watch), p.abstraction(), p.watch); },
      [&](ArchiveReader& in) { return MergeAndShrink::load(in, p.views.factors(p.watch)); });
}

std::unique_ptr<Heuristic> predicate_abstraction(const Purpose& p) {
  using abstraction::PredicateAbstraction;
  return look_up<PredicateAbstraction>(
      "pa", p,
      [&] {
        return PredicateAbstraction(p.views.system(), p.views.goal(), p.clocks == Clocks::Use, p.abstraction(),
                                    p.watch);
      },
      [&](ArchiveReader& in) { return PredicateAbstraction::load(in, p.views.system()); });
}

constexpr Entry kTable[] = {
    {"hamming", false, true, false, false, false, false, "number of bits in which the state differs from the goal",
     "Yang and Dill 1998; Wehrle 2011, §1.4.1; Kupferschmid et al. 2006, §6",
     "States are strings of bits. Counts those in which the variables that the nearest goal clause speaks of differ "
     "from "
     "the nearest values that it allows; a condition on several variables counts as one. Cheap and coarse.",
     hamming},
    {"dL", true, true, false, false, false, false, "largest distance of a process to its goal location",
     "Wehrle 2011, §2.3; Edelkamp, Lluch-Lafuente and Leue 2001",
     "Graph distance inside each process that the goal names, ignoring variables and synchronisation; the maximum over "
     "the processes.",
     graph_distance<false>},
    {"dU", false, true, false, false, false, false, "sum of the distances of the processes to their goal locations",
     "Wehrle 2011, §2.3; Edelkamp, Lluch-Lafuente and Leue 2001",
     "Like dL, but the distances of the processes are added up. Not admissible, because one synchronisation can move "
     "two of them.",
     graph_distance<true>},
    {"hc", false, false, false, false, false, false, "distance of a claim to its end",
     "Andisha et al. 2015, §1; Edelkamp, Leue and Lluch-Lafuente 2004",
     "Graph distance inside the never claim of a Promela model, also of one that was made of a formula. Other errors, "
     "such as assertions, are passed over. Without a claim it is 0 in goal states and 1 elsewhere.",
     claim_distance},
    {"ha", false, true, false, false, false, false, "number of processes that can start a transition",
     "Edelkamp, Leue and Lluch-Lafuente 2004, §4.2",
     "For deadlocks: where fewer processes can go on, nobody being able to is nearer. Goals of other kinds are passed "
     "over.",
     active_processes},
    {"hL", true, true, true, false, true, false, "layers of the relaxed exploration until the goal",
     "Kupferschmid et al. 2006, §4; Wehrle 2011, §2.3",
     "Under the monotonicity abstraction variables only gain values. hL is the number of parallel steps until the goal "
     "can hold in that abstraction.",
     relaxation<RelaxedValue::Layers>},
    {"hU", false, true, true, true, true, false, "length of an abstract error path from the relaxed exploration",
     "Kupferschmid et al. 2006, §4 and appendix A; Wehrle 2011, §2.3",
     "Selects, backwards through the layers of hL, transitions that together reach the goal in the abstraction, and "
     "counts them.",
     relaxation<RelaxedValue::Plan>},
    {"hmax", true, true, true, false, true, false, "hL under its planning name",
     "Bonet and Geffner 2001; Kupferschmid et al. 2006, §3",
     "With unit costs h^max is the layer in which the goal appears, which is hL. With --cost, both are the cost of the "
     "dearest condition of the goal.",
     relaxation<RelaxedValue::Layers>},
    {"hadd", false, true, true, true, true, false, "sum of the costs of the goal's conditions in the relaxation",
     "Bonet and Geffner 2001",
     "Like hmax, but the costs of preconditions are added up instead of maximised, as if nothing served two purposes.",
     relaxation<RelaxedValue::Add>},
    {"hff", false, true, true, true, true, false, "length of a relaxed plan chosen by hadd",
     "Hoffmann and Nebel 2001; Keyder and Geffner 2008",
     "An abstract error path as for hU, but each condition is supported by the transition that is cheapest according "
     "to hadd.",
     relaxation<RelaxedValue::AddPlan>},
    {"lmcut", true, true, true, false, true, false,
     "number of sets of transitions of each of which every abstract path needs one", "Helmert and Domshlak 2009",
     "Finds one set after another, no two with a transition in common, as cuts through what hmax says of the relaxed "
     "exploration. At least hL and mostly far more; each estimate takes longer, by about the number of cuts.",
     landmark_cut},
    {"lmcount",
     false,
     true,
     true,
     true,
     true,
     false,
     "number of landmarks that are ahead, or needed again",
     "Hoffmann, Porteous and Sebastia 2004; Richter and Westphal 2010; Zhu and Givan 2003",
     "Landmarks are what must hold at some time on every path to the goal, found once before the search. The estimate "
     "counts those that the path to a state has not met, and those that it has lost and needs again. It takes next to "
     "no "
     "time, but sees no dead ends; max(hL, lmcount) does, and is often better than either. Where only the state is "
     "known, "
     "as in walks and with a cache, those count that the relaxed plan of hff meets, and dead ends are seen.",
     landmark_count,
     {},
     false},
    {"hCG", false, false, false, true, true, false,
     "causal graph heuristic: distances of variables, with those of the variables they depend on",
     "Wehrle 2011, §5.4; Helmert 2004, 2006",
     "Adds, for every step of a variable towards its goal value, the cost of bringing the variables that it depends on "
     "to "
     "where the step needs them, from where earlier steps left them. Dependencies that form cycles are cut.",
     on_domains<CausalGraphHeuristic>},
    {"hcea", false, false, false, true, true, false,
     "context-enhanced additive heuristic: hadd, with hCG's knowledge of where steps leave variables",
     "Helmert and Geffner 2008",
     "Like hCG, but no dependency is cut: the distances of all variables are found in one exploration.",
     on_domains<ContextEnhancedAdditive>},
    {"ms", true, true, false, false, true, false,
     "merge-and-shrink: distances in a product of all variables that was shrunk",
     "Dräger, Finkbeiner and Podelski 2006; Helmert et al. 2014; Sievers, Wehrle and Helmert 2014",
     "Multiplies the graphs of the variables, two at a time, and makes one of states until at most so many are left as "
     "a bound allows. Built before the search, looked up in every state; the larger the bound, the closer the estimate "
     "is to the true distance in the model without its clocks. Orders of merging: level (one product takes in the "
     "variables that have a say in it, those nearest to the goal first), reverse-level (those that influence most "
     "first), dfp (any two, those that take a step nearest to the goal together). Ways of shrinking: bisimulation "
     "(nothing is lost; beyond the bound states far from the goal are), bisimulation-f (beyond the bound those on "
     "expensive paths), f, distance (by distances alone, where the bound is exceeded).",
     merge_and_shrink, "states seconds merge_states merge shrink", false},
    {"pa", false, true, true, false, false, false, "distances in predicate abstractions of the parts of the network",
     "Hoffmann, Smaus, Rybalchenko, Kupferschmid and Podelski 2006",
     "The network is split into parts of a few processes, what depends on the others is removed, and each part is "
     "abstracted by predicates on variables and clocks. The abstract state spaces are built backwards from the goal "
     "before "
     "the search, and looked up in it. The distances in the parts are added up, which is not admissible where a "
     "synchronisation moves two parts at once. Models with derived variables are refused.",
     predicate_abstraction, "states seconds predicates split part_values refinements stop_rule", false, true, false},
    {"pdb", true, true, true, false, true, false, "distances in projections to some variables, from tables",
     "Culberson and Schaeffer 1998; Edelkamp 2001; Qian and Nymeyer 2004; Haslum et al. 2007",
     "Pattern databases. Before the search, the system is projected to some of its variables and locations, a pattern, "
     "and the distance of every abstract state to the goal is stored in a table, where the search looks it up. Several "
     "patterns are combined so that the estimate stays a lower bound. Clocks are ignored; with --heuristic-clocks the "
     "zone graph of a projection that has some is explored, as for zdb, and the larger estimate counts. Patterns are "
     "chosen "
     "(--patterns) by cegar: they grow where their abstract paths cannot be followed; hill: whatever improves the "
     "estimates of sampled states; cone: what influences the goal; doll: what an abstract error path of the "
     "monotonicity "
     "abstraction speaks of; downward: all but what abstract error paths stay real without. They are combined "
     "(--combine) by max; canonical: sums over those of which no transition changes two; saturated: sums over all, "
     "which "
     "share the costs of transitions; auto: saturated.",
     pattern_database, "states seconds zones+clocks pattern patterns combine", false},
    {"spdb", true, true, false, false, false, false,
     "distances in a projection to some variables, from a decision diagram",
     "Edelkamp 2002; Qian and Nymeyer 2004; Bui 2009, §3.2",
     "Symbolic pattern database. Before the search, the sets of abstract states at each distance from the goal are "
     "found "
     "as decision diagrams, as for sgmc, and made one diagram with distances at its leaves. What effects compute and "
     "choose is in it, so that it is there for models with choices and with several initial states, SMV's among them, "
     "and for patterns with far more abstract states than a table has room for. Models with clocks are refused. The "
     "pattern is that of --pattern, or the first layers of what the goal depends on, as many as fit: "
     "--abstraction-states bounds the nodes of the diagrams. If time or nodes do not suffice, the nearest distances "
     "are "
     "known, and all other states are farther.",
     symbolic_patterns, "states seconds pattern", true, false},
    {"zdb", true, true, true, false, false, false, "zone database: distances in the zone graph of a part of the model",
     "Hoffmann et al. 2006, §3",
     "Before the search, a part of the processes, variables and clocks is chosen by their influence on the goal, and "
     "the "
     "zone graph of the model projected to it is explored; an estimate is the distance there. With --heuristic-clocks "
     "only the abstract zones count that the zone of the state meets, otherwise all of its discrete state.",
     zone_database, "states seconds zones pattern", false},
    {"h0", false, false, false, false, false, true,
     "sum of the distances of processes to where those of a smaller sibling end", "Bui 2009, §6.2.1, §6.3.2",
     "The local-distance table: graph distances inside each process, to the locations that the goal names and, with "
     "--guide-from, to those in which the participants of a smaller sibling's path end. If all of the sibling's "
     "processes "
     "of a template take part, all of the model's count, otherwise the nearest ones, as many as took part. Without a "
     "sibling the property has to name locations.",
     local_distance},
    {"h1", false, false, false, true, false, true,
     "distance to the path to the goal of a smaller sibling, and the rest of that path", "Bui 2009, §6.2.1, figure 6.5",
     "The abstraction database: each point of the sibling's path is a pattern of the locations of the participants and "
     "the values of global variables. A state is as far from the goal as from the nearest point, and from there along "
     "the path. Needs --guide-from.",
     sibling_path},
};

}  // namespace

std::unique_ptr<Heuristic> Entry::make(const model::System& system, const std::vector<model::Clause>& goal, Clocks use,
                                       const GoalPath* guide, const Watch& watch) const {
  Views views(system, goal);
  return make(views, use, guide, watch);
}

std::span<const Entry> table() { return kTable; }

const Entry* find(std::string_view name) {
  const auto at = std::find_if(std::begin(kTable), std::end(kTable), [&](const Entry& e) { return name == e.name; });
  return at == std::end(kTable) ? nullptr : at;
}

const Entry& get(std::string_view name) {
  const Entry* entry = find(name.empty() ? "hU" : name);
  if (entry != nullptr) return *entry;
  std::vector<std::string> names;
  for (const Entry& e : kTable) names.emplace_back(e.name);
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

}  // namespace harrier::heur
