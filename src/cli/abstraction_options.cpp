#include "cli/abstraction_options.h"

#include <memory>

#include "cli/option_binding.h"

namespace harrier::cli {

void AbstractionArguments::add_to(CLI::App& command) {
  bind_option(command, "--abstraction-states", options_.states);
  bind_option(command, "--abstraction-seconds", options_.seconds);
  bind_option(command, "--pattern", options_.pattern);
  bind_option(command, "--patterns", options_.patterns);
  bind_option(command, "--combine", options_.combine);
  bind_option(command, "--abstraction-zones", options_.zones);
  bind_option(command, "--merge-states", options_.merge_states);
  bind_option(command, "--merge", options_.merge);
  bind_option(command, "--shrink", options_.shrink);
  bind_option(command, "--predicates", options_.predicates);
  bind_option(command, "--split", options_.split);
  bind_option(command, "--part-values", options_.part_values);
  bind_option(command, "--refinements", options_.refinements);
  bind_option(command, "--stop-rule", options_.stop_rule);
  bind_option(command, "--load-abstraction", load_file_);
}

void AbstractionArguments::add_saving_to(CLI::App& command) { bind_option(command, "--save-abstraction", save_file_); }

void AbstractionArguments::bind(CheckOptions& out) const {
  out.abstraction = options_;
  out.keep_abstractions = !save_file_.empty();
}

void AbstractionArguments::load(CheckOptions& out) const {
  if (load_file_.empty()) return;
  out.load_abstractions = std::make_shared<const std::string>(read_file(load_file_));
  out.load_abstractions_name = load_file_;
}

}  // namespace harrier::cli
