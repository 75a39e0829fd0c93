#include "cli/interrupt.h"

#include <csignal>

namespace harrier::cli {

namespace {

std::atomic<bool> interrupted{false};

void on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return interrupted;
}

}  // namespace harrier::cli
