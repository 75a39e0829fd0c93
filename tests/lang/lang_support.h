// Helpers of the language tests: loading texts, finding things in the loaded system, running effects.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lang/uppaal/uppaal.h"
#include "model/interpreter.h"
#include "model/printer.h"

namespace harrier::testing {

inline std::string all_diagnostics(const uppaal::Loaded& loaded, const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += format_diagnostic(loaded.system->sources, d);
  return out;
}

// A model that must load without errors.
struct Model {
  Diagnostics diagnostics;
  uppaal::Loaded loaded;

  explicit Model(const std::string& text, const std::string& name = "model.xta")
      : loaded(uppaal::load(text, name, diagnostics)) {
    EXPECT_FALSE(diagnostics.has_errors()) << all_diagnostics(loaded, diagnostics);
  }

  model::System& system() { return *loaded.system; }

  std::vector<model::Property> queries(const std::string& text) {
    Diagnostics own;
    auto result = uppaal::parse_queries(loaded, text, "test.q", own);
    EXPECT_FALSE(own.has_errors()) << all_diagnostics(loaded, own);
    return result;
  }
  // The clauses of a query's goal, as text.
  std::vector<std::string> goal(const std::string& query) {
    const auto found = queries(query);
    std::vector<std::string> out;
    if (found.empty()) return out;
    for (const model::Clause& clause : found.front().goal) out.push_back(model::to_text(system(), clause));
    return out;
  }

  int variable(const std::string& name) {
    const auto& all = system().variables;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.name == name; });
    EXPECT_NE(found, all.end()) << "no variable " << name;
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }
  int32_t initial(const std::string& name) { return system().variables[static_cast<size_t>(variable(name))].initial; }

  // The values after the effect of an edge, from the initial values.
  std::vector<int32_t> after(size_t edge) {
    auto values = system().initial_values();
    resets.clear();
    model::Interpreter(system()).execute(system().edges[edge].effect, values, resets);
    return values;
  }
  int32_t after(size_t edge, const std::string& name) { return after(edge)[static_cast<size_t>(variable(name))]; }
  bool enabled(size_t edge, const std::vector<int32_t>& values) {
    return model::Interpreter(system()).holds(system().edges[edge].guard, values);
  }
  bool enabled(size_t edge) { return enabled(edge, system().initial_values()); }

  std::vector<model::ClockReset> resets;
};

// A model with one process and one edge that has these labels.
inline std::string with_edge(const std::string& declarations, const std::string& labels) {
  return declarations + "\nprocess P() { state A, B; init A; trans A -> B { " + labels + " }; }\nsystem P;\n";
}

// The value of `int result` after running `statements` in a function.
inline int32_t run(const std::string& declarations, const std::string& statements) {
  Model model(with_edge("int result;\n" + declarations + "\nvoid main() { " + statements + " }", "assign main();"));
  if (model.diagnostics.has_errors()) return INT32_MIN;
  return model.after(0, "result");
}

// The value of an expression over the declarations.
inline int32_t evaluate(const std::string& expression, const std::string& declarations = "") {
  Model model(
      with_edge(declarations + "\nint[-2147483647-1,2147483647] result;", "assign result = " + expression + ";"));
  if (model.diagnostics.has_errors()) return INT32_MIN;
  return model.after(0, "result");
}

// The diagnostics of a model that must not load.
inline std::string errors(const std::string& text, const std::string& name = "model.xta") {
  Diagnostics diagnostics;
  const auto loaded = uppaal::load(text, name, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  return all_diagnostics(loaded, diagnostics);
}

}  // namespace harrier::testing
