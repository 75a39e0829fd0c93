// A heuristic as it is called: a name of the table, or the largest or the sum of several.
//
//     hU      max(hL, hamming)      sum(dU, max(hL, hCG))
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "heur/combination.h"
#include "heur/table.h"

namespace harrier::heur {

class Recipe {
 public:
  // Throws Error(Usage) if the text is not understood or names a heuristic that there is not. No text stands for hU.
  explicit Recipe(std::string_view text);

  // What Entry says of one.
  bool admissible() const;
  bool safe() const;
  bool clocks() const;
  bool preferred() const;
  bool costs() const;
  bool sibling() const;
  bool timed() const;
  bool choices() const;
  // The members of AbstractionOptions that one of them heeds.
  std::set<std::string> abstraction() const;
  std::string text() const;

  std::unique_ptr<Heuristic> make(const Purpose& purpose) const;

 private:
  friend class RecipeParser;
  Recipe() = default;
  bool all(bool Entry::*property) const;
  bool any(bool Entry::*property) const;

  const Entry* entry_ = nullptr;  // or
  Composition composition_ = Composition::Max;
  std::vector<Recipe> parts_;
};

// Several that are separated by commas: "hff, max(hL, dL)" are two.
std::vector<Recipe> recipes(std::string_view text);

}  // namespace harrier::heur
