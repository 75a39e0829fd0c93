#include "lang/pddl/task.h"

#include <algorithm>

namespace harrier::pddl {

namespace {

// Where types have several parents.
bool reaches(const std::vector<Type>& types, uint32_t from, uint32_t to) {
  std::vector<uint32_t> open{from};
  std::vector<bool> seen(types.size());
  while (!open.empty()) {
    const uint32_t type = open.back();
    open.pop_back();
    if (type == to) return true;
    for (const uint32_t parent : types[type].parents) {
      if (!seen[parent]) open.push_back(parent);
      seen[parent] = true;
    }
  }
  return false;
}

}  // namespace

bool Task::is_a(uint32_t type, uint32_t of) const {
  if (of == 0) return true;
  while (type != of && types[type].parents.size() == 1) type = types[type].parents.front();
  return type == of || (!types[type].parents.empty() && reaches(types, type, of));
}

bool Task::fits(uint32_t object, const Variable& variable) const {
  return std::any_of(variable.types.begin(), variable.types.end(), [&](uint32_t wanted) {
    const auto& own = objects[object].types;
    return std::any_of(own.begin(), own.end(), [&](uint32_t type) { return is_a(type, wanted); });
  });
}

std::string to_text(const Task& task, const Atom& atom, const std::vector<Variable>& scope) {
  std::string out = "(" + task.predicates[atom.predicate].name;
  for (const Term& term : atom.arguments) {
    out += " " + (term.variable ? scope[term.index].name : task.objects[term.index].name);
  }
  return out + ")";
}

}  // namespace harrier::pddl
