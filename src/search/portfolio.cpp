#include "search/portfolio.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/alarm.h"
#include "search/anytime.h"
#include "search/describe.h"
#include "search/explorer.h"
#include "search/limits.h"
#include "search/polish.h"
#include "search/statistics.h"
#include "search/task.h"
#include "search/vacuity.h"

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
  double time_ratio;  // what the directed members may take in time, relative to breadth-first search
};
constexpr Plan kForWitness = {1000, 4000, 0.125, 4, 1};
constexpr Plan kForProof = {30000, 250, 25, 25, 0.5};
constexpr double kFreeSeconds = 0.25;  // that the directed members may take in any case
// A member that has not come to a pause so long after its time was over is stopped, and starts again when it may take
// twice as long.
constexpr double kPatience = 0.1;

// Looking for shorter paths: about the work of a second, and the time that it may take at most.
constexpr uint64_t kSecondUntimed = 4'000'000;
constexpr uint64_t kSecondTimed = 1'000'000;
constexpr double kMostTime = 2;  // relative to the time of the first path and a second
constexpr double kFirstTurn = 4000;
constexpr double kShareOfOthers = 0.25;

// A search that can be interrupted alone.
struct Attempt {
  explicit Attempt(std::optional<uint64_t> bytes) : watch({.stop = &ring}), budget(bytes, watch) {}

  std::atomic<bool> ring{false};
  Watch watch;
  Budget budget;
  std::unique_ptr<Task> task;
};

struct Member {
  CheckOptions options;
  double share = 1;                  // length of a turn, relative to the others
  std::unique_ptr<Attempt> attempt;  // made when its turn comes
  bool gone = false;
  double seconds = 0;
  double needs = 0;  // seconds at least, as far as is known

  Task* task() const { return attempt ? attempt->task.get() : nullptr; }
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
    out.push_back({options, share, nullptr, false, 0, 0});
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

class Portfolio {
 public:
  Portfolio(const step::Semantics& semantics, const CheckOptions& options)
      : semantics_(semantics),
        property_(semantics.property()),
        options_(options),
        limits_(options),
        alarm_(Watch::or_none(options.watch)),
        features_(model::features(semantics.system(), property_, Watch::or_none(options.watch))),
        all_(members(features_, options)) {}

  Result run() {
    within_limits([&] { seek(); });
    if (result_.verdict == Verdict::Unknown) result_.reason = ended_by_;
    const bool reached = result_.verdict == Verdict::Reachable && !lacks_room(*result_.path);
    if (reached && !result_.shortest && !options_.first) {
      within_limits([&] { improve(); });
    }
    result_.statistics = statistics();
    return std::move(result_);
  }

 private:
  Statistics statistics() const {
    Statistics total = given_up_;
    for (const Member& m : all_) {
      if (m.task() != nullptr) add_counts(total, m.task()->statistics());
    }
    total.memory_bytes = std::max(given_up_.memory_bytes, counted());
    total.time_s = limits_.seconds();
    return total;
  }
  uint64_t work() const {
    uint64_t sum = work_given_up_;
    for (const Member& m : all_) sum += m.task() != nullptr ? m.task()->work() : 0;
    return sum;
  }
  // Bytes of all members together. One of them is given up as soon as they exceed the limit: what counts is up to
  // there.
  uint64_t used() const {
    uint64_t sum = 0;
    for (const Member& m : all_) sum += m.attempt ? m.attempt->budget.used() : 0;
    return sum;
  }
  uint64_t counted() const {
    return std::min(used(), options_.memory_limit_bytes.value_or(std::numeric_limits<uint64_t>::max()));
  }
  void drop(Member& m) {
    given_up_.memory_bytes = std::max(given_up_.memory_bytes, counted());
    if (m.task() != nullptr) {
      add_counts(given_up_, m.task()->statistics());
      work_given_up_ += m.task()->work();
    }
    m.attempt.reset();
  }
  void give_up(Member& m, const char* reason = "") {
    drop(m);
    m.gone = true;
    ended_by_ = reason;
  }
  // What it held may serve the others, for as much work again as it took to use the memory up: then the run ends.
  void run_out_of_memory(Member& m, const char* reason) {
    give_up(m, reason);
    if (!last_work_) last_work_ = 2 * work();
  }
  bool is_spent() const { return last_work_ && work() > *last_work_; }
  // A limit may be reached anywhere, then what was found so far is the result.
  template <class Work>
  void within_limits(Work&& work) {
    try {
      work();
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
      ended_by_ = e.what();
    }
  }
  bool lacks_room(const model::Path& path) const { return property_.goal.at(path.goal_clause).room; }

  // Seconds that a member may still take. Once breadth-first search is gone there is nothing that the directed ones
  // could hold up.
  double allowed(const Member& m) const {
    if (&m == &all_[0] || all_[0].gone) return std::numeric_limits<double>::infinity();
    double directed = 0;
    for (const Member& other : all_) directed += &other == &all_[0] ? 0 : other.seconds;
    return kFreeSeconds + plan_for(features_).time_ratio * all_[0].seconds - directed;
  }

  // Gives a member a turn, as long as it is allowed; with Found, `found_` is the path. Throws ModelFailure, and
  // Error if a limit of the run is reached. A member that runs out of memory is gone.
  template <class Allowed>
  Status turn(Member& m, double work, Allowed&& allowed) {
    const double start = cpu_seconds();
    const double before = m.seconds - start;
    Status status = Status::Running;
    try {
      if (!m.attempt) m.attempt = std::make_unique<Attempt>(options_.memory_limit_bytes);
      Attempt& a = *m.attempt;
      const Alarm::Turn turn(alarm_, allowed() + kPatience, a.ring);
      if (!a.task) a.task = make_task(semantics_, m.options, a.budget);
      const uint64_t end = a.task->work() + static_cast<uint64_t>(work);
      do {
        status = a.task->advance(kSlice);
        m.seconds = before + cpu_seconds();
        limits_.show_progress([&] {
          Statistics s = statistics();
          const Statistics own = a.task->statistics();
          s.search = "auto: " + describe(m.options);
          s.open = own.open;
          s.depth = own.depth;
          return s;
        });
        if (status != Status::Running) break;
        a.watch.poll();
        limits_.poll();
        if (options_.memory_limit_bytes && used() > *options_.memory_limit_bytes) throw MemoryLimitReached();
      } while (a.task->work() < end && allowed() > 0 && !is_spent());
      if (status == Status::Found) found_ = a.task->path();
    } catch (const MemoryLimitReached&) {
      run_out_of_memory(m, "memory limit");
      status = Status::Running;
    } catch (const std::bad_alloc&) {
      run_out_of_memory(m, "out of memory");
      status = Status::Running;
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
      drop(m);
      m.needs = 2 * (cpu_seconds() - start);
      status = Status::Running;
    }
    m.seconds = before + cpu_seconds();
    try {
      if (status == Status::Running) limits_.poll();
    } catch (const MemoryLimitReached&) {
      run_out_of_memory(m, "memory limit");
    }
    return status;
  }

  // Until there is an answer, or nobody left who could give one. A walk needs no memory and never ends: it is no reason
  // to go on.
  void seek() {
    const Plan& plan = plan_for(features_);
    if (answers(all_[0], plan.start)) return;
    for (double unit = plan.first_turn;; unit *= kGrowth) {
      // The directed members first, so that an error is found before the proof takes its large turn.
      for (size_t i = 1; i <= all_.size(); ++i) {
        const auto is_over = [](const Member& m) { return m.gone || m.options.search == Search::Walk; };
        if (is_spent() || std::all_of(all_.begin(), all_.end(), is_over)) return;
        Member& m = all_[i % all_.size()];
        if (!m.gone && allowed(m) > m.needs && answers(m, unit * m.share)) return;
      }
      all_[0].share = std::min(plan.last_share, all_[0].share * kGrowth);
    }
  }

  // True if the run is over after a turn of the member.
  bool answers(Member& m, double work) {
    Status status = Status::Running;
    try {
      status = turn(m, work, [&] { return allowed(m); });
    } catch (const ModelFailure& failure) {
      result_.verdict = Verdict::Failed;
      result_.failure = failure;
      result_.path = failure.path;
      result_.search = describe(m.options);
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + " to meet the failure.";
      return true;
    }
    if (status == Status::Found) {
      result_.path = std::move(found_);
      result_.verdict = Verdict::Reachable;
      result_.shortest = m.options.search == Search::BreadthFirst;
      result_.search = describe(m.options);
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + " to reach the goal.";
      if (m.options.search != Search::BreadthFirst) give_up(m);
      return true;
    }
    if (status == Status::Exhausted) {
      result_.verdict = Verdict::Unreachable;
      result_.warnings = vacuity(semantics_, *m.task(), Watch::or_none(options_.watch));
      result_.search = describe(m.options);
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + " to see all states.";
      return true;
    }
    if (status == Status::Cut) give_up(m, "depth limit");
    return false;
  }
  std::string in_turns() const { return std::to_string(all_.size()) + " searches in turns"; }

  // Looks for shorter paths.
  void improve() {
    first_ = result_.search;
    const uint64_t enough = 2 * work() + (semantics_.timed() ? kSecondTimed : kSecondUntimed);
    double most = 1;
    for (const Member& m : all_) most += m.seconds;
    const double end = cpu_seconds() + kMostTime * most;
    const auto allowed = [&] { return result_.shortest || work() >= enough ? 0 : end - cpu_seconds(); };
    const auto may_go_on = [&] { return allowed() > 0; };
    result_.improved = true;
    std::erase_if(all_, [](const Member& m) { return m.gone || m.options.search == Search::Walk; });
    for (Member& m : all_) m.share = m.options.search == Search::BreadthFirst ? 1 : kShareOfOthers;
    consider(*result_.path, first_);
    // The next stage of anytime search is a member like the others.
    all_.push_back({stage_of_anytime(options_, 1, best_length() - 1), 1, nullptr, best_length() == 0, 0, 0});
    size_t stage = 1;
    for (double unit = kFirstTurn; may_go_on(); unit *= kGrowth) {
      bool any = false;
      for (Member& m : all_) {
        if (m.gone || !may_go_on()) continue;
        any = true;
        const Status status = contribute(m, unit * m.share, allowed);
        if (status == Status::Running || &m != &all_.back()) continue;
        // Nothing shorter than the bound is a proof, unless the best path has got shorter meanwhile.
        const bool within = *m.options.depth_limit + 1 == best_length();
        result_.shortest = result_.shortest || (status != Status::Found && within) || best_length() == 0;
        if (++stage == kStagesOfAnytime || best_length() == 0) continue;
        m = {stage_of_anytime(options_, stage, best_length() - 1), 1, nullptr, false, 0, 0};
      }
      if (!any) break;
    }
  }

  // A turn in which a member may find another path. Not Running: its search is over, and the member gone.
  template <class Allowed>
  Status contribute(Member& m, double work, Allowed&& allowed) {
    try {
      const Status status = turn(m, work, allowed);
      if (status == Status::Running) return status;
      if (status == Status::Found) {
        const bool optimal = m.options.search == Search::BreadthFirst || m.options.search == Search::AStar;
        result_.shortest = optimal && !lacks_room(found_);
        consider(std::move(found_), describe(m.options));
      }
      give_up(m);
      return status;
    } catch (const model::EvalFailure&) {  // the model fails somewhere, but not on the path
      give_up(m);
      return Status::Running;
    }
  }

  // Takes a path instead of the best one if it is shorter, or can be made so.
  void consider(model::Path path, const std::string& finder) {
    if (lacks_room(path)) return;
    if (options_.polish.value_or(true) && !result_.shortest) path = shorten(semantics_, path, options_);
    if (path.steps.size() >= best_length()) return;
    result_.path = std::move(path);
    if (finder == result_.search) return;
    result_.search = finder;
    result_.search_reason = "Its path is shorter than that of " + first_ + ", which reached the goal first.";
  }
  size_t best_length() const { return result_.path->steps.size(); }

  const step::Semantics& semantics_;
  const model::Property& property_;
  const CheckOptions& options_;
  Limits limits_;
  Alarm alarm_;
  const model::Features features_;
  std::vector<Member> all_;  // breadth-first search first, until there is an answer
  Result result_;
  model::Path found_;
  std::string ended_by_;  // why the last member that was given up was
  std::string first_;     // the search that found the first path
  Statistics given_up_;   // of members that are gone
  uint64_t work_given_up_ = 0;
  std::optional<uint64_t> last_work_;  // once memory ran out
};

}  // namespace

Result run_portfolio(const step::Semantics& semantics, const CheckOptions& options) {
  return Portfolio(semantics, options).run();
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
