// What came of a property: a result, or the error that kept it from being answered. Every property has an answer of its
// own; the exit code is that of the worst.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "harrier/harrier.h"

namespace harrier::cli {

// What was thrown.
struct Failure {
  ErrorKind kind = ErrorKind::Internal;
  std::string text;

  // As it is shown.
  std::string complaint() const;
  const char* kind_name() const;
  std::string first_line() const { return text.substr(0, text.find('\n')); }
};
// The exception that is being handled.
Failure current_failure();

struct Answer {
  size_t number = 0;  // of the property in the model, from 1
  PropertyInfo property;
  std::optional<CheckResult> result;
  std::optional<Failure> failure;  // without a result
  std::string expected;            // empty: nothing is
  bool as_expected = true;
};

// What `work` returns or throws.
Answer answer_of(size_t number, PropertyInfo property, const std::function<CheckResult()>& work);

int exit_code_of(ErrorKind kind);
int exit_code_of(const Answer& answer);
// The first of 70, 2, 3, 10, 20, 0 that is among them.
int worst_of(const std::vector<int>& exit_codes);
int worst_exit_code(const std::vector<Answer>& answers);
// 0 if all are as expected, else 70 or 1.
int exit_code_of_expectations(const std::vector<Answer>& answers);

}  // namespace harrier::cli
