#include "search/swarm.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "search/driver.h"
#include "search/limits.h"
#include "search/statistics.h"
#include "search/walk.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 256;  // attempts to make a step between looks at the clock

// One of the walkers. What it finds, and when, is its own business until all are done.
struct Member {
  RandomWalks walks;
  Budget budget;
  std::unique_ptr<Task> task;
  uint64_t attempts = 0;  // so far, in whole slices; the measure by which the first witness is told
  Status status = Status::Running;
  std::string reason;               // why it stopped, if it is Running
  std::optional<model::Path> path;  // with Found
  std::exception_ptr exception;     // thrown by its model, or while the walker was made
};

// When a walker found something: fewer attempts first, then the number of the walker.
using Moment = uint64_t;
Moment moment(const Member& m, size_t number, size_t count) { return m.attempts * count + number; }

class Run {
 public:
  Run(const step::Semantics& semantics, const Config& config)
      : semantics_(semantics),
        workshop_(config.workshop),
        walks_(*config.as<RandomWalks>()),
        limits_(config),
        members_(walks_.threads) {
    const std::optional<uint64_t> walks = walks_wanted(walks_);
    const uint64_t n = members_.size();
    for (uint64_t i = 0; i < n; ++i) {
      Member& m = members_[i];
      m.walks = walks_;
      m.walks.delta = m.walks.epsilon = std::nullopt;
      if (walks) m.walks.walks = *walks / n + (i < *walks % n ? 1 : 0);
      m.budget = budget_of(config);
      if (config.memory_limit_bytes) m.budget = {*config.memory_limit_bytes / n, m.budget.watch()};
    }
  }

  Result run() {
    {
      std::vector<std::jthread> threads;
      for (size_t i = 1; i < members_.size(); ++i) threads.emplace_back([this, i] { walk(i); });
      walk(0);
    }
    Result result;
    result.statistics = statistics();
    Member* first = nullptr;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (decided(members_[i]) && moment(members_[i], i, members_.size()) == decision_) first = &members_[i];
    }
    const auto is_done = [](const Member& m) { return m.status == Status::Exhausted; };
    if (first == nullptr && std::any_of(members_.begin(), members_.end(), is_done)) {
      result.verdict = Verdict::Unreachable;
    } else if (first == nullptr) {
      result.reason = reason();
    } else if (first->exception) {
      try {
        std::rethrow_exception(first->exception);
      } catch (const ModelFailure& failure) {
        result.verdict = Verdict::Failed;
        result.failure = failure;
        result.path = failure.path;
      }
    } else {
      result.verdict = Verdict::Reachable;
      result.statistics.walk_length = first->task->statistics().walk_length;
      result.path = std::move(first->path);
    }
    return result;
  }

 private:
  static bool decided(const Member& m) { return m.status == Status::Found || m.exception; }

  void walk(size_t number) {
    Member& m = members_[number];
    const auto make = [&]() -> Task& {
      Aims aims(semantics_, workshop_);
      m.task = make_walk_task(aims, m.walks, m.budget, number);
      return *m.task;
    };
    const auto count = [&](const Task& task) {
      m.attempts += kSlice;
      if (number == 0) limits_.show_progress([&] { return task.statistics(); });
    };
    const auto may_be_first = [&](const Task&) { return moment(m, number, members_.size()) < decision_; };
    try {
      Outcome outcome = drive(
          kSlice, make, [&] { limits_.poll(); }, count, may_be_first);
      m.status = outcome.status;
      m.reason = std::move(outcome.reason);
      m.path = std::move(outcome.path);
    } catch (...) {
      m.exception = std::current_exception();
    }
    if (!decided(m)) return;
    const Moment now = moment(m, number, members_.size());
    Moment best = decision_;
    while (now < best && !decision_.compare_exchange_weak(best, now)) {
    }
  }

  Statistics statistics() const {
    Statistics total;
    for (const Member& m : members_) {
      if (!m.task) continue;
      add_counts(total, m.task->statistics());
      total.memory_bytes += m.budget.used();
    }
    total.time_s = limits_.seconds();
    return total;
  }

  std::string reason() const {
    for (const Member& m : members_) {
      if (!m.reason.empty()) return m.reason;
    }
    return reason_without_error(walks_, statistics().walks);
  }

  const step::Semantics& semantics_;
  std::shared_ptr<abstraction::Workshop> workshop_;
  const RandomWalks walks_;
  Limits limits_;
  std::vector<Member> members_;
  std::atomic<Moment> decision_ = UINT64_MAX;
};

}  // namespace

Result run_swarm(const step::Semantics& semantics, const Config& config) { return Run(semantics, config).run(); }

}  // namespace harrier::search
