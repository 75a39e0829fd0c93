#include "cli/limit_options.h"

#include <unistd.h>

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/option_binding.h"

namespace harrier::cli {

namespace {

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
  bind_option(command, "--time-limit", limits.seconds);
  bind_option(command, "--memory-limit", limits.megabytes);
}

}  // namespace harrier::cli
