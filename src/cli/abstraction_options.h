// The arguments about abstractions that heuristics look distances up in.
#pragma once

#include <string>

#include "harrier/harrier.h"

namespace CLI {
class App;
}

namespace harrier::cli {

class AbstractionArguments {
 public:
  // `this` has to live as long as the command.
  void add_to(CLI::App& command);
  // To a file, which only a search does.
  void add_saving_to(CLI::App& command);

  void bind(CheckOptions& out) const;
  // Reads the file that is to be loaded, if there is one.
  void load(CheckOptions& out) const;
  const std::string& save_file() const { return save_file_; }
  const std::string& load_file() const { return load_file_; }

 private:
  AbstractionOptions options_;
  std::string save_file_;
  std::string load_file_;
};

}  // namespace harrier::cli
