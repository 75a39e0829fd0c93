#include "trace/lasso.h"

#include <map>

#include "trace/regions.h"

namespace harrier::trace {

namespace {

using model::System;

void resets_of(const System& system, model::StmtId id, std::vector<bool>& out) {
  const model::Stmt& s = system.stmt(id);
  if (s.kind == model::StmtKind::Reset) {
    const uint32_t count = s.offset.valid() ? s.count : 1;
    for (uint32_t i = 0; i < count; ++i) out[s.clock.value + i] = true;
  }
  if (s.kind == model::StmtKind::Block) {
    for (const model::StmtId child : system.block(s)) resets_of(system, child, out);
  }
  if (s.a.valid()) resets_of(system, s.a, out);
  if (s.b.valid()) resets_of(system, s.b, out);
}

class Builder {
 public:
  Builder(const System& system, const model::Property& property, const Path& lasso, const Unroll& unroll,
          const Watch& watch, size_t most_steps)
      : system_(system),
        property_(property),
        unroll_(unroll),
        watch_(watch),
        most_steps_(most_steps),
        regions_(system, property),
        start_(*lasso.loop_start),
        round_(lasso.steps.size() - start_),
        untouched_(system.clocks.size(), false) {
    std::vector<bool> reset(system.clocks.size(), false);
    for (const auto* updates : {&system.before_update, &system.after_update}) {
      for (const model::StmtId s : *updates) resets_of(system, s, reset);
    }
    for (size_t i = start_; i < lasso.steps.size(); ++i) {
      for (const model::EdgeId e : lasso.steps[i].edges) {
        for (const model::StmtId s : system.edge(e).effect) resets_of(system, s, reset);
      }
    }
    for (size_t c = 1; c < reset.size(); ++c) untouched_[c] = !reset[c];
  }

  std::optional<Trace> trace() {
    if (auto found = attempt(1, {})) return found;
    const std::vector<ClockAtom> beyond = clocks_beyond();
    for (size_t rounds = 2; boundary(rounds) <= most_steps_; rounds *= 2) {
      if (!beyond.empty()) {
        if (auto found = attempt(rounds, beyond)) return found;
      }
      if (auto found = attempt(rounds, {})) return found;
    }
    return std::nullopt;
  }

 private:
  size_t boundary(size_t round) const { return start_ + round * round_; }

  // A run of so many rounds, up to where it comes back.
  std::optional<Trace> attempt(size_t rounds, const std::vector<ClockAtom>& beyond) {
    const std::optional<Path> path = unroll_(rounds, boundary(1), beyond);
    if (!path) return std::nullopt;
    Trace trace = build_trace(system_, property_, *path, watch_);
    std::map<Regions::Key, size_t> seen;  // after how many rounds
    for (size_t round = 0; round <= rounds; ++round) {
      const TraceState& s = trace.state(boundary(round));
      const auto [before, fresh] = seen.try_emplace(regions_.key({s.values, s.clocks}, trace.denominator), round);
      // What comes before the premise need not be as it is in later rounds.
      const bool early = trace.premise && trace.premise->steps == boundary(round) && trace.premise->delay != 0;
      if (fresh) {
        if (early) seen.erase(before);
        continue;
      }
      trace.steps.resize(boundary(round));
      trace.loop_start = boundary(before->second);
      trace.final_delay = 0;
      return trace;
    }
    return std::nullopt;
  }

  // Of the clocks that the cycle never resets, as many as possible beyond all constants after the first round.
  std::vector<ClockAtom> clocks_beyond() {
    const std::optional<Path> once = unroll_(1, 0, {});
    if (!once) return {};
    const std::vector<int32_t> values = build_trace(system_, property_, *once, watch_).last().values;
    std::vector<ClockAtom> all;
    for (size_t c = 1; c < untouched_.size(); ++c) {
      const int64_t bound = regions_.bound(model::ClockId(c), values);
      if (!untouched_[c] || bound < 0 || bound >= INT32_MAX) continue;
      all.push_back({model::ClockId(0), model::ClockId(c), static_cast<int32_t>(-bound), true});
    }
    if (all.empty() || unroll_(2, boundary(1), all)) return all;
    std::vector<ClockAtom> some;
    for (const ClockAtom& atom : all) {
      some.push_back(atom);
      if (!unroll_(2, boundary(1), some)) some.pop_back();
    }
    return some;
  }

  const System& system_;
  const model::Property& property_;
  const Unroll& unroll_;
  const Watch& watch_;
  size_t most_steps_;
  Regions regions_;
  size_t start_;
  size_t round_;
  std::vector<bool> untouched_;  // clocks that no step of the cycle can reset
};

}  // namespace

std::optional<Trace> build_lasso(const System& system, const model::Property& property, const Path& lasso,
                                 const Unroll& unroll, const Watch& watch, size_t most_steps) {
  return Builder(system, property, lasso, unroll, watch, most_steps).trace();
}

}  // namespace harrier::trace
