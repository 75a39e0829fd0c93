#include "trace/values.h"

namespace harrier::trace {

size_t location_of(const model::Process& process, const Values& values) {
  return static_cast<size_t>(values[process.location.value]);
}

bool runs(const model::Process& process, const Values& values) {
  return !process.dynamic || location_of(process, values) != 0;
}

bool ends_process(const model::System& system, model::EdgeId edge) {
  return system.process(system.edge(edge).process).dynamic && system.edge(edge).target == 0;
}

std::string value_text(const model::System& system, model::VarId variable, const Values& values) {
  const int32_t value = values[variable.value];
  const uint32_t table = system.variable(variable).value_names;
  if (table != 0 && value >= 0) {
    const auto& names = system.value_names[table - 1];
    if (const auto at = static_cast<size_t>(value); at < names.size() && !names[at].empty()) return names[at];
  }
  return std::to_string(value);
}

std::vector<std::string> messages(const model::System& system, const model::Queue& queue, const Values& values) {
  std::vector<std::string> out;
  for (uint32_t slot = 0; slot < static_cast<uint32_t>(values[queue.length.value]); ++slot) {
    const bool named = queue.fields.size() > 1 && system.variable(queue.fields[0]).value_names != 0;
    std::string text;
    for (size_t f = 0; f < queue.fields.size(); ++f) {
      if (f > 0) text += f == 1 && named ? "(" : ",";
      text += value_text(system, model::VarId(queue.fields[f].value + slot), values);
    }
    out.push_back(named ? text + ")" : text);
  }
  return out;
}

bool belongs_to(const std::string& name, const std::string& process) {
  return name.size() > process.size() && name.starts_with(process) && name[process.size()] == '.';
}

std::string local_name(const std::string& name, const std::string& process) {
  return belongs_to(name, process) ? name.substr(process.size() + 1) : name;
}

}  // namespace harrier::trace
