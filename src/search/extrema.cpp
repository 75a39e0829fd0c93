#include "search/extrema.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/clock_growth.h"
#include "search/limits.h"
#include "search/vacuity.h"
#include "search/zone_space.h"

namespace harrier::search {

namespace {

using step::ClockBounds;
using zone::Bound;
using zone::Zone;

constexpr uint64_t kSlice = 64;  // expansions between looks at the clock
constexpr uint64_t kLeastProof = 256;
constexpr int32_t kLargestBound = zone::kLargestConstant / 4;

// A bound as it is written for x_i - x_0 or x_0 - x_i, as a value of the clock.
Extremum upper_of(Bound b) {
  if (b == zone::kInfinity) return {.infinite = true};
  return {.value = zone::bound_constant(b), .strict = zone::bound_is_strict(b)};
}
Extremum lower_of(Bound b) { return {.value = -zone::bound_constant(b), .strict = zone::bound_is_strict(b)}; }

// A strict bound is the weaker one of two: the value itself is not reached.
bool above(const Extremum& a, const Extremum& b) {
  if (a.infinite || b.infinite) return a.infinite && !b.infinite;
  return a.value != b.value ? a.value > b.value : !a.strict && b.strict;
}
bool below(const Extremum& a, const Extremum& b) {
  return a.value != b.value ? a.value < b.value : !a.strict && b.strict;
}

class Extrema {
 public:
  Extrema(const model::System& system, const model::Property& property, const Config& config)
      : system_(system),
        property_(property),
        limits_(config),
        budget_(budget_of(config)),
        ticking_(system, property, budget_.watch()),
        run_(system) {
    const ClockBounds bounds(system, &property, true);
    for (const model::Term& term : property.terms) {
      Quantity q;
      q.term = &term;
      if (term.clock.valid()) q.limit = bounds.largest_of(term.clock.value);
      quantities_.push_back(std::move(q));
    }
  }

  Result run() {
    Result result;
    try {
      while (!explore()) {
      }
      result.verdict = Verdict::Computed;
      result.warnings = remarks();
      for (const Quantity& q : quantities_) {
        result.values.push_back(
            {q.term->text, property_.smallest ? q.inf : std::nullopt, property_.largest ? q.sup : std::nullopt});
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
      result.reason = e.what();
    } catch (const std::bad_alloc&) {
      result.reason = "out of memory";
    }
    result.statistics = statistics();
    return result;
  }

 private:
  struct Quantity {
    const model::Term* term = nullptr;
    std::optional<Extremum> inf;
    std::optional<Extremum> sup;
    // Of a clock:
    int32_t limit = 0;                    // values up to it are exact
    std::optional<uint64_t> beyond;       // a state in which it is larger, whatever part of it
    bool endless = false;                 // its supremum is known to be infinite
    std::unique_ptr<ClockGrowth> growth;  // whether it is, once that is asked
  };

  Statistics statistics() const {
    Statistics s;
    s.expanded = expanded_;
    s.generated = generated_;
    s.stored = space_ ? space_->stored() : 0;
    s.memory_bytes = budget_.used();
    s.time_s = limits_.seconds();
    return s;
  }

  std::vector<std::string> remarks() const {
    const auto for_each_state = [&](const std::function<bool(const int32_t*)>& visit) {
      std::vector<int32_t> values(system_.variables.size());
      for (uint64_t i = 0; i < space_->discrete_states(); ++i) {
        space_->read_discrete(i, values.data());
        if (!visit(values.data())) break;
      }
      return true;
    };
    std::vector<std::string> own;
    const Quantity& first = quantities_.front();
    if (!first.inf && !first.sup) own.emplace_back("no state satisfies the condition");
    return vacuity(*semantics_, {statistics(), space_->violations(), for_each_state, own}, budget_.watch());
  }

  // Explores all states with the limits as they are. False if one of them was too low, and has been raised.
  bool explore() {
    std::vector<ClockBounds::Entry> watched;
    for (Quantity& q : quantities_) {
      q.inf = q.sup = std::nullopt;
      q.beyond.reset();
      if (q.term->clock.valid()) watched.push_back({q.term->clock.value, q.limit, q.limit});
    }
    space_.reset();
    semantics_ = std::make_unique<step::Semantics>(system_, property_, budget_.watch(), watched);
    space_ = std::make_unique<ZoneSpace>(*semantics_, budget_, false);
    std::deque<uint64_t> open;
    bool go_on = true;
    const auto visit = [&](uint64_t parent) {
      ++generated_;
      const store::Admission admission = space_->admit(parent, 0);
      if (!admission.fresh) return true;
      open.push_back(admission.id);
      look_at(admission.id);
      return true;
    };
    space_->for_each_initial([&] { return visit(store::Origin::kNoParent); });
    while (!open.empty() && go_on) {
      if (expanded_ % kSlice == 0) {
        limits_.poll();
        limits_.show_progress([&] { return statistics(); });
      }
      const uint64_t id = open.front();
      open.pop_front();
      if (space_->dropped(id)) continue;
      ++expanded_;
      space_->for_each_successor(id, [&](const step::Firing&) { return visit(id); });
      space_->release(id);
      // A supremum beyond its limit is looked into at once: there is no need to explore the rest with a limit too low.
      for (Quantity& q : quantities_) go_on = go_on && (!property_.largest || settle_sup(q));
    }
    if (!go_on) return false;
    for (Quantity& q : quantities_) go_on = go_on && (!property_.smallest || settle_inf(q));
    return go_on;
  }

  // What the candidate tells about the quantities.
  void look_at(uint64_t id) {
    const std::vector<Zone> parts = space_->generator().goal_parts();
    if (parts.empty()) return;
    for (Quantity& q : quantities_) {
      if (!q.term->clock.valid()) {
        const std::vector<int32_t> values(space_->candidate(), space_->candidate() + space_->variable_count());
        const Extremum value{.value = run_.value(q.term->expr, values)};
        if (!q.sup || above(value, *q.sup)) q.sup = value;
        if (!q.inf || below(value, *q.inf)) q.inf = value;
        continue;
      }
      const uint32_t x = space_->generator().zone().local[q.term->clock.value];
      for (const Zone& part : parts) {
        const Extremum upper = upper_of(part.at(x, 0));
        const Extremum lower = lower_of(part.at(0, x));
        const bool larger = upper.infinite || upper.value > q.limit;
        if (larger && !q.beyond) q.beyond = id;
        if (!larger && (!q.sup || above(upper, *q.sup))) q.sup = upper;
        // A lower bound of "more than the limit" may stand for any larger one.
        const bool known = lower.value < q.limit || (lower.value == q.limit && !lower.strict);
        if (known && (!q.inf || below(lower, *q.inf))) q.inf = lower;
      }
    }
  }

  // The extreme values of a clock in the last state of a path, without extrapolation.
  std::pair<Extremum, Extremum> exact(const Quantity& q, const model::Path& path) {
    space_->generator().follow_exactly(path);
    const uint32_t x = space_->generator().zone().local[q.term->clock.value];
    std::optional<Extremum> inf, sup;
    for (const Zone& part : space_->generator().goal_parts()) {
      const Extremum upper = upper_of(part.at(x, 0));
      const Extremum lower = lower_of(part.at(0, x));
      if (!sup || above(upper, *sup)) sup = upper;
      if (!inf || below(lower, *inf)) inf = lower;
    }
    if (!sup) throw Error(ErrorKind::Internal, "a path of the zone graph does not end where it should");
    return {*inf, *sup};
  }

  // False if the limit had to be raised.
  bool settle_sup(Quantity& q) {
    if (q.endless) q.sup = Extremum{.infinite = true};
    if (!q.beyond || q.endless) return true;
    const model::Path path = space_->path_to(*q.beyond, 0);
    const Extremum sup = exact(q, path).second;
    q.endless = sup.infinite || grows(q);
    if (q.endless) {
      q.sup = Extremum{.infinite = true};
      return true;
    }
    raise(q, std::max<int64_t>(2 * int64_t{q.limit}, sup.value));
    return false;
  }

  // What proves it gets as many expansions as all that was explored so far, so that neither waits for the other: if the
  // supremum is finite, raising the limit ends; if it is not, the proof does.
  bool grows(Quantity& q) {
    if (!q.growth) q.growth = std::make_unique<ClockGrowth>(ticking_, q.term->clock, budget_);
    return q.growth->advance(kLeastProof + expanded_) == ClockGrowth::Answer::Unbounded;
  }

  bool settle_inf(Quantity& q) {
    if (q.inf || !q.beyond) return true;
    raise(q, exact(q, space_->path_to(*q.beyond, 0)).first.value + 1);
    return false;
  }

  void raise(Quantity& q, int64_t limit) {
    if (limit > kLargestBound) {
      throw Error(ErrorKind::Unsupported, "unsupported: values of the clock " + q.term->text + " beyond " +
                                              std::to_string(kLargestBound) + " at " +
                                              system_.sources.describe(property_.at));
    }
    q.limit = std::max(q.limit + 1, static_cast<int32_t>(limit));
  }

  const model::System& system_;
  const model::Property& property_;
  Limits limits_;
  Budget budget_;
  Ticking ticking_;
  model::Interpreter run_;
  std::vector<Quantity> quantities_;
  std::unique_ptr<step::Semantics> semantics_;
  std::unique_ptr<ZoneSpace> space_;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
};

}  // namespace

Result run_extrema(const model::System& system, const model::Property& property, const Config& config) {
  return Extrema(system, property, config).run();
}

}  // namespace harrier::search
