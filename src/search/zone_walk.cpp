#include "search/zone_walk.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/hash.h"

namespace harrier::search {

using step::Firing;
using zone::Atom;
using zone::Bound;
namespace dbm = zone::dbm;

namespace {

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

ZoneWalk::ZoneWalk(const step::Semantics& semantics, Budget& budget)
    : ZoneGenerator(semantics, budget.watch()), record_(budget), processes_(numbers(network_.process_count())) {
  made_.local.assign(system_.clocks.size(), 0);
}

bool ZoneWalk::start(Rng& rng) {
  record_.clear();
  uint32_t count = 0;
  initial([&] {
    if (rng.below(count + 1) == 0) {
      initial_ = count;
      note_candidate();
    }
    ++count;
    return true;
  });
  starts_ = count;
  if (count == 0) return false;
  finish_candidate();
  stand();
  return true;
}

void ZoneWalk::note_candidate() {
  made_values_ = values_;
  made_ = target_;
  made_zone_ = target_zone_;
}

void ZoneWalk::finish_candidate() {
  if (bounds_.diagonals().empty()) {
    dbm::extrapolate_lu_plus(made_zone_.data(), made_.dim(), made_.lower.data(), made_.upper.data());
  }
  values_ = made_values_;
}

void ZoneWalk::stand() {
  source_ = made_;
  std::copy(made_zone_.begin(), made_zone_.end(), source_zone_.begin());
}

void ZoneWalk::list() {
  moves_.clear();
  enabled_ = all_enabled();
  SourceFilter filter(*this);
  const auto add = [&](const Firing& firing) {
    moves_.add(firing);
    return true;
  };
  network_.for_each_firing(work_, values_.data(), add, &filter);
}

void ZoneWalk::begin_listing() {
  processes_.restart();
  committed_ = network_.committed(values_.data());
  enabled_ = all_enabled();
}

bool ZoneWalk::list_more(Rng& rng) {
  moves_.clear();
  SourceFilter filter(*this);
  const auto add = [&](const Firing& firing) {
    moves_.add(firing);
    return true;
  };
  while (const std::optional<uint32_t> process = processes_.draw(rng)) {
    network_.for_each_firing_of(work_, values_.data(), *process, committed_, add, &filter);
    if (moves_.size() != 0) return true;
  }
  return false;
}

bool ZoneWalk::go(const Firing& firing, uint32_t& part, Rng* rng) {
  const bool any = part == Move::kAnyPart;
  uint32_t count = 0;
  bool found = false;
  before_ = values_;
  expand(firing, enabled_, [&](uint32_t number, std::span<const Atom>) {
    ++count;
    if (any ? rng->below(count) == 0 : number == part) {
      found = true;
      if (any) part = number;
      note_candidate();
    }
    return any || !found;
  });
  if (found) finish_candidate();
  return found;
}

bool ZoneWalk::make(size_t i, Rng& rng) { return go(moves_.firing(i), moves_[i].part, &rng); }

void ZoneWalk::keep(size_t i) {
  record_.append(moves_.firing(i).edges, moves_[i].part);
  stand();
}

uint64_t ZoneWalk::hash() {
  uint64_t h = 0;
  for (const int32_t v : values_) h = mix64(h * 0x9fb21c651e98df25ULL + static_cast<uint32_t>(v));
  for (const Bound b : made_zone_) h = mix64(h * 0x9fb21c651e98df25ULL + static_cast<uint32_t>(b));
  return h;
}

std::optional<size_t> ZoneWalk::goal(bool) { return goal_in(made_zone_.data(), made_, values_.data(), nullptr); }

void ZoneWalk::return_to(uint64_t length) {
  record_.cut(length);
  uint32_t count = 0;
  initial([&] {
    if (count++ != initial_) return true;
    note_candidate();
    return false;
  });
  finish_candidate();
  stand();
  record_.for_each(length, [&](const WalkRecord::Step& step) {
    enabled_ = all_enabled();
    uint32_t part = step.part;
    std::vector<uint32_t> refused;
    if (!go(firing_of(step.edges, refused), part, nullptr))
      throw Error(ErrorKind::Internal, "a walk cannot be repeated");
    stand();
  });
}

model::Path ZoneWalk::path(size_t goal_clause) {
  std::vector<WalkRecord::Step> steps;
  record_.for_each(record_.steps(), [&](const WalkRecord::Step& step) { steps.push_back(step); });
  return follow(initial_, steps.size(), goal_clause, [&](uint64_t k, std::vector<uint32_t>& edges) {
    edges = steps[k].edges;
    return steps[k].part;
  });
}

}  // namespace harrier::search
