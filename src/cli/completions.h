// Completion scripts for shells, of commands, options, the values that are known, and files.
#pragma once

#include <string>
#include <vector>

#include "cli/reference.h"

namespace harrier::cli {

// The pages as command_pages gives them.
std::string bash_completions(const std::vector<CommandPage>& pages);
std::string zsh_completions(const std::vector<CommandPage>& pages);
std::string fish_completions(const std::vector<CommandPage>& pages);

}  // namespace harrier::cli
