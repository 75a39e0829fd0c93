// A model of SMV from its text: parse, flatten, lower.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/system.h"

namespace harrier::smv {

struct ModelNode;

struct Machine {
  std::shared_ptr<model::System> system;
  std::vector<model::Property> properties;
};

// What systems of a model are made from.
struct Origin {
  std::shared_ptr<const ModelNode> tree;
  std::string main;
  std::shared_ptr<const model::System> empty;  // with the sources, and what else all of them have in common
};

// The model itself comes first, with all that can be asked of it. Specifications that need something that watches the
// model (watcher.h) are those of further systems.
struct Loaded {
  std::vector<Machine> machines;
  Origin origin;

  const Machine& first() const { return machines.front(); }
};

// Errors go to the diagnostics; then there is only one system, of which only the sources mean something.
Loaded load(std::string text, const std::string& name, const std::string& main, Diagnostics& diagnostics);

// Of a model without errors: a system that can tell fair paths from others, for a specification that is an invariant on
// them (Property::on_fair_paths). It is named by Property::rank.
Machine fair_machine(const Origin& origin, uint32_t rank, const Watch& watch);

// Of a model without errors: the first of its systems with one property only, that a state can be reached in which a
// condition holds, an expression over the names of the main module. Errors go to the diagnostics; then only the sources
// of the system mean something.
Machine machine_with_condition(const Origin& origin, std::string condition, Diagnostics& diagnostics);

}  // namespace harrier::smv
