#include "search/live_zones.h"

#include <algorithm>

namespace harrier::search {

namespace {

uint64_t bytes_of(const std::vector<std::vector<Atom>>& lists) {
  uint64_t bytes = 0;
  for (const auto& list : lists) bytes += sizeof(list) + list.capacity() * sizeof(Atom);
  return bytes;
}

}  // namespace

LiveZones::LiveZones(const Semantics& semantics, Budget& budget)
    : ZoneGenerator(semantics, budget.watch()),
      budget_(budget),
      store_(budget, semantics.layout().words()),
      labels_(budget),
      lists_(budget, 2),
      zones_(budget),
      nodes_(budget, 1) {}

LiveZones::~LiveZones() { budget_.give_back(facts_bytes_); }

void LiveZones::load(uint64_t id) {
  const Node& node = *nodes_[id];
  ZoneGenerator::load(store_[node.discrete], [&](Bound* to) { ZoneStore::read(*node.block, to); });
}

std::vector<int32_t> LiveZones::values_of(uint64_t id) const {
  std::vector<int32_t> values(system_.variables.size());
  semantics_.layout().unpack(store_[nodes_[id]->discrete], values.data());
  return values;
}

uint64_t LiveZones::intern() {
  const auto [discrete, fresh] = store_.insert(words());
  if (fresh) {
    ZoneBlock** const heads = lists_.append();
    heads[0] = heads[1] = nullptr;
  }
  return discrete;
}

const LiveZones::Facts& LiveZones::facts_of(uint64_t discrete) {
  const auto known = facts_.find(discrete);
  if (known != facts_.end()) return known->second;
  Facts facts = make_facts();
  const uint64_t bytes = sizeof(Facts) + bytes_of(facts.bad) + bytes_of(facts.ahead);
  budget_.take(bytes);
  facts_bytes_ += bytes;
  return facts_.emplace(discrete, std::move(facts)).first->second;
}

std::vector<Atom> LiveZones::invariant_atoms(const ActiveClocks& active) {
  std::vector<Atom> atoms;
  for (const uint32_t p : network_.clock_invariant_processes()) {
    for (const CompiledConstraint& c : network_.location(p, values_.data()).clock_invariant) {
      if (const auto atom = demand(probe_, c, values_.data())) atoms.push_back(active.localised(*atom));
    }
  }
  return atoms;
}

Zone LiveZones::everything(std::span<const Atom> invariant, uint32_t dim) {
  Zone zone(dim);
  dbm::set_universal(zone.data(), dim);
  for (const Atom& a : invariant) zone.constrain(a.left, a.right, a.bound);
  return zone;
}

LiveZones::Facts LiveZones::make_facts() {
  Facts facts;
  facts.invariant = invariant_atoms(target_);
  facts.may_delay = network_.may_delay(probe_, values_.data());
  facts.endless = facts.may_delay && std::none_of(facts.invariant.begin(), facts.invariant.end(),
                                                  [](const Atom& a) { return a.right == 0; });
  const Zone whole = everything(facts.invariant, target_.dim());
  std::vector<Piece> bad{{whole, {}}};
  for (const CompiledClause& clause : semantics_.goal()) {
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    for (const Piece& part : parts_of(clause, whole, whole, target_, values_.data())) {
      facts.possible = true;
      bad = subtract(std::move(bad), part.atoms, watch_);
    }
  }
  if (!facts.possible) return facts;
  for (Piece& part : bad) {
    facts.bad.push_back(atoms_of(part.zone));
    if (facts.may_delay) dbm::down(part.zone.data(), part.zone.dim());
    facts.ahead.push_back(atoms_of(part.zone));
  }
  return facts;
}

std::vector<Piece> LiveZones::rests(const Facts& facts, const Zone& zone) {
  std::vector<Piece> parts{{zone, {}}};
  for (const auto& ahead : facts.ahead) parts = subtract(std::move(parts), ahead, watch_);
  if (facts.endless || parts.empty()) return parts;
  Zone later = zone;
  if (facts.may_delay) {
    dbm::up(later.data(), later.dim());
    for (const Atom& a : facts.invariant) later.constrain(a.left, a.right, a.bound);
  }
  std::vector<Piece> out;
  for (const Piece& dead : deadlocked(later.data(), source_, values_.data())) {
    for (Piece part : parts) {
      if (restrict_to(part, dead.atoms)) out.push_back(std::move(part));
    }
  }
  return out;
}

std::vector<LiveZones::Stay> LiveZones::stays(const Facts& facts, Zone arrival) const {
  if (!facts.possible) return {};
  struct Entry {
    Piece piece;
    std::vector<size_t> ahead;  // the bad parts that time leads into
  };
  std::vector<Entry> entries{{{std::move(arrival), {}}, {}}};
  for (size_t j = 0; j < facts.bad.size(); ++j) {
    std::vector<Entry> split;
    for (Entry& e : entries) {
      for (Piece& clear : subtract({e.piece}, facts.ahead[j], watch_)) split.push_back({std::move(clear), e.ahead});
      if (!facts.may_delay || !restrict_to(e.piece, facts.ahead[j])) continue;
      e.ahead.push_back(j);
      for (Piece& before : subtract({std::move(e.piece)}, facts.bad[j], watch_))
        split.push_back({std::move(before), e.ahead});
    }
    entries = std::move(split);
  }
  std::vector<Stay> out;
  for (Entry& e : entries) {
    Zone later = e.piece.zone;
    if (facts.may_delay) {
      dbm::up(later.data(), later.dim());
      for (const Atom& a : facts.invariant) later.constrain(a.left, a.right, a.bound);
    }
    std::vector<Piece> parts{{std::move(later), {}}};
    for (const size_t j : e.ahead) {
      std::erase_if(parts, [&](Piece& part) { return !restrict_to(part, facts.ahead[j]); });
      parts = subtract(std::move(parts), facts.bad[j], watch_);
    }
    for (Piece& part : parts) out.push_back({e.piece.atoms, std::move(part.atoms), std::move(part.zone)});
  }
  return out;
}

void LiveZones::prepare() {
  pattern_.set_thresholds(thresholds(), dim());
  extrapolate();
  pattern_.set_zone(bounds_of_zone(), dim());
}

std::optional<uint64_t> LiveZones::equal() {
  prepare();
  for (const ZoneBlock* block = *list(); block != nullptr; block = block->next) {
    if (pattern_.subsumed_by(*block) && pattern_.includes(*block)) return block->node;
  }
  return std::nullopt;
}

LiveZones::Standing LiveZones::admit(uint64_t parent) {
  prepare();
  ZoneBlock** const head = list();
  for (const ZoneBlock* block = *head; block != nullptr; block = block->next) {
    const Node& node = *nodes_[block->node];
    const bool inside = pattern_.subsumed_by(*block);
    if (inside && (phase_ == Phase::Free || node.colour == Colour::Black))
      return {Standing::Kind::Covered, block->node};
    if (phase_ == Phase::Free || node.colour == Colour::Black || !pattern_.includes(*block)) continue;
    if (node.colour == Colour::Grey) return {Standing::Kind::Closes, block->node};
    if (inside) return {Standing::Kind::Known, block->node};
  }
  const uint64_t id = nodes_.size();
  ZoneBlock* block = zones_.add(pattern_, dim());
  *nodes_.append() = {origin(parent), discrete_, block, phase_, Colour::White};
  block->node = id;
  block->next = *head;
  *head = block;
  return {Standing::Kind::Fresh, id};
}

bool LiveZones::may_rest(uint64_t id) {
  load(id);
  // The facts were made when the state was a candidate.
  return !rests(facts_.at(nodes_[id]->discrete), Zone(source_.dim(), source_zone_.data())).empty();
}

std::vector<model::EdgeId> LiveZones::edges_of(const Origin& origin) const {
  std::vector<model::EdgeId> edges;
  labels_.for_each_step(origin.label(), [&](std::span<const uint32_t> fired, uint32_t) {
    for (const uint32_t e : fired) edges.push_back(model::EdgeId(e));
  });
  return edges;
}

bool LiveZones::commits(uint64_t id) const {
  const Node& node = *nodes_[id];
  return node.phase == Phase::Kept && !node.origin.initial() && nodes_[node.origin.parent()]->phase == Phase::Free;
}

size_t LiveZones::depth(uint64_t id) const {
  size_t depth = 0;
  for (; !nodes_[id]->origin.initial(); id = nodes_[id]->origin.parent()) depth += commits(id) ? 0 : 1;
  return depth;
}

LiveZones::Way LiveZones::way_to(uint64_t id) const {
  Way way;
  std::optional<size_t> steps_after;
  for (; !nodes_[id]->origin.initial(); id = nodes_[id]->origin.parent()) {
    if (commits(id)) {
      steps_after = way.steps.size();
    } else {
      way.steps.push_back(edges_of(nodes_[id]->origin));
    }
  }
  std::reverse(way.steps.begin(), way.steps.end());
  if (steps_after) way.bound_from = way.steps.size() - *steps_after;
  return way;
}

}  // namespace harrier::search
