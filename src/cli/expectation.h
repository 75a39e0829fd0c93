// `--expect`: verdicts that are expected, for scripts that check models again and again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/answer.h"

namespace harrier::cli {

class Expectations {
 public:
  // Words separated by commas, one for all or one for each property; empty: nothing is expected but what the input
  // says, and that does not decide the exit code. Throws Error(Usage) for other words.
  explicit Expectations(const std::string& text);

  // Throws Error(Usage) if there is not one for each.
  void fit(size_t properties) const;
  // The verdict that is expected of the property that is checked as number `position`, from 0; empty: none. Throws
  // Error(Usage) if what the input says counts and is no such word.
  std::string of(size_t position, const PropertyInfo& property) const;
  bool decide_exit_code() const { return !words_.empty(); }

 private:
  std::vector<std::string> words_;
};

// Whether the answer is the one that is expected.
bool meets(const Answer& answer, const std::string& expected);

}  // namespace harrier::cli
