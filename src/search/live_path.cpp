// From the transitions of a maximal path to a path that has a concrete run: goes the same way again without
// extrapolation, where a zone that is not empty has a run, and tries the parts in turn.
#include <algorithm>

#include "search/live_zones.h"

namespace harrier::search {

namespace {

void append(std::vector<model::ClockAtom>& to, const std::vector<model::ClockAtom>& atoms) {
  to.insert(to.end(), atoms.begin(), atoms.end());
}

}  // namespace

void LiveZones::recall(const Moment& moment) {
  load_values(moment.values);
  find_active(values_.data(), source_);
  std::copy_n(moment.zone.data(), size_t{source_.dim()} * source_.dim(), source_zone_.data());
}

// The candidate's zone on arrival becomes moments: the ways to stay there.
void LiveZones::add_moments(std::vector<Moment>& out, std::vector<model::ClockAtom> extra, bool bound,
                            std::span<const model::ClockAtom> beyond) {
  Zone zone(target_.dim(), target_zone_.data());
  std::vector<model::ClockAtom> arrival;
  for (const model::ClockAtom& a : beyond) {
    const uint32_t left = target_.local[a.left.value];
    const uint32_t right = target_.local[a.right.value];
    if (left == right) continue;  // a clock that does not matter here
    if (!zone.constrain(left, right, make_bound(a.bound, a.strict))) return;
    arrival.push_back(a);
  }
  const uint64_t discrete = intern();
  if (!bound) {
    target_zone_.assign(zone.data(), zone.data() + size_t{zone.dim()} * zone.dim());
    pass_time(probe_, values_.data());
    out.push_back({values_, discrete, std::move(extra), std::move(arrival), {}, Zone(zone.dim(), target_zone_.data())});
    return;
  }
  for (Stay& stay : stays(facts_of(discrete), std::move(zone))) {
    Moment moment{values_, discrete, extra, arrival, global(stay.leaving, target_), std::move(stay.zone)};
    append(moment.arrival, global(stay.arrival, target_));
    out.push_back(std::move(moment));
  }
}

std::vector<LiveZones::Moment> LiveZones::first_moments(bool bound, std::span<const model::ClockAtom> beyond) {
  std::vector<Moment> out;
  if (enter_initial()) add_moments(out, {}, bound, beyond);
  return out;
}

std::vector<LiveZones::Moment> LiveZones::committed_moments(const Moment& from) {
  recall(from);
  target_ = source_;
  const Zone whole = everything(invariant_atoms(source_), source_.dim());
  std::vector<Moment> out;
  for (const CompiledClause& clause : semantics_.premise()) {
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    for (const Piece& part : parts_of(clause, from.zone, whole, source_, values_.data())) {
      target_zone_.assign(part.zone.data(), part.zone.data() + size_t{part.zone.dim()} * part.zone.dim());
      const size_t first = out.size();
      add_moments(out, {}, true, {});
      for (size_t i = first; i < out.size(); ++i) append(out[i].arrival, global(part.atoms, source_));
    }
  }
  return out;
}

std::vector<LiveZones::Moment> LiveZones::next_moments(const Moment& from, const std::vector<model::EdgeId>& edges,
                                                       bool bound, std::span<const model::ClockAtom> beyond) {
  recall(from);
  std::vector<Moment> out;
  std::vector<uint32_t> fired;
  for (const model::EdgeId e : edges) fired.push_back(e.value);
  std::vector<uint32_t> refused;
  enter(firing_of(fired, refused), all_enabled(), [&](std::span<const Atom> extra) {
    std::vector<model::ClockAtom> cut = global(extra, source_);
    append(cut, from.leaving);
    add_moments(out, std::move(cut), bound, beyond);
    return true;
  });
  return out;
}

std::optional<model::Path> LiveZones::realise(const Way& way, bool to_rest, size_t beyond_at,
                                              std::span<const model::ClockAtom> beyond) {
  const bool commits = !semantics_.premise().empty();
  const size_t steps = way.steps.size();
  // Level 0 is the start, then one level a transition, and one for the moment of the premise.
  const size_t levels = steps + 1 + (commits ? 1 : 0);
  const size_t commitment = commits ? way.bound_from + 1 : levels;
  const auto transitions = [&](size_t level) { return level > commitment ? level - 1 : level; };
  struct Level {
    std::vector<Moment> choices;
    size_t next = 0;
    const Moment& chosen() const { return choices[next - 1]; }
  };
  const auto open = [&](size_t level, const Level* before) -> Level {
    const std::span<const model::ClockAtom> demand =
        level != commitment && transitions(level) == beyond_at ? beyond : std::span<const model::ClockAtom>();
    if (level == 0) return {first_moments(!commits, demand), 0};
    if (level == commitment) return {committed_moments(before->chosen()), 0};
    return {next_moments(before->chosen(), way.steps[transitions(level) - 1], level > commitment || !commits, demand),
            0};
  };
  std::vector<Level> stack;
  stack.push_back(open(0, nullptr));
  std::vector<model::ClockAtom> end;
  for (;;) {
    watch_.poll();
    if (stack.back().next == stack.back().choices.size()) {
      stack.pop_back();
      if (stack.empty()) return std::nullopt;
      continue;
    }
    ++stack.back().next;
    if (stack.size() < levels) {
      stack.push_back(open(stack.size(), &stack.back()));
      continue;
    }
    if (!to_rest) break;
    const Moment& last = stack.back().chosen();
    recall(last);
    const std::vector<Piece> parts = rests(facts_.at(last.discrete), last.zone);
    if (parts.empty()) continue;
    end = last.leaving;
    append(end, global(parts.front().atoms, source_));
    break;
  }
  model::Path path;
  path.goal_extra = std::move(end);
  for (size_t level = 1; level < levels; ++level) {
    const Moment& moment = stack[level].chosen();
    if (level == commitment) {
      path.premise = model::Premise{way.bound_from, moment.arrival};
      continue;
    }
    path.steps.push_back(
        {.edges = way.steps[transitions(level) - 1], .extra = moment.extra, .arrival = moment.arrival});
  }
  if (to_rest) path.rest = facts_.at(stack.back().chosen().discrete).endless ? model::Rest::Delay : model::Rest::Stuck;
  return path;
}

}  // namespace harrier::search
