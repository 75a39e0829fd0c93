#include "search/parallel_discrete.h"

#include <algorithm>

#include "base/hash.h"

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

// A label of its own kind: a sequence of choices.
constexpr uint32_t kManyChoices = 1;

}  // namespace

ParallelDiscreteSpace::ParallelDiscreteSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads)
    : semantics_(semantics),
      budget_(budget),
      threads_(threads),
      width_(semantics.layout().words()),
      has_goal_(!semantics.goal().empty()),
      has_control_(semantics.system().control.valid()),
      states_(budget, width_),
      origins_(budget, 1),
      table_(budget) {
  static_assert(kBlock < uint64_t{1} << (PartedTable::kNumberBits - 1 - kCandidateBits));
}

void ParallelDiscreteSpace::hire(uint32_t) { workers_.push_back(std::make_unique<Worker>(semantics_, budget_)); }

uint64_t ParallelDiscreteSpace::hash_of(uint64_t number) const { return hash_words(states_[number], width_); }

uint32_t ParallelDiscreteSpace::choice_number(uint32_t who, std::span<const int32_t> choices) {
  if (choices.empty()) return 0;
  const std::span<const uint32_t> values(reinterpret_cast<const uint32_t*>(choices.data()), choices.size());
  return 1 + label_of_all(workers_[who]->choices.of(values, kManyChoices), who, threads_);
}

std::vector<int32_t> ParallelDiscreteSpace::choices_of(uint32_t number) const {
  std::vector<int32_t> out;
  if (number == 0) return out;
  workers_[(number - 1) % threads_]->choices.for_each_step((number - 1) / threads_,
                                                           [&](std::span<const uint32_t> values, uint32_t) {
                                                             for (const uint32_t v : values)
                                                               out.push_back(static_cast<int32_t>(v));
                                                           });
  return out;
}

void ParallelDiscreteSpace::add_candidate(Unit& unit, Worker& worker, size_t parent, uint32_t label) const {
  const uint64_t* words = worker.generator.words();
  const uint64_t hash = hash_words(words, width_);
  table_.fetch(hash);
  if (unit.candidates.size() > kLastCandidate) refuse_unsupported("so many successors by several threads");
  unit.words.insert(unit.words.end(), words, words + width_);
  ++unit.generated;
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
    const auto place = table_.find(unit.candidates[i].hash,
                                   [&](uint64_t number) { return std::equal(words, words + width_, states_[number]); });
    if (place.number != PartedTable::kNone) continue;
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
      add_candidate(unit, worker, 0, choice_number(0, worker.generator.choices()));
      return true;
    });
  });
  worker.violated_in.resize(worker.generator.violations().size(), 0);
}

void ParallelDiscreteSpace::expand(uint32_t who, Unit& unit, std::span<const uint64_t> block) {
  Worker& worker = *workers_[who];
  expand_each(worker, unit, block, budget_.watch(), [&](uint64_t number) {
    worker.generator.load(states_[number]);
    worker.generator.successors([&](const step::Firing& firing) {
      const uint32_t label = worker.labels.of(firing.edges, choice_number(who, firing.choices));
      add_candidate(unit, worker, unit.failed, label_of_all(label, who, threads_));
      if (unit.candidates.size() - unit.sifted >= kTogether) sift(unit);
      return true;
    });
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

model::Path ParallelDiscreteSpace::path_to(uint64_t number, size_t goal_clause) const {
  model::Path path;
  path.goal_clause = goal_clause;
  for (; !origins_[number]->initial(); number = origins_[number]->parent()) {
    const uint32_t label = origins_[number]->label();
    workers_[label % threads_]->labels.for_each_step(label / threads_,
                                                     [&](std::span<const uint32_t> edges, uint32_t choices) {
                                                       model::PathStep& step = path.steps.emplace_back();
                                                       step.choices = choices_of(choices);
                                                       for (const uint32_t e : edges)
                                                         step.edges.push_back(model::EdgeId(e));
                                                     });
  }
  std::reverse(path.steps.begin(), path.steps.end());
  path.beginning = choices_of(origins_[number]->label());
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
