#include "cli/colours.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace harrier::cli {

bool has_colours() {
  const char* unwanted = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (unwanted != nullptr && *unwanted != '\0') return false;
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string bold(const std::string& text, bool colours) { return colours ? "\033[1m" + text + "\033[0m" : text; }

}  // namespace harrier::cli
