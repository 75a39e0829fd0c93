#include "cli/walk_options.h"

#include <map>

#include "cli/option_binding.h"

namespace harrier::cli {

namespace {

const std::map<std::string, WalkOptions::Restart> kRestarts = {{"initial", WalkOptions::Restart::Initial},
                                                               {"previous", WalkOptions::Restart::Previous},
                                                               {"best", WalkOptions::Restart::Best}};
const std::map<std::string, WalkOptions::Selection> kSelections = {{"one", WalkOptions::Selection::One},
                                                                   {"all", WalkOptions::Selection::All}};
const std::map<std::string, WalkOptions::Bias> kBiases = {{"linear", WalkOptions::Bias::Linear},
                                                          {"softmax", WalkOptions::Bias::Softmax},
                                                          {"greedy", WalkOptions::Bias::Greedy},
                                                          {"steps", WalkOptions::Bias::Steps}};

const std::map<std::string, WalkOptions::Draw> kDraws = {{"uniform", WalkOptions::Draw::Uniform},
                                                         {"branches", WalkOptions::Draw::Branches}};

}  // namespace

void WalkArguments::add_to(CLI::App& command) {
  bind_option(command, "--walks", options_.walks);
  bind_option(command, "--walk-depth", options_.depth);
  bind_option(command, "--trails", options_.trails);
  bind_option(command, "--end-at-loop", options_.end_at_loop);
  bind_option(command, "--restart", restart_);
  bind_option(command, "--selection", selection_);
  bind_option(command, "--bias", bias_);
  bind_option(command, "--temperature", options_.temperature);
  bind_option(command, "--reverse-bias", options_.reverse);
  bind_option(command, "--delta", options_.delta);
  bind_option(command, "--epsilon", options_.epsilon);
  bind_option(command, "--saturation", options_.saturation);
  bind_option(command, "--guided", options_.guided);
  bind_option(command, "--draw", draw_);
}

WalkOptions WalkArguments::options() const {
  WalkOptions out = options_;
  out.restart = kRestarts.at(restart_);
  out.selection = kSelections.at(selection_);
  out.bias = kBiases.at(bias_);
  out.draw = kDraws.at(draw_);
  return out;
}

}  // namespace harrier::cli
