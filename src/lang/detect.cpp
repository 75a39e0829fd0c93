#include "lang/detect.h"

#include <algorithm>
#include <cctype>

namespace harrier {

namespace {

// Words with which a declaration begins.
constexpr std::string_view kPromela[] = {"D_proctype", "active",  "bit",   "byte",    "hidden",   "inline",
                                         "ltl",        "mtype",   "never", "pid",     "proctype", "short",
                                         "show",       "notrace", "trace", "unsigned"};
constexpr std::string_view kUppaal[] = {"broadcast", "clock", "const", "meta", "process", "system", "urgent", "void"};

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

}  // namespace

bool looks_like_promela(std::string_view text) {
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
    if (c == '<' && empty) return false;  // XML
    if (c == '#' && first) return true;   // a line for the preprocessor
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
    const auto is_word = [&](std::string_view w) { return w == word; };
    i = end;
    if (!begins) continue;
    if (std::any_of(std::begin(kPromela), std::end(kPromela), is_word)) return true;
    if (std::any_of(std::begin(kUppaal), std::end(kUppaal), is_word)) return false;
    if (word != "init") continue;  // in UPPAAL only inside of a process
    while (i < text.size() && is_space(text[i])) ++i;
    if (i < text.size() && text[i] == '{') return true;
  }
  return false;
}

}  // namespace harrier
