#include "store/zone_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "base/vector.h"

namespace harrier::store {

namespace {

constexpr uint64_t kAtOnce = 32;
constexpr uint32_t kSample = 64;     // zones, so that a set of them is a word
constexpr uint32_t kMostPivots = 4;  // of an entry that are considered
constexpr size_t kMostCandidates = 192;
constexpr uint64_t kGrowth = 4;  // between two choices of bits

// Whether one of the signatures has all wanted bits. With the complement of both, whether one has no bit besides.
HARRIER_VECTOR
bool any_has(const uint64_t* __restrict signatures, uint64_t flip, uint64_t wanted) {
  uint64_t found = 0;
  for (uint64_t k = 0; k < kAtOnce; ++k) found |= ((signatures[k] ^ flip) & wanted) == wanted ? 1 : 0;
  return found != 0;
}

uint64_t last_with(const uint64_t* signatures, uint64_t end, uint64_t flip, uint64_t wanted) {
  uint64_t at = end;
  while (at >= kAtOnce && !any_has(signatures + at - kAtOnce, flip, wanted)) at -= kAtOnce;
  while (at > 0) {
    --at;
    if (((signatures[at] ^ flip) & wanted) == wanted) return at;
  }
  return end;
}

using Sample = std::vector<std::vector<int32_t>>;  // bounds of zones, or thresholds

// A comparison, and of which zones and which thresholds of the samples it is true.
struct Candidate {
  uint32_t entry = 0;
  int32_t pivot = 0;
  uint64_t zones = 0;
  uint64_t thresholds = 0;
};

uint64_t all_of(const Sample& sample) {
  return sample.size() == kSample ? ~uint64_t{0} : (uint64_t{1} << sample.size()) - 1;
}

uint64_t those_at_least(const Sample& sample, uint32_t entry, int32_t pivot) {
  uint64_t out = 0;
  for (size_t i = 0; i < sample.size(); ++i) out |= uint64_t{sample[i][entry] >= pivot} << i;
  return out;
}

// By thresholds: the zones that a bit tells apart from them.
using Separated = std::array<uint64_t, kSample>;

// The pairs that a bit separates and that are not separated yet.
uint32_t gain(const Candidate& candidate, uint64_t all, const Separated& separated) {
  uint32_t sum = 0;
  for (uint64_t rest = candidate.thresholds; rest != 0; rest &= rest - 1) {
    const auto a = static_cast<size_t>(std::countr_zero(rest));
    sum += static_cast<uint32_t>(std::popcount(all & ~candidate.zones & ~separated[a]));
  }
  return sum;
}

// Comparisons with some of the thresholds that there are, those that separate the most pairs by themselves first.
std::vector<Candidate> candidates_of(const Sample& zones, const Sample& thresholds) {
  std::vector<Candidate> out;
  std::vector<int32_t> sorted(thresholds.size());
  for (uint32_t entry = 0; entry < zones[0].size(); ++entry) {
    for (size_t i = 0; i < thresholds.size(); ++i) sorted[i] = thresholds[i][entry];
    std::sort(sorted.begin(), sorted.end());
    for (uint32_t part = 1; part <= kMostPivots; ++part) {
      const int32_t pivot = sorted[(sorted.size() - 1) * part / kMostPivots];
      const uint64_t some = those_at_least(zones, entry, pivot);
      if (some == all_of(zones)) continue;
      if (!out.empty() && out.back().entry == entry && out.back().pivot == pivot) continue;
      out.push_back({entry, pivot, some, those_at_least(thresholds, entry, pivot)});
    }
  }
  const auto alone = [&](const Candidate& c) {
    return std::popcount(c.thresholds) * (static_cast<int>(zones.size()) - std::popcount(c.zones));
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return alone(a) > alone(b); });
  if (out.size() > kMostCandidates) out.resize(kMostCandidates);
  return out;
}

}  // namespace

uint64_t ZoneIndex::last_above(const uint64_t* signatures, uint64_t end, uint64_t wanted) {
  return last_with(signatures, end, 0, wanted);
}

uint64_t ZoneIndex::last_below(const uint64_t* signatures, uint64_t end, uint64_t most) {
  return last_with(signatures, end, ~uint64_t{0}, ~most);
}

uint64_t ZoneIndex::signature_of(std::span<const int32_t> bounds) const {
  uint64_t out = 0;
  for (size_t b = 0; b < bits_.size(); ++b) {
    out |= uint64_t{bounds[bits_[b].entry] >= bits_[b].pivot} << b;
  }
  return out;
}

uint64_t ZoneIndex::signature_of(const ZoneBlock& block) {
  ZoneStore::read_entries(block, scratch_);
  return signature_of(scratch_);
}

void ZoneIndex::take(ZoneBlock* newest) {
  for (const ZoneBlock* block = newest; block != nullptr; block = block->next) blocks_.push_back(nullptr);
  size_t at = blocks_.size();
  for (ZoneBlock* block = newest; block != nullptr; block = block->next) blocks_[--at] = block;
  choose_bits();
}

void ZoneIndex::add(ZoneBlock* block) {
  blocks_.push_back(block);
  if (blocks_.size() >= next_choice_) {
    choose_bits();
  } else {
    signatures_.push_back(signature_of(*block));
  }
}

void ZoneIndex::close_gaps() {
  size_t kept = 0;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i] == nullptr) continue;
    blocks_[kept] = blocks_[i];
    signatures_[kept++] = signatures_[i];
  }
  blocks_.cut(kept);
  signatures_.cut(kept);
}

void ZoneIndex::note(std::span<const int32_t> thresholds) {
  if (++comparisons_ % 4 != 0) return;
  if (noted_.size() < kNoted) {
    noted_.emplace_back(thresholds.begin(), thresholds.end());
  } else {
    noted_[comparisons_ / 4 % kNoted].assign(thresholds.begin(), thresholds.end());
  }
}

void ZoneIndex::choose_bits() {
  const uint64_t count = blocks_.size();
  Sample zones(std::min<uint64_t>(kSample, count));
  for (size_t z = 0; z < zones.size(); ++z) ZoneStore::read_entries(*blocks_[z * count / zones.size()], zones[z]);
  const Sample& thresholds = noted_.empty() ? zones : noted_;
  std::vector<Candidate> candidates = candidates_of(zones, thresholds);
  const uint64_t all = all_of(zones);
  bits_.clear();
  Separated separated{};
  bool fresh = true;
  while (bits_.size() < kBits) {
    uint32_t best_gain = 0;
    size_t best = 0;
    for (size_t c = 0; c < candidates.size(); ++c) {
      const uint32_t here = gain(candidates[c], all, separated);
      if (here > best_gain) {
        best_gain = here;
        best = c;
      }
    }
    if (best_gain == 0) {
      // All pairs that can be separated are: once more, by other bits, for what the samples do not have.
      if (fresh) break;
      separated.fill(0);
      fresh = true;
      continue;
    }
    fresh = false;
    const Candidate taken = candidates[best];
    candidates.erase(candidates.begin() + static_cast<ptrdiff_t>(best));
    bits_.push_back({taken.entry, taken.pivot});
    for (uint64_t rest = taken.thresholds; rest != 0; rest &= rest - 1) {
      separated[static_cast<size_t>(std::countr_zero(rest))] |= all & ~taken.zones;
    }
  }
  signatures_.clear();
  for (size_t i = 0; i < count; ++i) signatures_.push_back(signature_of(*blocks_[i]));
  next_choice_ = std::max<uint64_t>(kLong, count) * kGrowth;
  noted_.clear();
}

}  // namespace harrier::store
