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
  // Once only: after the first signal the next one is to end the program.
  [[maybe_unused]] static const bool installed = [] {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return true;
  }();
  return interrupted;
}

void await_interrupt() {
  watch_interrupts();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, SIG_DFL);
  interrupted.store(false, std::memory_order_relaxed);
}

}  // namespace harrier::cli
