// Adds options to a command as the table of options describes them, and tells which of them were given.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/option_table.h"

namespace harrier::cli {

// Help, type, default and the values that are taken.
CLI::Option* describe(CLI::Option* option, const OptionEntry& entry);

// `target` has to live as long as the command.
template <class T>
CLI::Option* bind_option(CLI::App& command, const std::string& name, T& target) {
  const OptionEntry& entry = option_entry(name);
  if constexpr (std::is_same_v<T, bool>) {
    return describe(command.add_flag(name, target, entry.summary), entry);
  } else {
    return describe(command.add_option(name, target, entry.summary), entry);
  }
}

// The argument names files to be read, among which "-" is standard input.
CLI::Option* reads_files(CLI::Option* option);
inline constexpr const char* kStandardInput = "/dev/stdin";

// The options of a command that are given, with their values; a flag has none.
std::map<std::string, std::vector<std::string>> given_values(const CLI::App& command);
// The names of the options of the table that are given, and "name value" for each of their values.
std::set<std::string> given_options(const CLI::App& command);

}  // namespace harrier::cli
