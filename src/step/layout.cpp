#include "step/layout.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace harrier::step {

Layout::Layout(const model::System& system, std::span<const model::ValueSet> sets) : fields_(system.variables.size()) {
  // First fit by decreasing width, so that words are filled well. Variables keep their order among equals.
  std::vector<uint32_t> width(fields_.size());
  for (size_t v = 0; v < fields_.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    const bool known = !sets.empty() && !sets[v].wide;
    const int32_t hi = known ? sets[v].values.back() : variable.hi;
    fields_[v].lo = known ? sets[v].values.front() : variable.lo;
    const auto values = static_cast<uint64_t>(static_cast<int64_t>(hi) - fields_[v].lo);
    width[v] = static_cast<uint32_t>(std::bit_width(values));
    bits_ += width[v];
  }
  std::vector<uint32_t> order(fields_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return width[a] > width[b]; });
  // Words that can still take a variable; the front ones are full for all that follows and are skipped.
  std::vector<uint32_t> used(1, 0);
  size_t first_open = 0;
  for (const uint32_t v : order) {
    if (width[v] == 0) continue;
    while (first_open < used.size() && used[first_open] == 64) ++first_open;
    size_t word = first_open;
    // Widths fall, so only a handful of words are ever partly filled.
    while (word < used.size() && used[word] + width[v] > 64) ++word;
    if (word == used.size()) used.push_back(0);
    fields_[v] = {.mask = (uint64_t{1} << width[v]) - 1,
                  .lo = fields_[v].lo,
                  .word = static_cast<uint32_t>(word),
                  .shift = used[word]};
    used[word] += width[v];
  }
  words_ = static_cast<uint32_t>(used.size());
}

void Layout::throw_misfit() {
  throw Error(ErrorKind::Internal, "a variable has a value that it was proved not to have");
}

void Layout::pack(const int32_t* values, uint64_t* words) const {
  std::fill(words, words + words_, 0);
  for (size_t v = 0; v < fields_.size(); ++v) {
    words[fields_[v].word] |= encode(fields_[v], values[v]) << fields_[v].shift;
  }
}

void Layout::pack_projected(const int32_t* values, uint64_t* words) const {
  std::fill(words, words + words_, 0);
  for (size_t v = 0; v < fields_.size(); ++v) {
    const Field& f = fields_[v];
    if (f.mask != 0) words[f.word] |= encode(f, values[v]) << f.shift;
  }
}

void Layout::unpack(const uint64_t* words, int32_t* values) const {
  for (size_t v = 0; v < fields_.size(); ++v) {
    const Field& f = fields_[v];
    values[v] = static_cast<int32_t>(f.lo + static_cast<int64_t>((words[f.word] >> f.shift) & f.mask));
  }
}

}  // namespace harrier::step
