#include "cli/expectation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.h"

namespace harrier::cli {

namespace {

const std::vector<std::string> kWords = {"holds",       "violated", "reachable", "unreachable", "unknown",
                                         "unsupported", "error",    "any",       "annotated"};

bool is_word(const std::string& word) { return std::find(kWords.begin(), kWords.end(), word) != kWords.end(); }

}  // namespace

Expectations::Expectations(const std::string& text) {
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    words_.push_back(text.substr(begin, end - begin));
    begin = end + 1;
    if (!is_word(words_.back())) throw Error(ErrorKind::Usage, "--expect: " + not_one_of(words_.back(), kWords));
  }
}

void Expectations::fit(size_t properties) const {
  if (words_.size() <= 1 || words_.size() == properties) return;
  throw Error(ErrorKind::Usage, fmt::format("--expect has {} verdicts for {} properties", words_.size(), properties));
}

std::string Expectations::of(size_t position, const PropertyInfo& property) const {
  std::string word = words_.empty() ? "annotated" : words_.size() == 1 ? words_[0] : words_[position];
  if (word != "annotated") return word;
  if (is_word(property.expected)) return property.expected;
  if (words_.empty() || property.expected.empty()) return "";
  throw Error(ErrorKind::Usage,
              fmt::format("what is expected of '{}': {}", property.text, not_one_of(property.expected, kWords)));
}

bool meets(const Answer& answer, const std::string& expected) {
  const bool answered = answer.result.has_value();
  const auto is_error = [&](ErrorKind kind) { return answer.failure && answer.failure->kind == kind; };
  if (is_error(ErrorKind::Internal)) return false;
  const auto has = [&](Verdict verdict) { return answered && answer.result->verdict == verdict; };
  if (expected == "holds") return answered && answer.result->holds == true;
  if (expected == "violated") return answered && answer.result->holds == false;
  if (expected == "reachable") return has(Verdict::Reachable);
  if (expected == "unreachable") return has(Verdict::Unreachable);
  if (expected == "unknown") return has(Verdict::Unknown) || is_error(ErrorKind::Limit);
  if (expected == "unsupported") return is_error(ErrorKind::Unsupported);
  if (expected == "error") return exit_code_of(answer) == kBadInput;
  return true;
}

}  // namespace harrier::cli
