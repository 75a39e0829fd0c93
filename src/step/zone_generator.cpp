#include "step/zone_generator.h"

#include <algorithm>

#include "base/error.h"

namespace harrier::step {

using model::DeadlockTest;

bool ZoneGenerator::ZoneFilter::begin(uint32_t sender) {
  parts_.clear();
  sender_ = sender;
  for (const CompiledConstraint& c : generator_.network_.edge(sender).clock_guard) {
    const auto demanded = demand(generator_.probe_, c, values_);
    if (!demanded) continue;
    const Atom atom = active_.localised(*demanded);
    if (!dbm::satisfiable(zone_, active_.dim(), atom.left, atom.right, atom.bound)) return false;
  }
  return true;
}

bool ZoneGenerator::ZoneFilter::open() {
  if (!parts_.empty()) return true;
  std::vector<Piece> parts = inside({{Zone(active_.dim(), zone_), {}}}, sender_);
  if (parts.empty()) return false;
  parts_.push_back(std::move(parts));
  return true;
}

std::vector<Piece> ZoneGenerator::ZoneFilter::inside(const std::vector<Piece>& parts, uint32_t edge) const {
  const std::vector<Atom> guard = generator_.guard_atoms({&edge, 1}, active_, values_);
  std::vector<Piece> out;
  for (const Piece& part : parts) {
    Piece cut = part;
    const auto holds = [&](const Atom& a) { return cut.zone.constrain(a.left, a.right, a.bound); };
    if (std::all_of(guard.begin(), guard.end(), holds)) out.push_back(std::move(cut));
  }
  return out;
}

bool ZoneGenerator::ZoneFilter::take(uint32_t edge) {
  if (!open()) return false;
  std::vector<Piece> left = inside(parts_.back(), edge);
  if (left.empty()) return false;
  parts_.push_back(std::move(left));
  return true;
}

bool ZoneGenerator::ZoneFilter::refuse(std::span<const uint32_t> edges) {
  if (!open()) return false;
  std::vector<Piece> left = parts_.back();
  for (const uint32_t& edge : edges) {
    left = subtract(std::move(left), generator_.guard_atoms({&edge, 1}, active_, values_), generator_.watch_);
  }
  if (left.empty()) return false;
  parts_.push_back(std::move(left));
  return true;
}

ZoneGenerator::ZoneGenerator(const Semantics& semantics, const Watch& watch)
    : semantics_(semantics),
      system_(semantics.system()),
      watch_(watch),
      network_(semantics.network()),
      bounds_(semantics.bounds()),
      work_(network_.program(), watch),
      probe_(network_.program(), watch),
      has_priorities_(semantics.has_priorities()),
      values_(semantics.initial()),
      packed_(semantics.layout()),
      reset_value_(system_.clocks.size(), -1) {
  for (ActiveClocks* active : {&source_, &target_, &read_, &arranged_}) active->local.assign(system_.clocks.size(), 0);
  source_zone_.resize(largest_zone());
  guard_zone_.resize(largest_zone());
}

void ZoneGenerator::find_active(const int32_t* values, ActiveClocks& active) const {
  for (const uint32_t clock : active.clocks) active.local[clock] = 0;
  active.clocks.assign(1, 0);
  active.lower.assign(1, 0);
  active.upper.assign(1, 0);
  const auto add = [&](const ClockBounds::Entry& e) {
    uint32_t& local = active.local[e.clock];
    if (local == 0) {
      local = active.dim();
      active.clocks.push_back(e.clock);
      active.lower.push_back(e.lower);
      active.upper.push_back(e.upper);
    } else {
      active.lower[local] = std::max(active.lower[local], e.lower);
      active.upper[local] = std::max(active.upper[local], e.upper);
    }
  };
  for (const auto& entry : bounds_.everywhere()) add(entry);
  for (uint32_t p = 0; p < network_.process_count(); ++p) {
    const auto location = static_cast<uint32_t>(values[system_.processes[p].location.value]);
    for (const auto& entry : bounds_.at(p, location)) add(entry);
  }
}

bool ZoneGenerator::collect_guard(std::span<const uint32_t> edges, const int32_t* values) {
  guard_.clear();
  for (const uint32_t e : edges) {
    for (const CompiledConstraint& c : network_.edge(e).clock_guard) {
      const auto demanded = demand(work_, c, values);
      if (!demanded) continue;
      const Atom atom = source_.localised(*demanded);
      if (!dbm::satisfiable(source_zone_.data(), source_.dim(), atom.left, atom.right, atom.bound)) return false;
      guard_.push_back(atom);
    }
  }
  return true;
}

void ZoneGenerator::enter_target(const Bound* zone, const ActiveClocks& source) {
  for (const model::ClockReset& r : work_.resets()) reset_value_[r.clock.value] = r.value;
  const uint32_t dim = target_.dim();
  const uint32_t source_dim = source.dim();
  target_zone_.resize(size_t{dim} * dim);
  // A reset clock is the reference clock plus its value, so every entry is one of the source matrix, shifted.
  for (uint32_t i = 0; i < dim; ++i) {
    const uint32_t ci = target_.clocks[i];
    const int32_t vi = reset_value_[ci];
    const Bound* row = zone + size_t{vi >= 0 ? 0 : source.local[ci]} * source_dim;
    for (uint32_t j = 0; j < dim; ++j) {
      const uint32_t cj = target_.clocks[j];
      const int32_t vj = reset_value_[cj];
      Bound b = row[vj >= 0 ? 0 : source.local[cj]];
      const int32_t shift = std::max(vi, 0) - std::max(vj, 0);
      if (shift != 0 && b != kInfinity) b += 2 * shift;
      target_zone_[i * dim + j] = i == j ? kZeroLe : b;
    }
  }
  for (const model::ClockReset& r : work_.resets()) reset_value_[r.clock.value] = -1;
}

bool ZoneGenerator::enter_initial() {
  values_ = semantics_.initial();
  packed_.forget();
  if (!network_.invariants_hold(work_, values_.data())) return false;
  find_active(values_.data(), target_);
  target_zone_.assign(size_t{target_.dim()} * target_.dim(), kZeroLe);
  return meet_invariants(probe_, values_.data());
}

bool ZoneGenerator::meet_invariants(Workspace& work, const int32_t* values) {
  const uint32_t dim = target_.dim();
  upper_.assign(dim, kInfinity);
  other_.clear();
  bounded_ = false;
  for (const uint32_t p : network_.clock_invariant_processes()) {
    for (const CompiledConstraint& c : network_.location(p, values).clock_invariant) {
      const auto demanded = demand(work, c, values);
      if (!demanded) continue;
      const Atom atom = target_.localised(*demanded);
      if (atom.right == 0 && atom.left != 0) {
        upper_[atom.left] = std::min(upper_[atom.left], atom.bound);
        bounded_ = true;
      } else {
        other_.push_back(atom);
      }
    }
  }
  Bound* zone = target_zone_.data();
  for (const Atom& a : other_) {
    if (!dbm::constrain(zone, dim, a.left, a.right, a.bound)) return false;
  }
  return !bounded_ || dbm::constrain_upper(zone, dim, upper_.data());
}

void ZoneGenerator::pass_time(Workspace& work, const int32_t* values) {
  if (!network_.may_delay(work, values)) return;
  const uint32_t dim = target_.dim();
  dbm::up(target_zone_.data(), dim);
  // Lower bounds and differences survive delay, so only the upper bounds need to be imposed again.
  if (bounded_) dbm::constrain_upper(target_zone_.data(), dim, upper_.data());
}

void ZoneGenerator::extrapolate() {
  if (!bounds_.diagonals().empty()) return;  // its parts are
  dbm::extrapolate_lu_plus(target_zone_.data(), target_.dim(), target_.lower.data(), target_.upper.data());
}

const Bound* ZoneGenerator::thresholds() {
  if (!bounds_.diagonals().empty()) return target_zone_.data();
  thresholds_.resize(size_t{target_.dim()} * target_.dim());
  dbm::alu_thresholds(target_zone_.data(), target_.dim(), target_.lower.data(), target_.upper.data(),
                      thresholds_.data());
  return thresholds_.data();
}

void ZoneGenerator::keep() {
  extrapolate();
  std::swap(source_, target_);
  std::copy(target_zone_.begin(), target_zone_.end(), source_zone_.begin());
  packed_.forget();
}

bool ZoneGenerator::arrange() {
  const auto write = [&](uint32_t variable, int32_t value) { work_.write(values_.data(), variable, value); };
  if (!arrangement_->arrange(values_.data(), zone(), write)) return false;
  find_active(values_.data(), arranged_);
  const uint32_t dim = target_.dim();
  const auto is_known = [&](uint32_t clock) { return target_.local[arrangement_->clock_from(clock)] != 0; };
  if (arranged_.dim() != dim || !std::all_of(arranged_.clocks.begin() + 1, arranged_.clocks.end(), is_known)) {
    throw Error(ErrorKind::Internal, "exchanged processes have different clocks");
  }
  arranged_zone_.resize(size_t{dim} * dim);
  for (uint32_t i = 0; i < dim; ++i) {
    const Bound* row = target_zone_.data() + size_t{target_.local[arrangement_->clock_from(arranged_.clocks[i])]} * dim;
    for (uint32_t j = 0; j < dim; ++j) {
      arranged_zone_[size_t{i} * dim + j] = row[target_.local[arrangement_->clock_from(arranged_.clocks[j])]];
    }
  }
  std::swap(target_, arranged_);
  std::swap(target_zone_, arranged_zone_);
  return true;
}

Firing ZoneGenerator::firing_of(std::span<const uint32_t> edges, std::vector<uint32_t>& refused) {
  network_.refused(work_, values_.data(), edges, refused);
  return {edges, refused};
}

bool ZoneGenerator::fire(std::span<const uint32_t> edges, uint32_t part, std::vector<model::ClockAtom>* extra) {
  std::vector<uint32_t> refused;
  std::vector<int32_t> reached;
  expand(firing_of(edges, refused), all_enabled(), [&](uint32_t number, std::span<const Atom> atoms) {
    if (number != part) return true;
    if (extra != nullptr) *extra = global(atoms, source_);
    reached = values_;
    return false;
  });
  if (reached.empty()) return false;
  values_ = std::move(reached);
  if (arrangement_ && arrange()) work_.keep();
  keep();
  return true;
}

std::vector<Zone> ZoneGenerator::goal_parts() {
  std::vector<Zone> out;
  const Zone whole(target_.dim(), target_zone_.data());
  for (const CompiledClause& clause : semantics_.goal()) {
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    for (Piece& part : parts_of(clause, whole, whole, target_, values_.data())) out.push_back(std::move(part.zone));
  }
  return out;
}

std::vector<Atom> ZoneGenerator::guard_atoms(std::span<const uint32_t> edges, const ActiveClocks& active,
                                             const int32_t* values) {
  std::vector<Atom> atoms;
  for (const uint32_t e : edges) {
    for (const CompiledConstraint& c : network_.edge(e).clock_guard) {
      if (const auto atom = demand(probe_, c, values)) atoms.push_back(active.localised(*atom));
    }
  }
  return atoms;
}

std::vector<ZoneGenerator::Enabled> ZoneGenerator::enabled_transitions(const Bound* zone, const ActiveClocks& active,
                                                                       int32_t* values) {
  std::vector<Enabled> out;
  ZoneFilter filter(*this, zone, active, values);
  const auto add = [&](const Firing& firing) {
    std::vector<Atom> atoms = guard_atoms(firing.edges, active, values);
    std::vector<std::vector<Atom>> refused;
    for (const uint32_t e : firing.refused) refused.push_back(guard_atoms({&e, 1}, active, values));
    bool possible = network_.fire(probe_, values, firing.edges);
    if (possible) {
      // What the target's invariants demand of the clocks before the resets.
      std::vector<int32_t> reset(system_.clocks.size(), -1);
      for (const model::ClockReset& r : probe_.resets()) reset[r.clock.value] = r.value;
      for (const uint32_t p : network_.clock_invariant_processes()) {
        for (const CompiledConstraint& c : network_.location(p, values).clock_invariant) {
          const auto atom = demand(probe_, c, values);
          if (!atom) continue;
          const int32_t shift = std::max(reset[atom->left], 0) - std::max(reset[atom->right], 0);
          const uint32_t left = reset[atom->left] >= 0 ? 0 : active.local[atom->left];
          const uint32_t right = reset[atom->right] >= 0 ? 0 : active.local[atom->right];
          const Bound bound = atom->bound - 2 * shift;
          if (left == right) {
            possible = possible && bound >= kZeroLe;
          } else {
            atoms.push_back({left, right, bound});
          }
        }
      }
    }
    probe_.undo(values);
    Zone part(active.dim(), zone);
    possible = possible && std::all_of(atoms.begin(), atoms.end(),
                                       [&](const Atom& a) { return part.constrain(a.left, a.right, a.bound); });
    if (!possible) return true;
    Enabled t{network_.priority(firing.edges), {{std::move(part), std::move(atoms)}}};
    for (const auto& guard : refused) t.parts = subtract(std::move(t.parts), guard, watch_);
    if (!t.parts.empty()) out.push_back(std::move(t));
    return true;
  };
  network_.for_each_firing(probe_, values, add, &filter);
  return out;
}

std::vector<Piece> ZoneGenerator::unblocked(std::vector<Piece> pieces, const std::vector<Enabled>& all,
                                            int64_t priority) const {
  for (const Enabled& t : all) {
    if (t.priority <= priority) continue;
    // In terms of the guards, not of the zone: the same atoms must cut the concrete zone of a path.
    for (const Piece& part : t.parts) pieces = subtract(std::move(pieces), part.atoms, watch_);
  }
  return pieces;
}

std::vector<Piece> ZoneGenerator::deadlocked(const Bound* zone, const ActiveClocks& active, int32_t* values) {
  const uint32_t dim = active.dim();
  std::vector<Piece> pieces{{Zone(dim, zone), {}}};
  const bool may_delay = network_.may_delay(probe_, values);
  for (Enabled& t : enabled_transitions(zone, active, values)) {
    // The valuations from which the transition is enabled, now or after a delay. The zone is closed under delay.
    for (Piece& part : t.parts) {
      if (may_delay) dbm::down(part.zone.data(), dim);
      pieces = subtract(std::move(pieces), atoms_of(part.zone), watch_);
    }
    if (pieces.empty()) break;
  }
  return pieces;
}

std::vector<Piece> ZoneGenerator::parts_of(const CompiledClause& clause, const Zone& zone, const Zone& whole,
                                           const ActiveClocks& active, int32_t* values) {
  Piece all{zone, {}};
  for (const Atom& demanded : demands(probe_, clause, values)) {
    const Atom atom = active.localised(demanded);
    if (!restrict_to(all, {&atom, 1})) return {};
  }
  std::vector<Piece> parts;
  if (clause.deadlock == DeadlockTest::IsDeadlock) {
    for (const Piece& dead : deadlocked(whole.data(), active, values)) {
      Piece part = all;
      if (restrict_to(part, dead.atoms)) parts.push_back(std::move(part));
    }
    return parts;
  }
  parts.push_back(std::move(all));
  if (clause.deadlock == DeadlockTest::Ignore) return parts;
  for (const Piece& dead : deadlocked(whole.data(), active, values)) {
    parts = subtract(std::move(parts), dead.atoms, watch_);
  }
  return parts;
}

std::optional<size_t> ZoneGenerator::goal_in(const Bound* zone, const ActiveClocks& active, int32_t* values,
                                             std::vector<Atom>* deadlock_part) {
  return first_clause(semantics_.goal(), [&](const CompiledClause& clause) {
    if (!conditions_hold(probe_, clause, values)) return false;
    const bool tests_deadlock = clause.deadlock != DeadlockTest::Ignore;
    if (clause.clocks.empty() && !tests_deadlock) return true;
    const Zone whole(active.dim(), zone);
    std::vector<Piece> parts = parts_of(clause, whole, whole, active, values);
    if (parts.empty()) return false;
    if (deadlock_part != nullptr && tests_deadlock) *deadlock_part = std::move(parts.front().atoms);
    return true;
  });
}

std::vector<model::ClockAtom> ZoneGenerator::global(std::span<const Atom> atoms, const ActiveClocks& active) const {
  std::vector<model::ClockAtom> out;
  for (const Atom& a : atoms) {
    out.push_back({model::ClockId(active.clocks[a.left]), model::ClockId(active.clocks[a.right]),
                   bound_constant(a.bound), bound_is_strict(a.bound)});
  }
  return out;
}

bool ZoneGenerator::take(const model::PathStep& step) {
  std::swap(source_, target_);
  std::copy(target_zone_.begin(), target_zone_.end(), source_zone_.begin());
  packed_.forget();
  std::vector<uint32_t> edges;
  for (const model::EdgeId e : step.edges) edges.push_back(e.value);
  bool possible = collect_guard(edges, values_.data());
  for (const model::ClockAtom& a : step.extra) {
    guard_.push_back({source_.local[a.left.value], source_.local[a.right.value], make_bound(a.bound, a.strict)});
  }
  for (const Atom& a : guard_) {
    possible = possible && dbm::constrain(source_zone_.data(), source_.dim(), a.left, a.right, a.bound);
  }
  if (!possible) return false;
  if (!network_.fire(work_, values_.data(), edges)) {
    work_.undo(values_.data());
    return false;
  }
  find_active(values_.data(), target_);
  enter_target(source_zone_.data(), source_);
  possible = meet_invariants(probe_, values_.data());
  if (possible) pass_time(probe_, values_.data());
  work_.keep();
  return possible;
}

void ZoneGenerator::follow_exactly(const model::Path& path) {
  enter_initial();
  pass_time(probe_, values_.data());
  for (const model::PathStep& step : path.steps) {
    if (!take(step)) throw Error(ErrorKind::Internal, "a path of the zone graph has no concrete run");
  }
  for (const model::ClockAtom& a : path.goal_extra) {
    dbm::constrain(target_zone_.data(), target_.dim(), target_.local[a.left.value], target_.local[a.right.value],
                   make_bound(a.bound, a.strict));
  }
}

void ZoneGenerator::find_deadlock(model::Path& path) {
  follow_exactly(path);
  std::vector<Atom> part;
  if (const auto clause = goal_in(target_zone_.data(), target_, values_.data(), &part)) path.goal_clause = *clause;
  const std::vector<model::ClockAtom> dead = global(part, target_);
  path.goal_extra.insert(path.goal_extra.end(), dead.begin(), dead.end());
}

}  // namespace harrier::step
