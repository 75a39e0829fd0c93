#include "search/zone_liveness.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "search/live_zones.h"

namespace harrier::search {

namespace {

using Standing = LiveZones::Standing;

class ZoneLivenessTask : public Task {
 public:
  ZoneLivenessTask(const step::Semantics& semantics, std::optional<uint64_t> depth_limit, Budget& budget)
      : kind_(semantics.property().kind),
        leads_to_(kind_ == model::PropertyKind::LeadsTo),
        depth_limit_(depth_limit),
        space_(semantics, budget),
        frames_(budget, 1),
        pending_(budget, 1),
        free_(budget, 1) {}

  Status advance(uint64_t expansions) override {
    if (!started_) start();
    const uint64_t until = expanded_ + expansions;
    while (status_ == Status::Running && expanded_ < until) step();
    return status_;
  }

  uint64_t work() const override { return generated_; }
  model::Path path() override;
  bool for_each_state(const std::function<bool(const int32_t*)>& visit) const override;
  std::vector<step::Machine::Violation> violations() const override { return space_.violations(); }
  std::vector<std::string> remarks() const override;

  Statistics statistics() const override {
    Statistics s;
    s.expanded = expanded_;
    s.generated = generated_;
    s.stored = space_.stored();
    return s;
  }

 private:
  static constexpr uint64_t kMostShortening = 20'000;  // expansions

  // A state that is to be searched, as a successor of the one on top of the path or as its beginning.
  struct Pending {
    uint64_t id = 0;
    Origin origin;  // by which it is reached from there
  };
  // A state on the path of the search; its successors that are still to be searched lie from `first` on.
  struct Frame {
    uint64_t id = 0;
    Origin origin;
    uint64_t first = 0;
  };

  void start();
  void step();
  void enter(const Pending& next);
  void expand_free();
  // Notes a candidate that may have to be searched; false if it closes a cycle.
  bool note(uint64_t parent);

  Frame& frame(uint64_t i) { return *frames_[i]; }
  // A shortest way from a state to one that is wanted, through states that are known.
  template <class Wanted>
  std::optional<std::vector<Origin>> shortcut(uint64_t from, Wanted&& wanted);

  model::PropertyKind kind_;
  bool leads_to_;
  std::optional<uint64_t> depth_limit_;
  LiveZones space_;
  ChunkedArray<Frame> frames_;
  ChunkedArray<Pending> pending_;
  ChunkedArray<uint64_t> free_;  // states before the premise, in the order of discovery
  uint64_t next_free_ = 0;
  bool started_ = false;
  bool cut_ = false;
  Status status_ = Status::Running;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
  // With Status::Found: the step that leads from the top of the path back into it; without one, the top rests.
  std::optional<Origin> closing_;
  uint64_t closed_ = 0;  // the state that it leads back to
};

bool ZoneLivenessTask::note(uint64_t parent) {
  ++generated_;
  const Standing standing = space_.admit(parent);
  switch (standing.kind) {
    case Standing::Kind::Covered: return true;
    case Standing::Kind::Closes:
      closing_ = space_.origin(parent);
      closed_ = standing.id;
      status_ = Status::Found;
      return false;
    case Standing::Kind::Fresh:
    case Standing::Kind::Known: *pending_.append() = {standing.id, space_.origin(parent)}; return true;
  }
  return true;
}

void ZoneLivenessTask::start() {
  started_ = true;
  const auto phase = leads_to_ ? LiveZones::Phase::Free : LiveZones::Phase::Kept;
  space_.for_each_initial(phase, [&] {
    const Standing standing = space_.admit(Origin::kNoParent);
    if (standing.kind != Standing::Kind::Fresh) return true;
    if (leads_to_) {
      *free_.append() = standing.id;
    } else {
      *pending_.append() = {standing.id, space_.origin(Origin::kNoParent)};
    }
    return true;
  });
}

void ZoneLivenessTask::step() {
  const uint64_t first = frames_.size() == 0 ? 0 : frame(frames_.size() - 1).first;
  if (pending_.size() > first) {
    const Pending next = *pending_[pending_.size() - 1];
    pending_.remove_last();
    switch (space_.colour(next.id)) {
      case LiveZones::Colour::White: enter(next); return;
      case LiveZones::Colour::Black: return;
      case LiveZones::Colour::Grey:
        closing_ = next.origin;
        closed_ = next.id;
        status_ = Status::Found;
        return;
    }
  }
  if (frames_.size() != 0) {
    space_.paint(frame(frames_.size() - 1).id, LiveZones::Colour::Black);
    frames_.remove_last();
  } else if (next_free_ < free_.size()) {
    expand_free();
  } else {
    status_ = cut_ ? Status::Cut : Status::Exhausted;
  }
}

void ZoneLivenessTask::enter(const Pending& next) {
  space_.paint(next.id, LiveZones::Colour::Grey);
  *frames_.append() = {next.id, next.origin, pending_.size()};
  ++expanded_;
  if (space_.may_rest(next.id)) {
    status_ = Status::Found;
  } else if (depth_limit_ && frames_.size() > *depth_limit_) {
    cut_ = true;
  } else {
    space_.for_each_successor(next.id, [&](const step::Firing&) { return note(next.id); });
  }
}

void ZoneLivenessTask::expand_free() {
  const uint64_t id = *free_[next_free_++];
  ++expanded_;
  space_.for_each_commitment(id, [&] { return note(id); });
  if (depth_limit_ && space_.depth(id) >= *depth_limit_) {
    cut_ = true;
    return;
  }
  space_.for_each_successor(id, [&](const step::Firing&) {
    ++generated_;
    const Standing standing = space_.admit(id);
    if (standing.kind == Standing::Kind::Fresh) *free_.append() = standing.id;
    return true;
  });
}

// Before the premise all states are looked at.
bool ZoneLivenessTask::for_each_state(const std::function<bool(const int32_t*)>& visit) const {
  if (!leads_to_) return false;
  for (uint64_t i = 0; i < free_.size() && visit(space_.values_of(*free_[i]).data()); ++i) {
  }
  return true;
}

std::vector<std::string> ZoneLivenessTask::remarks() const {
  if (leads_to_ && !space_.premise_seen()) return {"the left side of --> never holds"};
  const bool potentially = kind_ == model::PropertyKind::PotentiallyAlways;
  if (potentially && space_.stored() == 0) return {"the formula does not hold in the initial state"};
  return {};
}

template <class Wanted>
std::optional<std::vector<Origin>> ZoneLivenessTask::shortcut(uint64_t from, Wanted&& wanted) {
  std::unordered_map<uint64_t, Origin> reached{{from, {}}};
  std::deque<uint64_t> open{from};
  const auto back = [&](uint64_t id) {
    std::vector<Origin> arcs;
    for (; id != from; id = arcs.back().parent()) arcs.push_back(reached.at(id));
    std::reverse(arcs.begin(), arcs.end());
    return arcs;
  };
  for (uint64_t n = 0; !open.empty() && n < kMostShortening; ++n) {
    const uint64_t at = open.front();
    open.pop_front();
    if (wanted(at)) return back(at);
    space_.for_each_successor(at, [&](const step::Firing&) {
      const std::optional<uint64_t> known = space_.equal();
      if (known && reached.emplace(*known, space_.origin(at)).second) open.push_back(*known);
      return true;
    });
  }
  return std::nullopt;
}

model::Path ZoneLivenessTask::path() {
  const uint64_t count = frames_.size();
  const uint64_t root = frame(0).id;
  // As the search went.
  std::vector<Origin> arcs;
  for (uint64_t i = 1; i < count; ++i) arcs.push_back(frame(i).origin);
  size_t loop_start = 0;
  while (closing_ && frame(loop_start).id != closed_) ++loop_start;
  if (!closing_) {
    if (auto shorter = shortcut(root, [&](uint64_t id) { return space_.may_rest(id); })) arcs = std::move(*shorter);
  } else {
    std::vector<Origin> cycle(arcs.begin() + static_cast<std::ptrdiff_t>(loop_start), arcs.end());
    cycle.push_back(*closing_);
    arcs.resize(loop_start);
    // Into the cycle by the shortest way; then it may be begun anywhere.
    std::unordered_map<uint64_t, size_t> position;
    for (size_t i = 0; i < cycle.size(); ++i) position.emplace(cycle[i].parent(), i);
    uint64_t entry = closed_;
    const auto shorter = shortcut(root, [&](uint64_t id) {
      entry = id;
      return position.contains(id);
    });
    if (shorter) {
      arcs = *shorter;
      std::rotate(cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(position.at(entry)), cycle.end());
    }
    loop_start = arcs.size();
    arcs.insert(arcs.end(), cycle.begin(), cycle.end());
  }
  LiveZones::Way way = space_.way_to(root);
  const size_t before = way.steps.size();
  if (leads_to_) way.bound_from = before;
  for (const Origin& arc : arcs) way.steps.push_back(space_.edges_of(arc));
  if (!closing_) {
    auto path = space_.realise(way, true, 0, {});
    if (!path) throw Error(ErrorKind::Internal, "a path of the zone graph has no concrete run");
    return *std::move(path);
  }
  model::Path path;
  for (auto& edges : way.steps) path.steps.push_back({std::move(edges), {}});
  path.loop_start = before + loop_start;
  if (leads_to_) path.premise = model::Premise{before, {}};
  return path;
}

}  // namespace

std::unique_ptr<Task> make_zone_liveness_task(const step::Semantics& semantics, std::optional<uint64_t> depth_limit,
                                              Budget& budget) {
  return std::make_unique<ZoneLivenessTask>(semantics, depth_limit, budget);
}

std::optional<model::Path> unroll(const model::System& system, const model::Property& property,
                                  const model::Path& lasso, size_t rounds, size_t beyond_at,
                                  std::span<const model::ClockAtom> beyond, const Watch& watch) {
  Budget budget(std::nullopt, watch);
  const step::Semantics semantics(system, property, watch);
  LiveZones zones(semantics, budget);
  LiveZones::Way way;
  for (size_t i = 0; i < lasso.steps.size(); ++i) way.steps.push_back(lasso.steps[i].edges);
  for (size_t round = 1; round < rounds; ++round) {
    for (size_t i = *lasso.loop_start; i < lasso.steps.size(); ++i) way.steps.push_back(lasso.steps[i].edges);
  }
  if (lasso.premise) way.bound_from = lasso.premise->steps;
  return zones.realise(way, false, beyond_at, beyond);
}

}  // namespace harrier::search
