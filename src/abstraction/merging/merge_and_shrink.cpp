#include "abstraction/merging/merge_and_shrink.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "abstraction/merging/factored_system.h"
#include "abstraction/merging/label_reduction.h"
#include "abstraction/merging/merging.h"
#include "abstraction/merging/shrinking.h"
#include "task/causal_graph.h"

namespace harrier::abstraction {

namespace {

// Products of small factors may be larger than these may be after them: it costs little, and what to shrink shows
// better in the product.
constexpr uint64_t kFreeProduct = 100'000;
constexpr uint64_t kArcsPerState = 16;  // that the budget in states allows
// Time: a merge may take some times its share of what is left; what a state costs is not measured by the shortest
// merges, and small products are always allowed.
constexpr double kMostOfShare = 3;
constexpr double kShortTime = 0.05;
constexpr double kSmallProduct = 1000;

// The variables whose values all fit: those of the goal first, then small ones.
std::vector<uint32_t> chosen_variables(const Factors& factors, uint64_t states) {
  std::vector<uint8_t> in_goal(factors.size(), 0);
  for (const Factors::Label& goal : factors.goals()) {
    for (const Factors::Part& part : factors.parts(goal)) in_goal[part.variable] = 1;
  }
  std::vector<uint32_t> order(factors.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(in_goal[b], factors.values(a)) < std::tuple(in_goal[a], factors.values(b));
  });
  std::vector<uint32_t> chosen;
  for (const uint32_t v : order) {
    if (factors.values(v) > states) break;
    states -= factors.values(v);
    chosen.push_back(v);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

class MergeAndShrink::Builder {
 public:
  Builder(MergeAndShrink& out, const AbstractionOptions& options, const Watch& watch)
      : out_(out),
        watch_(watch),
        order_(merge_order(options.merge)),
        strategy_(shrink_strategy(options.shrink)),
        most_(static_cast<uint32_t>(std::clamp<uint64_t>(options.merge_states, 1, UINT32_MAX / 4))),
        seconds_(options.seconds),
        allowance_(options, watch),
        budget_(std::min<uint64_t>(options.states, UINT32_MAX)),
        variables_(chosen_variables(*out.factors_, budget_)),
        system_(*out.factors_, variables_, watch),
        labels_before_(system_.labels_left()) {}

  void run() {
    entries_left_ = budget_;
    for (const uint32_t v : variables_) entries_left_ -= out_.factors_->values(v);
    find_levels();
    start();
    while (merge_once()) {
    }
    for (const uint32_t f : system_.active()) add_tree(f);
    for (const uint32_t f : system_.dropped()) add_tree(f);
    report();
  }

 private:
  void find_levels() {
    const Factors& factors = *out_.factors_;
    const task::CausalGraph graph(factors.domains(), watch_);
    std::vector<uint32_t> place(factors.domains().size(), 0);
    for (uint32_t i = 0; i < graph.order().size(); ++i) place[graph.order()[i]] = i;
    for (uint32_t v = 0; v < factors.size(); ++v) context_.levels.push_back(place[factors.number_in_domains(v)]);
  }

  // Nothing is lost here unless a variable has more than N values.
  void start() {
    system_.settle();
    reduce_labels(system_, allowance_);
    for (const uint32_t f : system_.active()) {
      system_.shrink(f, bisimulation(system_.system(f), most_, allowance_));
    }
    system_.settle();
    reduce_labels(system_, allowance_);
    system_.drop_trivial();
  }

  // Whether there was something to merge, and room and time for it.
  bool merge_once() {
    if (allowance_.glance()) return give_up("seconds");
    // With one that has no states all is said.
    const auto is_empty = [&](uint32_t f) { return system_.system(f).size() == 0; };
    if (std::any_of(system_.active().begin(), system_.active().end(), is_empty)) return false;
    if (system_.active().size() < 2) return false;
    const auto pair = order_.next(system_, context_);
    if (!pair) return false;
    const auto [a, b] = *pair;
    const double began = allowance_.seconds();
    if (!make_room(a, b)) return give_up("states");
    const uint64_t states = uint64_t{system_.system(a).size()} * system_.system(b).size();
    const auto product = system_.merge(a, b, allowance_);
    if (!product) return give_up("seconds");
    ++merges_;
    entries_left_ -= states;
    largest_product_ = std::max(largest_product_, states);
    context_.last = product;
    system_.settle();
    shrink(*product, most_);
    reduce_labels(system_, allowance_);
    system_.drop_trivial();
    const double spent = allowance_.seconds() - began;
    if (spent > kShortTime) seconds_per_state_ = spent / static_cast<double>(states);
    return true;
  }

  bool give_up(const char* what) {
    used_up_ = what;
    return false;
  }

  // Shrinks two factors until their product fits into what is left, of which each merge to come has its share. Of time,
  // too, if the last merges were such that it would not be enough.
  bool make_room(uint32_t a, uint32_t b) {
    const uint64_t merges_left = system_.active().size() - 1;
    const uint64_t wanted = std::max<uint64_t>(most_, std::min(uint64_t{most_} * most_, kFreeProduct));
    const double seconds = kMostOfShare * (seconds_ - allowance_.seconds()) / static_cast<double>(merges_left);
    const double in_time = std::max(kSmallProduct, seconds / seconds_per_state_);
    uint64_t first_limit = std::min(entries_left_ / merges_left, wanted);
    if (in_time < static_cast<double>(first_limit)) {
      first_limit = static_cast<uint64_t>(in_time);
      hurried_ = true;
    }
    const uint64_t arcs = kArcsPerState * budget_;
    for (uint64_t limit = first_limit; limit > 0; limit /= 2) {
      const uint64_t left = system_.system(a).size();
      const uint64_t right = system_.system(b).size();
      if (left * right > limit) {
        const auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(limit)));
        const uint64_t for_left = right <= root ? limit / right : std::min(left, root);
        const uint64_t for_right = std::min(right, limit / for_left);
        shrink(a, static_cast<uint32_t>(for_left));
        shrink(b, static_cast<uint32_t>(for_right));
      }
      if (system_.system(a).size() * uint64_t{system_.system(b).size()} > limit) continue;
      if (TransitionSystem::product_arcs(system_.system(a), system_.system(b), system_.label_count()) <= arcs) {
        return true;
      }
    }
    return false;
  }

  void shrink(uint32_t factor, uint32_t most) {
    const TransitionSystem& system = system_.system(factor);
    const auto shrunk = revision_shrunk_.find(factor);
    const bool again = shrunk != revision_shrunk_.end() && shrunk->second == system_.revision(factor);
    if (system.size() == 0 || (system.size() <= most && (again || !strategy_.always))) return;
    TransitionSystem::Mapping mapping = strategy_.shrink(system, most, allowance_);
    if (mapping.size < system.size()) {
      system_.shrink(factor, mapping);
      system_.settle();
    }
    revision_shrunk_[factor] = system_.revision(factor);
  }

  // The estimate of a factor, unless it says nothing.
  void add_tree(uint32_t factor) {
    const TransitionSystem& system = system_.system(factor);
    const uint32_t root = system_.node(factor);
    std::vector<uint32_t> distances = system_.nodes()[root].states;
    for (uint32_t& s : distances) {
      if (is_state(s)) s = system.to_goal()[s];
    }
    static_assert(kDeadState == kInfinity);
    if (std::all_of(distances.begin(), distances.end(), [](uint32_t d) { return d == 0; })) return;
    compile(root, distances);
    out_.ends_.push_back(static_cast<uint32_t>(out_.steps_.size()));
    sizes_.push_back(system.size());
  }

  void compile(uint32_t root, const std::vector<uint32_t>& distances) {
    // In the order of evaluation, from the end.
    std::vector<uint32_t> backwards;
    std::vector<uint32_t> waiting{root};
    const std::vector<uint32_t> room = room_needed();
    const auto& nodes = system_.nodes();
    const auto right_first = [&](const FactoredSystem::Node& node) { return room[node.right] > room[node.left]; };
    while (!waiting.empty()) {
      const uint32_t n = waiting.back();
      waiting.pop_back();
      backwards.push_back(n);
      const FactoredSystem::Node& node = nodes[n];
      if (node.stride == 0) continue;
      waiting.push_back(right_first(node) ? node.right : node.left);
      waiting.push_back(right_first(node) ? node.left : node.right);
    }
    for (auto at = backwards.rbegin(); at != backwards.rend(); ++at) {
      watch_.poll();
      const FactoredSystem::Node& node = nodes[*at];
      const std::vector<uint32_t>& table = *at == root ? distances : node.states;
      Step step;
      step.table = static_cast<uint32_t>(out_.tables_.size());
      step.variable = node.variable;
      step.size = static_cast<uint32_t>(table.size());
      step.stride = node.stride;
      step.right_first = node.stride != 0 && right_first(node);
      out_.steps_.push_back(step);
      out_.tables_.insert(out_.tables_.end(), table.begin(), table.end());
    }
  }

  // On the stack, by node. Parts come before what they are part of.
  std::vector<uint32_t> room_needed() const {
    std::vector<uint32_t> room;
    for (const FactoredSystem::Node& node : system_.nodes()) {
      if (node.stride == 0) {
        room.push_back(1);
      } else {
        const uint32_t left = room[node.left];
        const uint32_t right = room[node.right];
        room.push_back(left == right ? left + 1 : std::max(left, right));
      }
    }
    return room;
  }

  void report() {
    AbstractionReport& report = out_.report_;
    report.heuristic = "ms";
    report.seconds = allowance_.seconds();
    out_.sum_up();
    const auto add = [&](const char* name, const std::string& text) { report.details.emplace_back(name, text); };
    add("merge order", order_.name);
    add("shrinking", strategy_.name);
    add("bound", std::to_string(most_));
    add("variables", std::to_string(variables_.size()) + " of " + std::to_string(out_.factors_->size()));
    add("merges", std::to_string(merges_));
    add("largest product", std::to_string(largest_product_));
    std::string sizes;
    for (const uint32_t size : sizes_) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    add("states of the factors", sizes.empty() ? "none" : sizes);
    add("labels", std::to_string(labels_before_) + ", reduced to " + std::to_string(system_.labels_left()));
    if (hurried_) add("hurried", "products were made smaller to stay within the budget of seconds");
    if (used_up_ != nullptr) add("stopped", std::string("the budget of ") + used_up_ + " is used up");
  }

  MergeAndShrink& out_;
  const Watch& watch_;
  const MergeOrder& order_;
  const ShrinkStrategy& strategy_;
  uint32_t most_;
  double seconds_;
  Allowance allowance_;
  uint64_t budget_;  // entries of all tables
  std::vector<uint32_t> variables_;
  FactoredSystem system_;
  MergeContext context_;
  uint64_t entries_left_ = 0;
  uint32_t labels_before_;
  uint32_t merges_ = 0;
  uint64_t largest_product_ = 0;
  std::vector<uint32_t> sizes_;                             // of the factors that estimates are taken from
  std::unordered_map<uint32_t, uint32_t> revision_shrunk_;  // by factor
  double seconds_per_state_ = 0;                            // of the last product that took long
  bool hurried_ = false;                                    // products were made smaller because of the time
  const char* used_up_ = nullptr;
};

MergeAndShrink::MergeAndShrink(std::shared_ptr<const Factors> factors, const AbstractionOptions& options,
                               const Watch& watch)
    : factors_(std::move(factors)) {
  Builder(*this, options, watch).run();
}

uint32_t MergeAndShrink::look_up(const int32_t* values) const {
  uint32_t stack[kStack];
  uint32_t farthest = 0;
  size_t at = 0;
  for (const uint32_t end : ends_) {
    uint32_t* top = stack;  // above the uppermost
    for (; at < end; ++at) {
      const Step& step = steps_[at];
      if (step.stride == 0) {
        const uint32_t value = factors_->read(step.variable, values);
        *top++ = value < step.size ? tables_[step.table + value] : kUnknownState;
        continue;
      }
      const uint32_t second = *--top;
      const uint32_t first = top[-1];
      if (first == kUnknownState || second == kUnknownState) return 0;
      if (first == kDeadState || second == kDeadState) {
        top[-1] = kDeadState;
      } else {
        top[-1] =
            tables_[step.table + (step.right_first ? second * step.stride + first : first * step.stride + second)];
      }
    }
    if (stack[0] == kUnknownState) return 0;
    farthest = std::max(farthest, stack[0]);
  }
  return farthest;
}

void MergeAndShrink::sum_up() {
  report_.heuristic = "ms";
  report_.states = tables_.size();
  report_.bytes = tables_.size() * sizeof(uint32_t) + steps_.size() * sizeof(Step);
  report_.proved = look_up(factors_->system().initial_values().data()) == kInfinity;
}

void MergeAndShrink::save(ArchiveWriter& out) const {
  out.list(ends_);
  out.number(steps_.size());
  for (const Step& step : steps_) {
    for (const uint32_t n : {step.size, step.variable, step.stride, uint32_t{step.right_first}}) out.number(n);
  }
  out.list(tables_);
  out.number(report_.details.size());
  for (const auto& [name, text] : report_.details) {
    out.text(name);
    out.text(text);
  }
}

MergeAndShrink MergeAndShrink::load(ArchiveReader& in, std::shared_ptr<const Factors> factors) {
  MergeAndShrink made(std::move(factors));
  made.ends_ = in.list<uint32_t>();
  uint64_t table = 0;
  for (uint64_t steps = in.number(UINT32_MAX); steps > 0; --steps) {
    Step step;
    step.table = static_cast<uint32_t>(table);
    step.size = static_cast<uint32_t>(in.number(UINT32_MAX));
    step.variable = static_cast<uint32_t>(in.number(UINT32_MAX));
    step.stride = static_cast<uint32_t>(in.number(UINT32_MAX));
    step.right_first = in.number(1) == 1;
    table += step.size;
    if (table > UINT32_MAX) in.fail("a number is out of range");
    made.steps_.push_back(step);
  }
  made.tables_ = in.list<uint32_t>();
  if (made.tables_.size() != table) in.fail("a list has the wrong length");
  made.check(in);
  for (uint64_t details = in.number(); details > 0; --details) {
    std::string name(in.text());
    made.report_.details.emplace_back(std::move(name), in.text());
  }
  made.sum_up();
  return made;
}

// A look-up must stay inside the tables and the stack, whatever the state.
void MergeAndShrink::check(const ArchiveReader& in) const {
  const auto require = [&](bool holds) {
    if (!holds) in.fail("its tables do not fit together");
  };
  size_t at = 0;
  for (const uint32_t end : ends_) {
    require(end <= steps_.size());
    std::vector<uint64_t> stack;  // for each state that is there: how many there are
    for (; at < end; ++at) {
      const Step& step = steps_[at];
      if (step.stride == 0) {
        require(step.variable < factors_->size() && step.size == factors_->values(step.variable));
      } else {
        require(stack.size() >= 2);
        const uint64_t second = stack.back();
        stack.pop_back();
        const uint64_t first = stack.back();
        stack.pop_back();
        const uint64_t left = step.right_first ? second : first;
        const uint64_t right = step.right_first ? first : second;
        require(right <= step.stride && left * step.stride <= step.size);
      }
      uint64_t states = 0;
      for (uint32_t i = 0; i < step.size; ++i) {
        const uint32_t s = tables_[step.table + i];
        if (is_state(s)) states = std::max<uint64_t>(states, uint64_t{s} + 1);
      }
      stack.push_back(states);
      require(stack.size() <= kStack);
    }
    require(stack.size() == 1);
  }
  require(at == steps_.size());
}

}  // namespace harrier::abstraction
