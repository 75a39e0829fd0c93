// A trace that is read back, with the property that it is about.
#pragma once

#include <optional>
#include <string>

#include "api/data.h"
#include "trace/trace.h"

namespace harrier::api {

// The property may be one of the model's, one that was given as a query then, or that of a run.
struct Replayed {
  const Part* part = nullptr;  // that it is a path of; null: of a system that was made for the property
  InstancePtr instance;
  size_t number = 0;  // of the property in the instance
  std::optional<model::Property> run;
  bool of_model = true;
  trace::Trace trace;

  const model::Property& property() const { return run ? *run : instance->properties()[number]; }
  // What is wrong with the trace; empty: nothing.
  std::string problem(const Watch& watch) const;
};

// Throws Error(Input) if it is no trace of the model.
Replayed read_replayed(const Data& data, const std::string& trace_json, const std::string& name, const Watch& watch);

}  // namespace harrier::api
