// What the page of a trace knows of the model: processes, their automata, variables, clocks, queues, and the texts.
//
// The page numbers processes, variables and edges anew, because it does not have all: no claim, no bookkeeping, and of
// the edges those that fire. Processes with the same automaton share it, as a *shape*; edges of a process between the
// same locations that stem from the same place in the text are one edge of the shape.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/drawing.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

using PageJson = nlohmann::ordered_json;

class PageStructure {
 public:
  static constexpr uint32_t kHidden = UINT32_MAX;

  PageStructure(const model::System& system, const model::Drawing& drawing, const Watch& watch);

  uint32_t process(model::ProcessId process) const { return processes_[process.value]; }
  // The number of a variable; kHidden for bookkeeping and locations.
  uint32_t variable(uint32_t variable) const { return variables_[variable]; }
  // The process whose location a variable is, or kHidden.
  uint32_t located(uint32_t variable) const { return located_[variable]; }
  // The number of an edge, which is told from now on.
  uint32_t edge(const FiredEdge& fired);

  // Adds the tables to the document: last, when all edges that fire have been asked for.
  void add_to(PageJson& page);

 private:
  void number_all();
  void make_shapes(const model::Drawing& drawing, const Watch& watch);
  PageJson shape_of(const model::Process& process, const std::vector<model::DrawnLocation>& places,
                    const std::vector<model::DrawnEdge>& drawing, std::vector<uint32_t>& drawn) const;
  PageJson texts_of(const model::Edge& edge) const;
  PageJson lines_of(const model::Edge& edge) const;
  PageJson processes_json() const;
  PageJson variables_json() const;
  PageJson files_json() const;

  const model::System& system_;
  std::vector<uint32_t> processes_;  // all by number in the system
  std::vector<uint32_t> variables_;
  std::vector<uint32_t> located_;
  std::vector<uint32_t> shapes_of_;  // by process
  std::vector<uint32_t> drawn_;      // by edge, its number in the shape of its process; empty without shapes
  PageJson shapes_ = PageJson::array();
  bool too_many_edges_ = false;
  std::unordered_map<uint32_t, uint32_t> edge_numbers_;
  PageJson edges_ = PageJson::array();
};

}  // namespace harrier::trace
