#include "search/lasso.h"

#include <algorithm>
#include <deque>
#include <new>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/interpreter.h"
#include "search/limits.h"
#include "search/marked_space.h"

namespace harrier::search {

namespace {

constexpr uint64_t kLeastWork = 20'000;

struct Visit {
  store::Origin origin;
  size_t depth = 0;
};
using Visits = std::unordered_map<uint64_t, Visit>;

class Shortener {
 public:
  Shortener(const step::Semantics& semantics, const Config& config, Budget& budget, uint64_t work)
      : property_(semantics.property()),
        watch_(config.watching()),
        space_(semantics, budget),
        work_(std::max(work, kLeastWork)) {}

  // Replaces `best` whenever something shorter is found.
  void improve(model::Path& best) {
    DiscreteSpace& states = space_.states();
    Visits stem;
    std::deque<uint64_t> open;
    states.for_each_initial([&] {
      const store::Admission a = states.admit(store::Origin::kNoParent, 0);
      if (a.fresh) open.push_back(a.id);
      stem.try_emplace(a.id);
      return may_go_on();
    });
    while (!open.empty() && may_go_on()) {
      const uint64_t at = open.front();
      open.pop_front();
      const size_t depth = stem.at(at).depth;
      if (depth >= best.steps.size()) return;
      if (const std::optional<size_t> clause = goal(at)) {
        // Where the system lacks something nothing is known.
        if (property_.goal[*clause].incomplete) continue;
        best = path_along(at, steps_to(stem, at));
        best.goal_clause = *clause;
        return;
      }
      const Marks marks = expand(at, [&](uint64_t target, Marks) {
        if (stem.try_emplace(target, Visit{space_.states().origin(at), depth + 1}).second) open.push_back(target);
      });
      if (!space_.may_start_cycle(marks)) continue;
      if (std::optional<Steps> cycle = cycle_from(at, marks, best.steps.size() - depth)) {
        best = lasso(at, steps_to(stem, at), std::move(*cycle));
      }
    }
  }

 private:
  struct Step {
    uint64_t from = 0;
    model::PathStep step;
  };
  using Steps = std::vector<Step>;
  struct Leg {
    Steps steps;
    uint64_t end = 0;
    Marks marks = 0;  // of the transitions, and of the last state
  };

  bool may_go_on() const { return generated_ < work_ && !watch_.over(); }

  std::optional<size_t> goal(uint64_t id) {
    space_.states().recall(id);
    return space_.states().goal();
  }

  template <class Visitor>
  Marks expand(uint64_t id, Visitor&& visitor) {
    return space_.expand(id, [&](uint64_t target, Marks moved) {
      ++generated_;
      visitor(target, moved);
      return true;
    });
  }

  // The way from where the visits began.
  Steps steps_to(const Visits& visits, uint64_t end, Marks* marks = nullptr) {
    Steps out;
    for (Visit visit = visits.at(end); visit.depth != 0; visit = visits.at(visit.origin.parent())) {
      MarkedSpace::Step taken = space_.step_of(visit.origin);
      if (marks != nullptr) *marks |= taken.marks;
      out.push_back({visit.origin.parent(), std::move(taken.step)});
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  // A shortest way of fewer than `bound` steps: to `target` with at least one of them, or to one of `wanted`.
  std::optional<Leg> walk(uint64_t from, std::optional<uint64_t> target, Marks wanted, size_t bound) {
    Visits visits{{from, {}}};
    std::deque<uint64_t> open{from};
    while (!open.empty() && may_go_on()) {
      const uint64_t at = open.front();
      open.pop_front();
      const size_t depth = visits.at(at).depth;
      if (depth >= bound) return std::nullopt;
      if (goal(at)) continue;
      std::optional<Visit> last;
      uint64_t end = at;
      const Marks marks = expand(at, [&](uint64_t next, Marks moved) {
        const Visit visit{space_.states().origin(at), depth + 1};
        if (visits.try_emplace(next, visit).second) open.push_back(next);
        if (!last && (next == target || (moved & wanted) != 0)) {
          last = visit;
          end = next;
        }
      });
      Leg leg;
      if ((marks & wanted) != 0) {
        leg.steps = steps_to(visits, at, &leg.marks);
        leg.end = at;
        leg.marks |= marks;
        return leg;
      }
      if (!last || depth + 1 >= bound) continue;
      leg.steps = steps_to(visits, at, &leg.marks);
      MarkedSpace::Step taken = space_.step_of(last->origin);
      leg.marks |= taken.marks;
      leg.steps.push_back({at, std::move(taken.step)});
      leg.end = end;
      return leg;
    }
    return std::nullopt;
  }

  // A cycle of fewer than `bound` steps through a state, with everything that makes it fair.
  std::optional<Steps> cycle_from(uint64_t start, Marks seen, size_t bound) {
    Steps cycle;
    uint64_t at = start;
    const auto go = [&](std::optional<uint64_t> target, Marks& missing) {
      std::optional<Leg> leg = walk(at, target, missing, bound - cycle.size());
      if (!leg) return false;
      std::move(leg->steps.begin(), leg->steps.end(), std::back_inserter(cycle));
      at = leg->end;
      missing &= ~leg->marks;
      return true;
    };
    for (Marks missing = space_.wanted() & ~seen; missing != 0;) {
      if (!go(std::nullopt, missing)) return std::nullopt;
    }
    Marks none = 0;
    if ((at != start || cycle.empty()) && !go(start, none)) return std::nullopt;
    return cycle;
  }

  // The path from an initial state along the steps, to a state if there are none.
  model::Path path_along(uint64_t end, Steps steps) const {
    model::Path path;
    path.beginning = space_.states().path_to(steps.empty() ? end : steps.front().from, 0).beginning;
    append(path, std::move(steps));
    return path;
  }

  static void append(model::Path& path, Steps steps) {
    for (Step& step : steps) path.steps.push_back(std::move(step.step));
  }

  // The cycle begins at the first of its states that the stem comes to.
  model::Path lasso(uint64_t entry_state, Steps stem, Steps cycle) const {
    const uint64_t first = stem.empty() ? entry_state : stem.front().from;
    for (size_t i = 0; i < stem.size(); ++i) {
      const auto entry =
          std::find_if(cycle.begin(), cycle.end(), [&](const Step& step) { return step.from == stem[i].from; });
      if (entry == cycle.end()) continue;
      std::rotate(cycle.begin(), entry, cycle.end());
      stem.resize(i);
    }
    model::Path path = path_along(first, std::move(stem));
    path.loop_start = path.steps.size();
    append(path, std::move(cycle));
    return path;
  }

  const model::Property& property_;
  const Watch& watch_;
  MarkedSpace space_;
  uint64_t work_;
  uint64_t generated_ = 0;
};

}  // namespace

model::Path shorten_lasso(const step::Semantics& semantics, const model::Path& path, const Config& config,
                          uint64_t work) {
  model::Path best = path;
  Budget budget = budget_of(config);
  try {
    Shortener(semantics, config, budget, work).improve(best);
  } catch (const MemoryLimitReached&) {
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
  } catch (const std::bad_alloc&) {
  } catch (const model::EvalFailure&) {  // the model fails somewhere, but not on the path
  }
  return best;
}

}  // namespace harrier::search
