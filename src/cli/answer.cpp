#include "cli/answer.h"

#include <algorithm>
#include <new>

namespace harrier::cli {

std::string Failure::complaint() const {
  if (kind == ErrorKind::Usage) return "error: " + text;
  if (kind == ErrorKind::Internal) return "internal error: " + text;
  return text;
}

const char* Failure::kind_name() const {
  switch (kind) {
    case ErrorKind::Usage: return "usage";
    case ErrorKind::Input: return "input";
    case ErrorKind::Runtime: return "run-time";
    case ErrorKind::Unsupported: return "unsupported";
    case ErrorKind::Limit: return "limit";
    case ErrorKind::Internal: break;
  }
  return "internal";
}

Failure current_failure() {
  try {
    throw;
  } catch (const Error& e) {
    return {e.kind(), e.what()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::Limit, "out of memory"};
  } catch (const std::exception& e) {
    return {ErrorKind::Internal, e.what()};
  }
}

Answer answer_of(size_t number, PropertyInfo property, const std::function<CheckResult()>& work) {
  Answer answer;
  answer.number = number;
  answer.property = std::move(property);
  try {
    answer.result = work();
  } catch (...) {
    answer.failure = current_failure();
  }
  return answer;
}

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage:
    case ErrorKind::Input:
    case ErrorKind::Runtime: return kBadInput;
    case ErrorKind::Unsupported: return kUnsupported;
    case ErrorKind::Limit: return kInconclusive;
    case ErrorKind::Internal: break;
  }
  return kInternal;
}

int exit_code_of(const Answer& answer) {
  if (answer.failure) return exit_code_of(answer.failure->kind);
  switch (answer.result->verdict) {
    case Verdict::Reachable: return kWitness;
    case Verdict::Unreachable:
    case Verdict::Computed: return kProved;
    case Verdict::Failed: return kBadInput;
    case Verdict::Unknown: break;
  }
  return kInconclusive;
}

int worst_of(const std::vector<int>& exit_codes) {
  for (const int code : {kInternal, kBadInput, kUnsupported, kWitness, kInconclusive}) {
    if (std::find(exit_codes.begin(), exit_codes.end(), code) != exit_codes.end()) return code;
  }
  return kProved;
}

int worst_exit_code(const std::vector<Answer>& answers) {
  std::vector<int> codes;
  for (const Answer& a : answers) codes.push_back(exit_code_of(a));
  return worst_of(codes);
}

int exit_code_of_expectations(const std::vector<Answer>& answers) {
  if (worst_exit_code(answers) == kInternal) return kInternal;
  const bool all = std::all_of(answers.begin(), answers.end(), [](const Answer& a) { return a.as_expected; });
  return all ? kProved : kUnexpected;
}

}  // namespace harrier::cli
