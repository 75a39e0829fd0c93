#include "abstraction/predicates/predicate_abstraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "abstraction/predicates/path_check.h"
#include "abstraction/predicates/regressed_space.h"
#include "abstraction/predicates/split.h"
#include "base/error.h"
#include "base/suggest.h"

namespace harrier::abstraction {

namespace {

constexpr PredicateSource kSources[] = {
    {"syntax", "what guards, invariants and the goal compare", false},
    {"refinement", "what shortest abstract paths to the goal turn out to lack", true},
};
constexpr PartCombination kCombinations[] = {
    {"sum", "the values of the parts are added up", true},
    {"max", "the largest value of a part counts, which is admissible", false},
};

template <class Entry, size_t size>
const Entry& find(const Entry (&table)[size], const std::string& name) {
  for (const Entry& entry : table) {
    if (name == entry.name) return entry;
  }
  std::vector<std::string> names;
  for (const Entry& entry : table) names.emplace_back(entry.name);
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

}  // namespace

std::span<const PredicateSource> predicate_sources() { return kSources; }
std::span<const PartCombination> part_combinations() { return kCombinations; }

class PredicateAbstraction::Builder {
 public:
  Builder(PredicateAbstraction& out, const model::System& system, const std::vector<model::Clause>& goal, bool clocks,
          const AbstractionOptions& options, const Watch& watch)
      : out_(out),
        options_(options),
        refines_(find(kSources, options.predicates).refines),
        clocks_(clocks),
        watch_(watch),
        bench_(system, goal, watch),
        solver_(bench_, over_) {}

  void build() {
    const Split split = split_network(bench_.system, bench_.accesses, options_.split, watch_);
    std::vector<Part> parts;
    limit(options_.seconds / 2);
    for (const auto& processes : split.parts) parts.push_back(make_part(bench_, processes, over_));
    detail("parts", std::to_string(parts.size()));
    if (split.parts.size() > 1) {
      detail("interactions", fmt::format("{} kept, {} violated", split.kept, split.violated));
    }
    size_t left = static_cast<size_t>(
        std::count_if(parts.begin(), parts.end(), [](const Part& part) { return !part.is_trivial(); }));
    size_t trivial = 0;
    for (const Part& part : parts) {
      if (part.is_trivial()) {
        ++trivial;
        continue;
      }
      limit(seconds() + (options_.seconds - seconds()) / static_cast<double>(left));
      build(part, (options_.states - std::min(options_.states, out_.report_.states)) / left);
      --left;
    }
    if (trivial != 0) detail("parts without a say in the goal", std::to_string(trivial));
    finish();
  }

 private:
  // What was built for a part.
  struct Attempt {
    std::vector<Predicate> predicates;
    std::unique_ptr<Cartesian> cartesian;
    std::unique_ptr<RegressedSpace> space;
    std::optional<uint32_t> start;  // the nearest abstract state of the initial state
    uint32_t length = kInfinity;
  };

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
  void limit(double until) { until_ = until; }
  void detail(const std::string& name, const std::string& text) { out_.report_.details.emplace_back(name, text); }

  Attempt attempt(const Part& part, const PredicateSet& predicates, uint64_t most_states) {
    Attempt out;
    out.predicates = predicates.all();
    out.cartesian = std::make_unique<Cartesian>(bench_, part, out.predicates, solver_, over_);
    if (!out.cartesian->complete()) return out;
    out.space = std::make_unique<RegressedSpace>(*out.cartesian, most_states, over_);
    settled_.add(out.cartesian->settled());
    out.start = out.space->nearest(out.cartesian->initial_members());
    if (out.start) {
      out.length = out.space->state(*out.start).distance;
    } else if (!out.space->complete()) {
      out.length = out.space->horizon();
    }
    return out;
  }

  // Refines until a path is feasible or none is left; tells what happened.
  std::string refine(const Part& part, PredicateSet& predicates, Attempt& best, uint64_t most_states) {
    std::string lengths = best.length == kInfinity ? "none" : std::to_string(best.length);
    std::string ending;
    uint32_t iterations = 0;
    while (ending.empty()) {
      if (!best.start) {
        ending = best.space->complete() ? "no abstract path is left" : "the budget is used up";
        break;
      }
      std::vector<uint32_t> steps;
      uint32_t at = *best.start;
      for (; best.space->state(at).next != UINT32_MAX; at = best.space->state(at).next) {
        steps.push_back(best.space->state(at).step);
      }
      const size_t known = predicates.all().size();
      ++paths_;
      if (is_feasible(bench_, solver_, part, steps, best.space->state(at).step, predicates)) {
        ending = "the path is feasible";
      } else if (iterations == options_.refinements) {
        ending = "the path is spurious, no more iterations";
      } else if (predicates.all().size() == known) {
        ending = "the path is spurious, and gives no new predicate";
      } else {
        Attempt next = attempt(part, predicates, most_states);
        if (!next.space || !next.space->complete()) {
          ending = "the budget is used up";
          break;
        }
        ++iterations;
        lengths += next.length == kInfinity ? ", none" : ", " + std::to_string(next.length);
        if (options_.stop_rule && next.length <= best.length) {
          ending = "the paths no longer grow";
          break;
        }
        best = std::move(next);
      }
    }
    return fmt::format("{} iterations, abstract paths of length {}: {}", iterations, lengths, ending);
  }

  void build(const Part& part, uint64_t most_states) {
    PredicateSet predicates(bench_.values);
    if (refines_) {
      add_predicates_of_aims(bench_, part, predicates);
    } else {
      add_predicates_of_syntax(bench_, part, predicates);
    }
    Attempt result = attempt(part, predicates, most_states);
    const std::string name = part.name(bench_.system);
    if (!result.space) {
      detail(name, "left out, the time is used up");
      return;
    }
    std::string text = fmt::format("{} steps, {} conditions and {} synchronisations removed", part.steps.size(),
                                   part.removed_conditions, part.removed_synchronisations);
    if (refines_) {
      const std::string story = refine(part, predicates, result, most_states);
      text += "; " + story;
    } else {
      text += result.length == kInfinity
                  ? "; no abstract path"
                  : fmt::format("; abstract path of length {}{}", result.length, result.start ? "" : " or more");
    }
    text += fmt::format("; {} predicates, {} abstract states", result.predicates.size(), result.space->size());
    if (!result.space->complete()) text += fmt::format(", cut at distance {}", result.space->horizon());
    detail(name, text);
    std::string list;
    for (const Predicate& p : result.predicates) list += (list.empty() ? "" : ", ") + to_text(bench_.system, p);
    if (!list.empty()) detail("predicates of " + name, list);
    if (result.length == kInfinity) out_.report_.proved = true;
    store(part, *result.cartesian, *result.space);
  }

  void store(const Part& part, const Cartesian& cartesian, RegressedSpace& space) {
    Table& table = out_.tables_.emplace_back();
    std::vector<bool> dropped;
    for (const Cartesian::Dimension& d : cartesian.dimensions()) {
      dropped.push_back(false);
      switch (d.kind) {
        case Cartesian::Dimension::Kind::Location:
          table.locations.push_back({part.processes[d.process].variable, d.first_element});
          break;
        case Cartesian::Dimension::Kind::Variables: table.variables.push_back({d.predicate, d.first_element}); break;
        case Cartesian::Dimension::Kind::Clocks:
          // Where nothing is known of clocks, each may have any value.
          dropped.back() = !clocks_;
          if (clocks_) table.clocks.push_back({d.predicate, d.first_element});
          break;
      }
    }
    table.elements = cartesian.elements();
    if (std::none_of(dropped.begin(), dropped.end(), [](bool d) { return d; })) {
      table.tree = space.take_tree();
    } else {
      insert(cartesian, space, dropped, table.tree);
    }
    if (!space.complete()) table.tree.insert({}, space.horizon());
    table.tree.freeze();
    out_.report_.states += table.tree.sets();
    out_.report_.bytes += table.tree.bytes();
  }
  // The abstract states without some dimensions.
  void insert(const Cartesian& cartesian, const RegressedSpace& space, const std::vector<bool>& dropped, UBTree& out) {
    std::vector<uint32_t> set;
    for (uint32_t id = 0; id < space.size(); ++id) {
      if (id % 1024 == 0) watch_.poll();
      set.clear();
      for (uint32_t d = 0; d < cartesian.width(); ++d) {
        const uint16_t value = space.values(id)[d];
        if (value != Cartesian::kAny && !dropped[d]) set.push_back(cartesian.dimensions()[d].first_element + value);
      }
      out.insert(set, space.state(id).distance);
    }
  }

  void finish() {
    const uint64_t without = settled_.syntax + settled_.memory + settled_.enumeration + settled_.zones;
    detail("implications",
           fmt::format("{} by the step, {} known, {} by enumeration, {} by zones, {} by Z3", settled_.syntax,
                       settled_.memory, settled_.enumeration, settled_.zones, settled_.solver));
    detail("Z3", fmt::format("{} calls; {} implications{} settled without", solver_.calls(), without,
                             paths_ == 0 ? "" : fmt::format(" and {} paths checked", paths_)));
    out_.report_.seconds = seconds();
  }

  PredicateAbstraction& out_;
  const AbstractionOptions& options_;
  bool refines_;
  bool clocks_;
  const Watch& watch_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double until_ = 0;
  std::function<bool()> over_ = [this] {
    watch_.poll();
    return seconds() > until_;
  };
  Workbench bench_;
  Solver solver_;
  SettledBy settled_;
  uint64_t paths_ = 0;
};

PredicateAbstraction::PredicateAbstraction(const model::System& system, const std::vector<model::Clause>& goal,
                                           bool clocks, const AbstractionOptions& options, const Watch& watch)
    : sum_(find(kCombinations, options.part_values).adds) {
  report_.heuristic = "pa";
  Builder(*this, system, goal, clocks, options, watch).build();
}

PredicateAbstraction::Scratch PredicateAbstraction::make_scratch() const {
  Scratch out;
  for (const Table& table : tables_) {
    out.parts_.push_back({std::vector<uint8_t>(table.elements, 0), std::vector<uint32_t>(table.locations.size(), 0)});
  }
  return out;
}

uint32_t PredicateAbstraction::look_up_in_part(size_t part, const int32_t* state, const zone::ZoneView& zone,
                                               Scratch& scratch) const {
  const Table& table = tables_[part];
  uint8_t* const members = scratch.parts_[part].members.data();
  std::vector<uint32_t>& located = scratch.parts_[part].located;
  for (size_t i = 0; i < table.locations.size(); ++i) {
    members[located[i]] = 0;
  }
  for (size_t i = 0; i < table.locations.size(); ++i) {
    const Location& location = table.locations[i];
    located[i] = location.first_element + static_cast<uint32_t>(state[location.variable]);
    members[located[i]] = 1;
  }
  for (const Literal& literal : table.variables) {
    const bool holds = literal.predicate.holds(state);
    members[literal.first_element] = holds ? 0 : 1;
    members[literal.first_element + 1] = holds ? 1 : 0;
  }
  for (const Literal& literal : table.clocks) {
    const ClockAtom& atom = literal.predicate.clocks;
    bool may_hold = true;
    bool may_fail = true;
    const auto row = [&](uint32_t clock) { return clock == 0 ? 0 : zone.local[clock]; };
    if (zone.matrix != nullptr && row(atom.left) != 0 && (atom.right == 0 || row(atom.right) != 0)) {
      const uint32_t i = row(atom.left);
      const uint32_t j = row(atom.right);
      may_hold = zone::dbm::satisfiable(zone.matrix, zone.dim, i, j, atom.bound);
      may_fail = zone::dbm::satisfiable(zone.matrix, zone.dim, j, i, zone::negate(atom.bound));
    }
    members[literal.first_element] = may_fail ? 1 : 0;
    members[literal.first_element + 1] = may_hold ? 1 : 0;
  }
  return table.tree.smallest_subset(members, kInfinity);
}

uint32_t PredicateAbstraction::look_up(const int32_t* state, const zone::ZoneView& zone, Scratch& scratch) const {
  uint32_t total = 0;
  for (size_t part = 0; part < tables_.size(); ++part) {
    const uint32_t own = look_up_in_part(part, state, zone, scratch);
    if (own == kInfinity) return kInfinity;
    total = sum_ ? total + own : std::max(total, own);
  }
  return total;
}

void PredicateAbstraction::save(ArchiveWriter& out) const {
  out.number(sum_ ? 1 : 0);
  out.number(report_.proved ? 1 : 0);
  out.number(report_.details.size());
  for (const auto& [title, text] : report_.details) {
    out.text(title);
    out.text(text);
  }
  out.number(tables_.size());
  for (const Table& table : tables_) {
    out.number(table.elements);
    out.number(table.locations.size());
    for (const Location& location : table.locations) {
      out.number(location.variable);
      out.number(location.first_element);
    }
    for (const std::vector<Literal>* literals : {&table.variables, &table.clocks}) {
      out.number(literals->size());
      for (const Literal& literal : *literals) {
        abstraction::save(literal.predicate, out);
        out.number(literal.first_element);
      }
    }
    table.tree.save(out);
  }
}

PredicateAbstraction PredicateAbstraction::load(ArchiveReader& in, const model::System& system) {
  PredicateAbstraction out;
  out.sum_ = in.number(1) == 1;
  out.report_.heuristic = "pa";
  out.report_.proved = in.number(1) == 1;
  for (uint64_t left = in.number(); left > 0; --left) {
    const std::string title(in.text());
    out.report_.details.emplace_back(title, in.text());
  }
  for (uint64_t left = in.number(); left > 0; --left) {
    Table& table = out.tables_.emplace_back();
    table.elements = static_cast<uint32_t>(in.number(UINT32_MAX - 1));
    // The elements from this one on, as many as there are values, are those of the table.
    const auto first_of = [&](uint64_t values) {
      const uint64_t first = in.number(UINT32_MAX);
      if (first + values > table.elements) in.fail("an element is out of range");
      return static_cast<uint32_t>(first);
    };
    for (uint64_t locations = in.number(); locations > 0; --locations) {
      const auto variable = static_cast<uint32_t>(in.number(system.variables.size() - 1));
      const model::Variable& location = system.variables[variable];
      if (location.lo < 0) in.fail("a location is out of range");
      table.locations.push_back({variable, first_of(static_cast<uint64_t>(location.hi) + 1)});
    }
    for (std::vector<Literal>* literals : {&table.variables, &table.clocks}) {
      for (uint64_t count = in.number(); count > 0; --count) {
        Predicate predicate = load_predicate(in, system);
        const uint32_t first = first_of(2);
        literals->push_back({std::move(predicate), first});
      }
    }
    table.tree = UBTree::load(in, table.elements);
    out.report_.states += table.tree.sets();
    out.report_.bytes += table.tree.bytes();
  }
  return out;
}

}  // namespace harrier::abstraction
