#include "search/symbolic_search.h"

#include <optional>

#include "search/config.h"
#include "search/explorer.h"
#include "search/task.h"
#include "symbolic/reachability.h"

namespace harrier::search {

namespace {

using symbolic::Reachability;

constexpr uint64_t kCountBelow = 100'000;  // nodes: states are counted after every layer

// One layer at a time: a slice is at least one. The diagrams are made with the first slice.
class SymbolicTask : public Task {
 public:
  SymbolicTask(const step::Semantics& semantics, Reachability::Way way, Budget& budget)
      : semantics_(semantics), way_(way), budget_(budget) {}

  Status advance(uint64_t) override {
    if (!search_) {
      space_.emplace(semantics_.system(), semantics_.property(), budget_);
      search_.emplace(*space_, way_);
    }
    const Reachability::Status status = search_->advance();
    produced_ += space_->manager().nodes();
    if (status != Reachability::Status::Running || space_->manager().nodes() < kCountBelow) {
      states_ = static_cast<double>(search_->states());
    }
    switch (status) {
      case Reachability::Status::Running: return Status::Running;
      case Reachability::Status::Exhausted: return Status::Exhausted;
      case Reachability::Status::Found: break;
    }
    path_ = search_->path();
    if (path_.failure) throw ModelFailure(path_.failure->failure, path_);
    return Status::Found;
  }

  uint64_t work() const override { return produced_; }
  model::Path path() override { return path_; }

  Statistics statistics() const override {
    Statistics s;
    if (!search_) return s;
    s.layers = search_->layers();
    s.images = search_->images();
    s.peak_nodes = space_->manager().peak_nodes();
    s.depth = search_->layers() - 1;
    s.states = states_;
    return s;
  }

 private:
  const step::Semantics& semantics_;
  Reachability::Way way_;
  Budget& budget_;
  std::optional<symbolic::Space> space_;
  std::optional<Reachability> search_;
  model::Path path_;
  uint64_t produced_ = 0;  // nodes, roughly
  double states_ = 0;
};

}  // namespace

std::string SymbolicSearch::describe() const {
  switch (way) {
    case Way::Forward: return "sbfs";
    case Way::Backward: return "sbwd";
    case Way::Both: return "sbidi";
  }
  return {};
}

void SymbolicSearch::check(const Config& config, const model::Property&) const {
  if (config.depth_limit) refuse("symbolic searches have no depth limit");
}

Traits SymbolicSearch::traits() const { return {.shortest = true, .least_depth = true}; }

std::unique_ptr<Task> SymbolicSearch::task(Aims& aims, Budget& budget) const {
  switch (way) {
    case Way::Forward: return std::make_unique<SymbolicTask>(aims.semantics(), Reachability::Way::Forward, budget);
    case Way::Backward: return std::make_unique<SymbolicTask>(aims.semantics(), Reachability::Way::Backward, budget);
    case Way::Both: break;
  }
  return std::make_unique<SymbolicTask>(aims.semantics(), Reachability::Way::Both, budget);
}

}  // namespace harrier::search
