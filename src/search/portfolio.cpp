#include "search/portfolio.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "abstraction/workshop.h"
#include "base/budget.h"
#include "base/error.h"
#include "heur/table.h"
#include "model/cost.h"
#include "model/interpreter.h"
#include "search/alarm.h"
#include "search/anytime.h"
#include "search/driver.h"
#include "search/explorer.h"
#include "search/limits.h"
#include "search/polish.h"
#include "search/search.h"
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
  double time_ratio;      // what the directed members may take in time, relative to breadth-first search
  double database_share;  // length of the turns of a member with a database, as long as that is on trial
};
constexpr Plan kForWitness = {1000, 4000, 0.125, 4, 1, 0.15};
constexpr Plan kForProof = {30000, 250, 25, 25, 0.5, 1};
constexpr Plan kForPlanning = {1000, 4000, 0.125, 0.125, 1, 0.15};
constexpr Plan kForDatabasesOnly = {1, 20000, 1, 1, 1, 1};
constexpr double kTemperature = 0.2;        // of guided walks on planning tasks
constexpr double kFirstShareOfWalks = 0.5;  // there; what greedy search has not found by then it seldom finds later
constexpr double kLastShareOfWalks = 2;
constexpr double kShareOfSlow = 0.05;  // of what takes many times as long as an estimate counts as work
// A search with partial-order reduction, to breadth-first search without: where a proof is wanted, and where a state
// is.
constexpr double kShareOfReducedProof = 2;
constexpr double kShareOfReduced = 0.5;
constexpr double kPayingReduction = 0.1;  // the part of its states at which it leaves something out
constexpr double kFreeSeconds = 0.25;     // that the directed members may take in any case
// A member that has not come to a pause so long after its time was over is stopped, and starts again when it may take
// twice as long.
constexpr double kPatience = 0.1;

// About the work of a second.
constexpr uint64_t kSecondUntimed = 4'000'000;
constexpr uint64_t kSecondTimed = 1'000'000;
uint64_t work_of_a_second(const step::Semantics& semantics) {
  return semantics.timed() ? kSecondTimed : kSecondUntimed;
}

// Databases are admissible and safe. They are built for about as long as the search may take that looks distances up in
// them; a smaller one than this is not worth its while.
struct Database {
  const char* heuristic;
  bool clocks;
};
constexpr Database kDatabases[] = {{"zdb", true}, {"pdb", false}};
constexpr double kAbstractStatesOfASecond = 100'000;
constexpr double kFewestAbstractStates = 300;
// A database pays if so large a part of the states that the search has stored are dead ends.
constexpr double kPayingDeadEnds = 0.05;
// What each may take in time on trial: relative to all members together, and in any case.
constexpr double kTimeOnTrial = 0.1;
constexpr double kFreeSecondsOnTrial = 0.05;

// Looking for shorter paths: the time that it may take at most.
constexpr double kMostTime = 2;  // relative to the time of the first path and a second
constexpr double kFirstTurn = 4000;
constexpr double kShareOfOthers = 0.25;
constexpr double kMostTimeForPlans = 60;  // without a time limit

// A search that can be interrupted alone.
struct Attempt {
  explicit Attempt(std::optional<uint64_t> bytes) : watch({.stop = &ring}), budget(bytes, watch) {}

  std::atomic<bool> ring{false};
  Watch watch;
  Budget budget;
  std::unique_ptr<Task> task;
};

struct Member {
  Config config;
  double share = 1;                            // length of a turn, relative to the others
  std::unique_ptr<Attempt> attempt = nullptr;  // made when its turn comes
  bool gone = false;
  double seconds = 0;
  double needs = 0;       // seconds at least, as far as is known
  bool database = false;  // it builds one when its turn comes,
  bool pays = false;      // and keeps it as long as it pays
  bool reduced = false;   // with partial-order reduction, for a proof

  Task* task() const { return attempt ? attempt->task.get() : nullptr; }
  bool walks() const { return config.as<RandomWalks>() != nullptr; }
  bool on_trial() const { return database && !pays; }
  bool breadth_first() const { return config.as<BreadthFirstSearch>() != nullptr && !reduced; }
  bool symbolic() const { return config.as<SymbolicSearch>() != nullptr; }
  // The first path that it finds is a shortest one.
  bool optimal() const {
    const auto* best = config.as<BestFirstSearch>();
    const auto* sets = config.as<SymbolicSearch>();
    return breadth_first() || (sets != nullptr && sets->traits().shortest) || (best != nullptr && best->optimal());
  }
};

const Plan& plan_for(const model::Features& features, const AutoSearch& own) {
  return own.only_databases  ? kForDatabasesOnly
         : features.proof    ? kForProof
         : features.planning ? kForPlanning
                             : kForWitness;
}

double share_of_reduced(const model::Features& features) {
  return features.proof ? kShareOfReducedProof : kShareOfReduced;
}

// Breadth-first search comes first; for cycles, depth-first search. The heuristics that measure a distance to a goal
// know nothing of deadlocks. A database would prove things before anybody has seen the model fail, so there is none if
// that can happen.
std::vector<Member> members(const model::Features& features, const Config& config, bool reducible) {
  const AutoSearch& own = *config.as<AutoSearch>();
  const Plan& plan = plan_for(features, own);
  std::vector<Member> out;
  const auto add = [&](Method method, double share) {
    Member& member = out.emplace_back(Member{.config = config, .share = share});
    member.config.method = std::move(method);
    member.config.cost = CostType::Unit;  // the first path is to be found fast, and may cost what it will
  };
  const auto greedy = [&](const char* heuristic, std::vector<std::string> prefer = {}) {
    BestFirstSearch method{.estimate = own.estimate,
                           .prefer = {.names = std::move(prefer), .context_clocks = own.context_clocks}};
    method.estimate.heuristic = heuristic;
    if (!heur::get(heuristic).sibling) method.estimate.sibling = nullptr;
    return method;
  };
  const auto add_databases = [&] {
    if (features.deadlock_clauses != 0 || features.can_stop || features.choices) return;
    if (config.workshop && config.workshop->loads()) return;
    for (const Database& d : kDatabases) {
      add(BestFirstSearch{.estimate = {.heuristic = d.heuristic, .clocks = d.clocks}, .cost_weight = 1},
          plan.database_share);
      out.back().database = true;
    }
  };
  if (features.liveness) {
    add(DepthFirstSearch(), plan.first_share);
    if (features.diagrams && !config.depth_limit) add(SymbolicSearch(), 1);
    return out;
  }
  add(BreadthFirstSearch{.prefer = {}, .threads = own.threads}, plan.first_share);
  if (own.only_databases) {
    add_databases();
    return out;
  }
  if (features.planning) {
    const auto by = [&](const char* heuristics, std::vector<std::string> prefer, bool lazy, double share) {
      BestFirstSearch method{.estimate = own.estimate, .prefer = {.names = std::move(prefer)}, .lazy = lazy};
      method.estimate.heuristic = heuristics;
      method.estimate.sibling = nullptr;
      add(std::move(method), share);
    };
    by("hff,lmcount", {"preferred"}, true, 1);
    by("hff,lmcount", {"useless", "preferred"}, false, 1);
    by("hcea", {"preferred"}, true, kShareOfSlow);
    if (own.estimate.sibling) add(greedy("h1"), 1);
    if (config.depth_limit != 0) {
      add(RandomWalks{.seed = own.seed,
                      .estimate = Estimate{.heuristic = "hff"},
                      .depth = config.depth_limit,
                      .temperature = kTemperature},
          kFirstShareOfWalks);
    }
    if (!config.depth_limit) add(SymbolicSearch{.way = SymbolicSearch::Way::Guided}, 0.25);
    return out;
  }
  if (features.deadlock_clauses != 0) add(greedy("ha"), 1);
  if (own.estimate.sibling) add(greedy("h1"), 1);
  if (features.high_pep() && config.depth_limit != 0) {
    add(RandomWalks{.seed = own.seed, .depth = config.depth_limit}, 1);
  }
  if (features.other_clauses + features.incomplete_clauses != 0) {
    add(greedy("hU", {"useless"}), 1);
    add(greedy("hL", {"contexts"}), 1);
    // Where what happens is all in variables, a step has many outcomes, of which preferred ones are few.
    features.diagrams ? add(greedy("hff", {"preferred"}), 1) : add(greedy("hadd", {"preferred"}), 0.25);
    add_databases();
  }
  // What is all in variables may be small as a diagram; what chooses has many successors, which a diagram has all at
  // once. A guide is good if few processes take part in the error (Bui 2009, fig. 7.11).
  if (features.diagrams && !config.depth_limit) {
    using Way = SymbolicSearch::Way;
    add(SymbolicSearch{.way = features.high_pep() ? Way::Forward : Way::Guided}, 1);
  }
  if (reducible) {
    const double share = share_of_reduced(features) * plan.first_share;
    if (features.proof) {
      add(BreadthFirstSearch{.prefer = {}, .threads = own.threads}, share);
    } else {
      add(DepthFirstSearch(), share);
    }
    out.back().config.reduction = out.back().reduced = true;
  }
  return out;
}

// Whether a proof with partial-order reduction answers all that is asked.
bool is_reducible(const model::System& system, const model::Property& property, const Config& config) {
  Config reduced = config;
  reduced.method = DepthFirstSearch();
  return config.reduction != false && reduced.reduces(system, property);
}

class Portfolio {
 public:
  Portfolio(const step::Semantics& semantics, const Config& config)
      : semantics_(semantics),
        aims_(semantics, config.workshop),
        property_(semantics.property()),
        config_(config),
        limits_(config),
        alarm_(config.watching()),
        features_(model::features(semantics.system(), property_, config.watching())),
        costs_(config.costs(semantics.system())),
        plan_(plan_for(features_, *config.as<AutoSearch>())),
        all_(members(features_, config, is_reducible(semantics.system(), semantics.property(), config))) {}

  Result run() {
    within_limits([&] { seek(); });
    if (result_.verdict == Verdict::Unknown && long_path_) {
      result_.verdict = Verdict::Reachable;
      result_.path = std::move(long_path_);
      result_.search = describe(long_path_by_);
      result_.search_reason = "No other of " + in_turns() + " has reached the goal.";
    }
    if (result_.verdict == Verdict::Unknown) result_.reason = ended_by_;
    const bool reached = result_.verdict == Verdict::Reachable && !is_incomplete(*result_.path);
    if (reached && !is_best() && !features_.liveness && !config_.as<AutoSearch>()->first) {
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
    return std::min(used(), config_.memory_limit_bytes.value_or(std::numeric_limits<uint64_t>::max()));
  }
  void drop(Member& m) {
    given_up_.memory_bytes = std::max(given_up_.memory_bytes, counted());
    if (m.task() != nullptr) {
      add_counts(given_up_, m.task()->statistics());
      work_given_up_ += m.task()->work();
    }
    m.attempt.reset();
  }
  void give_up(Member& m, const std::string& reason = "") {
    drop(m);
    m.gone = true;
    ended_by_ = reason;
  }
  // What it held may serve the others, for as much work again as it took to use the memory up: then the run ends.
  void run_out_of_memory(Member& m, const std::string& reason) {
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
  bool is_incomplete(const model::Path& path) const { return model::is_incomplete(property_, path); }

  // Seconds that a member may still take. Once breadth-first search is gone there is nothing that the directed ones
  // could hold up. A symbolic search, whose slices may be long, has an allowance of its own.
  double allowed(const Member& m) const {
    if (config_.as<AutoSearch>()->patient) return std::numeric_limits<double>::infinity();
    if (m.reduced) return std::numeric_limits<double>::infinity();
    // Planning tasks are seldom small as diagrams; what makes one does not come to a pause.
    const bool on_trial = m.on_trial() || (features_.planning && m.symbolic());
    double all = 0;
    double alike = 0;
    for (const Member& other : all_) {
      all += other.seconds;
      if (other.reduced) continue;
      if (&other != &all_[0] && other.symbolic() == m.symbolic()) alike += other.seconds;
    }
    double out = std::numeric_limits<double>::infinity();
    if (&m != &all_[0] && !all_[0].gone && !features_.planning) {
      out = kFreeSeconds + plan_.time_ratio * all_[0].seconds - alike;
    }
    return on_trial ? std::min(out, kFreeSecondsOnTrial + kTimeOnTrial * all - m.seconds) : out;
  }

  // Whether a member can do something in a turn of this length. A database is built to fit it.
  bool is_ready(Member& m, double work) const {
    if (m.database && !m.attempt) {
      const double states = work / static_cast<double>(work_of_a_second(semantics_)) * kAbstractStatesOfASecond;
      if (states < kFewestAbstractStates) return false;
      std::get<BestFirstSearch>(m.config.method).estimate.abstract_states = static_cast<uint64_t>(states);
    }
    return allowed(m) > m.needs;
  }
  // After a turn: a database that does not pay makes room for a larger one. What pays has half as much of the time as
  // breadth-first search.
  void judge(Member& m) {
    if (m.task() == nullptr) return;
    const Statistics s = m.task()->statistics();
    m.pays = static_cast<double>(s.dead_ends) >= kPayingDeadEnds * static_cast<double>(s.stored);
    m.share = m.pays ? std::max(plan_.database_share, all_[0].share / 2) : plan_.database_share;
    if (!m.pays) drop(m);
  }

  // Gives a member a turn, as long as it is allowed; with Found, `found_` is the path. Throws ModelFailure, and
  // Error if a limit of the run is reached. A member that runs out of memory is gone.
  template <class Allowed>
  Status turn(Member& m, double work, Allowed&& allowed) {
    const double start = cpu_seconds();
    const double before = m.seconds - start;
    if (!m.attempt) m.attempt = std::make_unique<Attempt>(config_.memory_limit_bytes);
    Attempt& a = *m.attempt;
    uint64_t end = 0;
    const auto make = [&]() -> Task& {
      if (!a.task) a.task = make_task(aims_for(m.config), m.config, a.budget);
      end = a.task->work() + static_cast<uint64_t>(work);
      return *a.task;
    };
    const auto poll = [&] {
      a.watch.poll();
      limits_.poll();
      if (config_.memory_limit_bytes && used() > *config_.memory_limit_bytes) throw MemoryLimitReached();
    };
    const auto show = [&](const Task& task) {
      m.seconds = before + cpu_seconds();
      limits_.show_progress([&] {
        Statistics s = statistics();
        const Statistics own = task.statistics();
        s.search = "auto: " + describe(m.config);
        s.open = own.open;
        s.depth = own.depth;
        return s;
      });
    };
    Outcome outcome;
    {
      const Alarm::Turn turn(alarm_, allowed() + kPatience, a.ring);
      outcome = drive(kSlice, make, poll, show,
                      [&](const Task& task) { return task.work() < end && allowed() > 0 && !is_spent(); });
      if (outcome.path) found_ = *std::move(outcome.path);
    }
    m.seconds = before + cpu_seconds();
    switch (outcome.end) {
      case Outcome::End::Itself: return outcome.status;
      case Outcome::End::Told: break;
      case Outcome::End::Memory: run_out_of_memory(m, outcome.reason); break;
      case Outcome::End::Limit:
        drop(m);
        m.needs = 2 * (cpu_seconds() - start);
        break;
    }
    try {
      limits_.poll();
    } catch (const MemoryLimitReached& e) {
      run_out_of_memory(m, e.what());
    }
    return Status::Running;
  }

  // Until there is an answer, or nobody left who could give one. A walk needs no memory and never ends: it is no reason
  // to go on.
  void seek() {
    if (answers(all_[0], plan_.start)) return;
    for (double unit = plan_.first_turn;; unit *= kGrowth) {
      // The directed members first, so that an error is found before the proof takes its large turn.
      for (size_t i = 1; i <= all_.size(); ++i) {
        const auto is_over = [](const Member& m) { return m.gone || m.walks(); };
        if (is_spent() || std::all_of(all_.begin(), all_.end(), is_over)) return;
        Member& m = all_[i % all_.size()];
        if (!m.gone && is_ready(m, unit * m.share) && answers(m, unit * m.share)) return;
      }
      all_[0].share = std::min(plan_.last_share, all_[0].share * kGrowth);
      for (Member& m : all_) {
        if (m.reduced) m.share = share_of_reduced(features_) * all_[0].share;
      }
      for (Member& m : all_) {
        if (features_.planning && m.walks()) m.share = std::min(kLastShareOfWalks, m.share * kGrowth);
      }
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
      result_.search = describe(m.config);
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + " to meet the failure.";
      return true;
    } catch (const Error& e) {
      if (!m.symbolic() || e.kind() != ErrorKind::Unsupported) throw;
      give_up(m);  // what it cannot encode
    }
    if (status == Status::Found && m.reduced && !config_.as<AutoSearch>()->first && !is_incomplete(found_)) {
      long_path_ = std::move(found_);
      long_path_by_ = m.config;
      give_up(m);
      return false;
    }
    if (status == Status::Found) {
      result_.path = std::move(found_);
      result_.verdict = Verdict::Reachable;
      result_.shortest = m.optimal() && !features_.liveness && costs_ == CostType::Unit;
      result_.search = describe(m.config);
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + " to reach the goal.";
      if (!m.breadth_first()) give_up(m);
      return true;
    }
    if (status == Status::Exhausted) {
      result_.verdict = Verdict::Unreachable;
      result_.warnings = vacuity(semantics_, *m.task(), config_.watching());
      result_.search = describe(m.config);
      std::string all = " to see all states";
      if (const uint64_t dead_ends = m.task()->statistics().dead_ends; dead_ends != 0) {
        all += " but those behind proved dead ends, of which it met " + std::to_string(dead_ends);
      }
      result_.search_reason = all_.size() == 1 ? "" : "It was the first of " + in_turns() + all + ".";
      return true;
    }
    if (status == Status::Cut) give_up(m, "depth limit");
    if (m.database) judge(m);
    if (m.reduced && m.task() != nullptr && m.task()->reduced_part() < kPayingReduction) give_up(m);
    return false;
  }
  std::string in_turns() const { return std::to_string(all_.size()) + " searches in turns"; }

  // Looks for shorter or cheaper paths.
  void improve() {
    first_ = result_.search;
    // Other members count steps, and take no part where costs are counted.
    const bool stages_only = features_.planning || costs_ != CostType::Unit;
    const uint64_t enough =
        stages_only ? std::numeric_limits<uint64_t>::max() : 2 * work() + work_of_a_second(semantics_);
    const double end = cpu_seconds() + time_to_improve(stages_only);
    const auto allowed = [&] { return is_best() || work() >= enough ? 0 : end - cpu_seconds(); };
    const auto may_go_on = [&] { return allowed() > 0; };
    result_.improved = true;
    for (Member& m : all_) {
      if (stages_only && !m.gone) give_up(m);
    }
    std::erase_if(all_, [](const Member& m) { return m.gone || m.walks() || m.on_trial() || m.reduced; });
    for (Member& m : all_) m.share = m.breadth_first() ? 1 : kShareOfOthers;
    consider(*result_.path, first_);
    if (best_value() == 0) {
      prove();
      return;
    }
    // The next stage of anytime search is a member like the others.
    all_.emplace_back();
    size_t stage = 1;
    uint64_t bound = 0;
    const auto begin_stage = [&] {
      bound = best_value() - 1;
      all_.back() = {.config = stage_of_anytime(config_, costs_, features_.planning, stage, bound)};
    };
    begin_stage();
    for (double unit = kFirstTurn; may_go_on(); unit *= kGrowth) {
      bool any = false;
      for (Member& m : all_) {
        if (m.gone || !may_go_on()) continue;
        any = true;
        const Status status = contribute(m, unit * m.share, allowed);
        if (status == Status::Running || &m != &all_.back()) continue;
        // Nothing within the bound is a proof, unless the best path has got shorter meanwhile.
        if ((status != Status::Found && bound + 1 == best_value()) || best_value() == 0) prove();
        if (++stage < kStagesOfAnytime && best_value() != 0) begin_stage();
      }
      if (!any) break;
    }
  }
  double time_to_improve(bool stages_only) const {
    if (stages_only) {
      return config_.watching().bounds().seconds ? std::numeric_limits<double>::infinity() : kMostTimeForPlans;
    }
    double most = 1;
    for (const Member& m : all_) most += m.seconds;
    return kMostTime * most;
  }

  // A turn in which a member may find another path. Not Running: its search is over, and the member gone.
  template <class Allowed>
  Status contribute(Member& m, double work, Allowed&& allowed) {
    try {
      const Status status = turn(m, work, allowed);
      if (status == Status::Running) return status;
      if (status == Status::Found) {
        if (m.optimal() && !is_incomplete(found_)) prove();
        consider(std::move(found_), describe(m.config));
      }
      give_up(m);
      return status;
    } catch (const model::EvalFailure&) {  // the model fails somewhere, but not on the path
      give_up(m);
      return Status::Running;
    }
  }

  // Takes a path instead of the best one if it is shorter or cheaper, or can be made so.
  void consider(model::Path path, const std::string& finder) {
    if (is_incomplete(path)) return;
    const uint64_t best = best_value();
    if (config_.polish.value_or(true) && !is_best()) {
      model::Path shorter = shorten(semantics_, path, config_);
      if (value_of(shorter) < value_of(path)) path = std::move(shorter);
    }
    if (value_of(path) >= best) return;
    result_.path = std::move(path);
    if (finder == result_.search) return;
    result_.search = finder;
    result_.search_reason = std::string("Its path is ") + (costs_ == CostType::Unit ? "shorter" : "cheaper") +
                            " than that of " + first_ + ", which reached the goal first.";
  }
  Aims& aims_for(const Config& config) {
    if (config.simplification(property_) != semantics_.simplification()) {
      if (!as_written_) as_written_.emplace(semantics_.system(), property_, config);
      return as_written_->aims;
    }
    const CostType costs = config.costs(semantics_.system());
    if (costs == CostType::Unit) return aims_;
    if (!by_costs_) by_costs_.emplace(semantics_, config.workshop, costs);
    return *by_costs_;
  }
  // What the steps of a path count together, and those of the best one so far.
  uint64_t value_of(const model::Path& path) const { return model::cost_of(semantics_.system(), path, costs_); }
  uint64_t best_value() const { return value_of(*result_.path); }
  // Whether the best path so far is known to be one.
  bool is_best() const { return costs_ == CostType::Unit ? result_.shortest : result_.cheapest; }
  void prove() { (costs_ == CostType::Unit ? result_.shortest : result_.cheapest) = true; }

  const step::Semantics& semantics_;
  Aims aims_;                     // of searches that count steps
  std::optional<Aims> by_costs_;  // of those that count costs
  // Of those that need states with all values, and count steps.
  struct AsWritten {
    AsWritten(const model::System& system, const model::Property& property, const Config& config)
        : semantics(system, property, config.watching(), {}, config.simplification(property)),
          aims(semantics, config.workshop) {}
    const step::Semantics semantics;
    Aims aims;
  };
  std::optional<AsWritten> as_written_;
  const model::Property& property_;
  const Config& config_;
  Limits limits_;
  Alarm alarm_;
  const model::Features features_;
  const CostType costs_;  // what is counted when paths are improved
  const Plan& plan_;
  std::vector<Member> all_;  // breadth-first search first, until there is an answer
  Result result_;
  model::Path found_;
  std::string ended_by_;                  // why the last member that was given up was
  std::optional<model::Path> long_path_;  // for want of a better one
  Config long_path_by_;
  std::string first_;    // the search that found the first path
  Statistics given_up_;  // of members that are gone
  uint64_t work_given_up_ = 0;
  std::optional<uint64_t> last_work_;  // once memory ran out
};

}  // namespace

Result AutoSearch::run(const step::Semantics& semantics, const Config& config) const {
  return Portfolio(semantics, config).run();
}

std::string describe_auto(const model::System& system, const model::Property& property,
                          const model::Features& features) {
  if (features.branching) return "symbolic search (sbfs)";
  if (features.liveness) {
    return features.diagrams ? "a depth-first search for cycles, in turns with symbolic search (sbfs)"
                             : "one depth-first search, for cycles";
  }
  std::string out = features.proof ? "breadth-first search first and most of the time, in turns with "
                                   : "a little breadth-first search, then in turns with it ";
  const std::vector<Member> all = members(features, {}, is_reducible(system, property, {}));
  for (size_t i = 1; i < all.size(); ++i) {
    if (i > 1) out += i + 1 == all.size() ? " and " : ", ";
    const auto* greedy = all[i].config.as<BestFirstSearch>();
    if (all[i].symbolic()) {
      out += "symbolic search (" + describe(all[i].config) + ")";
      continue;
    }
    if (all[i].reduced) {
      out += features.proof ? "breadth-first" : "depth-first";
      out += " search with partial-order reduction (as long as it pays)";
      continue;
    }
    if (greedy == nullptr) {
      out += "random walks";
      continue;
    }
    if (all[i].database) {
      out += "A* by " + greedy->estimate.heuristic + " (as long as it pays)";
      continue;
    }
    out += "greedy search by " + greedy->estimate.heuristic;
    if (greedy->prefer.has("useless")) out += " (useless transitions)";
    if (greedy->prefer.has("contexts")) out += " (interference contexts)";
    if (greedy->prefer.has("preferred")) out += " (preferred transitions)";
  }
  return all.size() > 1 ? out : "breadth-first search";
}

}  // namespace harrier::search
