#include "search/portfolio.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "base/budget.h"
#include "search/limits.h"
#include "search/statistics.h"
#include "search/task.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 16;  // expansions between looks at the clock
constexpr double kGrowth = 2;

// How the work is shared out, in units of Task::work.
struct Plan {
  double start;        // of breadth-first search, alone
  double first_turn;   // of each directed member
  double first_share;  // length of the turns of breadth-first search, relative to the others'; it grows
  double last_share;
};
constexpr Plan kForWitness = {1000, 4000, 0.125, 4};
constexpr Plan kForProof = {30000, 250, 25, 25};

struct Member {
  CheckOptions options;
  double share = 1;            // length of a turn, relative to the others
  std::unique_ptr<Task> task;  // made when its first turn comes
  bool gone = false;
};

const Plan& plan_for(const model::Features& features) { return features.proof ? kForProof : kForWitness; }

// Breadth-first search comes first. The heuristics that measure a distance to a goal know nothing of deadlocks.
std::vector<Member> members(const model::Features& features, const CheckOptions& base) {
  std::vector<Member> out;
  const auto add = [&](Search search, const char* heuristic, double share) {
    CheckOptions options = base;
    options.search = search;
    options.heuristic = heuristic;
    options.prefer_useless = options.prefer_contexts = options.prefer_preferred = false;
    out.push_back({options, share, nullptr, false});
    return &out.back().options;
  };
  add(Search::BreadthFirst, "hL", plan_for(features).first_share);
  if (features.deadlock_clauses != 0) add(Search::Greedy, "ha", 1);
  if (base.guide) add(Search::Greedy, "h1", 1);
  if (features.high_pep() && base.depth_limit != 0) add(Search::Walk, "", 1)->walk.depth = base.depth_limit;
  if (features.other_clauses + features.room_clauses == 0) return out;
  add(Search::Greedy, "hU", 1)->prefer_useless = true;
  add(Search::Greedy, "hL", 1)->prefer_contexts = true;
  add(Search::Greedy, "hadd", 0.25)->prefer_preferred = true;
  return out;
}

}  // namespace

Result run_portfolio(const model::System& system, const model::Property& property, const CheckOptions& options) {
  Limits limits(options);
  Budget budget = options.memory_limit_bytes ? Budget(*options.memory_limit_bytes) : Budget();
  const model::Features features = model::features(system, property);
  const Plan& plan = plan_for(features);
  std::vector<Member> all = members(features, options);
  Result result;
  Statistics given_up;  // of members that are gone

  const auto statistics = [&] {
    Statistics total = given_up;
    for (const Member& m : all) {
      if (m.task) add_counts(total, m.task->statistics());
    }
    total.memory_bytes = std::max(given_up.memory_bytes, budget.used());
    total.time_s = limits.seconds();
    return total;
  };
  const auto give_up = [&](Member& m, const char* reason) {
    given_up.memory_bytes = std::max(given_up.memory_bytes, budget.used());
    if (m.task) add_counts(given_up, m.task->statistics());
    m.task.reset();
    m.gone = true;
    result.reason = reason;
  };
  // Gives a member a turn; true if the run is over.
  const auto turn = [&](Member& m, double work) {
    try {
      if (!m.task) m.task = make_task(system, property, m.options, budget);
      const uint64_t end = m.task->work() + static_cast<uint64_t>(work);
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
      } while (m.task->work() < end);
    } catch (const MemoryLimitReached&) {
      give_up(m, "memory limit");
    } catch (const std::bad_alloc&) {
      give_up(m, "out of memory");
    }
    return false;
  };

  bool over = turn(all[0], plan.start);
  for (double unit = plan.first_turn; !over; unit *= kGrowth) {
    // The directed members first, so that an error is found before the proof takes its large turn.
    for (size_t i = 1; i <= all.size() && !over; ++i) {
      Member& m = all[i % all.size()];
      if (!m.gone) over = turn(m, unit * m.share);
    }
    all[0].share = std::min(plan.last_share, all[0].share * kGrowth);
    // A walk needs no memory and never ends: it is no reason to go on when nobody else can.
    const auto is_over = [](const Member& m) { return m.gone || m.options.search == Search::Walk; };
    if (std::all_of(all.begin(), all.end(), is_over)) break;
  }
  if (result.verdict != Verdict::Unknown) result.reason.clear();
  result.statistics = statistics();
  return result;
}

std::string describe_auto(const model::Features& features) {
  if (features.liveness) return "one depth-first search, for cycles";
  std::string out = features.proof ? "breadth-first search first and most of the time, in turns with "
                                   : "a little breadth-first search, then in turns with it ";
  const std::vector<Member> all = members(features, {});
  for (size_t i = 1; i < all.size(); ++i) {
    const CheckOptions& o = all[i].options;
    if (i > 1) out += i + 1 == all.size() ? " and " : ", ";
    out += o.search == Search::Walk ? "random walks" : "greedy search by " + o.heuristic;
    if (o.prefer_useless) out += " (useless transitions)";
    if (o.prefer_contexts) out += " (interference contexts)";
    if (o.prefer_preferred) out += " (preferred transitions)";
  }
  return all.size() > 1 ? out : "breadth-first search";
}

}  // namespace harrier::search
