#include "search/search.h"

#include <chrono>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/frontier.h"
#include "space/discrete_space.h"
#include "space/zone_space.h"

namespace harrier::search {

namespace {

using Clock = std::chrono::steady_clock;
using space::Admission;
using space::Origin;

constexpr uint64_t kCheckEvery = 64;  // expansions between looks at the clock
constexpr double kProgressEvery = 0.25;

// One search: a space, a frontier, and the limits.
template <class Space, class Frontier>
class Explorer {
 public:
  Explorer(Space& space, Frontier& frontier, const Budget& budget, const Options& options)
      : space_(space), frontier_(frontier), budget_(budget), options_(options), start_(Clock::now()) {}

  Result run() {
    try {
      explore();
    } catch (const MemoryLimitReached&) {
      result_.reason = "memory limit";
    } catch (const std::bad_alloc&) {
      result_.reason = "out of memory";
    }
    update_statistics();
    if (goal_) {
      result_.verdict = Verdict::Reachable;
      result_.path = space_.path_to(goal_->id, goal_->clause);
    }
    return std::move(result_);
  }

 private:
  void explore() {
    uint32_t initial = 0;
    space_.for_each_initial([&] { return visit(Origin::kNoParent, space::next_ordinal(initial), 0); });
    frontier_.end_of_expansion();
    while (!goal_) {
      if (result_.statistics.expanded % kCheckEvery == 0 && stopped()) return;
      const std::optional<uint64_t> id = frontier_.next();
      if (!id) break;
      if (space_.dropped(*id)) continue;
      uint32_t depth = 0;
      if constexpr (Frontier::kLayered) {
        depth = frontier_.depth();
        space_.keep_below(frontier_.layer_end());
      } else if (options_.depth_limit) {
        depth = space_.depth(*id);
      }
      if (options_.depth_limit && depth >= *options_.depth_limit) {
        cut_ = true;
        continue;
      }
      ++result_.statistics.expanded;
      space_.for_each_successor(*id, [&](uint32_t ordinal) {
        ++result_.statistics.generated;
        return visit(*id, ordinal, depth + 1);
      });
      space_.release(*id);
      frontier_.end_of_expansion();
    }
    if (goal_) return;
    if (cut_) {
      result_.reason = "depth limit";
    } else {
      result_.verdict = Verdict::Unreachable;
    }
  }

  // Takes a candidate in; false if the search is over.
  bool visit(uint64_t parent, uint32_t ordinal, uint32_t depth) {
    const Admission admission = space_.admit(parent, ordinal, depth);
    if (!admission.fresh) return true;
    if (const auto clause = space_.goal()) {
      goal_ = {admission.id, *clause};
      return false;
    }
    frontier_.add(admission.id);
    return true;
  }

  bool stopped() {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      result_.reason = "interrupted";
      return true;
    }
    const double now = seconds();
    if (options_.time_limit_s && now >= *options_.time_limit_s) {
      result_.reason = "time limit";
      return true;
    }
    if (options_.progress && now >= next_progress_) {
      next_progress_ = now + kProgressEvery;
      update_statistics();
      options_.progress(result_.statistics);
    }
    return false;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void update_statistics() {
    result_.statistics.stored = space_.stored();
    result_.statistics.memory_bytes = budget_.used();
    result_.statistics.time_s = seconds();
  }

  Space& space_;
  Frontier& frontier_;
  const Budget& budget_;
  const Options& options_;
  Clock::time_point start_;
  Result result_;
  struct Goal {
    uint64_t id = 0;
    size_t clause = 0;
  };
  std::optional<Goal> goal_;  // the first goal state found
  bool cut_ = false;          // some state was not expanded because of the depth limit
  double next_progress_ = kProgressEvery;
};

template <class Space>
Result explore_in(const model::System& system, const model::Property& property, const Options& options) {
  Budget budget = options.memory_limit_bytes ? Budget(*options.memory_limit_bytes) : Budget();
  const bool track_depth = options.depth_limit && options.search != Search::BreadthFirst;
  Space space(system, property, budget, track_depth);
  if (options.search == Search::BreadthFirst) {
    BreadthFirst frontier;
    return Explorer(space, frontier, budget, options).run();
  }
  DepthFirst frontier(budget, options.search == Search::RandomDepthFirst ? std::optional(options.seed) : std::nullopt);
  return Explorer(space, frontier, budget, options).run();
}

}  // namespace

Result run(const model::System& system, const model::Property& property, const Options& options) {
  if (property.kind != model::PropertyKind::Reachable && property.kind != model::PropertyKind::Invariant) {
    throw Error(ErrorKind::Unsupported, "unsupported: this kind of query at " + system.sources.describe(property.at));
  }
  try {
    return system.clocks.size() > 1 ? explore_in<space::ZoneSpace>(system, property, options)
                                    : explore_in<space::DiscreteSpace>(system, property, options);
  } catch (const model::EvalFailure& failure) {
    std::string message = format_diagnostic(
        system.sources, {Severity::Error, failure.at, std::string("the model fails: ") + model::fault_name(failure.fault)});
    message.pop_back();
    throw Error(ErrorKind::Runtime, message);
  } catch (const MemoryLimitReached&) {
    Result result;
    result.reason = "memory limit";
    return result;
  }
}

}  // namespace harrier::search
