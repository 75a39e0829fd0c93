#include "search/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/rng.h"
#include "search/aim.h"
#include "search/bias.h"
#include "search/discrete_walk.h"
#include "search/visited.h"
#include "search/walk_point.h"
#include "search/zone_walk.h"

namespace harrier::search {

namespace {

using Restart = RandomWalks::Restart;
using Selection = RandomWalks::Selection;

// Units of the limits of walks without a given depth.
constexpr uint64_t kBlindUnit = 10'000;
constexpr uint64_t kGuidedUnit = 1'000;
constexpr uint64_t kUnitFromBest = 40;
// Walks from the best state so far that may be in vain before the next one starts from the initial state.
constexpr uint32_t kPatience = 10;

// How much of what is seen is new, by a table of bits.
class Saturation {
 public:
  Saturation(Budget& budget, double threshold) : budget_(budget), threshold_(threshold) {
    budget_.take(kBits / 8);
    bits_.resize(kBits / 64);
  }
  ~Saturation() { budget_.give_back(kBits / 8); }
  Saturation(const Saturation&) = delete;
  Saturation& operator=(const Saturation&) = delete;

  void see(uint64_t hash) {
    uint64_t& word = bits_[hash / 64 % bits_.size()];
    const uint64_t bit = uint64_t{1} << hash % 64;
    fresh_ += (word & bit) == 0;
    word |= bit;
    ++seen_;
  }
  // To be asked after each walk.
  bool reached() {
    if (seen_ < kWindow) return false;
    const bool little = static_cast<double>(fresh_) < threshold_ * static_cast<double>(seen_);
    seen_ = fresh_ = 0;
    return little;
  }

 private:
  static constexpr uint64_t kBits = uint64_t{1} << 27;
  static constexpr uint64_t kWindow = 100'000;  // steps

  Budget& budget_;
  double threshold_;
  std::vector<uint64_t> bits_;
  uint64_t seen_ = 0;
  uint64_t fresh_ = 0;
};

bool needs_hash(const model::Property& property, const RandomWalks& options) {
  return options.trails || options.end_at_loop || options.saturation || property.kind == model::PropertyKind::Liveness;
}

bool is_deadlock(const step::CompiledClause& clause) { return clause.deadlock == model::DeadlockTest::IsDeadlock; }

template <WalkPoint Point>
class Walker : public Task {
 public:
  template <class... Extra>
  Walker(Aims& aims, const RandomWalks& options, Budget& budget, uint64_t stream, Extra... extra)
      : options_(options),
        liveness_(aims.semantics().property().kind == model::PropertyKind::Liveness),
        remembers_(options_.trails || options_.end_at_loop || liveness_),
        wants_deadlocks_(std::any_of(aims.semantics().goal().begin(), aims.semantics().goal().end(), is_deadlock)),
        walks_wanted_(walks_wanted(options_)),
        rng_(options.seed + stream * 0x9e3779b97f4a7c15ULL),
        point_(aims.semantics(), budget, extra...),
        bias_(options_),
        visited_(budget) {
    if (options.estimate) {
      const heur::Recipe recipe(options.estimate->heuristic);
      Guidance guidance = aims.guidance(recipe, *options.estimate, true, budget.watch());
      if (options_.bias == RandomWalks::Bias::Steps) {
        rater_ = std::move(guidance.heuristic);
        if (rater_->step_costs() == nullptr) refuse(recipe.text() + " has no costs of steps; h0 and h1 do");
      } else {
        guidance_ = std::move(guidance);
      }
    }
    if (options_.saturation) saturation_.emplace(budget, *options_.saturation);
  }

  Status advance(uint64_t attempts) override {
    try {
      for (; attempts > 0 && status_ == Status::Running; --attempts) {
        if (!walking_) {
          begin();
        } else if (!step()) {
          end();
        }
      }
    } catch (const model::EvalFailure& failure) {
      throw ModelFailure(failure, walks_ == 0 ? model::Path() : point_.path(step::kNoClause));
    }
    return status_;
  }

  uint64_t work() const override { return generated_ + kWorkOfEstimate * evaluated_; }

  model::Path path() override {
    model::Path path = point_.path(goal_clause_);
    path.loop_start = loop_start_;
    return path;
  }

  Statistics statistics() const override {
    Statistics s;
    s.walks = walks_;
    s.steps = steps_;
    s.expanded = steps_;
    s.generated = generated_;
    s.evaluated = evaluated_;
    s.dead_ends = dead_ends_;
    if (status_ == Status::Found) s.walk_length = point_.length();
    return s;
  }

 private:
  void begin() {
    if (walks_wanted_ && walks_ >= *walks_wanted_) {
      status_ = Status::Cut;
      return;
    }
    ++walks_;
    if (!choose_start()) {
      status_ = Status::Exhausted;
      return;
    }
    walking_ = true;
    first_ = point_.length();
    last_progress_ = 0;
    limit_ = options_.depth ? *options_.depth : luby(walks_) * unit();
    if (guidance_) {
      here_ = evaluate();
      nearest_ = {here_, point_.length()};
    }
    if (remembers_) {
      visited_.clear();
      visited_.insert(point_.hash(), point_.length());
      last_accepting_ = liveness_ && point_.accepting() ? std::optional(point_.length()) : std::nullopt;
    }
    check_goal(false);
  }

  uint64_t unit() const {
    if (!guidance_) return kBlindUnit;
    return options_.restart == Restart::Best ? kUnitFromBest : kGuidedUnit;
  }

  // False if there is no initial state.
  bool choose_start() {
    const bool from_initial = options_.restart == Restart::Initial || walks_ == 1;
    if (!from_initial && options_.restart == Restart::Previous) {
      // A random state of the walk before, unless it is too far away. From a state that a walk could not leave there is
      // nothing to be tried again (Bui 2009, fig. 4.1: an empty path).
      const uint64_t at = first_ + rng_.below(point_.length() - first_ + 1);
      if (point_.length() != first_ && (limit_ == 0 || at <= limit_)) {
        point_.return_to(at);
        return true;
      }
    } else if (!from_initial) {
      if (nearest_.estimate < base_.estimate) {
        base_ = nearest_;
        in_vain_ = 0;
      } else {
        ++in_vain_;
      }
      if (in_vain_ < kPatience) {
        point_.return_to(base_.at);
        return true;
      }
    }
    in_vain_ = 0;
    if (!point_.start(rng_)) return false;
    base_ = {UINT32_MAX, 0};
    return true;
  }

  void end() {
    walking_ = false;
    if (status_ == Status::Running && saturation_ && saturation_->reached()) status_ = Status::Cut;
  }

  // False if the walk ends here.
  bool step() {
    const uint64_t made = point_.length() - first_;
    if (options_.depth ? *options_.depth != 0 && made >= *options_.depth : made - last_progress_ >= limit_) {
      if (wants_deadlocks_ && stuck()) check_goal(true);
      return false;
    }
    can_move_ = false;
    if (!move()) {
      if (!can_move_) check_goal(true);
      // There is no other state.
      if (!can_move_ && status_ == Status::Running && point_.is_only_start()) status_ = Status::Exhausted;
      return false;
    }
    if (status_ == Status::Found) return true;
    ++steps_;
    if (guidance_) {
      here_ = next_estimate_;
      if (here_ < nearest_.estimate) {
        nearest_ = {here_, point_.length()};
        last_progress_ = point_.length() - first_;
      }
    }
    if (saturation_) saturation_->see(point_.hash());
    check_goal(false);
    if (!remembers_ || status_ == Status::Found) return true;
    const uint64_t hash = point_.hash();
    if (options_.end_at_loop && visited_.find(hash)) return false;
    visited_.insert(hash, point_.length());
    if (liveness_ && point_.accepting()) last_accepting_ = point_.length();
    return true;
  }

  // Whether there is no move.
  bool stuck() {
    point_.list();
    for (size_t i = 0; i < point_.moves(); ++i) {
      if (!point_.make(i, rng_)) continue;
      point_.take_back();
      return false;
    }
    return true;
  }

  // Makes a move that stays; false if there is none.
  bool move() {
    if (rater_) return choose_by_steps();
    if (guidance_ && options_.selection == Selection::All) return choose_among_all();
    if (options_.selection == Selection::All) {
      point_.list();
      return try_listed();
    }
    point_.begin_listing();
    while (point_.list_more(rng_)) {
      if (try_listed()) return true;
    }
    // All were passed over.
    return guidance_ && can_move_ && choose_among_all();
  }

  // Tries the moves that are listed, in random order, until one is taken.
  bool try_listed() {
    while (point_.moves() > 0) {
      const size_t i = rng_.below(point_.moves());
      if (point_.make(i, rng_)) {
        ++generated_;
        can_move_ = true;
        if (may_go_on(i)) {
          if (status_ == Status::Found) return true;
          if (guidance_) next_estimate_ = evaluate();
          if (!guidance_ || (next_estimate_ != heur::kDeadEnd && bias_.accept(here_, next_estimate_, rng_))) {
            point_.keep(i);
            return true;
          }
        }
        point_.take_back();
      }
      point_.drop(i);
    }
    return false;
  }

  // Looks at all successors and picks one.
  bool choose_among_all() {
    point_.list();
    estimates_.clear();
    bool hopeful = false;
    for (size_t i = 0; i < point_.moves();) {
      if (point_.make(i, rng_)) {
        ++generated_;
        can_move_ = true;
        if (may_go_on(i)) {
          if (status_ == Status::Found) return true;
          estimates_.push_back(evaluate());
          hopeful = hopeful || estimates_.back() != heur::kDeadEnd;
          point_.take_back();
          ++i;
          continue;
        }
        point_.take_back();
      }
      point_.drop(i);
    }
    if (estimates_.empty() || (!hopeful && guidance_->safe)) return false;
    if (hopeful) {
      // Dead ends are not worth a try.
      for (size_t i = 0; i < estimates_.size();) {
        if (estimates_[i] != heur::kDeadEnd) {
          ++i;
          continue;
        }
        estimates_[i] = estimates_.back();
        estimates_.pop_back();
        point_.drop(i);
      }
    }
    const size_t i = hopeful ? bias_.pick(estimates_, rng_) : rng_.below(estimates_.size());
    next_estimate_ = estimates_[i];
    point_.make(i, rng_);
    point_.keep(i);
    return true;
  }

  // Picks a move by the cost of its step (Bui 2009, fig. 6.3), another one if it cannot be made. With Selection::All
  // only those that can be made are looked at; that does not change which is taken, but what it costs.
  bool choose_by_steps() {
    point_.list();
    const heur::StepCosts& costs = *rater_->step_costs();
    weights_.clear();
    for (size_t i = 0; i < point_.moves();) {
      const uint32_t cost = costs.of(point_.edges(i));
      if (options_.selection == Selection::All) {
        const bool possible = point_.make(i, rng_);
        if (possible) point_.take_back();
        generated_ += possible;
        if (!possible) {
          point_.drop(i);
          continue;
        }
      }
      weights_.push_back(options_.reverse ? cost : costs.worst - cost);
      ++i;
    }
    while (point_.moves() > 0) {
      const size_t i = Bias::draw(weights_, rng_);
      if (point_.make(i, rng_)) {
        ++generated_;
        can_move_ = true;
        if (may_go_on(i)) {
          if (status_ != Status::Found) point_.keep(i);
          return true;
        }
        point_.take_back();
      }
      point_.drop(i);
      weights_[i] = weights_.back();
      weights_.pop_back();
    }
    return false;
  }

  // Whether the walk may go to the state of the move just made. If that closes an accepting cycle, the walk is over.
  bool may_go_on(size_t i) {
    if (!remembers_) return true;
    const std::optional<uint64_t> known = visited_.find(point_.hash());
    if (!known) return true;
    if (last_accepting_ && *last_accepting_ >= *known) {
      point_.keep(i);
      loop_start_ = *known;
      ++steps_;
      status_ = Status::Found;
      return true;
    }
    return !options_.trails;
  }

  uint32_t evaluate() {
    ++evaluated_;
    const uint32_t h = guidance_->heuristic->evaluate({point_.values(), point_.zone()});
    if (h == heur::kDeadEnd) ++dead_ends_;
    return h;
  }

  void check_goal(bool stuck) {
    if (const auto clause = point_.goal(stuck)) {
      goal_clause_ = *clause;
      status_ = Status::Found;
    }
  }

  struct Near {
    uint32_t estimate = UINT32_MAX;
    uint64_t at = 0;  // steps from the initial state
  };

  RandomWalks options_;
  bool liveness_;
  bool remembers_;
  bool wants_deadlocks_;
  std::optional<uint64_t> walks_wanted_;
  Rng rng_;
  Point point_;
  Bias bias_;
  Visited visited_;
  std::optional<Guidance> guidance_;
  std::unique_ptr<heur::Heuristic> rater_;  // instead: of steps
  std::optional<Saturation> saturation_;

  Status status_ = Status::Running;
  bool walking_ = false;
  uint64_t first_ = 0;          // where the walk started: steps from the initial state
  uint64_t limit_ = 0;          // of the walk
  uint64_t last_progress_ = 0;  // the step of the walk at which it was nearest to the goal
  bool can_move_ = false;       // the state has a successor
  uint32_t here_ = 0;           // estimate of the state
  uint32_t next_estimate_ = 0;  // and of the successor that is chosen
  Near nearest_;                // of the walk
  Near base_;                   // where walks start again, with Restart::Best
  uint32_t in_vain_ = 0;
  std::optional<uint64_t> last_accepting_;
  std::vector<uint32_t> estimates_;
  std::vector<double> weights_;

  size_t goal_clause_ = 0;
  std::optional<size_t> loop_start_;
  uint64_t walks_ = 0;
  uint64_t steps_ = 0;
  uint64_t generated_ = 0;
  uint64_t evaluated_ = 0;
  uint64_t dead_ends_ = 0;
};

}  // namespace

std::optional<uint64_t> walks_wanted(const RandomWalks& options) {
  if (!options.delta) return options.walks;
  const double n = std::ceil(std::log(*options.delta) / std::log1p(-*options.epsilon));
  const auto count = n < 1e18 ? static_cast<uint64_t>(n) : uint64_t{1} << 60;
  return options.walks ? std::min(*options.walks, count) : count;
}

std::string reason_without_error(const RandomWalks& w, uint64_t walks) {
  // What the number of walks says about the model is known of maximal trails from the initial state (Bui 2009, theorem
  // 5.3.4), which cover it with their probabilities; other walks are just so many.
  const bool maximal_trails = w.trails && w.depth == 0 && w.restart == RandomWalks::Restart::Initial && !w.end_at_loop;
  if (w.epsilon && maximal_trails && walks >= walks_wanted(w).value_or(0)) {
    return fmt::format(
        "no error in {} trails; that had a probability below {} if a share of {} of all maximal trails finds one",
        walks, *w.delta, *w.epsilon);
  }
  return fmt::format("no error in {} walk{}", walks, walks == 1 ? "" : "s");
}

uint64_t luby(uint64_t i) {
  uint64_t k = 1;
  while ((uint64_t{1} << k) - 1 < i) ++k;
  return (uint64_t{1} << k) - 1 == i ? uint64_t{1} << (k - 1) : luby(i - (uint64_t{1} << (k - 1)) + 1);
}

std::unique_ptr<Task> make_walk_task(Aims& aims, const RandomWalks& options, Budget& budget, uint64_t stream) {
  if (aims.semantics().timed()) return std::make_unique<Walker<ZoneWalk>>(aims, options, budget, stream);
  return std::make_unique<Walker<DiscreteWalk>>(aims, options, budget, stream,
                                                needs_hash(aims.semantics().property(), options));
}

}  // namespace harrier::search
