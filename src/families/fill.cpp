#include "families/fill.h"

namespace harrier::families {

std::string fill(std::string_view text, std::initializer_list<Blank> blanks) {
  std::string out;
  while (!text.empty()) {
    const size_t dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar + 1);
    for (const Blank& blank : blanks) {
      if (!text.starts_with(blank.name)) continue;
      out += blank.value;
      text.remove_prefix(blank.name.size());
      break;
    }
  }
  return out;
}

std::string each(uint32_t n, std::string_view text, std::string_view between, uint32_t first) {
  std::string out;
  for (uint32_t i = first; i <= n; ++i) {
    if (i > first) out += between;
    out += fill(text, {{"i", std::to_string(i)}, {"next", std::to_string(i % n + 1)}});
  }
  return out;
}

}  // namespace harrier::families
