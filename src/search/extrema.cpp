#include "search/extrema.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/limits.h"
#include "space/clock_growth.h"
#include "space/zone_space.h"

namespace harrier::search {

namespace {

using space::Bound;
using space::ClockBounds;
using space::Zone;

constexpr uint64_t kSlice = 64;  // expansions between looks at the clock
constexpr int32_t kLargestBound = space::kLargestConstant / 4;

// A bound as it is written for x_i - x_0 or x_0 - x_i, as a value of the clock.
Extremum upper_of(Bound b) {
  if (b == space::kInfinity) return {.infinite = true};
  return {.value = space::bound_constant(b), .strict = space::bound_is_strict(b)};
}
Extremum lower_of(Bound b) { return {.value = -space::bound_constant(b), .strict = space::bound_is_strict(b)}; }

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
  Extrema(const model::System& system, const model::Property& property, const CheckOptions& options)
      : system_(system),
        property_(property),
        options_(options),
        limits_(options),
        budget_(budget_of(options)),
        wants_sup_(property.kind == model::PropertyKind::Supremum),
        wants_inf_(property.kind == model::PropertyKind::Infimum),
        run_(system) {
    for (const model::Term& term : property.terms) {
      Quantity q;
      q.term = &term;
      if (term.clock.valid()) {
        q.growth = std::make_unique<space::ClockGrowth>(system, property, term.clock, budget_.watch());
        q.limit = q.growth->bound();
      }
      quantities_.push_back(std::move(q));
    }
  }

  Result run() {
    Result result;
    try {
      while (!explore()) {
      }
      result.verdict = Verdict::Computed;
      for (const Quantity& q : quantities_) {
        result.values.push_back({q.term->text, wants_inf_ ? q.inf : std::nullopt, wants_sup_ ? q.sup : std::nullopt});
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
    std::unique_ptr<space::ClockGrowth> growth;  // of a clock
    int32_t limit = 0;                           // of a clock: values up to it are exact
    bool endless = false;                        // of a clock: its supremum is known to be infinite
    std::optional<Extremum> inf;
    std::optional<Extremum> sup;
    std::optional<uint64_t> beyond;  // of a clock: a state in which it is larger than the limit, whatever part of it
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

  // Explores all states with the limits as they are. False if one of them was too low, and has been raised.
  bool explore() {
    std::vector<ClockBounds::Entry> watched;
    for (Quantity& q : quantities_) {
      q.inf = q.sup = std::nullopt;
      q.beyond.reset();
      if (q.term->clock.valid()) watched.push_back({q.term->clock.value, q.limit, q.limit});
    }
    space_.reset();
    space_ = std::make_unique<space::ZoneSpace>(system_, property_, budget_, false, watched);
    std::deque<uint64_t> open;
    bool go_on = true;
    const auto visit = [&](uint64_t parent, uint32_t ordinal) {
      ++generated_;
      const space::Admission admission = space_->admit(parent, ordinal, 0);
      if (!admission.fresh) return true;
      open.push_back(admission.id);
      look_at(admission.id);
      return true;
    };
    uint32_t first = 0;
    space_->for_each_initial([&] { return visit(space::Origin::kNoParent, space::next_ordinal(first)); });
    while (!open.empty() && go_on) {
      if (expanded_ % kSlice == 0) {
        limits_.poll();
        limits_.show_progress([&] { return statistics(); });
      }
      const uint64_t id = open.front();
      open.pop_front();
      if (space_->dropped(id)) continue;
      ++expanded_;
      space_->for_each_successor(id, [&](uint32_t ordinal, const space::Firing&) { return visit(id, ordinal); });
      space_->release(id);
      // A supremum beyond its limit is looked into at once: there is no need to explore the rest with a limit too low.
      for (Quantity& q : quantities_) go_on = go_on && (!wants_sup_ || settle_sup(q));
    }
    if (!go_on) return false;
    for (Quantity& q : quantities_) go_on = go_on && (!wants_inf_ || settle_inf(q));
    return go_on;
  }

  // What the candidate tells about the quantities.
  void look_at(uint64_t id) {
    const std::vector<Zone> parts = space_->goal_parts();
    if (parts.empty()) return;
    for (Quantity& q : quantities_) {
      if (!q.term->clock.valid()) {
        const std::vector<int32_t> values(space_->candidate(), space_->candidate() + space_->variable_count());
        const Extremum value{.value = run_.value(q.term->expr, values)};
        if (!q.sup || above(value, *q.sup)) q.sup = value;
        if (!q.inf || below(value, *q.inf)) q.inf = value;
        continue;
      }
      const uint32_t x = space_->local_clock(q.term->clock);
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
  std::pair<Extremum, Extremum> exact(const Quantity& q, const trace::Path& path) {
    space_->follow_exactly(path);
    const uint32_t x = space_->local_clock(q.term->clock);
    std::optional<Extremum> inf, sup;
    for (const Zone& part : space_->goal_parts()) {
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
    const trace::Path path = space_->path_to(*q.beyond, 0);
    const Extremum sup = exact(q, path).second;
    q.endless = sup.infinite || q.growth->grows(path);
    if (q.endless) {
      q.sup = Extremum{.infinite = true};
      return true;
    }
    raise(q, std::max<int64_t>(2 * int64_t{q.limit}, sup.value));
    return false;
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
  const CheckOptions& options_;
  Limits limits_;
  Budget budget_;
  bool wants_sup_;
  bool wants_inf_;
  model::Interpreter run_;
  std::vector<Quantity> quantities_;
  std::unique_ptr<space::ZoneSpace> space_;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
};

}  // namespace

bool asks_for_values(const model::Property& property) {
  using model::PropertyKind;
  return property.kind == PropertyKind::Supremum || property.kind == PropertyKind::Infimum;
}

Result run_extrema(const model::System& system, const model::Property& property, const CheckOptions& options) {
  return Extrema(system, property, options).run();
}

}  // namespace harrier::search
