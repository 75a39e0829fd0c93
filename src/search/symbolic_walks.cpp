#include "search/symbolic_walks.h"

#include <optional>

#include "search/config.h"
#include "search/explorer.h"
#include "search/symbolic_database.h"
#include "search/task.h"
#include "search/walk.h"
#include "symbolic/walker.h"

namespace harrier::search {

namespace {

using symbolic::Walker;

// Of the limits of walks without a given depth.
constexpr uint64_t kUnit = 1'000;

Walker::Bias bias_of(RandomWalks::Bias bias) {
  switch (bias) {
    case RandomWalks::Bias::Linear: return Walker::Bias::Linear;
    case RandomWalks::Bias::Softmax: break;
    case RandomWalks::Bias::Greedy: return Walker::Bias::Greedy;
    case RandomWalks::Bias::Steps: break;
  }
  return Walker::Bias::Softmax;
}

class SymbolicWalkTask : public Task {
 public:
  SymbolicWalkTask(Aims& aims, const SymbolicWalks& options, Budget& budget)
      : semantics_(aims.semantics()),
        workshop_(aims.workshop()),
        options_(options),
        budget_(budget),
        wanted_(walks_wanted(options.walks)) {}

  Status advance(uint64_t steps) override {
    if (!walker_) make_walker();
    for (; steps > 0 && status_ == Status::Running; --steps) {
      if (!walking_) {
        begin();
      } else {
        step();
      }
    }
    return status_;
  }

  uint64_t work() const override { return steps_ * kWorkOfEstimate; }
  model::Path path() override { return path_; }
  std::string cut_reason() const override { return reason_without_error(options_.walks, walks_); }

  Statistics statistics() const override {
    Statistics s;
    s.walks = walks_;
    s.steps = steps_;
    s.images = steps_;
    if (space_) s.peak_nodes = space_->manager().peak_nodes();
    if (status_ == Status::Found) s.walk_length = walker_->length();
    return s;
  }

 private:
  void make_walker() {
    const model::Property& property = semantics_.property();
    space_.emplace(semantics_.system(), property, budget_);
    if (auto path = failing_beginning(*space_)) throw ModelFailure(path->failure->failure, *path);
    std::optional<symbolic::Database> database;
    if (options_.guided) database = symbolic_database(*space_, property, *workshop_);
    // No goal, or none that there is a way to: nothing to walk for.
    if (space_->initial().is_false() || space_->targets().is_false() ||
        (database && !database->distance(space_->initial()))) {
      status_ = Status::Exhausted;
    }
    const symbolic::Draw draw =
        options_.draw == SymbolicWalks::Draw::Uniform ? symbolic::Draw::Uniform : symbolic::Draw::Branches;
    const RandomWalks& own = options_.walks;
    walker_.emplace(*space_,
                    Walker::Rules{own.trails, own.end_at_loop, own.reverse, draw, bias_of(own.bias), own.temperature},
                    std::move(database), own.seed);
  }

  void begin() {
    if (wanted_ && walks_ >= *wanted_) {
      status_ = Status::Cut;
      return;
    }
    const bool at_previous = options_.walks.restart == RandomWalks::Restart::Previous && walks_ > 0;
    ++walks_;
    walking_ = true;
    limit_ = options_.walks.depth ? *options_.walks.depth : luby(walks_) * kUnit;
    see(at_previous ? walker_->begin_at_previous() : walker_->begin());
    first_ = walker_->length();
  }

  void step() {
    if (limit_ != 0 && walker_->length() - first_ >= limit_) {
      walking_ = false;
      return;
    }
    const Walker::Step made = walker_->step();
    if (made != Walker::Step::Ended) ++steps_;
    see(made);
  }

  void see(Walker::Step made) {
    switch (made) {
      case Walker::Step::Made: return;
      case Walker::Step::Ended: walking_ = false; return;
      case Walker::Step::Found: break;
    }
    path_ = walker_->path();
    if (path_.failure) throw ModelFailure(path_.failure->failure, path_);
    status_ = Status::Found;
  }

  const step::Semantics& semantics_;
  std::shared_ptr<abstraction::Workshop> workshop_;
  SymbolicWalks options_;
  Budget& budget_;
  std::optional<uint64_t> wanted_;
  std::optional<symbolic::Space> space_;
  std::optional<Walker> walker_;
  Status status_ = Status::Running;
  bool walking_ = false;
  uint64_t limit_ = 0;  // of the walk
  uint64_t first_ = 0;  // where it started: steps from the initial state
  model::Path path_;
  uint64_t walks_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace

std::string SymbolicWalks::describe() const { return guided ? "swalk guided" : "swalk"; }

void SymbolicWalks::check(const Config& config, const model::Property& property) const {
  if (walks.restart == RandomWalks::Restart::Best) refuse("symbolic walks start at an initial or a previous state");
  if (walks.bias == RandomWalks::Bias::Steps) refuse("symbolic walks do not rate the steps of processes");
  if (walks.reverse && !guided) refuse("only guided walks have a bias to reverse");
  walks.check(config, property);
}

std::unique_ptr<Task> SymbolicWalks::task(Aims& aims, Budget& budget) const {
  return std::make_unique<SymbolicWalkTask>(aims, *this, budget);
}

}  // namespace harrier::search
