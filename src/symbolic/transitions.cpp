#include "symbolic/transitions.h"

#include <algorithm>
#include <climits>

#include "base/error.h"
#include "symbolic/transition_builder.h"

namespace harrier::symbolic {

using model::VarId;

namespace {

constexpr uint64_t kMostNodes = 4'000;  // of relations that are joined

// The relation with further variables, which stay as they are.
Bdd framed(const Encoding& encoding, Bdd relation, const std::vector<VarId>& own, const std::vector<VarId>& all) {
  for (auto v = all.rbegin(); v != all.rend(); ++v) {
    if (std::binary_search(own.begin(), own.end(), *v)) continue;
    relation &= equal(encoding.number(*v, Moment::Now), encoding.number(*v, Moment::Next));
  }
  return relation;
}

std::vector<VarId> together(const std::vector<VarId>& a, const std::vector<VarId>& b) {
  std::vector<VarId> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

}  // namespace

Transitions::Transitions(Encoding& encoding, const Watch& watch) : encoding_(encoding) {
  TransitionBuilder builder(encoding, watch);
  builder.build();
  beginning_ = builder.beginning();
  all_ = std::move(builder.transitions);
  failures_ = std::move(builder.failures);
  beginning_failures_ = std::move(builder.beginning_failures);
  join(watch);
}

// Relations that write variables near each other come together.
void Transitions::join(const Watch& watch) {
  const auto place = [&](size_t i) {
    int out = INT_MAX;
    for (const VarId v : all_[i].relation.written()) {
      for (const int bit : encoding_.bits(v, Moment::Now)) out = std::min(out, bit);
    }
    return out;
  };
  std::vector<std::pair<int, size_t>> members;
  for (size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].relation.is_simple()) {
      members.emplace_back(place(i), i);
    } else {
      groups_.push_back({i, std::nullopt});
    }
  }
  std::sort(members.begin(), members.end());
  struct Open {
    Bdd relation;
    std::vector<VarId> written;
    size_t member = 0;
  };
  std::optional<Open> open;
  const auto close = [&] {
    if (open) groups_.push_back({open->member, Relation(encoding_, {open->relation}, open->written)});
  };
  for (const auto& [top, i] : members) {
    watch.poll();
    const Relation& relation = all_[i].relation;
    const Bdd own = relation.joined();
    if (open) {
      const std::vector<VarId> all = together(open->written, relation.written());
      Bdd both =
          framed(encoding_, open->relation, open->written, all) | framed(encoding_, own, relation.written(), all);
      if (node_count(both) <= kMostNodes) {
        open->relation = std::move(both);
        open->written = all;
        continue;
      }
    }
    close();
    open = {own, relation.written(), i};
  }
  close();
}

Bdd Transitions::initial() const { return beginning_->relation.image(Bdd(true)); }

Bdd Transitions::image(const Bdd& states) const {
  Bdd out;
  for (const Group& g : groups_) out |= relation(g).image(states);
  return out;
}

Bdd Transitions::preimage(const Bdd& states) const {
  Bdd out;
  for (const Group& g : groups_) out |= relation(g).preimage(states);
  return out;
}

std::vector<const Relation*> Transitions::relations() const {
  std::vector<const Relation*> out;
  for (const Group& g : groups_) out.push_back(&relation(g));
  return out;
}

const Bdd& Transitions::movable() const {
  if (!movable_) {
    Bdd out;
    for (const Group& g : groups_) out |= relation(g).sources();
    movable_ = out;
  }
  return *movable_;
}

namespace {

std::vector<int32_t> chosen(const Transition& t, const std::vector<bool>& bits) {
  std::vector<int32_t> out;
  for (const Evaluator::Choice& choice : t.choices) {
    if (value(choice.when, bits)) out.push_back(static_cast<int32_t>(value(choice.number, bits)));
  }
  return out;
}

}  // namespace

std::optional<std::vector<bool>> Transitions::solve(const Transition& t, std::span<const int32_t> from,
                                                    std::span<const int32_t> to) const {
  std::vector<bool> bits(static_cast<size_t>(encoding_.manager().bits()));
  encoding_.set(bits, from, Moment::Now);
  encoding_.set(bits, to, Moment::Next);
  Bdd choices(true);
  for (const Bdd& c : t.relation.conjuncts()) {
    choices &= fixed(c, bits, [&](int bit) { return encoding_.is_choice(bit); });
    if (choices.is_false()) return std::nullopt;
  }
  const std::vector<bool> found = any_assignment(choices, encoding_.manager().bits());
  for (size_t bit = 0; bit < bits.size(); ++bit) {
    if (encoding_.is_choice(static_cast<int>(bit))) bits[bit] = found[bit];
  }
  return bits;
}

std::optional<model::PathStep> Transitions::step(std::span<const int32_t> from, std::span<const int32_t> to) const {
  for (const Transition& t : all_) {
    const auto& written = t.relation.written();
    bool possible = true;
    for (size_t v = 0; v < from.size() && possible; ++v) {
      possible = from[v] == to[v] || std::binary_search(written.begin(), written.end(), VarId(v));
    }
    if (!possible) continue;
    const auto bits = solve(t, from, to);
    if (!bits) continue;
    model::PathStep out;
    for (const Transition::Part& part : t.parts) {
      if (value(part.when, *bits)) out.edges.push_back(part.edge);
    }
    out.choices = chosen(t, *bits);
    return out;
  }
  return std::nullopt;
}

std::vector<int32_t> Transitions::beginning_of(std::span<const int32_t> values) const {
  const auto bits = solve(*beginning_, values, values);
  if (!bits) throw Error(ErrorKind::Internal, "the model does not begin in its initial state");
  return chosen(*beginning_, *bits);
}

}  // namespace harrier::symbolic
