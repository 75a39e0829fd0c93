#include "abstraction/predicates/regressed_space.h"

namespace harrier::abstraction {

RegressedSpace::RegressedSpace(Cartesian& cartesian, uint64_t most_states, const std::function<bool()>& over)
    : width_(cartesian.width()), members_(cartesian.elements(), 0) {
  for (const auto& d : cartesian.dimensions()) first_element_.push_back(d.first_element);
  std::vector<uint16_t> before(width_);
  for (uint32_t clause = 0; clause < cartesian.part().aims.size(); ++clause) {
    if (states_.size() >= most_states) {
      complete_ = false;
    } else if (cartesian.aim(clause, before.data())) {
      add(before, {0, UINT32_MAX, clause});
    }
  }
  std::vector<uint16_t> after(width_);
  uint64_t asked = 0;
  for (uint32_t at = 0; at < states_.size() && complete_; ++at) {
    after.assign(values(at), values(at) + width_);
    const uint32_t distance = states_[at].distance + 1;
    for (uint32_t step = 0; step < cartesian.part().steps.size() && complete_; ++step) {
      const bool possible = cartesian.regress(step, after.data(), before.data());
      // Questions to the solver take their time; others do not.
      const bool slow = cartesian.settled().solver != asked;
      asked = cartesian.settled().solver;
      if (((slow || step % 256 == 0) && over()) || (possible && states_.size() >= most_states)) {
        complete_ = false;
        horizon_ = distance;
      } else if (possible) {
        add(before, {distance, at, step});
      }
    }
  }
}

bool RegressedSpace::add(const std::vector<uint16_t>& values, const State& state) {
  set_.clear();
  for (uint32_t d = 0; d < width_; ++d) {
    if (values[d] != Cartesian::kAny) set_.push_back(first_element_[d] + values[d]);
  }
  for (const uint32_t element : set_) members_[element] = 1;
  const bool covered = tree_.has_subset(members_.data());
  for (const uint32_t element : set_) members_[element] = 0;
  if (covered) return false;
  tree_.insert(set_, state.distance);
  states_.push_back(state);
  values_.insert(values_.end(), values.begin(), values.end());
  return true;
}

std::optional<uint32_t> RegressedSpace::nearest(const std::vector<uint8_t>& members) const {
  // They are in order of their distances.
  for (uint32_t id = 0; id < states_.size(); ++id) {
    bool covers = true;
    for (uint32_t d = 0; d < width_ && covers; ++d) {
      const uint16_t value = values(id)[d];
      covers = value == Cartesian::kAny || members[first_element_[d] + value] != 0;
    }
    if (covers) return id;
  }
  return std::nullopt;
}

}  // namespace harrier::abstraction
