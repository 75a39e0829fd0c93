#include "heur/landmarks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace harrier::heur {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

void add_all(std::span<uint64_t> to, std::span<const uint64_t> from) {
  for (size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
}
void keep_common(std::span<uint64_t> of, std::span<const uint64_t> with) {
  for (size_t w = 0; w < of.size(); ++w) of[w] &= with[w];
}

}  // namespace

class Landmarks::Finder {
 public:
  Finder(Landmarks& out, const RelaxedTask& task, const FlatRules& rules, const Watch& watch)
      : out_(out),
        task_(task),
        rules_(rules),
        watch_(watch),
        meanings_(task.meanings()),
        achievers_(task.fact_count()) {
    for (uint32_t r = 0; r < rules.size(); ++r) {
      watch.poll();
      for (const uint32_t f : rules.effects(rules[r])) achievers_[f].push_back(r);
    }
    // What follows from a transition being enabled.
    certain_.resize(task.task().transitions().size());
    for (const RelaxedTask::Rule& rule : task.rules()) {
      if (rule.transition == RelaxedTask::kFree || task.preconditions(rule).size() != 1) continue;
      if (task.preconditions(rule)[0] != task.enabled_fact(rule.transition)) continue;
      const auto effects = task.effects(rule);
      certain_[rule.transition].insert(certain_[rule.transition].end(), effects.begin(), effects.end());
    }
    const std::vector<int32_t> values = task.task().system().initial_values();
    initial_.resize(task.fact_count());
    initial_.resize(task.facts_of(values.data(), initial_.data()));
    at_start_.assign(task.fact_count(), false);
    for (const uint32_t f : initial_) at_start_[f] = true;
  }

  void find() {
    explore({});
    find_goals();
    select(on_paths());
    chain_backwards();
    order();
    needs_of_goals();
    order_reasonably();
  }

 private:
  // The clauses that can be reached, each the facts that it needs. An alternative inside a clause makes several, as
  // long as there is room.
  void find_goals() {
    for (const uint32_t r : achievers_[task_.goal_fact()]) {
      const auto needs = rules_.preconditions(rules_[r]);
      if (fires(r)) goals_.emplace_back(needs.begin(), needs.end());
    }
    for (size_t g = 0; g < goals_.size(); ++g) {
      for (size_t i = 0; i < goals_[g].size(); ++i) {
        const uint32_t fact = goals_[g][i];
        std::vector<uint32_t> ways;
        if (task_.is_auxiliary(fact)) ways = achievers_[fact];
        std::erase_if(ways, [&](uint32_t r) { return !fires(r); });
        if (ways.empty() || goals_.size() + ways.size() - 1 > kMostGoals) continue;
        const Facts clause = goals_[g];
        for (size_t w = 0; w < ways.size(); ++w) {
          Facts& one = w == 0 ? goals_[g] : goals_.emplace_back(clause);
          const auto more = rules_.preconditions(rules_[ways[w]]);
          one.insert(one.end(), more.begin(), more.end());
          if (ways.size() > 1) one.erase(one.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (ways.size() > 1) --i;
      }
    }
    out_.goals_ = std::min(goals_.size(), kMostGoals);
  }
  // Where there are more than kMostGoals, the last ones are one.
  std::span<const Facts> members(size_t goal) const {
    return std::span(goals_).subspan(goal, goal + 1 == kMostGoals ? goals_.size() - goal : 1);
  }
  bool reached(const Facts& facts) const {
    return std::all_of(facts.begin(), facts.end(), [&](uint32_t f) { return reached_[f]; });
  }

  // What can be reached without some facts.
  void explore(std::span<const uint32_t> without) {
    unmet_.assign(rules_.precondition_counts().begin(), rules_.precondition_counts().end());
    reached_.assign(task_.fact_count(), false);
    supporter_.assign(task_.fact_count(), FlatRules::kNoRule);
    queue_.clear();
    const auto reach = [&](uint32_t f, uint32_t rule) {
      if (reached_[f] || std::find(without.begin(), without.end(), f) != without.end()) return;
      reached_[f] = true;
      supporter_[f] = rule;
      queue_.push_back(f);
    };
    const auto fire = [&](uint32_t r) {
      const auto effects = rules_.effects(rules_[r]);
      work_ += effects.size();
      for (const uint32_t f : effects) reach(f, r);
    };
    for (const uint32_t f : initial_) reach(f, FlatRules::kNoRule);
    for (const uint32_t r : rules_.ready()) fire(r);
    for (size_t i = 0; i < queue_.size(); ++i) {
      watch_.poll();
      const auto waiting = rules_.waiting_for(queue_[i]);
      work_ += waiting.size();
      for (const uint32_t r : waiting) {
        if (--unmet_[r] == 0) fire(r);
      }
    }
    work_ += unmet_.size() / 8;
  }
  bool fires(uint32_t rule) const { return unmet_[rule] == 0; }

  // The facts of an abstract path to every goal that a state can show, those next to the goals first.
  std::vector<uint32_t> on_paths() const {
    std::vector<uint32_t> found;
    std::vector<bool> seen(task_.fact_count(), false);
    const auto need = [&](std::span<const uint32_t> facts) {
      for (const uint32_t f : facts) {
        if (seen[f]) continue;
        seen[f] = true;
        found.push_back(f);
      }
    };
    for (const Facts& goal : goals_) need(goal);
    for (size_t i = 0; i < found.size(); ++i) {
      if (const uint32_t r = supporter_[found[i]]; r != FlatRules::kNoRule) need(rules_.preconditions(rules_[r]));
    }
    std::erase_if(found, [&](uint32_t f) { return meanings_[f] == RelaxedTask::kHidden; });
    return found;
  }

  // Finds those that some goal cannot be reached without.
  void select(const std::vector<uint32_t>& candidates) {
    landmark_of_.assign(task_.fact_count(), kNone);
    for (const uint32_t fact : candidates) {
      if (nodes_.size() == kMostLandmarks || work_ > kMostWork) break;
      explore({&fact, 1});
      uint64_t goals = 0;
      for (size_t g = 0; g < out_.goals_; ++g) {
        const auto all = members(g);
        if (std::none_of(all.begin(), all.end(), [&](const Facts& goal) { return reached(goal); })) {
          goals |= uint64_t{1} << g;
        }
      }
      if (goals == 0) continue;
      landmark_of_[fact] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({{fact}, goals, {}});
    }
  }

  // What has to hold just before a landmark first does: a fact, or one of several values of a variable, which is a
  // landmark of its own then (Richter and Westphal 2010).
  void chain_backwards() {
    std::map<Facts, size_t> alternatives;
    for (size_t i = 0; i < nodes_.size() && work_ <= 2 * kMostWork; ++i) {
      const Facts facts = nodes_[i].facts;
      if (std::any_of(facts.begin(), facts.end(), [&](uint32_t f) { return at_start_[f]; })) continue;
      explore(facts);
      std::optional<std::map<uint32_t, Facts>> common;  // by variable: the values that those need that make it true
      for (const uint32_t f : facts) {
        for (const uint32_t r : achievers_[f]) {
          if (fires(r)) keep_alternatives(common, needed_values(r));
        }
      }
      nodes_[i].just_before = common_facts(facts);
      if (!common) continue;
      for (const auto& [variable, values] : *common) {
        if (values.size() < 2 || values.size() > kMostAlternatives) continue;
        if (std::any_of(values.begin(), values.end(),
                        [&](uint32_t f) { return at_start_[f] || landmark_of_[f] != kNone; })) {
          continue;
        }
        const auto [at, fresh] = alternatives.emplace(values, nodes_.size());
        if (fresh && nodes_.size() == kMostLandmarks) {
          alternatives.erase(at);
          continue;
        }
        if (fresh) nodes_.push_back({values, 0, {}});
        nodes_[at->second].goals |= nodes_[i].goals;
        nodes_[i].just_before.push_back(at->second);
      }
    }
  }
  // By variable, a value that holds where a rule fires.
  std::map<uint32_t, Facts> needed_values(uint32_t rule) const {
    std::map<uint32_t, Facts> out;
    const auto take = [&](std::span<const uint32_t> facts) {
      for (const uint32_t f : facts) {
        if (meanings_[f] < RelaxedTask::kCondition) out[meanings_[f]] = {f};
      }
    };
    const auto preconditions = rules_.preconditions(rules_[rule]);
    take(preconditions);
    for (const uint32_t f : preconditions) {
      if (task_.is_auxiliary(f) && achievers_[f].size() == 1) take(rules_.preconditions(rules_[achievers_[f][0]]));
    }
    return out;
  }
  static void keep_alternatives(std::optional<std::map<uint32_t, Facts>>& common, std::map<uint32_t, Facts> own) {
    if (!common) {
      common = std::move(own);
      return;
    }
    std::erase_if(*common, [&](const auto& entry) { return !own.contains(entry.first); });
    for (auto& [variable, values] : *common) {
      const uint32_t value = own.at(variable)[0];
      const auto at = std::lower_bound(values.begin(), values.end(), value);
      if (at == values.end() || *at != value) values.insert(at, value);
    }
  }
  // The landmarks that all need that may make one of these true first.
  std::vector<size_t> common_facts(const Facts& facts) {
    held_.clear();
    std::vector<uint32_t> rules;
    for (const uint32_t f : facts) rules.insert(rules.end(), achievers_[f].begin(), achievers_[f].end());
    const Row common = common_needs(rules);
    std::vector<size_t> out;
    for (size_t j = 0; j < nodes_.size(); ++j) {
      if ((common[j / 64] >> (j % 64) & 1) != 0) out.push_back(j);
    }
    return out;
  }

  void order() {
    const size_t n = nodes_.size();
    out_.natural_ = BitRows(n, n);
    out_.greedy_necessary_ = BitRows(n, n);
    out_.of_goal_ = BitRows(out_.goals_, n);
    for (size_t i = 0; i < n; ++i) {
      for (const size_t j : nodes_[i].just_before) out_.greedy_necessary_.add(i, j);
      for (size_t g = 0; g < out_.goals_; ++g) {
        if ((nodes_[i].goals >> g & 1) != 0) out_.of_goal_.add(g, i);
      }
      explore(nodes_[i].facts);
      for (size_t j = 0; j < n; ++j) {
        const Facts& facts = nodes_[j].facts;
        if (j != i && std::none_of(facts.begin(), facts.end(), [&](uint32_t f) { return reached_[f]; })) {
          out_.natural_.add(j, i);
        }
      }
      out_.facts_.push_back(nodes_[i].facts);
    }
  }

  using Row = std::vector<uint64_t>;
  Row empty() const { return Row((nodes_.size() + 63) / 64, 0); }
  static void add(Row& row, size_t bit) { row[bit / 64] |= uint64_t{1} << (bit % 64); }

  // The landmarks that hold where all these facts do, as explored last.
  Row needs(std::span<const uint32_t> facts) {
    Row out = empty();
    for (const uint32_t f : facts) add_all(out, held_with(f));
    return out;
  }
  // The landmarks that hold where a fact does: itself and, of an auxiliary one, what all ways to derive it need.
  const Row& held_with(uint32_t fact) {
    Row& known = held_[fact];
    if (!known.empty() || nodes_.empty()) return known;
    Row row = empty();
    if (task_.is_auxiliary(fact)) row = common_needs(achievers_[fact]);
    if (landmark_of_[fact] != kNone) add(row, landmark_of_[fact]);
    return held_[fact] = std::move(row);
  }
  // What all those rules need that can fire.
  Row common_needs(std::span<const uint32_t> rules) {
    std::optional<Row> common;
    for (const uint32_t r : rules) {
      if (fires(r)) keep(common, needs(rules_.preconditions(rules_[r])));
    }
    return common.value_or(empty());
  }
  static void keep(std::optional<Row>& common, Row own) {
    if (common) {
      keep_common(*common, own);
    } else {
      common = std::move(own);
    }
  }

  void needs_of_goals() {
    explore({});
    held_.clear();
    out_.at_goal_ = BitRows(out_.goals_, out_.size());
    for (size_t g = 0; g < out_.goals_; ++g) {
      std::optional<Row> common;
      for (const Facts& goal : members(g)) keep(common, needs(goal));
      add_all(out_.at_goal_[g], *common);
    }
  }

  // Whether a landmark gets lost when another is achieved, because a variable then has another value, or had one just
  // before. Both are single facts.
  bool destroys(size_t by, size_t lost) const {
    const uint32_t fact = nodes_[by].facts[0];
    const uint32_t kept = nodes_[lost].facts[0];
    const uint32_t variable = meanings_[kept];
    const auto differs = [&](uint32_t f) { return meanings_[f] == variable && f != kept; };
    if (differs(fact)) return true;
    if (task_.is_auxiliary(fact)) return false;
    if (std::any_of(nodes_[by].just_before.begin(), nodes_[by].just_before.end(),
                    [&](size_t i) { return std::all_of(nodes_[i].facts.begin(), nodes_[i].facts.end(), differs); })) {
      return true;
    }
    // All that achieve it give the variable one certain value, another one.
    const auto& achievers = achievers_[fact];
    return !achievers.empty() && std::all_of(achievers.begin(), achievers.end(), [&](uint32_t r) {
      if (rules_[r].transition == RelaxedTask::kFree) return false;
      const Facts& effects = certain_[rules_[r].transition];
      return std::count_if(effects.begin(), effects.end(), [&](uint32_t f) { return meanings_[f] == variable; }) == 1 &&
             std::any_of(effects.begin(), effects.end(), differs);
    });
  }

  void order_reasonably() {
    const size_t n = out_.size();
    out_.reasonable_ = BitRows(n, n);
    BitRows before = out_.natural_;  // by whatever order
    for (size_t i = 0; i < n; ++i) add_all(before[i], out_.greedy_necessary_[i]);
    for (size_t late = 0; late < n; ++late) {
      watch_.poll();
      if (nodes_[late].facts.size() > 1 || meanings_[nodes_[late].facts[0]] >= RelaxedTask::kCondition) continue;
      // What comes before something that needs it.
      Row earlier = empty();
      for (size_t i = 0; i < n; ++i) {
        if (out_.greedy_necessary_.has(i, late)) add_all(earlier, out_.natural_[i]);
      }
      add_all(earlier, before_goals(late));
      for (size_t early = 0; early < n; ++early) {
        if (early == late || nodes_[early].facts.size() > 1 || (earlier[early / 64] >> (early % 64) & 1) == 0) continue;
        if (before.has(early, late) || before.has(late, early) || !destroys(early, late)) continue;
        out_.reasonable_.add(late, early);
        for (size_t i = 0; i < n; ++i) {
          if (i != late && !before.has(i, late)) continue;
          add_all(before[i], before[early]);
          before.add(i, early);
        }
      }
    }
  }
  // The landmarks of all goals that one is a landmark of, if it holds at all of them.
  Row before_goals(size_t landmark) const {
    std::optional<Row> common;
    for (size_t g = 0; g < out_.goals_; ++g) {
      if (!out_.of_goal_.has(g, landmark)) continue;
      if (!out_.at_goal_.has(g, landmark)) return empty();
      const auto all = out_.of_goal_[g];
      keep(common, Row(all.begin(), all.end()));
    }
    return common.value_or(empty());
  }

  Landmarks& out_;
  const RelaxedTask& task_;
  const FlatRules& rules_;
  const Watch& watch_;
  std::vector<uint32_t> meanings_;
  std::vector<std::vector<uint32_t>> achievers_;  // by fact
  std::vector<Facts> certain_;                    // by transition: its constant effects, also those left out of rules_
  std::vector<uint32_t> initial_;
  std::vector<bool> at_start_;
  std::vector<Facts> goals_;
  struct Node {
    Facts facts;  // one of them has to hold
    uint64_t goals = 0;
    std::vector<size_t> just_before;  // greedy-necessary orders
  };
  std::vector<Node> nodes_;                 // those of one fact first
  std::vector<uint32_t> landmark_of_;       // by fact: the landmark that it is alone
  std::unordered_map<uint32_t, Row> held_;  // by fact, while the exploration is the same
  uint64_t work_ = 0;

  // Of the last exploration.
  std::vector<uint16_t> unmet_;
  std::vector<bool> reached_;
  std::vector<uint32_t> supporter_;
  std::vector<uint32_t> queue_;
};

Landmarks::Landmarks(const RelaxedTask& task, const FlatRules& rules, const Watch& watch) {
  Finder(*this, task, rules, watch).find();
}

}  // namespace harrier::heur
