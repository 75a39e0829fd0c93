#include "base/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace harrier {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c; }

// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. Upper and lower
// case, '-' and '_' are the same.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string suggestion(std::string_view wrong, std::span<const std::string> known) {
  // A third of the letters may be wrong, and always one; what is longer than this is no slip of the finger.
  constexpr size_t kLongest = 100;
  if (wrong.size() > kLongest) return "";
  const std::string* best = nullptr;
  size_t least = std::max<size_t>(wrong.size() / 3, 1) + 1;
  for (const std::string& name : known) {
    const size_t longer = std::max(name.size(), wrong.size());
    const size_t shorter = std::min(name.size(), wrong.size());
    if (longer - shorter >= least || name == wrong) continue;
    const size_t steps = distance(wrong, name);
    // Nothing of a word that short would be left.
    if (steps >= least || (steps > 0 && steps >= shorter)) continue;
    least = steps;
    best = &name;
  }
  return best == nullptr ? "" : "did you mean '" + *best + "'?";
}

std::string not_one_of(std::string_view wrong, std::span<const std::string> known) {
  std::string out = "'" + std::string(wrong) + "' is not one of ";
  for (const std::string& name : known) out += (&name == known.data() ? "" : ", ") + name;
  const std::string hint = suggestion(wrong, known);
  return hint.empty() ? out : out + "; " + hint;
}

}  // namespace harrier
