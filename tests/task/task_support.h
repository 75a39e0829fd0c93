// Helpers of the tests of tasks: a model with a goal, its task, and names instead of numbers.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lang/uppaal/uppaal.h"
#include "task/task.h"

namespace harrier::testing_support {

class TaskExample {
 public:
  // The model and the query must load without errors.
  TaskExample(const std::string& text, const std::string& query, const task::Task::Limits& limits = {}) {
    Diagnostics diagnostics;
    loaded_ = uppaal::load(text, "model.xta", diagnostics);
    std::vector<model::Property> properties;
    if (!diagnostics.has_errors()) properties = uppaal::parse_queries(loaded_, query, "query.q", diagnostics);
    std::string problems;
    for (const Diagnostic& d : diagnostics.all()) problems += format_diagnostic(loaded_.system->sources, d);
    if (diagnostics.has_errors() || properties.size() != 1) throw std::runtime_error(problems);
    property_ = properties[0];
    task_ = std::make_shared<const task::Task>(system(), property_.goal, limits);
  }

  const model::System& system() const { return *loaded_.system; }
  const model::Property& property() const { return property_; }
  const task::Task& task() const { return *task_; }
  const std::shared_ptr<const task::Task>& shared_task() const { return task_; }

  // A variable or the location of a process.
  uint32_t variable(const std::string& name) const {
    for (const model::Process& p : system().processes) {
      if (p.name == name) return p.location.value;
    }
    for (uint32_t v = 0; v < system().variables.size(); ++v) {
      if (system().variables[v].name == name) return v;
    }
    throw std::runtime_error("no variable " + name);
  }
  // The initial state with some variables set; locations by number.
  std::vector<task::Value> state(const std::map<std::string, int32_t>& changes = {}) const {
    std::vector<int32_t> values = system().initial_values();
    for (const auto& [name, value] : changes) values[variable(name)] = value;
    std::vector<task::Value> out(values.size());
    task_->read(values.data(), out.data());
    return out;
  }

 private:
  uppaal::Loaded loaded_;
  model::Property property_;
  std::shared_ptr<const task::Task> task_;
};

}  // namespace harrier::testing_support
