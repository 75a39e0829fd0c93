// Answers and errors as JSON for programs. docs/result.schema.json describes the documents.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/answer.h"

namespace harrier::cli {

using Json = nlohmann::ordered_json;

Json to_json(const Failure& failure);
Json to_json(const AbstractionReport& report);

struct ResultDocument {
  std::string model;
  std::map<std::string, std::vector<std::string>> options;
  uint64_t seed = 1;
  std::string warnings;  // of the front end, one or more lines each
  Translation translation;
  std::vector<Answer> answers;
  std::optional<Failure> failure;  // of the whole run: what is answered is answered before it
  int exit_code = 0;
  bool witnesses = false;  // are put into it
};

// Ready to be printed.
std::string to_json(const ResultDocument& document);
// Of a run that failed before there was anything to tell; `command` is the name of the subcommand, or empty.
std::string error_document(const std::string& command, const Failure& failure, int exit_code);
std::string printed(const Json& document);

}  // namespace harrier::cli
