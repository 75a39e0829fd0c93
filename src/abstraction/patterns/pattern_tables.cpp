#include "abstraction/patterns/pattern_tables.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "abstraction/patterns/additivity.h"
#include "abstraction/patterns/pattern_text.h"
#include "base/error.h"
#include "base/suggest.h"

namespace harrier::abstraction {

namespace {

constexpr PatternCombination kCombinations[] = {
    {"auto", "saturated, if there is more than one pattern", ""},
    {"max", "the largest estimate of a pattern", "Holte et al. 2006"},
    {"canonical", "the largest sum over patterns of which no transition changes two", "Haslum et al. 2007"},
    {"saturated", "sums over all patterns, which share the costs of transitions", "Seipp, Keller and Helmert 2020"},
};
constexpr size_t kMostSums = 512;   // of the canonical combination
constexpr size_t kMostOrders = 16;  // of the saturated one

void check_combination(std::string_view name) {
  std::vector<std::string> names;
  for (const PatternCombination& combination : kCombinations) {
    if (name == combination.name) return;
    names.emplace_back(combination.name);
  }
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

}  // namespace

std::span<const PatternCombination> pattern_combinations() { return kCombinations; }

class PatternTables::Builder {
 public:
  Builder(PatternTables& out, const AbstractionOptions& options, const Watch& watch)
      : out_(out), factors_(*out.factors_), options_(options), allowance_(options, watch) {}

  void run() {
    check_combination(options_.combine);
    const PatternStrategy& strategy = pattern_strategy(options_.patterns);
    const std::vector<int32_t> start = factors_.system().initial_values();
    for (uint32_t v = 0; v < factors_.size(); ++v) initial_.push_back(factors_.read(v, start.data()));
    for (const Factors::Label& label : factors_.labels()) costs_.push_back(label.cost);
    out_.cheapest_ = costs_.empty() ? 0 : *std::min_element(costs_.begin(), costs_.end());

    const ChoiceTask task{factors_, initial_, costs_, allowance_};
    if (options_.pattern.empty()) {
      Choice choice = strategy.choose(task);
      chosen_ = std::move(choice.patterns);
      cut_ = choice.cut;
    } else {
      build_given(task);
    }
    if (chosen_.size() > kMostPatterns) {
      chosen_.erase(chosen_.begin() + kMostPatterns, chosen_.end());
      cut_ = true;
    }
    for (const ChosenPattern& chosen : chosen_) {
      out_.patterns_.push_back(projected(factors_, chosen.pattern(), chosen.space.numbers()));
    }
    combine();
    report();
  }

 private:
  // The patterns that the user wrote.
  void build_given(const ChoiceTask& task) {
    uint64_t room = allowance_.states();
    for (const Pattern& pattern : parse_patterns(factors_, options_.pattern)) {
      auto made = make_pattern(task, pattern, room, allowance_);
      if (!made && allowance_.is_over()) {
        cut_ = true;
        break;
      }
      if (!made) {
        throw Error(ErrorKind::Usage, "the pattern '" + pattern_text(factors_, pattern) + "' has more than " +
                                          std::to_string(room) + " states, which is what is left of the " +
                                          std::to_string(allowance_.states()) + " that all may have");
      }
      room -= made->space.size();
      chosen_.push_back(std::move(*made));
    }
  }

  // Returns the number of the table. Equal ones are one.
  uint32_t add_table(uint32_t pattern, const std::vector<uint32_t>& distances) {
    Table table;
    table.pattern = pattern;
    uint32_t largest = 0;
    for (const uint32_t d : distances) {
      if (d != kInfinity) largest = std::max(largest, d);
    }
    const auto store = [&](auto& list, uint32_t infinity) {
      list.reserve(distances.size());
      for (const uint32_t d : distances) {
        list.push_back(
            static_cast<std::decay_t<decltype(list[0])>>(d == kInfinity ? infinity : std::min(d, infinity - 1)));
      }
    };
    if (largest < UINT8_MAX) {
      store(table.bytes, UINT8_MAX);
    } else {
      store(table.words, UINT16_MAX);
    }
    const auto known = std::find(out_.tables_.begin(), out_.tables_.end(), table);
    if (known != out_.tables_.end()) return static_cast<uint32_t>(known - out_.tables_.begin());
    stored_ += table.states();
    out_.tables_.push_back(std::move(table));
    return static_cast<uint32_t>(out_.tables_.size()) - 1;
  }

  void combine() {
    std::vector<uint32_t> whole;  // tables with the whole costs, by pattern
    for (uint32_t p = 0; p < chosen_.size(); ++p) whole.push_back(add_table(p, chosen_[p].distances));
    combination_ = whole.size() < 2 ? "max" : options_.combine == "auto" ? "saturated" : options_.combine;
    if (combination_ == "canonical") {
      std::vector<Pattern> patterns;
      for (const ChosenPattern& chosen : chosen_) patterns.push_back(chosen.pattern());
      for (const auto& set : Additivity(factors_, allowance_.watch()).maximal_sets(patterns, kMostSums)) {
        out_.sums_.emplace_back();
        for (const uint32_t p : set) out_.sums_.back().push_back(whole[p]);
      }
      return;
    }
    for (const uint32_t table : whole) out_.sums_.push_back({table});
    if (combination_ == "saturated") add_saturated();
  }

  // Orders: by estimate of the initial state, each pattern first in one of them.
  void add_saturated() {
    std::vector<uint32_t> by_estimate(chosen_.size());
    std::iota(by_estimate.begin(), by_estimate.end(), 0);
    std::stable_sort(by_estimate.begin(), by_estimate.end(),
                     [&](uint32_t a, uint32_t b) { return chosen_[a].initial() > chosen_[b].initial(); });
    for (size_t i = 0; i < by_estimate.size() && i < kMostOrders; ++i) {
      std::vector<uint32_t> order = by_estimate;
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i),
                  order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      if (!add_order(order)) {
        cut_ = true;
        return;
      }
    }
  }
  // False if there is no room or no time for it.
  bool add_order(const std::vector<uint32_t>& order) {
    std::vector<uint32_t> left = costs_;
    std::vector<uint32_t> sum;
    for (const uint32_t p : order) {
      const AbstractSpace& space = chosen_[p].space;
      const auto distances = space.distances(space.operator_costs(left), allowance_);
      if (!distances) return false;
      if (std::all_of(distances->begin(), distances->end(), [](uint32_t d) { return d == 0 || d == kInfinity; })) {
        continue;  // dead ends are in the other table of the pattern, too
      }
      const auto needed = space.saturated(*distances, allowance_);
      if (!needed) return false;
      for (uint32_t op = 0; op < needed->size(); ++op) {
        for (const uint32_t label : space.projection().labels_of(op)) left[label] -= (*needed)[op];
      }
      if (!sum.empty() && stored_ + space.size() > allowance_.states()) {
        cut_ = true;
        continue;
      }
      sum.push_back(add_table(p, *distances));
    }
    if (sum.size() > 1) out_.sums_.push_back(std::move(sum));
    return true;
  }

  void report() {
    AbstractionReport& report = out_.report_;
    report.heuristic = "pdb";
    report.states = stored_;
    for (const Table& table : out_.tables_) report.bytes += table.bytes.size() + 2 * table.words.size();
    for (const Projected& pattern : out_.patterns_) {
      if (pattern.numbers != nullptr) report.bytes += pattern.numbers->bytes();
    }
    report.seconds = allowance_.seconds();
    const std::vector<int32_t> start = factors_.system().initial_values();
    const uint32_t initial = out_.look_up(start.data());
    report.proved = initial == kInfinity;
    auto& details = report.details;
    details.emplace_back("strategy", options_.pattern.empty() ? options_.patterns : "given");
    for (const Projected& pattern : out_.patterns_) {
      details.emplace_back("pattern", pattern_text(factors_, pattern.variables) + " (" +
                                          std::to_string(pattern.states()) +
                                          (pattern.numbers != nullptr ? " states that can be reached)" : " states)"));
    }
    if (out_.patterns_.empty()) details.emplace_back("pattern", "none: only goal states are told from others");
    details.emplace_back("combination", combination_ + ", " + std::to_string(out_.tables_.size()) + " tables, " +
                                            std::to_string(out_.sums_.size()) + " sums");
    details.emplace_back("initial state", report.proved ? "no way to the goal" : std::to_string(initial));
    if (cut_) details.emplace_back("budget", "cut: with more states or seconds there would be more");
  }

  PatternTables& out_;
  const Factors& factors_;
  const AbstractionOptions& options_;
  Allowance allowance_;
  std::vector<Value> initial_;
  std::vector<uint32_t> costs_;  // by label
  std::vector<ChosenPattern> chosen_;
  std::string combination_;
  uint64_t stored_ = 0;
  bool cut_ = false;
};

PatternTables PatternTables::build(std::shared_ptr<const Factors> factors, const AbstractionOptions& options,
                                   const Watch& watch) {
  PatternTables tables;
  tables.factors_ = std::move(factors);
  Builder(tables, options, watch).run();
  return tables;
}

PatternTables::Projected PatternTables::projected(const Factors& factors, const Pattern& pattern,
                                                  std::shared_ptr<const KeyNumbers> numbers) {
  Projected out;
  out.variables = pattern;
  for (const uint32_t v : pattern) {
    out.multipliers.push_back(out.keys);
    out.system_variables.push_back(factors.variable(v));
    out.value_numbers.push_back(&factors.number(v));
    out.keys *= factors.values(v);
  }
  out.numbers = std::move(numbers);
  return out;
}

void PatternTables::save(ArchiveWriter& out) const {
  out.number(cheapest_);
  out.number(patterns_.size());
  for (const Projected& pattern : patterns_) {
    out.list(pattern.variables);
    out.number(pattern.numbers != nullptr ? 1 : 0);
    if (pattern.numbers != nullptr) out.list(pattern.numbers->keys());
  }
  out.number(tables_.size());
  for (const Table& table : tables_) {
    out.number(table.pattern);
    out.list(table.bytes);
    out.list(table.words);
  }
  out.number(sums_.size());
  for (const std::vector<uint32_t>& sum : sums_) out.list(sum);
  out.number(report_.states);
  out.number(report_.bytes);
  out.number(report_.proved ? 1 : 0);
  out.number(report_.details.size());
  for (const auto& [name, text] : report_.details) {
    out.text(name);
    out.text(text);
  }
}

PatternTables PatternTables::load(ArchiveReader& in, std::shared_ptr<const Factors> factors) {
  PatternTables out;
  out.cheapest_ = static_cast<uint32_t>(in.number(UINT32_MAX));
  for (uint64_t p = in.number(kMostPatterns); p > 0; --p) {
    const auto pattern = in.list<uint32_t>();
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] >= factors->size() || (i > 0 && pattern[i] <= pattern[i - 1])) in.fail("a pattern is damaged");
    }
    const uint64_t keys = Projection::combinations(*factors, pattern);
    std::shared_ptr<KeyNumbers> numbers;
    if (in.number(1) == 1) {
      numbers = std::make_shared<KeyNumbers>();
      for (const uint64_t key : in.list<uint64_t>()) {
        if (key >= keys || !numbers->insert(key)) in.fail("a state is damaged");
      }
    } else if (keys >= KeyNumbers::kNone) {
      in.fail("a pattern is damaged");
    }
    out.patterns_.push_back(projected(*factors, pattern, std::move(numbers)));
  }
  for (uint64_t t = in.number(UINT32_MAX); t > 0; --t) {
    Table table;
    table.pattern = static_cast<uint32_t>(in.number());
    table.bytes = in.list<uint8_t>();
    table.words = in.list<uint16_t>();
    if (table.pattern >= out.patterns_.size() || (!table.bytes.empty() && !table.words.empty()) ||
        table.states() != out.patterns_[table.pattern].states()) {
      in.fail("a table is damaged");
    }
    out.tables_.push_back(std::move(table));
  }
  for (uint64_t s = in.number(UINT32_MAX); s > 0; --s) {
    out.sums_.push_back(in.list<uint32_t>());
    for (const uint32_t table : out.sums_.back()) {
      if (table >= out.tables_.size()) in.fail("a sum is damaged");
    }
  }
  out.report_.states = in.number();
  out.report_.bytes = in.number();
  out.report_.proved = in.number(1) == 1;
  for (uint64_t d = in.number(UINT32_MAX); d > 0; --d) {
    const std::string_view name = in.text();
    out.report_.details.emplace_back(name, in.text());
  }
  out.report_.heuristic = "pdb";
  out.report_.loaded = true;
  out.factors_ = std::move(factors);
  return out;
}

uint32_t PatternTables::look_up(const int32_t* values) const {
  if (sums_.empty()) return may_be_goal(values) ? 0 : std::min<uint32_t>(cheapest_, 1);
  std::array<uint32_t, kMostPatterns> states;
  for (size_t p = 0; p < patterns_.size(); ++p) states[p] = patterns_[p].state(values);
  uint32_t largest = 0;
  for (const std::vector<uint32_t>& sum : sums_) {
    uint32_t total = 0;
    for (const uint32_t t : sum) {
      const Table& table = tables_[t];
      const uint32_t distance = table.at(states[table.pattern]);
      if (distance == kInfinity) return kInfinity;
      total += distance;
    }
    largest = std::max(largest, total);
  }
  return largest;
}

bool PatternTables::may_be_goal(const int32_t* values) const {
  return std::any_of(factors_->goals().begin(), factors_->goals().end(), [&](const Factors::Label& goal) {
    const auto parts = factors_->parts(goal);
    return std::all_of(parts.begin(), parts.end(), [&](const Factors::Part& part) {
      return !factors_->relation(part.relation).from(factors_->read(part.variable, values)).empty();
    });
  });
}

}  // namespace harrier::abstraction
