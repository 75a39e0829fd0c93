// Sending and receiving.
#include <algorithm>

#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;
constexpr const char* kNoSuchChannel = "use of a channel that was never created, or has other messages";
using model::StmtId;

std::vector<Lowering::Candidate> Lowering::candidates(const ExprNode& ref, const Here& here) {
  const std::optional<Place> at = place(ref, here);
  if (!at) return {};
  if (at->type.base != BaseType::Chan) {
    diagnostics_.error(ref.at, "'" + ref.parts.back().name + "' is not a channel");
    return {};
  }
  std::vector<Candidate> out;
  if (!at->fixed.empty()) {
    if (!at->index.valid()) return {{{}, at->fixed[0]}};
    for (size_t i = 0; i < at->fixed.size(); ++i) {
      out.push_back({equal(at->index, number(static_cast<int64_t>(i)), ref.at), at->fixed[i]});
    }
    return out;
  }
  const ExprId held = load(*at, ref.at);
  std::vector<ExprId> any;
  for (const uint32_t c : holders_[at->holder]) {
    if (c == kNoChannel) continue;
    any.push_back(equal(held, number(c + 1), ref.at));
    out.push_back({any.back(), c});
  }
  if (holders_[at->holder].contains(kNoChannel)) out.push_back({negated(any_of(any, ref.at), ref.at), kNoChannel});
  return out;
}

// The way to use a channel that is none, or has other messages.
Lowering::Way Lowering::broken(const Candidate& candidate, SourceRef at) {
  Way way;
  if (candidate.guard.valid()) way.guard.push_back(candidate.guard);
  way.effect.push_back(fail(kNoSuchChannel, at));
  return way;
}

template <class Of>
ExprId Lowering::by_channel(const ExprNode& ref, const Here& here, SourceRef at, Of&& of) {
  ExprId out = system_.make_fail(kNoSuchChannel, at);
  for (const Candidate& candidate : candidates(ref, here)) {
    if (candidate.channel == kNoChannel) continue;
    const ExprId one = of(candidate);
    out = candidate.guard.valid() ? system_.make_ite(candidate.guard, one, out, at) : one;
  }
  return out;
}

// Whether a message fits a channel. If the channel is the only one that can be meant, it is an error that it does not.
bool Lowering::fits(const Candidate& candidate, size_t given, SourceRef at, const char* what) {
  const ChannelObject& c = channels_[candidate.channel];
  if (given == c.fields.size() || candidate.guard.valid()) return given == c.fields.size();
  diagnostics_.error(at, std::string(what) + " " + std::to_string(given) + " field" + (given == 1 ? "" : "s") +
                             ", but messages of " + c.name + " have " + std::to_string(c.fields.size()));
  return false;
}

ExprId Lowering::slot(const ChannelObject& c, size_t field, ExprId index, SourceRef at) {
  if (const auto constant = system_.constant(index)) {
    return system_.make_var(VarId(c.arrays[field].value + static_cast<uint32_t>(*constant)), at);
  }
  return system_.make({.op = Op::Load, .base = c.arrays[field].value, .count = c.capacity, .a = index, .at = at});
}

ExprId Lowering::length_test(const ExprNode& e, const Here& here) {
  return by_channel(*e.a, here, e.at, [&](const Candidate& candidate) {
    const ChannelObject& c = channels_[candidate.channel];
    const ExprId length = c.capacity == 0 ? number(0, e.at) : system_.make_var(c.length, e.at);
    const ExprId capacity = number(c.capacity, e.at);
    switch (e.kind) {
      case ExprKind::Full: return c.capacity == 0 ? number(0, e.at) : equal(length, capacity, e.at);
      case ExprKind::Nfull:
        return c.capacity == 0 ? number(1, e.at) : system_.make_binary(Op::Lt, length, capacity, e.at);
      case ExprKind::Empty: return equal(length, number(0), e.at);
      case ExprKind::Nempty: return system_.make_binary(Op::Gt, length, number(0), e.at);
      default: return length;
    }
  });
}

std::vector<Lowering::Pattern> Lowering::patterns(std::span<const ExprPtr> arguments, const Here& here) {
  std::vector<Pattern> out;
  for (const ExprPtr& a : arguments) {
    if (a->kind == ExprKind::Eval) {
      out.push_back({std::nullopt, value(*a->a, here)});
    } else if (a->kind == ExprKind::Ref && a->parts[0].name == "_" && a->parts.size() == 1) {
      out.emplace_back();
    } else if (int64_t constant = 0;
               types_.fold(*a, constant) && !(a->kind == ExprKind::Ref && root(a->parts[0].name, here))) {
      out.push_back({std::nullopt, number(constant, a->at)});
    } else if (a->kind == ExprKind::Ref) {
      for (Place& p : places(*a, here)) out.push_back({std::move(p), {}});
    } else {
      out.push_back({std::nullopt, value(*a, here)});
    }
  }
  return out;
}

std::vector<ExprId> Lowering::matches(const ChannelObject& c, std::span<const Pattern> patterns, ExprId index,
                                      SourceRef at) {
  std::vector<ExprId> out;
  for (size_t f = 0; f < patterns.size(); ++f) {
    if (patterns[f].match.valid()) out.push_back(equal(slot(c, f, index, at), patterns[f].match, at));
  }
  return out;
}

ExprId Lowering::poll(const ExprNode& e, const Here& here) {
  const std::vector<Pattern> wanted = patterns(e.arguments, here);
  return by_channel(*e.a, here, e.at, [&](const Candidate& candidate) {
    const ChannelObject& c = channels_[candidate.channel];
    if (c.capacity == 0) {
      diagnostics_.error(e.at, "a rendezvous channel cannot be polled");
      return number(0);
    }
    // Fields that a poll leaves out may be anything.
    if (wanted.size() > c.fields.size() && !fits(candidate, wanted.size(), e.at, "this poll asks for")) {
      return system_.make_fail(kNoSuchChannel, e.at);
    }
    std::vector<ExprId> ways;
    for (uint32_t i = 0; i < (e.random ? c.capacity : 1); ++i) {
      std::vector<ExprId> all{system_.make_binary(Op::Gt, system_.make_var(c.length, e.at), number(i), e.at)};
      for (const ExprId m : matches(c, wanted, number(i), e.at)) all.push_back(m);
      ways.push_back(all_of(all, e.at));
    }
    return any_of(ways, e.at);
  });
}

std::vector<ExprId> Lowering::message(const StmtNode& stmt, const Here& here) {
  std::vector<ExprId> out;
  for (const ExprPtr& a : stmt.arguments) {
    if (a->kind == ExprKind::Ref && root(a->parts[0].name, here)) {
      for (const Place& p : places(*a, here)) out.push_back(load(p, a->at));
    } else {
      out.push_back(value(*a, here));
    }
  }
  return out;
}

std::vector<Lowering::Way> Lowering::send(const StmtNode& stmt, const Here& here) {
  std::vector<Way> out;
  const std::vector<ExprId> values = message(stmt, here);
  for (const Candidate& candidate : candidates(*stmt.target, here)) {
    if (diagnostics_.has_errors()) return {};
    if (candidate.channel == kNoChannel || !fits(candidate, values.size(), stmt.at, "this sends")) {
      out.push_back(broken(candidate, stmt.at));
      continue;
    }
    const ChannelObject& c = channels_[candidate.channel];
    Way way;
    if (candidate.guard.valid()) way.guard.push_back(candidate.guard);
    way.channel = candidate.channel;
    way.message = values;
    if (c.capacity == 0) {
      way.half = Way::Half::Send;
      out.push_back(std::move(way));
      continue;
    }
    const ExprId length = system_.make_var(c.length, stmt.at);
    const StmtId longer = set(c.length, system_.make_binary(Op::Add, length, number(1), stmt.at), stmt.at);
    const auto put = [&](Way& w, ExprId index) {
      for (size_t f = 0; f < c.fields.size(); ++f) {
        Place at;
        at.base = c.arrays[f];
        at.count = c.capacity;
        at.index = index;
        at.type = c.fields[f];
        if (const auto constant = system_.constant(index)) {
          at.base = VarId(c.arrays[f].value + static_cast<uint32_t>(*constant));
          at.index = {};
        }
        w.effect.push_back(store(at, way.message[f], stmt.at));
      }
    };
    if (is_traced(candidate.channel, true)) {
      if (stmt.sorted) diagnostics_.unsupported(stmt.at, "a sorted send in a trace");
      observe(way.effect, candidate.channel, true, truncated_fields(c, values), stmt.at);
    }
    if (!stmt.sorted) {
      way.guard.push_back(system_.make_binary(Op::Lt, length, number(c.capacity), stmt.at));
      put(way, length);
      way.effect.push_back(longer);
      way.message.clear();
      out.push_back(std::move(way));
      continue;
    }
    // Before the first message that is greater, field by field; there is one way for every position.
    const auto greater = [&](uint32_t i) {  // message i > the new one
      ExprId result = number(0, stmt.at);
      for (size_t f = c.fields.size(); f-- > 0;) {
        const ExprId there = slot(c, f, number(i), stmt.at);
        const ExprId same = equal(there, way.message[f], stmt.at);
        const ExprId more = system_.make_binary(Op::Gt, there, way.message[f], stmt.at);
        result = system_.make_binary(Op::Or, more, system_.make_binary(Op::And, same, result, stmt.at), stmt.at);
      }
      return result;
    };
    for (uint32_t i = 0; i < c.capacity; ++i) {
      Way here_way;
      here_way.guard = way.guard;
      here_way.guard.push_back(system_.make_binary(Op::Lt, length, number(c.capacity), stmt.at));
      here_way.guard.push_back(system_.make_binary(Op::Ge, length, number(i), stmt.at));
      for (uint32_t k = 0; k < i; ++k) here_way.guard.push_back(negated(greater(k), stmt.at));
      const ExprId last = equal(length, number(i), stmt.at);
      here_way.guard.push_back(system_.make_binary(Op::Or, last, greater(i), stmt.at));
      for (uint32_t k = c.capacity - 1; k > i; --k) {
        for (const VarId array : c.arrays) {
          here_way.effect.push_back(
              set(VarId(array.value + k), system_.make_var(VarId(array.value + k - 1), stmt.at), stmt.at));
        }
      }
      put(here_way, number(i));
      here_way.effect.push_back(longer);
      out.push_back(std::move(here_way));
    }
  }
  return out;
}

// Removes message `first`: those behind it move up, and the last place is 0 again.
void Lowering::take_out(const ChannelObject& c, uint32_t first, std::vector<StmtId>& effect, SourceRef at) {
  for (const VarId array : c.arrays) {
    for (uint32_t i = first; i + 1 < c.capacity; ++i) {
      effect.push_back(set(VarId(array.value + i), system_.make_var(VarId(array.value + i + 1), at), at));
    }
    effect.push_back(set(VarId(array.value + c.capacity - 1), number(0), at));
  }
  effect.push_back(set(c.length, system_.make_binary(Op::Sub, system_.make_var(c.length, at), number(1), at), at));
}

std::vector<Lowering::Way> Lowering::receive(const StmtNode& stmt, const Here& here) {
  std::vector<Way> out;
  const std::vector<Pattern> wanted = patterns(stmt.arguments, here);
  for (const Candidate& candidate : candidates(*stmt.target, here)) {
    if (diagnostics_.has_errors()) return {};
    if (candidate.channel == kNoChannel || !fits(candidate, wanted.size(), stmt.at, "this receives")) {
      out.push_back(broken(candidate, stmt.at));
      continue;
    }
    const ChannelObject& c = channels_[candidate.channel];
    Way way;
    if (candidate.guard.valid()) way.guard.push_back(candidate.guard);
    way.channel = candidate.channel;
    if (c.capacity == 0) {
      if (stmt.keep) diagnostics_.error(stmt.at, "a message cannot be kept in a rendezvous channel");
      way.half = Way::Half::Receive;
      way.receive = &stmt;
      out.push_back(std::move(way));
      continue;
    }
    if (stmt.random && is_traced(candidate.channel, false)) {
      diagnostics_.unsupported(stmt.at, "a random receive in a trace");
    }
    // One way for every position at which the first match may be.
    for (uint32_t i = 0; i < (stmt.random ? c.capacity : 1); ++i) {
      Way at = way;
      at.guard.push_back(system_.make_binary(Op::Gt, system_.make_var(c.length, stmt.at), number(i), stmt.at));
      for (const ExprId m : matches(c, wanted, number(i), stmt.at)) at.guard.push_back(m);
      for (uint32_t k = 0; k < i; ++k) {
        at.guard.push_back(negated(all_of(matches(c, wanted, number(k), stmt.at), stmt.at), stmt.at));
      }
      if (!stmt.keep && is_traced(candidate.channel, false)) {
        std::vector<ExprId> taken;
        for (size_t f = 0; f < c.fields.size(); ++f) taken.push_back(slot(c, f, number(i), stmt.at));
        observe(at.effect, candidate.channel, false, taken, stmt.at);
      }
      for (size_t f = 0; f < wanted.size(); ++f) {
        if (wanted[f].into) at.effect.push_back(store(*wanted[f].into, slot(c, f, number(i), stmt.at), stmt.at));
      }
      if (!stmt.keep) take_out(c, i, at.effect, stmt.at);
      out.push_back(std::move(at));
    }
  }
  return out;
}

}  // namespace harrier::promela
