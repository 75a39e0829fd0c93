#include "search/hashed_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/chunked.h"
#include "base/hash.h"
#include "base/rng.h"
#include "search/aim.h"
#include "search/config.h"
#include "search/explorer.h"
#include "search/step_names.h"
#include "search/task.h"
#include "step/discrete_generator.h"
#include "step/layers.h"
#include "store/bit_array.h"
#include "store/fingerprints.h"

namespace harrier::search {

namespace {

constexpr uint32_t kMostFunctions = 32;

// That at least one of so many omissions happens that are to be expected, each of them unlikely.
std::string probability(double omitted) {
  const double p = -std::expm1(-omitted);
  return p > 0.01 ? fmt::format("{:.0f} %", 100 * p) : fmt::format("{:.1e}", p);
}

std::string number(double n) { return n < 100 ? fmt::format("{:.2g}", n) : fmt::format("{:.0f}", n); }

std::string coverage(const store::BitArray& seen) {
  const double states = std::max<double>(1, static_cast<double>(seen.size()));
  return fmt::format(
      "bitstate: {} states, hash factor {:.3g}, {} functions; coverage estimate {:.6g} %: about {} states left out, "
      "and what only they lead to (probability that there are any: {})",
      seen.size(), static_cast<double>(seen.bits()) / states, seen.functions(),
      100 * states / (states + seen.omitted()), number(seen.omitted()), probability(seen.omitted()));
}

std::string coverage(const store::Fingerprints& seen) {
  return fmt::format("hash compaction: {} states, known by 64 bits each; probability that one was left out: {}",
                     seen.size(), probability(seen.omitted()));
}

step::LayerOptions layers_of(const step::Semantics& semantics, const Config& config) {
  return {.reduce = config.reduces(semantics.system(), semantics.property()), .pass_through = true};
}

// `Seen` has add(hash), has(hash), size() and a coverage().
//
// The stack has the states of the current path, which are being expanded, and above each its successors that were new
// and wait. They count as seen as soon as they wait, as in the search that stores them (explorer.h).
template <class Seen>
class HashedTask : public Task {
 public:
  template <class... Extra>
  HashedTask(const step::Semantics& semantics, const Config& config, std::optional<uint64_t> seed, Budget& budget,
             Extra... extra)
      : words_(semantics.layout().words()),
        depth_limit_(config.depth_limit),
        generator_(semantics, budget.watch()),
        layers_(generator_, step::independence_for(semantics, layers_of(semantics, config), budget.watch()),
                layers_of(semantics, config), budget),
        names_(budget),
        seen_(budget, extra...),
        states_(budget, words_),
        stack_(budget, 1) {
    if (seed) rng_.emplace(*seed);
  }

  Status advance(uint64_t expansions) override {
    try {
      if (!started_) start();
      const uint64_t until = work() + expansions;
      while (status_ == Status::Running && work() < until) step();
    } catch (const model::EvalFailure& failure) {
      layers_.recover();
      throw ModelFailure(failure, path());
    }
    return status_;
  }
  uint64_t work() const override { return taken_ + generated(); }
  model::Path path() override;
  std::string cut_reason() const override { return (cut_ ? "depth limit; " : "") + coverage(seen_); }
  std::vector<step::Machine::Violation> violations() const override { return generator_.violations(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = expanded_;
    s.generated = generated();
    s.stored = seen_.size();
    s.transient = transient_;
    s.open = stack_.size();
    s.depth = depth_;
    return s;
  }

 private:
  struct Entry {
    uint32_t name = 0;  // of the steps that lead there
    uint32_t depth = 0;
    bool on_path = false;
  };

  uint64_t generated() const { return generated_ + layers_.passed(); }
  void start() {
    started_ = true;
    generator_.initial([&] { return visit(names_.of_beginning(generator_.choices()), 0); });
    shuffle(0);
    if (status_ == Status::Running && stack_.size() == 0) status_ = Status::Cut;
  }
  void step();
  // Of the state at this place of the stack. In a reduced space it has to have one that was not seen.
  template <class Sink>
  void successors(uint64_t place, Sink&& sink) {
    const auto load = [&] { generator_.load(states_[place]); };
    const uint64_t before = stack_.size();
    load();
    layers_.successors(
        load, [&] { return stack_.size() != before; }, sink);
  }
  // Takes a candidate; false if the search is over.
  bool visit(uint32_t name, uint32_t depth) {
    const uint64_t* words = generator_.words();
    if (!seen_.add(hash_words(words, words_))) return true;
    if (generator_.is_transient()) ++transient_;
    // Its evaluation can fail: then this is the last state of the path.
    last_ = name;
    goal_clause_ = generator_.goal();
    if (goal_clause_) {
      status_ = Status::Found;
      return false;
    }
    last_.reset();
    std::copy_n(generator_.words(), words_, states_.append());
    *stack_.append() = {name, depth, false};
    return true;
  }
  // Puts what waits from here on into the order in which it is to be taken from the end.
  void shuffle(uint64_t first) {
    const uint64_t count = stack_.size() - first;
    if (rng_) {
      for (uint64_t i = count; i > 1; --i) exchange(first + i - 1, first + rng_->below(i));
    } else {
      for (uint64_t i = 0; i < count / 2; ++i) exchange(first + i, first + count - 1 - i);
    }
  }
  void exchange(uint64_t a, uint64_t b) {
    std::swap(*stack_[a], *stack_[b]);
    std::swap_ranges(states_[a], states_[a] + words_, states_[b]);
  }

  uint32_t words_;
  std::optional<uint64_t> depth_limit_;
  std::optional<Rng> rng_;
  step::DiscreteGenerator generator_;
  step::Layers layers_;
  StepNames names_;
  Seen seen_;
  ChunkedArray<uint64_t> states_;  // beside stack_
  ChunkedArray<Entry> stack_;
  Status status_ = Status::Running;
  std::optional<uint32_t> last_;  // the steps to the candidate, where the path ends with it
  std::optional<size_t> goal_clause_;
  bool cut_ = false;  // by the depth limit
  bool started_ = false;
  uint64_t taken_ = 0;  // from the stack, to be expanded or left
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
  uint64_t transient_ = 0;
  uint64_t depth_ = 0;
};

template <class Seen>
void HashedTask<Seen>::step() {
  ++taken_;
  const uint64_t top = stack_.size() - 1;
  Entry& entry = *stack_[top];
  if (entry.on_path) {
    stack_.remove_last();
    states_.remove_last();
    if (top == 0) status_ = Status::Cut;  // nothing is proved
    return;
  }
  entry.on_path = true;
  depth_ = entry.depth;
  if (depth_limit_ && entry.depth >= *depth_limit_) {
    cut_ = true;
    return;
  }
  ++expanded_;
  successors(top, [&](const step::Firing& firing) {
    ++generated_;
    step::Passing* const passing = layers_.passing();
    const uint32_t depth = entry.depth + (passing != nullptr ? passing->steps() : 1);
    if (depth_limit_ && depth > *depth_limit_) {
      cut_ = true;
      return true;
    }
    return visit(names_.of_step(firing.edges, firing.choices, passing), depth);
  });
  shuffle(top + 1);
}

template <class Seen>
model::Path HashedTask<Seen>::path() {
  std::vector<uint32_t> names;
  for (uint64_t i = 0; i < stack_.size(); ++i) {
    if (stack_[i]->on_path) names.push_back(stack_[i]->name);
  }
  if (last_) names.push_back(*last_);
  model::Path path;
  path.goal_clause = goal_clause_.value_or(step::kNoClause);
  if (names.empty()) return path;
  path.beginning = names_.choices_of_beginning(names[0]);
  for (size_t i = 1; i < names.size(); ++i) {
    for (model::PathStep& step : names_.steps_of(names[i])) path.steps.push_back(std::move(step));
  }
  return path;
}

}  // namespace

std::string HashedSearch::describe() const {
  return std::string(seed ? "rdfs" : "dfs") +
         (megabytes ? " bitstate " + std::to_string(*megabytes) + " MB" : std::string(" compact"));
}

void HashedSearch::check(const Config& config, const model::Property&) const {
  constexpr uint64_t kMostMegabytes = uint64_t{1} << 30;
  if (megabytes && (*megabytes == 0 || *megabytes > kMostMegabytes)) {
    refuse("a bitstate search has from 1 to " + std::to_string(kMostMegabytes) + " MB of bits");
  }
  if (functions == 0 || functions > kMostFunctions) {
    refuse("a bitstate search has from 1 to " + std::to_string(kMostFunctions) + " hash functions");
  }
  if (config.cost.value_or(CostType::Unit) != CostType::Unit) refuse("depth-first search counts no costs");
}

std::unique_ptr<Task> HashedSearch::task(Aims& aims, const Config& config, Budget& budget) const {
  const step::Semantics& semantics = aims.semantics();
  if (semantics.timed()) refuse_unsupported("bitstate hashing and hash compaction of a model with clocks");
  if (megabytes) {
    return std::make_unique<HashedTask<store::BitArray>>(semantics, config, seed, budget, *megabytes, functions);
  }
  return std::make_unique<HashedTask<store::Fingerprints>>(semantics, config, seed, budget);
}

}  // namespace harrier::search
