#include "search/symbolic_search.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "search/config.h"
#include "search/explorer.h"
#include "search/symbolic_database.h"
#include "search/task.h"
#include "symbolic/chaining.h"
#include "symbolic/guided_reachability.h"
#include "symbolic/reachability.h"
#include "symbolic/temporal.h"

namespace harrier::search {

namespace {

using symbolic::Engine;
using symbolic::Reachability;

bool is_temporal(const model::Property& property) {
  return property.kind == model::PropertyKind::Liveness || property.kind == model::PropertyKind::Branching;
}

constexpr double kCountEvery = 20;  // times the time that counting states took the last time

// One set of states at a time: a slice is at least one. The diagrams are made with the first slice.
class SymbolicTask : public Task {
 public:
  SymbolicTask(Aims& aims, SymbolicSearch::Way way, Budget& budget)
      : semantics_(aims.semantics()), workshop_(aims.workshop()), way_(way), budget_(budget) {}

  Status advance(uint64_t) override {
    if (!engine_) {
      space_.emplace(semantics_.system(), semantics_.property(), budget_);
      engine_ = make_engine();
    }
    const Engine::Status status = engine_->advance();
    produced_ += space_->manager().nodes();
    count_states(status != Engine::Status::Running);
    switch (status) {
      case Engine::Status::Running: return Status::Running;
      case Engine::Status::Exhausted: return Status::Exhausted;
      case Engine::Status::Found: break;
    }
    if (!engine_->has_path()) return Status::Found;
    path_ = engine_->path();
    if (path_.failure) throw ModelFailure(path_.failure->failure, path_);
    return Status::Found;
  }

  uint64_t work() const override { return produced_; }
  bool has_path() const override { return engine_->has_path(); }
  model::Path path() override { return path_; }
  std::vector<std::string> remarks() const override { return engine_->remarks(); }

  Statistics statistics() const override {
    Statistics s;
    if (!engine_) return s;
    s.layers = engine_->layers();
    s.images = engine_->images();
    s.peak_nodes = space_->manager().peak_nodes();
    s.depth = engine_->depth();
    s.states = states_;
    s.dead_ends = static_cast<uint64_t>(std::min(engine_->dead_ends(), 0x1p63L));
    return s;
  }

 private:
  std::unique_ptr<Engine> make_engine() {
    const model::Property& property = semantics_.property();
    if (is_temporal(property)) return std::make_unique<symbolic::Temporal>(*space_, property);
    switch (way_) {
      case SymbolicSearch::Way::Forward: return std::make_unique<Reachability>(*space_, Reachability::Way::Forward);
      case SymbolicSearch::Way::Backward: return std::make_unique<Reachability>(*space_, Reachability::Way::Backward);
      case SymbolicSearch::Way::Both: return std::make_unique<Reachability>(*space_, Reachability::Way::Both);
      case SymbolicSearch::Way::Chained: return std::make_unique<symbolic::ChainedReachability>(*space_);
      case SymbolicSearch::Way::Guided: break;
    }
    return std::make_unique<symbolic::GuidedReachability>(
        *space_, symbolic_database(*space_, semantics_.property(), *workshop_));
  }

  // Often enough for a search that a limit ends, and so seldom that it costs nothing.
  void count_states(bool last) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    if (!last && start < next_count_) return;
    states_ = static_cast<double>(engine_->states());
    const auto end = Clock::now();
    next_count_ = end + std::chrono::duration_cast<Clock::duration>(kCountEvery * (end - start));
  }

  const step::Semantics& semantics_;
  std::shared_ptr<abstraction::Workshop> workshop_;
  SymbolicSearch::Way way_;
  Budget& budget_;
  std::optional<symbolic::Space> space_;
  std::unique_ptr<Engine> engine_;
  model::Path path_;
  uint64_t produced_ = 0;  // nodes, roughly
  double states_ = 0;
  std::chrono::steady_clock::time_point next_count_;
};

}  // namespace

std::string SymbolicSearch::describe() const {
  switch (way) {
    case Way::Forward: return "sbfs";
    case Way::Backward: return "sbwd";
    case Way::Both: return "sbidi";
    case Way::Guided: return "sgmc";
    case Way::Chained: return "schain";
  }
  return {};
}

void SymbolicSearch::check(const Config& config, const model::Property& property) const {
  if (config.depth_limit) refuse("symbolic searches have no depth limit");
  if (property.kind == model::PropertyKind::Liveness && property.fair) {
    refuse_unsupported("fairness among processes with symbolic search");
  }
}

bool SymbolicSearch::answers(Question question) const {
  const bool temporal = question == Question::Cycles || question == Question::Formula;
  return question == Question::States || (temporal && way == Way::Forward);
}

Traits SymbolicSearch::traits() const { return {.shortest = way != Way::Chained, .least_depth = way != Way::Chained}; }

std::unique_ptr<Task> SymbolicSearch::task(Aims& aims, Budget& budget) const {
  return std::make_unique<SymbolicTask>(aims, way, budget);
}

}  // namespace harrier::search
