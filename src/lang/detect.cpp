#include "lang/detect.h"

#include <algorithm>
#include <cctype>

namespace harrier::lang {

namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Behind a comment or string that begins at `i`; `i` itself if none does.
size_t behind_ignored(std::string_view text, size_t i) {
  const std::string_view rest = text.substr(i);
  const auto behind = [&](std::string_view end, size_t from) {
    const size_t found = rest.find(end, from);
    return found == std::string_view::npos ? text.size() : i + found + end.size();
  };
  if (rest.starts_with("//")) return std::min(text.find('\n', i), text.size());
  if (rest.starts_with("/*")) return behind("*/", 2);
  return rest.starts_with('"') ? behind("\"", 1) : i;
}

bool has(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::optional<size_t> first_sign(std::string_view text, std::span<const Signs> languages) {
  const auto language_with = [&](const auto& sign) -> std::optional<size_t> {
    const auto found = std::find_if(languages.begin(), languages.end(), sign);
    if (found == languages.end()) return std::nullopt;
    return static_cast<size_t>(found - languages.begin());
  };
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  char last = ';';    // that is no blank
  bool first = true;  // of its line
  bool empty = true;
  for (size_t i = 0; i < text.size();) {
    if (const size_t next = behind_ignored(text, i); next != i) {
      i = next;
      continue;
    }
    const char c = text[i];
    const auto found_here = language_with([&](const Signs& s) {
      return (empty && s.start.find(c) != std::string_view::npos) ||
             (first && s.line.find(c) != std::string_view::npos);
    });
    if (found_here) return found_here;
    if (!is_letter(c)) {
      first = c == '\n' || (first && is_space(c));
      empty = empty && is_space(c);
      if (!is_space(c)) last = c;
      ++i;
      continue;
    }
    first = empty = false;
    const bool begins = last == ';' || last == '}';
    last = c;
    size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    i = end;
    if (!begins) continue;
    while (end < text.size() && is_space(text[end])) ++end;
    const bool opens = end < text.size() && text[end] == '{';
    const auto found =
        language_with([&](const Signs& s) { return has(s.words, word) || (opens && has(s.openings, word)); });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace harrier::lang
