#include "cli/reference.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/known_names.h"
#include "cli/option_table.h"
#include "families/families.h"

namespace harrier::cli {

namespace {

using Words = std::vector<std::string>;

Words heuristic_names() {
  Words out;
  for (const HeuristicInfo& h : heuristics()) out.push_back(h.name);
  return out;
}

// All that `explain` knows, but options.
Words explained_names() {
  Words out = heuristic_names();
  for (const LanguageInfo& l : known_languages()) out.push_back(l.name);
  for (const Words& more : {search_names(), preference_names()}) out.insert(out.end(), more.begin(), more.end());
  return out;
}

Words family_names() {
  Words out;
  for (const families::Language& language : families::languages()) {
    for (const families::Family& family : language.families) {
      if (std::find(out.begin(), out.end(), family.name) == out.end()) out.emplace_back(family.name);
    }
  }
  return out;
}

Words language_names() {
  Words out;
  for (const families::Language& language : families::languages()) out.emplace_back(language.name);
  return out;
}

bool names_a_file(const std::string& value) {
  constexpr const char* kFiles[] = {"FILE", "MODEL", "QUERIES", "TRACE", "SIBLING", "SECOND"};
  return std::any_of(std::begin(kFiles), std::end(kFiles),
                     [&](const std::string& word) { return value.starts_with(word); });
}

OptionPage page_of(const std::string& command, const CLI::Option& option) {
  OptionPage out{.name = "--" + option.get_lnames().front(), .summary = option.get_description()};
  if (!option.get_snames().empty()) out.shorthand = "-" + option.get_snames().front();
  if (option.get_items_expected_max() != 0) {
    out.value = option.get_type_name();
    out.fallback = option.get_default_str();
  }
  out.file = names_a_file(out.value);
  // Help and version belong to no section.
  const OptionEntry* entry = find_option(out.name);
  out.section = entry != nullptr && option.get_group() == section_name(entry->section) ? option.get_group() : "";
  if (!out.section.empty()) {
    out.help = entry->help;
    out.choices = entry->choices;
    if (out.name == "--heuristic") out.choices = heuristic_names();
  } else if (command == "generate" && out.name == "--language") {
    out.choices = language_names();
  }
  return out;
}

ArgumentPage argument_of(const std::string& command, const CLI::Option& option) {
  ArgumentPage out{
      .name = option.get_name(true), .summary = option.get_description(), .required = option.get_required()};
  out.file = names_a_file(out.name);
  if (command == "explain") out.choices = explained_names();
  if (command == "generate" && out.name == "FAMILY") out.choices = family_names();
  if (command == "completions") out.choices = {"bash", "zsh", "fish"};
  return out;
}

CommandPage page_of(const CLI::App& command) {
  CommandPage out{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty()) {
      out.arguments.push_back(argument_of(out.name, *option));
    } else {
      out.options.push_back(page_of(out.name, *option));
    }
  }
  return out;
}

}  // namespace

std::vector<CommandPage> command_pages(const CLI::App& app) {
  std::vector<CommandPage> out{page_of(app)};
  out.front().name = "harrier";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    out.push_back(page_of(*command));
  }
  return out;
}

}  // namespace harrier::cli
