#include "abstraction/patterns/pattern_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/suggest.h"

namespace harrier::abstraction {

namespace {

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

// Splits where no bracket is open: names have commas in their arguments.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  int open = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++open;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --open;
    if (i < text.size() && (text[i] != separator || open > 0)) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  return parts;
}

}  // namespace

std::vector<std::vector<std::string>> names_in_patterns(std::string_view text) {
  std::vector<std::vector<std::string>> patterns;
  for (const std::string& part : split(text, ';')) {
    patterns.push_back(split(part, ','));
    for (const std::string& name : patterns.back()) {
      if (name.empty()) throw Error(ErrorKind::Usage, "a name is missing in the pattern '" + part + "'");
    }
  }
  return patterns;
}

std::vector<std::string> names_for_users(const model::System& system) {
  std::vector<std::string> names;
  for (const model::Variable& variable : system.variables) names.push_back(variable.name);
  for (const model::Process& process : system.processes) names[process.location.value] = process.name;
  return names;
}

void refuse_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string hint = suggestion(name, known);
  throw Error(ErrorKind::Usage,
              "the pattern names '" + name + "', which the model does not have" + (hint.empty() ? "" : "; " + hint));
}

std::vector<Pattern> parse_patterns(const Factors& factors, std::string_view text) {
  const std::vector<std::string> names = names_for_users(factors.system());
  std::map<std::string, uint32_t> usable;
  for (uint32_t v = 0; v < factors.size(); ++v) usable.emplace(names[factors.variable(v)], v);
  std::vector<Pattern> patterns;
  for (const std::vector<std::string>& wanted : names_in_patterns(text)) {
    std::set<uint32_t> variables;
    for (const std::string& name : wanted) {
      const auto at = usable.find(name);
      if (at != usable.end()) {
        variables.insert(at->second);
        continue;
      }
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        throw Error(ErrorKind::Usage, "the variable '" + name + "' cannot be in a pattern: it has too many values");
      }
      std::vector<std::string> known;
      for (const auto& [one, variable] : usable) known.push_back(one);
      refuse_name(name, known);
    }
    patterns.emplace_back(variables.begin(), variables.end());
  }
  return patterns;
}

std::string pattern_text(const Factors& factors, const Pattern& pattern) {
  const std::vector<std::string> names = names_for_users(factors.system());
  std::string text;
  for (const uint32_t v : pattern) text += (text.empty() ? "" : ", ") + names[factors.variable(v)];
  return text;
}

}  // namespace harrier::abstraction
