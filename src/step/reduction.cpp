#include "step/reduction.h"

#include <algorithm>

namespace harrier::step {

Reduction::Reduction(const Independence& independence, const Watch& watch)
    : independence_(independence),
      processes_(independence.processes()),
      work_(independence.program(), watch),
      at_(processes_),
      closed_(processes_) {}

void Reduction::begin(const int32_t* values) {
  for (uint32_t p = 0; p < processes_; ++p) at_[p] = independence_.number(p, values);
  next_alone_ = 0;
  all_known_ = false;
}

Reduction::Set Reduction::needs(const int32_t* values, uint32_t p) {
  const Independence::Place& place = independence_.place(at_[p]);
  Set possible = 0;
  for (uint32_t q = 0; q < processes_; ++q) {
    if (q != p && independence_.contains(place.all, at_[q])) possible |= Set{1} << q;
  }
  Set out = 0;
  for (uint32_t e = place.first_edge; e < place.end_edge && out != possible; ++e) {
    const Independence::Outgoing& edge = independence_.edge(e);
    const Independence::Needs* needs = &edge.whole;
    for (uint32_t t = edge.first_test; t < edge.end_test; ++t) {
      if (work_.holds(independence_.test(t).condition, values)) continue;
      needs = &independence_.test(t).enablers;
      break;
    }
    out |= among(values, *needs, possible & ~out);
  }
  return out;
}

Reduction::Set Reduction::among(const int32_t* values, const Independence::Needs& needs, Set processes) {
  Set out = 0;
  for (Set open = processes; open != 0; open &= open - 1) {
    if (independence_.contains(needs.row, at_[static_cast<uint32_t>(std::countr_zero(open))])) out |= open & -open;
  }
  for (uint32_t i = needs.first_part; i < needs.end_part; ++i) {
    const Independence::Part& part = independence_.part(i);
    const Set process = Set{1} << part.process;
    if ((processes & ~out & process) == 0 || !independence_.contains(part.where, at_[part.process])) continue;
    if (work_.holds(part.condition, values) || independence_.contains(part.unsettled, at_[part.process]) ||
        can_be_started(part.process)) {
      out |= process;
    }
  }
  return out;
}

bool Reduction::can_be_started(uint32_t process) const {
  const Independence::Row starting = independence_.starting(process);
  return std::any_of(at_.begin(), at_.end(),
                     [&](uint32_t location) { return independence_.contains(starting, location); });
}

Reduction::Set Reduction::next_set(const int32_t* values, Set done) {
  // Processes that need nobody first, before it is known what the others need.
  for (; next_alone_ < processes_; ++next_alone_) {
    closed_[next_alone_] = needs(values, next_alone_);
    if (closed_[next_alone_] == 0) return Set{1} << next_alone_++;
  }
  if (!all_known_) {
    all_known_ = true;
    for (uint32_t p = 0; p < processes_; ++p) closed_[p] |= Set{1} << p;
    for (bool grown = true; grown;) {
      grown = false;
      for (uint32_t p = 0; p < processes_; ++p) {
        Set all = closed_[p];
        for (Set open = all; open != 0; open &= open - 1) all |= closed_[static_cast<uint32_t>(std::countr_zero(open))];
        grown = grown || all != closed_[p];
        closed_[p] = all;
      }
    }
  }
  Set best = 0;
  for (uint32_t p = 0; p < processes_; ++p) {
    const Set more = closed_[p] & ~done;
    if (more != 0 && (best == 0 || std::popcount(more) < std::popcount(best & ~done))) best = closed_[p];
  }
  return best;
}

std::optional<uint32_t> Reduction::process_to_pass(DiscreteGenerator& generator) {
  const int32_t* values = generator.values();
  bool known = false;
  for (const uint32_t p : independence_.passing_processes()) {
    if (!independence_.place(independence_.number(p, values)).passes) continue;
    if (!known) {
      begin(values);
      known = true;
    }
    if (needs(values, p) == 0 && generator.can_move(p)) return p;
  }
  return std::nullopt;
}

}  // namespace harrier::step
