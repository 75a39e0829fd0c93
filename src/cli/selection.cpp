#include "cli/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/suggest.h"

namespace harrier::cli {

namespace {

constexpr size_t kMostListed = 30;

std::optional<size_t> number(std::string_view text) {
  size_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

class Selector {
 public:
  explicit Selector(const Model& model) {
    for (size_t i = 0; i < model.property_count(); ++i) properties_.push_back(model.property(i));
  }

  void add(const std::string& text) {
    if (by_name(text)) return;
    for (const std::string& part : parts(text)) {
      if (!by_number(part) && !by_name(part)) refuse(part);
    }
  }

  std::vector<size_t> selected() const { return {selected_.begin(), selected_.end()}; }

 private:
  bool by_number(const std::string& text) {
    const size_t dash = text.find('-');
    const std::optional<size_t> first = number(std::string_view(text).substr(0, dash));
    const std::optional<size_t> last =
        dash == std::string::npos ? first : number(std::string_view(text).substr(dash + 1));
    if (!first || !last || *first < 1 || *last < *first || *last > properties_.size()) return false;
    for (size_t i = *first; i <= *last; ++i) selected_.insert(i - 1);
    return true;
  }

  // A comment or a text may contain commas, a name may be that of several.
  bool by_name(const std::string& text) {
    bool found = false;
    for (size_t i = 0; i < properties_.size() && !text.empty(); ++i) {
      const PropertyInfo& p = properties_[i];
      if (text != p.name && text != p.comment && text != p.text) continue;
      selected_.insert(i);
      found = true;
    }
    return found;
  }

  [[noreturn]] void refuse(const std::string& text) const {
    std::vector<std::string> names;
    std::string list;
    for (size_t i = 0; i < properties_.size(); ++i) {
      const PropertyInfo& p = properties_[i];
      for (const std::string& name : {p.name, p.comment, p.text}) {
        if (!name.empty()) names.push_back(name);
      }
      if (i >= kMostListed) continue;
      list += fmt::format("\n  {:>2}  {}{}", i + 1, p.name.empty() ? "" : p.name + ": ", p.text);
      if (!p.comment.empty()) list += "  (" + p.comment.substr(0, 60) + ")";
    }
    if (properties_.size() > kMostListed) list += fmt::format("\n  … {} in all", properties_.size());
    std::string hint = suggestion(text, names);
    if (!hint.empty()) hint = "; " + hint;
    throw Error(ErrorKind::Usage,
                fmt::format("--select '{}': there is no such property{}; there are:{}", text, hint, list));
  }

  std::vector<PropertyInfo> properties_;
  std::set<size_t> selected_;
};

}  // namespace

std::vector<size_t> selected_properties(const Model& model, const std::vector<std::string>& texts) {
  Selector selector(model);
  for (const std::string& text : texts) selector.add(text);
  if (!texts.empty()) return selector.selected();
  std::vector<size_t> all(model.property_count());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

}  // namespace harrier::cli
