// A small validator for JSON Schema: the keywords that docs/result.schema.json uses; others fail the test.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace harrier::testing_support {

class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json schema) : schema_(std::move(schema)) {}

  // What is wrong with a document, with its place; empty: nothing.
  std::string problem(const nlohmann::json& document) const { return problem(schema_, document, "$"); }

 private:
  using Json = nlohmann::json;

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
  }

  std::string problem(const Json& schema, const Json& value, const std::string& at) const {
    static const std::set<std::string> kRemarks = {"$schema", "title", "description", "$defs"};
    for (const auto& [keyword, wanted] : schema.items()) {
      std::string found;
      if (keyword == "$ref") {
        found = problem(schema_.at(Json::json_pointer(wanted.get<std::string>().substr(1))), value, at);
      } else if (keyword == "const") {
        if (value != wanted) found = at + " is not " + wanted.dump();
      } else if (keyword == "enum") {
        if (std::find(wanted.begin(), wanted.end(), value) == wanted.end()) found = at + " is not in " + wanted.dump();
      } else if (keyword == "type") {
        bool fits = false;
        for (const Json& type : wanted.is_array() ? wanted : Json::array({wanted}))
          fits = fits || has_type(value, type);
        if (!fits) found = at + " is not of type " + wanted.dump();
      } else if (keyword == "minimum") {
        if (value.is_number() && value < wanted) found = at + " is below " + wanted.dump();
      } else if (keyword == "required") {
        for (const Json& key : wanted) {
          if (!value.contains(key.get<std::string>())) found = at + " has no " + key.dump();
        }
      } else if (keyword == "properties") {
        for (const auto& [key, of_key] : wanted.items()) {
          if (found.empty() && value.contains(key)) found = problem(of_key, value[key], at + "." + key);
        }
      } else if (keyword == "additionalProperties") {
        for (const auto& [key, part] : value.items()) {
          if (!found.empty() || (schema.contains("properties") && schema["properties"].contains(key))) continue;
          found = wanted == false ? at + "." + key + " is not in the schema" : problem(wanted, part, at + "." + key);
        }
      } else if (keyword == "items") {
        for (size_t i = 0; i < value.size() && found.empty(); ++i) {
          found = problem(wanted, value[i], at + "[" + std::to_string(i) + "]");
        }
      } else if (keyword == "anyOf") {
        bool fits = false;
        for (const Json& one : wanted) fits = fits || problem(one, value, at).empty();
        if (!fits) found = at + " is none of " + wanted.dump();
      } else if (!kRemarks.contains(keyword)) {
        found = "the validator does not know the keyword " + keyword;
      }
      if (!found.empty()) return found;
    }
    return "";
  }

  Json schema_;
};

}  // namespace harrier::testing_support
