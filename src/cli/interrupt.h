// Ctrl-C: the first one asks whatever is going on to end, with its statistics; the second one ends the program.
#pragma once

#include <atomic>

namespace harrier::cli {

// Installs the handler for SIGINT and SIGTERM; the flag becomes true at the first signal.
const std::atomic<bool>& watch_interrupts();
// For a dialogue, in which Ctrl-C ends a command and nothing else: forgets a signal that came, and catches the next
// one. SIGTERM ends the program.
void await_interrupt();

}  // namespace harrier::cli
