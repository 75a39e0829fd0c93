// The options of random walks.
#pragma once

#include <string>

#include "harrier/harrier.h"

namespace CLI {
class App;
}

namespace harrier::cli {

class WalkArguments {
 public:
  // `this` has to live as long as the command.
  void add_to(CLI::App& command);
  WalkOptions options() const;

 private:
  WalkOptions options_;
  std::string restart_ = "initial";
  std::string selection_ = "one";
  std::string bias_ = "softmax";
  std::string draw_ = "uniform";
};

}  // namespace harrier::cli
