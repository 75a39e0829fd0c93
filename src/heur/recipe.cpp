#include "heur/recipe.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/error.h"
#include "heur/views.h"

namespace harrier::heur {

// recipe: NAME | ( max | sum ) "(" recipe { "," recipe } ")"
class RecipeParser {
 public:
  explicit RecipeParser(std::string_view text) : text_(text) {}

  std::vector<Recipe> list() {
    std::vector<Recipe> out;
    do {
      out.push_back(recipe(1));
    } while (accept(','));
    return out;
  }
  void end() {
    skip_space();
    if (at_ != text_.size()) fail("',' or the end is expected");
  }
  Recipe recipe(int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) fail("it is nested too deeply");
    const std::string name = word();
    Recipe out;
    if (!accept('(')) {
      out.entry_ = &get(name);
      return out;
    }
    if (name != "max" && name != "sum") fail("only max(…) and sum(…) are made of others");
    out.composition_ = name == "sum" ? Composition::Sum : Composition::Max;
    do {
      out.parts_.push_back(recipe(depth + 1));
    } while (accept(','));
    if (!accept(')')) fail("')' is missing");
    return out;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool accept(char c) {
    skip_space();
    const bool here = at_ < text_.size() && text_[at_] == c;
    if (here) ++at_;
    return here;
  }
  std::string word() {
    skip_space();
    const size_t first = at_;
    while (at_ < text_.size() && std::string_view("(),").find(text_[at_]) == std::string_view::npos &&
           std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
      ++at_;
    }
    if (at_ == first) fail("the name of a heuristic is missing");
    return std::string(text_.substr(first, at_ - first));
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::Usage, "heuristic '" + std::string(text_) + "': " + why);
  }

  std::string_view text_;
  size_t at_ = 0;
};

Recipe::Recipe(std::string_view text) {
  RecipeParser parser(text.empty() ? "hU" : text);
  *this = parser.recipe(1);
  parser.end();
}

std::vector<Recipe> recipes(std::string_view text) {
  RecipeParser parser(text.empty() ? "hU" : text);
  std::vector<Recipe> out = parser.list();
  parser.end();
  return out;
}

bool Recipe::all(bool Entry::*property) const {
  if (entry_ != nullptr) return entry_->*property;
  return std::all_of(parts_.begin(), parts_.end(), [&](const Recipe& part) { return part.all(property); });
}

bool Recipe::any(bool Entry::*property) const {
  if (entry_ != nullptr) return entry_->*property;
  return std::any_of(parts_.begin(), parts_.end(), [&](const Recipe& part) { return part.any(property); });
}

bool Recipe::admissible() const {
  if (entry_ != nullptr) return entry_->admissible;
  return composition_ == Composition::Max &&
         std::all_of(parts_.begin(), parts_.end(), [](const Recipe& part) { return part.admissible(); });
}

bool Recipe::safe() const { return all(&Entry::safe); }
bool Recipe::clocks() const { return any(&Entry::clocks); }
bool Recipe::preferred() const { return any(&Entry::preferred); }
bool Recipe::costs() const { return all(&Entry::costs); }
bool Recipe::timed() const { return all(&Entry::timed); }
bool Recipe::choices() const { return all(&Entry::choices); }
bool Recipe::sibling() const { return any(&Entry::sibling); }

std::set<std::string> Recipe::abstraction() const {
  std::set<std::string> out;
  if (entry_ != nullptr) {
    std::istringstream heeded{std::string(entry_->abstraction)};
    for (std::string name; heeded >> name;) out.insert(name);
  }
  for (const Recipe& part : parts_) out.merge(part.abstraction());
  return out;
}

std::string Recipe::text() const {
  if (entry_ != nullptr) return entry_->name;
  std::string out = composition_ == Composition::Sum ? "sum(" : "max(";
  for (const Recipe& part : parts_) out += (&part == parts_.data() ? "" : ", ") + part.text();
  return out + ")";
}

std::unique_ptr<Heuristic> Recipe::make(const Purpose& purpose) const {
  if (entry_ != nullptr) {
    Purpose own = purpose;
    if (!entry_->clocks) own.clocks = Clocks::Ignore;
    if (!entry_->choices && own.views.system().has_choices()) {
      const char* instead = entry_->abstraction.empty() ? "" : "; spdb is a database for such models";
      throw Error(ErrorKind::Unsupported, std::string("unsupported: ") + entry_->name +
                                              " in a model with choices or several initial states" + instead);
    }
    if (!entry_->derived && !own.views.system().axioms.empty()) {
      throw Error(ErrorKind::Unsupported,
                  std::string("unsupported: ") + entry_->name + " in a model with derived variables");
    }
    return entry_->construct(own);
  }
  std::vector<std::unique_ptr<Heuristic>> parts;
  for (const Recipe& part : parts_) parts.push_back(part.make(purpose));
  return std::make_unique<Combination>(composition_, std::move(parts));
}

}  // namespace harrier::heur
