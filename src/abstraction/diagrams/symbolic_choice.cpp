#include "abstraction/diagrams/symbolic_choice.h"

#include <algorithm>

#include "abstraction/patterns/pattern_text.h"
#include "base/error.h"

namespace harrier::abstraction {

namespace {

std::vector<model::VarId> variables_of(const std::string& text, const model::System& system) {
  const auto patterns = names_in_patterns(text);
  if (patterns.size() != 1) throw Error(ErrorKind::Usage, "a symbolic database has one pattern");
  const std::vector<std::string> known = names_for_users(system);
  std::vector<model::VarId> out;
  for (const std::string& name : patterns.front()) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) refuse_name(name, known);
    out.emplace_back(static_cast<size_t>(at - known.begin()));
  }
  return out;
}

}  // namespace

symbolic::Database choose_database(symbolic::Space& space, const model::Property& property, const std::string& pattern,
                                   const symbolic::Database::Limits& limits) {
  if (pattern.empty()) return layered_database(space, property, limits);
  return {space, variables_of(pattern, space.encoding().system()), limits};
}

std::string pattern_text(const model::System& system, std::span<const model::VarId> pattern) {
  const std::vector<std::string> names = names_for_users(system);
  std::string out;
  for (const model::VarId v : pattern) out += (out.empty() ? "" : ", ") + names[v.value];
  return out;
}

}  // namespace harrier::abstraction
