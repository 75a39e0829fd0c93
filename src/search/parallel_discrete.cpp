#include "search/parallel_discrete.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"
#include "search/stored_path.h"

namespace harrier::search {

using store::Origin;
using store::PartedTable;

namespace {

// Candidates that are looked up together, so that their memory is waited for at the same time.
constexpr size_t kTogether = 16;
constexpr size_t kAhead = 8;

// In the table, until it is settled, a new state has the number of its candidate in its unit.
constexpr uint64_t kUnsettled = uint64_t{1} << (PartedTable::kNumberBits - 1);
constexpr uint32_t kCandidateBits = 25;
constexpr uint64_t kLastCandidate = (uint64_t{1} << kCandidateBits) - 1;

}  // namespace

ParallelDiscreteSpace::ParallelDiscreteSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads,
                                             bool reduce, std::shared_ptr<const model::Symmetry> symmetry)
    : semantics_(semantics),
      budget_(budget),
      threads_(threads),
      width_(semantics.layout().words()),
      has_goal_(!semantics.goal().empty()),
      has_control_(semantics.system().control.valid()),
      // States of exclusive control are passed through where paths need not be shortest ones.
      layers_{.reduce = reduce, .pass_through = reduce},
      independence_(step::independence_for(semantics, layers_, budget.watch())),
      symmetry_(std::move(symmetry)),
      states_(budget, width_),
      origins_(budget, 1),
      table_(budget) {
  static_assert(kBlock < uint64_t{1} << (PartedTable::kNumberBits - 1 - kCandidateBits));
  if (independence_ == nullptr) layers_ = {};
}

ParallelDiscreteSpace::Worker::Worker(ParallelDiscreteSpace& of, uint32_t number)
    : space(of),
      who(number),
      generator(of.semantics_, of.budget_.watch()),
      layers(generator, of.independence_, of.layers_, of.budget_),
      names(of.budget_) {
  if (of.symmetry_) arrangement.emplace(of.symmetry_, of.semantics_.system());
}

void ParallelDiscreteSpace::Worker::recover(Unit& unit) {
  if (layers.passing() != nullptr) {
    count_passed(unit);
    const std::optional<uint32_t> way = names.of_way(*layers.passing());
    if (way) unit.way = label_of_all(*way, who, space.threads_);
  }
  layers.recover();
}

void ParallelDiscreteSpace::Worker::count_passed(Unit& unit) {
  const uint64_t more = layers.passed() - passed;
  passed += more;
  unit.passed += more;
  unit.generated += more;
}

void ParallelDiscreteSpace::hire(uint32_t who) { workers_.push_back(std::make_unique<Worker>(*this, who)); }

uint64_t ParallelDiscreteSpace::hash_of(uint64_t number) const { return hash_words(states_[number], width_); }

uint64_t ParallelDiscreteSpace::number_of(uint64_t hash, const uint64_t* words) const {
  return table_.find(hash, [&](uint64_t number) { return std::equal(words, words + width_, states_[number]); }).number;
}

void ParallelDiscreteSpace::take_candidate(Worker& worker, Unit& unit, const step::Firing& firing, uint64_t end) const {
  step::DiscreteGenerator& generator = worker.generator;
  const auto write = [&](uint32_t variable, int32_t value) { generator.rewrite(variable, value); };
  if (worker.arrangement) worker.arrangement->arrange(generator.values(), {}, write);
  const uint64_t* words = generator.words();
  const uint64_t hash = hash_words(words, width_);
  ++unit.generated;
  worker.count_passed(unit);
  const auto label = [&] {
    return label_of_all(worker.names.of_step(firing.edges, firing.choices, worker.layers.passing()), worker.who,
                        threads_);
  };
  if (!worker.layers.reduces()) {
    table_.fetch(hash);
    add_candidate(unit, words, hash, unit.failed, label());
    if (unit.candidates.size() - unit.sifted >= kTogether) sift(unit);
    return;
  }
  // The reduction wants to know at once.
  const uint64_t number = number_of(hash, words);
  const bool known = number != PartedTable::kNone;
  if ((!known || number >= end) && !generator.is_transient()) worker.leads_on = true;
  if (known) return;
  add_candidate(unit, words, hash, unit.failed, label());
  unit.sifted = unit.candidates.size();
}

void ParallelDiscreteSpace::add_candidate(Unit& unit, const uint64_t* words, uint64_t hash, size_t parent,
                                          uint32_t label) const {
  if (unit.candidates.size() > kLastCandidate) refuse_unsupported("so many successors by several threads");
  unit.words.insert(unit.words.end(), words, words + width_);
  unit.candidates.push_back({.hash = hash,
                             .parent = static_cast<uint32_t>(parent),
                             .label = label,
                             .generated = static_cast<uint32_t>(unit.generated)});
}

// Leaves out the candidates since the last time that the store has.
void ParallelDiscreteSpace::sift(Unit& unit) const {
  const size_t end = unit.candidates.size();
  for (size_t i = unit.sifted; i < end; ++i) {
    table_.find(unit.candidates[i].hash, [&](uint64_t number) {
      __builtin_prefetch(states_[number]);
      return true;
    });
  }
  size_t kept = unit.sifted;
  for (size_t i = unit.sifted; i < end; ++i) {
    const uint64_t* words = unit.words.data() + i * width_;
    if (number_of(unit.candidates[i].hash, words) != PartedTable::kNone) continue;
    if (kept != i) {
      unit.candidates[kept] = unit.candidates[i];
      std::copy_n(words, width_, unit.words.data() + kept * width_);
    }
    ++kept;
  }
  unit.candidates.resize(kept);
  unit.words.resize(kept * width_);
  unit.sifted = kept;
}

void ParallelDiscreteSpace::expand_initial(Unit& unit) {
  Worker& worker = *workers_[0];
  generate_for(worker, unit, [&] {
    worker.generator.initial([&] {
      const uint64_t* words = worker.generator.words();
      ++unit.generated;
      add_candidate(unit, words, hash_words(words, width_), 0, worker.names.of_beginning(worker.generator.choices()));
      return true;
    });
  });
  worker.violated_in.resize(worker.generator.violations().size(), 0);
}

void ParallelDiscreteSpace::expand(uint32_t who, Unit& unit, std::span<const uint64_t> block) {
  Worker& worker = *workers_[who];
  const uint64_t end = block.back() + 1;
  expand_each(worker, unit, block, budget_.watch(), [&](uint64_t number) {
    const auto load = [&] { worker.generator.load(states_[number]); };
    load();
    worker.leads_on = false;
    const auto take = [&](const step::Firing& firing) {
      take_candidate(worker, unit, firing, end);
      return true;
    };
    if (worker.layers.successors(
            load, [&] { return worker.leads_on; }, take))
      ++unit.reduced;
    worker.count_passed(unit);
  });
  sift(unit);
}

void ParallelDiscreteSpace::list_own(Worker& worker, uint32_t share, uint32_t shares, std::span<Unit> units) const {
  worker.own.clear();
  worker.of_part.assign(PartedTable::kParts, 0);
  for (uint32_t u = 0; u < units.size(); ++u) {
    const std::vector<Candidate>& candidates = units[u].candidates;
    for (uint32_t i = 0; i < candidates.size(); ++i) {
      const uint32_t part = PartedTable::part_of(candidates[i].hash);
      if (part % shares != share) continue;
      worker.own.push_back({u, i});
      ++worker.of_part[part];
    }
  }
}

void ParallelDiscreteSpace::take_in(uint32_t share, uint32_t shares, std::span<Unit> units, std::span<const uint64_t>) {
  Worker& worker = *workers_[share];
  list_own(worker, share, shares, units);
  for (uint32_t part = share; part < PartedTable::kParts; part += shares) {
    if (worker.of_part[part] == 0) continue;
    budget_.poll();
    table_.make_room(
        part, worker.of_part[part], [&](uint64_t number) { return hash_of(number); },
        [&](uint64_t number) { __builtin_prefetch(states_[number]); });
  }
  const auto words_of = [&](uint64_t number) -> const uint64_t* {
    if ((number & kUnsettled) == 0) return states_[number];
    const uint64_t unsettled = number & ~kUnsettled;
    return units[unsettled >> kCandidateBits].words.data() + (unsettled & kLastCandidate) * width_;
  };
  for (size_t i = 0; i < worker.own.size(); ++i) {
    if (i + kAhead < worker.own.size()) {
      const Worker::Own& later = worker.own[i + kAhead];
      table_.fetch(units[later.unit].candidates[later.candidate].hash);
    }
    const auto [u, c] = worker.own[i];
    Unit& unit = units[u];
    Candidate& candidate = unit.candidates[c];
    const uint64_t* words = unit.words.data() + size_t{c} * width_;
    const auto place = table_.find(
        candidate.hash, [&](uint64_t number) { return std::equal(words, words + width_, words_of(number)); });
    if (place.number != PartedTable::kNone) continue;
    candidate.at = place.at;
    table_.add(candidate.hash, place.at, kUnsettled | uint64_t{u} << kCandidateBits | c);
    ++unit.fresh[share];
  }
}

void ParallelDiscreteSpace::make_room(uint64_t states) {
  states_.resize(states);
  origins_.resize(states);
}

void ParallelDiscreteSpace::settle(uint32_t who, Unit& unit, std::span<const uint64_t> block) {
  uint64_t number = unit.number;
  bool over = false;
  for (size_t c = 0; c < unit.candidates.size(); ++c) {
    const Candidate& candidate = unit.candidates[c];
    if (!candidate.fresh()) continue;
    std::copy_n(unit.words.data() + c * width_, width_, states_[number]);
    *origins_[number] = {block.empty() ? Origin::kNoParent : block[candidate.parent], candidate.label};
    table_.set(candidate.hash, candidate.at, number);
    if (!over && (has_goal_ || has_control_)) over = shows_something(*workers_[who], unit, candidate, number);
    ++number;
  }
}

bool ParallelDiscreteSpace::shows_something(Worker& worker, Unit& unit, const Candidate& candidate,
                                            uint64_t number) const {
  step::DiscreteGenerator& generator = worker.generator;
  generator.load(states_[number]);
  if (has_control_ && generator.is_transient()) ++unit.transient;
  return look_for_goal(generator, unit, candidate, number, [&] { return generator.goal(); });
}

std::vector<model::PathStep> ParallelDiscreteSpace::steps_of(uint32_t label) const {
  return workers_[label % threads_]->names.steps_of(label / threads_);
}

model::Path ParallelDiscreteSpace::path_to_failure(uint64_t number, const Unit& unit) const {
  return path_to(number, step::kNoClause, unit.way ? steps_of(*unit.way) : std::vector<model::PathStep>());
}

model::Path ParallelDiscreteSpace::path_to(uint64_t number, size_t goal_clause,
                                           std::vector<model::PathStep> more) const {
  StoredPath out(number);
  for (Origin origin = *origins_[number]; !origin.initial(); origin = *origins_[out.first()]) {
    out.prepend(origin.parent(), steps_of(origin.label()));
  }
  model::Path path = out.path(workers_[0]->names.choices_of_beginning(origins_[out.first()]->label()), goal_clause);
  std::move(more.begin(), more.end(), std::back_inserter(path.steps));
  if (symmetry_) out.rename(path, semantics_, symmetry_, [&](uint64_t state) { return states_[state]; });
  return path;
}

void ParallelDiscreteSpace::for_each_discrete(const std::function<bool(const int32_t*)>& visit) const {
  std::vector<int32_t> values(semantics_.system().variables.size());
  for (uint64_t i = 0; i < states_.size(); ++i) {
    semantics_.layout().unpack(states_[i], values.data());
    if (!visit(values.data())) break;
  }
}

std::vector<step::Machine::Violation> ParallelDiscreteSpace::violations() const { return first_violations(workers_); }

}  // namespace harrier::search
