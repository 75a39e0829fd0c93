#include "symbolic/transitions.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "symbolic/transition_builder.h"

namespace harrier::symbolic {

using model::VarId;

namespace {

constexpr uint64_t kMostNodes = 1'000;  // of relations that are joined

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

// Of each process, relations that write the same variables first.
void Transitions::join(const Watch& watch) {
  std::map<uint32_t, std::vector<size_t>> by_process;
  for (size_t i = 0; i < all_.size(); ++i) {
    by_process[encoding_.system().edge(all_[i].parts.front().edge).process.value].push_back(i);
  }
  for (auto& [process, members] : by_process) {
    std::stable_sort(members.begin(), members.end(),
                     [&](size_t a, size_t b) { return all_[a].relation.written() < all_[b].relation.written(); });
    struct Open {
      Bdd relation;
      std::vector<VarId> written;
      size_t member = 0;
    };
    std::vector<Open> open;
    for (const size_t i : members) {
      watch.poll();
      const Relation& relation = all_[i].relation;
      if (!relation.is_simple()) {
        groups_.push_back({i, std::nullopt});
        continue;
      }
      const Bdd own = relation.joined();
      if (!open.empty()) {
        Open& last = open.back();
        const std::vector<VarId> all = together(last.written, relation.written());
        Bdd both =
            framed(encoding_, last.relation, last.written, all) | framed(encoding_, own, relation.written(), all);
        if (node_count(both) <= kMostNodes) {
          last.relation = std::move(both);
          last.written = all;
          continue;
        }
      }
      open.push_back({own, relation.written(), i});
    }
    for (Open& o : open) {
      groups_.push_back({o.member, Relation(encoding_, {std::move(o.relation)}, std::move(o.written))});
    }
  }
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
