#include "search/clock_growth.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace harrier::search {

namespace {

model::System with_ticking_clock(const model::System& system) {
  model::System out = system;
  out.clocks.push_back({"tick", {}});
  return out;
}

std::array<ClockBounds::Entry, 1> at_least_one(const model::System& ticking) {
  return {{{static_cast<uint32_t>(ticking.clocks.size() - 1), 1, dbm::kNoBound}}};
}

uint32_t zone_words(const model::System& system) {
  const size_t entries = system.clocks.size() * system.clocks.size();
  return static_cast<uint32_t>((entries * sizeof(Bound) + sizeof(uint64_t) - 1) / sizeof(uint64_t));
}

}  // namespace

Ticking::Ticking(const model::System& model, const model::Property& property, const Watch& watch)
    : system(with_ticking_clock(model)), semantics(system, property, watch, at_least_one(system)) {}

ClockGrowth::ClockGrowth(const Ticking& ticking, model::ClockId clock, Budget& budget)
    : ZoneGenerator(ticking.semantics, budget.watch()),
      clock_(clock),
      states_(budget, semantics_.layout().words() + zone_words(system_)),
      discrete_(budget, semantics_.layout().words()),
      early_(budget, 1 + kMostCompared),
      goals_(budget, 1),
      arcs_(budget, 1),
      inner_(largest_zone()) {
  initial([&] {
    admit();
    return true;
  });
}

void ClockGrowth::load(uint64_t id) {
  ZoneGenerator::load(states_[id], [&](Bound*) { read_zone(id, source_.dim(), source_zone_); });
}

void ClockGrowth::read_zone(uint64_t id, uint32_t dim, std::vector<Bound>& zone) const {
  std::memcpy(zone.data(), states_[id] + semantics_.layout().words(), size_t{dim} * dim * sizeof(Bound));
}

uint64_t ClockGrowth::admit() {
  extrapolate();
  const uint32_t packed = semantics_.layout().words();
  state_.assign(packed + zone_words(system_), 0);
  std::copy_n(words(), packed, state_.data());
  std::memcpy(state_.data() + packed, target_zone_.data(), size_t{dim()} * dim() * sizeof(Bound));
  const auto [id, fresh] = states_.insert(state_.data());
  if (!fresh) return id;
  open_.push_back(id);
  *goals_.append() = goal().has_value();
  const auto [discrete, first] = discrete_.insert(state_.data());
  if (first) *early_.append() = 0;
  uint64_t* early = early_[discrete];
  if (early[0] < kMostCompared) early[++early[0]] = id;
  return id;
}

void ClockGrowth::expand_state(uint64_t id) {
  load(id);
  const uint64_t* early = early_[discrete_.insert(states_[id]).id];
  for (uint64_t i = 1; i <= early[0]; ++i) {
    if (early[i] == id) continue;
    read_zone(early[i], source_.dim(), inner_);
    if (dbm::includes(source_zone_.data(), inner_.data(), source_.dim())) *arcs_.append() = {id, early[i], false};
  }
  successors([&](const Firing&) {
    const auto resets = [&](const model::ClockReset& r) { return r.clock == clock_; };
    const bool lost = std::any_of(work_.resets().begin(), work_.resets().end(), resets);
    const uint64_t to = admit();
    if (!lost) *arcs_.append() = {id, to, false};
    return true;
  });
  if (!network_.may_delay(probe_, values_.data())) return;
  target_ = source_;
  target_zone_ = source_zone_;
  const uint32_t z = target_.local[tick().value];
  if (!dbm::constrain(target_zone_.data(), dim(), 0, z, bound_le(-1))) return;
  dbm::reset(target_zone_.data(), dim(), z, 0);
  meet_invariants(probe_, values_.data());
  pass_time(probe_, values_.data());
  offer([&] {
    *arcs_.append() = {id, admit(), true};
    return true;
  });
}

// Tarjan's algorithm without recursion. Components are complete in the order in which the goal can be reached from
// them: those that lead to a component come after it.
bool ClockGrowth::has_ticking_cycle() const {
  constexpr uint64_t kNone = UINT64_MAX;
  const uint64_t count = states_.size();
  std::vector<uint64_t> first(count + 1, 0);  // arc of each state
  for (uint64_t a = 0; a < arcs_.size(); ++a) ++first[arcs_[a]->from + 1];
  for (uint64_t i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<uint64_t> next(first.begin(), first.end() - 1);
  std::vector<const Arc*> arcs(arcs_.size());  // by state
  for (uint64_t a = 0; a < arcs_.size(); ++a) arcs[next[arcs_[a]->from]++] = arcs_[a];
  std::copy(first.begin(), first.end() - 1, next.begin());
  std::vector<uint64_t> order(count, kNone);  // in which states are entered
  std::vector<uint64_t> low(count, kNone);
  std::vector<uint64_t> component(count, kNone);
  std::vector<bool> reaches_goal;  // by component
  std::vector<uint64_t> open;      // states without a component yet
  std::vector<uint64_t> path;
  uint64_t entered = 0;
  const auto enter = [&](uint64_t state) {
    order[state] = low[state] = entered++;
    open.push_back(state);
    path.push_back(state);
  };
  // True if it is what is looked for.
  const auto complete = [&](uint64_t root) {
    const uint64_t number = reaches_goal.size();
    bool goal = false;
    bool ticks = false;
    const auto begin = std::find(open.rbegin(), open.rend(), root).base() - 1;
    for (auto it = begin; it != open.end(); ++it) component[*it] = number;
    for (auto it = begin; it != open.end(); ++it) {
      goal = goal || *goals_[*it];
      for (uint64_t a = first[*it]; a < first[*it + 1]; ++a) {
        const uint64_t into = component[arcs[a]->to];
        goal = goal || (into != number && reaches_goal[into]);
        ticks = ticks || (into == number && arcs[a]->ticks);
      }
    }
    open.erase(begin, open.end());
    reaches_goal.push_back(goal);
    return goal && ticks;
  };
  for (uint64_t start = 0; start < count; ++start) {
    if (order[start] != kNone) continue;
    enter(start);
    while (!path.empty()) {
      const uint64_t state = path.back();
      if (next[state] < first[state + 1]) {
        const uint64_t to = arcs[next[state]++]->to;
        if (order[to] == kNone) {
          enter(to);
        } else if (component[to] == kNone) {
          low[state] = std::min(low[state], order[to]);
        }
        continue;
      }
      watch_.poll();
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[state]);
      if (low[state] == order[state] && complete(state)) return true;
    }
  }
  return false;
}

ClockGrowth::Answer ClockGrowth::advance(uint64_t expansions) {
  for (; answer_ == Answer::Unknown && expansions > 0; --expansions) {
    watch_.poll();
    if (open_.empty()) {
      answer_ = has_ticking_cycle() ? Answer::Unbounded : Answer::Bounded;
      break;
    }
    const bool oldest = ++expanded_ % 2 == 0;
    const uint64_t id = oldest ? open_.front() : open_.back();
    oldest ? open_.pop_front() : open_.pop_back();
    expand_state(id);
    if (expanded_ != look_at_) continue;
    look_at_ *= 2;
    if (has_ticking_cycle()) answer_ = Answer::Unbounded;
  }
  return answer_;
}

}  // namespace harrier::search
