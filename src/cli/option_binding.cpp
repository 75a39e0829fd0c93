#include "cli/option_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/suggest.h"

namespace harrier::cli {

namespace {

// What is wrong with a number; empty: nothing.
std::string number_problem(const std::string& text, double lo, double hi, const char* what) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == '\0' && value >= lo && value <= hi) return "";
  if (hi >= 1e18) return fmt::format("'{}' is not {}", text, what);
  return fmt::format("'{}' is not {} from {} to {:.15g}", text, what, lo, hi);
}

}  // namespace

CLI::Option* describe(CLI::Option* option, const OptionEntry& entry) {
  option->group(section_name(entry.section));
  if (*entry.value != '\0') option->type_name(entry.value);
  if (*entry.fallback != '\0') option->default_str(entry.fallback);
  if (entry.range) {
    const double lo = entry.range->first;
    const double hi = entry.range->second;
    const char* what = std::string(entry.name) == "--time-limit" ? "a number of seconds" : "a number";
    option->check(CLI::Validator([=](std::string& text) { return number_problem(text, lo, hi, what); }, ""));
  }
  if (!entry.choices.empty()) {
    option->check(CLI::Validator(
        [known = entry.choices](std::string& text) {
          return std::find(known.begin(), known.end(), text) != known.end() ? "" : not_one_of(text, known);
        },
        ""));
  }
  return option;
}

CLI::Option* reads_files(CLI::Option* option) {
  return option->transform([](const std::string& file) { return file == "-" ? kStandardInput : file; });
}

std::map<std::string, std::vector<std::string>> given_values(const CLI::App& command) {
  std::map<std::string, std::vector<std::string>> out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    std::vector<std::string>& values = out["--" + option->get_lnames()[0]];
    if (option->get_items_expected_max() != 0) values = option->results();
  }
  return out;
}

std::set<std::string> given_options(const CLI::App& command) {
  std::set<std::string> out;
  for (const auto& [name, values] : given_values(command)) {
    if (find_option(name) == nullptr) continue;
    out.insert(name);
    for (const std::string& value : values) out.insert(name + " " + value);
  }
  return out;
}

}  // namespace harrier::cli
