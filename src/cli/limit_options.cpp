#include "cli/limit_options.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/interrupt.h"

namespace harrier::cli {

namespace {

// What is wrong with a number of seconds; empty: nothing.
std::string seconds_problem(const std::string& text) {
  double seconds = 0;
  const bool read = CLI::detail::lexical_cast(text, seconds);
  return read && std::isfinite(seconds) && seconds >= 0 ? "" : "'" + text + "' is not a number of seconds";
}

// Without a limit of its own a run stops short of the machine's memory, so that the system need not kill it.
uint64_t default_memory_limit() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 10 * 9;
}

template <class Options>
void bind_memory_and_stop(const LimitOptions& limits, Options& options) {
  options.memory_limit_bytes = limits.megabytes ? *limits.megabytes << 20 : default_memory_limit();
  options.stop = &watch_interrupts();
}

}  // namespace

void LimitOptions::bind(LoadOptions& options) const {
  bind_memory_and_stop(*this, options);
  options.time_limit_s = seconds;
}

void LimitOptions::bind(CheckOptions& options, double loaded_s) const {
  bind_memory_and_stop(*this, options);
  if (seconds) options.time_limit_s = std::max(0.0, *seconds - loaded_s);
}

void add_limit_options(CLI::App& command, LimitOptions& limits) {
  command.add_option("--time-limit", limits.seconds, "seconds, for each property; loading the model is part of them")
      ->type_name("S")
      ->check(CLI::Validator(seconds_problem, ""));
  command
      .add_option("--memory-limit", limits.megabytes,
                  "MB that the program may use beyond its own size; default: 90 % of the machine's")
      ->type_name("MB")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
}

}  // namespace harrier::cli
