// The options that tell how a model is read, shared by the commands that read one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

struct ModelOptions {
  std::string language = "auto";
  std::vector<std::string> goals;
  std::vector<std::string> defines;
  bool no_deadlock = false;
  bool no_assert = false;
  std::string ltl;
  bool no_claim = false;
  bool non_progress = false;
  bool acceptance = false;
  bool fairness = false;

  LoadOptions load_options() const;
  // Takes the place of an earlier `--define` of the same name.
  void redefine(const std::string& define);
};

// `options` has to live as long as the command.
void add_model_options(CLI::App& command, ModelOptions& options);

}  // namespace harrier::cli
