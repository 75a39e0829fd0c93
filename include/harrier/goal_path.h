// A path to the goal of a model in terms of names, so that it tells something about a larger model of the same kind:
// the same templates (proctypes), with more processes.
//
// What a process does on the path is the sequence of its locations, in `start` and after each step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace harrier {

struct GoalPath {
  struct Template {
    std::string name;
    std::vector<std::string> locations;
  };
  struct Process {
    size_t of = 0;       // the template
    size_t rank = 0;     // among the processes of the template
    bool runs = false;   // at some point of the path: a Promela process need not
    bool named = false;  // the goal that is reached names a location of it
  };
  struct State {
    std::vector<uint32_t> locations;  // by process: numbers within the template
    std::vector<int32_t> scalars;     // as in `scalars` below
  };
  struct Firing {
    size_t process = 0;
    uint32_t rank = 0;  // of the edge, among those of the template between the same two locations
  };
  struct Step {
    std::vector<Firing> firings;  // the processes that take part, who starts it first
    State after;
  };

  std::string model;  // its file name
  std::vector<Template> templates;
  std::vector<Process> processes;
  std::vector<std::string> scalars;  // the global variables that are no part of an array or a structure
  State start;
  std::vector<Step> steps;

  const State& end() const { return steps.empty() ? start : steps.back().after; }
};

}  // namespace harrier
