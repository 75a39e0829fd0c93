// --time-limit and --memory-limit, and Ctrl-C: what every phase of a command is bound by.
#pragma once

#include <cstdint>
#include <optional>

#include "harrier/harrier.h"

namespace CLI {
class App;
}

namespace harrier::cli {

struct LimitOptions {
  std::optional<double> seconds;
  std::optional<uint64_t> megabytes;

  // For loading a model.
  void bind(LoadOptions& options) const;
  // For what is done with it, after so many seconds of loading.
  void bind(CheckOptions& options, double loaded_s) const;
};

// `limits` has to live as long as the command.
void add_limit_options(CLI::App& command, LimitOptions& limits);

}  // namespace harrier::cli
