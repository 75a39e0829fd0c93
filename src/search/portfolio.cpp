#include "search/portfolio.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "base/budget.h"
#include "search/limits.h"
#include "search/task.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 16;  // expansions between looks at the clock
// Turns, in successors generated. A directed member spends several times as long on one as breadth-first search does.
constexpr double kFirstTurn = 500;
constexpr double kGrowth = 2;
constexpr double kBreadthFirstStart = 5000;
constexpr double kBreadthFirstShare = 25;  // of its turns relative to the others', in the end; errors are found early

struct Member {
  CheckOptions options;
  double share = 1;            // length of a turn, relative to the others
  std::unique_ptr<Task> task;  // made when its first turn comes
  bool gone = false;
};

std::vector<Member> members(const CheckOptions& base) {
  std::vector<Member> out;
  const auto add = [&](Search search, const char* heuristic) {
    CheckOptions options = base;
    options.search = search;
    options.heuristic = heuristic;
    out.push_back({options, 1, nullptr, false});
    return &out.back().options;
  };
  add(Search::BreadthFirst, "hL");
  add(Search::Greedy, "hU")->prefer_useless = true;
  add(Search::Greedy, "hadd")->prefer_preferred = true;
  add(Search::Greedy, "hL")->prefer_contexts = true;
  return out;
}

}  // namespace

Result run_portfolio(const model::System& system, const model::Property& property, const CheckOptions& options) {
  Limits limits(options);
  Budget budget = options.memory_limit_bytes ? Budget(*options.memory_limit_bytes) : Budget();
  std::vector<Member> all = members(options);
  Result result;
  Statistics given_up;  // of members that are gone

  const auto add = [](Statistics& total, const Statistics& s) {
    total.expanded += s.expanded;
    total.generated += s.generated;
    total.stored += s.stored;
    total.evaluated += s.evaluated;
    total.dead_ends += s.dead_ends;
    total.deferred_expanded += s.deferred_expanded;
  };
  const auto statistics = [&] {
    Statistics total = given_up;
    for (const Member& m : all) {
      if (m.task) add(total, m.task->statistics());
    }
    total.memory_bytes = std::max(given_up.memory_bytes, budget.used());
    total.time_s = limits.seconds();
    return total;
  };
  const auto give_up = [&](Member& m, const char* reason) {
    given_up.memory_bytes = std::max(given_up.memory_bytes, budget.used());
    if (m.task) add(given_up, m.task->statistics());
    m.task.reset();
    m.gone = true;
    result.reason = reason;
  };
  // Gives a member a turn; true if the run is over.
  const auto turn = [&](Member& m, double successors) {
    try {
      if (!m.task) m.task = make_task(system, property, m.options, budget);
      const uint64_t end = m.task->generated() + static_cast<uint64_t>(successors);
      do {
        const Status status = m.task->advance(kSlice);
        if (status == Status::Found) {
          result.verdict = Verdict::Reachable;
          result.path = m.task->path();
          result.shortest = m.options.search == Search::BreadthFirst;
          return true;
        }
        if (status == Status::Exhausted) {
          result.verdict = Verdict::Unreachable;
          return true;
        }
        if (status == Status::Cut) {
          give_up(m, "depth limit");
          return false;
        }
        if (std::string reason = limits.reached(); !reason.empty()) {
          result.reason = std::move(reason);
          return true;
        }
        limits.show_progress(statistics);
      } while (m.task->generated() < end);
    } catch (const MemoryLimitReached&) {
      give_up(m, "memory limit");
    } catch (const std::bad_alloc&) {
      give_up(m, "out of memory");
    }
    return false;
  };

  bool over = turn(all[0], kBreadthFirstStart);
  for (double unit = kFirstTurn; !over; unit *= kGrowth) {
    // The directed members first, so that an error is found before the proof takes its large turn.
    for (size_t i = 1; i <= all.size() && !over; ++i) {
      Member& m = all[i % all.size()];
      if (!m.gone) over = turn(m, unit * m.share);
    }
    all[0].share = std::min(kBreadthFirstShare, all[0].share * kGrowth);
    if (std::all_of(all.begin(), all.end(), [](const Member& m) { return m.gone; })) break;
  }
  if (result.verdict != Verdict::Unknown) result.reason.clear();
  result.statistics = statistics();
  return result;
}

}  // namespace harrier::search
