// The options of random walks.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

struct WalkArguments {
  WalkOptions options;
  std::vector<const CLI::Option*> known;

  // The first one on the command line; null: none.
  const CLI::Option* given() const;
};

void add_walk_options(CLI::App& command, WalkArguments& arguments);

}  // namespace harrier::cli
