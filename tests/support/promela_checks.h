// Checks of Promela models through the public interface, each witness validated.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::testing_support::promela {

inline CheckResult check(const Model& model, const CheckOptions& options) {
  CheckResult result = model.check(0, options);
  if (result.witness_length) {
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  }
  return result;
}

inline CheckResult check(const std::string& text, const CheckOptions& options, const LoadOptions& load = {}) {
  return check(Model::load_text(text, "model.pml", load), options);
}

inline LoadOptions goal(const char* expression) { return {.options = {{"--goal", expression}}}; }

// The whole state space: nothing is looked for.
inline LoadOptions everything() {
  return {.options = {{"--no-deadlock", ""}, {"--no-assert", ""}, {"--no-claim", ""}}};
}
inline LoadOptions assertions() { return {.options = {{"--no-deadlock", ""}, {"--no-claim", ""}}}; }
inline LoadOptions end_states() { return {.options = {{"--no-assert", ""}, {"--no-claim", ""}}}; }

// The models of every trap of the language, which are compared with Spin.
inline std::vector<std::string> traps() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(HARRIER_SOURCE_DIR) / "tests/promela/models")) {
    if (entry.path().extension() == ".pml") out.push_back(entry.path().string());
  }
  return out;
}

// visit(file, model) for each trap and kind of error. A model that cannot be read, or that fails, is none of these.
template <class Visit>
void for_each_trap(Visit&& visit) {
  for (const std::string& file : traps()) {
    for (const LoadOptions& load : {assertions(), end_states()}) {
      try {
        visit(file, Model::load_file(file, load));
      } catch (const Error&) {  // of the model: the same for all searches
      }
    }
  }
}

}  // namespace harrier::testing_support::promela
