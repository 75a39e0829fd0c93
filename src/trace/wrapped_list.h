// Lists in texts for humans, wrapped at the width of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harrier::trace {

inline constexpr size_t kWidth = 100;
inline constexpr const char* kIndent = "     ";
inline constexpr size_t kIndentWidth = 5;

// Items separated by commas behind `head`, on as many lines as they need; nothing for an empty list.
inline void write_list(std::string& out, std::string_view head, const std::vector<std::string>& items) {
  if (items.empty()) return;
  std::string line(head);
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i];
    if (i + 1 < items.size()) item += ", ";
    if (line.size() + item.size() > kWidth && line.size() > kIndentWidth + 3) {
      while (line.back() == ' ') line.pop_back();
      out += line + '\n';
      line = kIndent;
    }
    line += item;
  }
  out += line + '\n';
}

}  // namespace harrier::trace
