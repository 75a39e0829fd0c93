#include "trace/page_structure.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "model/printer.h"

namespace harrier::trace {

namespace {

using model::DrawnLocation;
using model::Edge;
using model::LocationKind;
using model::Point;
using model::Process;
using model::Telling;

// More are not drawn, and longer texts not shown: the page has to open in a moment.
constexpr size_t kMostEdges = 50'000;
constexpr size_t kMostCharacters = 8'000'000;

const char* telling_name(Telling telling) {
  switch (telling) {
    case Telling::Moves: return "moves";
    case Telling::Statements: return "statements";
    case Telling::States: return "states";
    case Telling::Actions: return "actions";
  }
  return "unknown";
}

const char* kind_name(LocationKind kind) {
  switch (kind) {
    case LocationKind::Normal: return "normal";
    case LocationKind::Urgent: return "urgent";
    case LocationKind::Committed: return "committed";
  }
  return "unknown";
}

PageJson json_of(const Point& point) { return PageJson::array({point.x, point.y}); }

void add(PageJson& out, const char* name, std::string text) {
  if (!text.empty()) out[name] = std::move(text);
}

void add(PageJson& out, const char* name, const std::optional<Point>& point) {
  if (point) out[name] = json_of(*point);
}

// Without the name of the process in front of what belongs to it: x instead of P(1).x, as in the text of the template.
// So processes of one template have the same automaton.
std::string without_owner(std::string text, const std::string& process) {
  const std::string prefix = process + ".";
  const auto continues_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    if (at > 0 && continues_name(text[at - 1])) {
      at += prefix.size();
    } else {
      text.erase(at, prefix.size());
    }
  }
  return text;
}

// What two texts have in common: "go[…]?" of "go[1]?" and "go[2]?".
std::string common(const std::string& a, const std::string& b) {
  if (a == b) return a;
  const size_t least = std::min(a.size(), b.size());
  size_t front = 0;
  while (front < least && a[front] == b[front]) ++front;
  size_t back = 0;
  while (back < least - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  const auto starts_character = [&](size_t i) { return i == a.size() || (a[i] & 0xC0) != 0x80; };
  while (front > 0 && !starts_character(front)) --front;
  while (back > 0 && !starts_character(a.size() - back)) --back;
  return a.substr(0, front) + "…" + a.substr(a.size() - back);
}

// Takes one more choice into an edge of a shape.
void join(PageJson& drawn, const PageJson& texts) {
  drawn["choices"] = drawn.value("choices", 1) + 1;
  for (const char* name : {"label", "guard", "sync", "update"}) {
    if (drawn.contains(name) || texts.contains(name)) {
      drawn[name] = common(drawn.value(name, std::string()), texts.value(name, std::string()));
    }
  }
}

template <class Conditions, class Clocks>
std::string conjunction(const model::System& system, const Conditions& conditions, const Clocks& clocks) {
  std::string out;
  const auto append = [&](const std::string& text) { out += (out.empty() ? "" : " && ") + text; };
  for (const auto& clock : clocks) append(model::to_text(system, clock));
  for (const model::ExprId condition : conditions) append(model::to_text(system, condition));
  return out;
}

}  // namespace

PageStructure::PageStructure(const model::System& system, const model::Drawing& drawing, const Watch& watch)
    : system_(system) {
  number_all();
  make_shapes(drawing, watch);
}

void PageStructure::number_all() {
  variables_.assign(system_.variables.size(), kHidden);
  located_.assign(system_.variables.size(), kHidden);
  uint32_t shown = 0;
  for (size_t p = 0; p < system_.processes.size(); ++p) {
    processes_.push_back(model::ProcessId(p) == system_.claim ? kHidden : shown++);
    located_[system_.processes[p].location.value] = processes_.back();
  }
  shown = 0;
  for (size_t v = 0; v < system_.variables.size(); ++v) {
    const model::Variable& variable = system_.variables[v];
    if (variable.kind == model::VarKind::Data && !variable.internal) variables_[v] = shown++;
  }
}

void PageStructure::make_shapes(const model::Drawing& drawing, const Watch& watch) {
  shapes_of_.assign(system_.processes.size(), kHidden);
  // A step of everything at once, or the actions of a plan, are no automaton.
  if (system_.telling == Telling::States || system_.telling == Telling::Actions) return;
  too_many_edges_ = system_.edges.size() > kMostEdges;
  if (too_many_edges_) return;
  drawn_.assign(system_.edges.size(), kHidden);
  std::map<std::string, uint32_t> known;
  for (size_t p = 0; p < system_.processes.size(); ++p) {
    if (processes_[p] == kHidden) continue;
    watch.poll();
    const Process& process = system_.processes[p];
    std::vector<uint32_t> drawn;
    PageJson shape = shape_of(process, drawing.locations.empty() ? std::vector<DrawnLocation>() : drawing.locations[p],
                              drawing.edges, drawn);
    const std::string text = shape.dump(-1, ' ', false, PageJson::error_handler_t::replace);
    const auto [at, fresh] = known.emplace(text, static_cast<uint32_t>(shapes_.size()));
    if (fresh) shapes_.push_back(std::move(shape));
    shapes_of_[p] = at->second;
    for (size_t i = 0; i < drawn.size(); ++i) drawn_[process.edges[i].value] = drawn[i];
  }
}

// `drawn` gets the number of every edge of the process.
PageJson PageStructure::shape_of(const Process& process, const std::vector<DrawnLocation>& places,
                                 const std::vector<model::DrawnEdge>& drawing, std::vector<uint32_t>& drawn) const {
  PageJson locations = PageJson::array();
  for (size_t l = 0; l < process.locations.size(); ++l) {
    const model::Location& location = process.locations[l];
    PageJson one{{"name", location.name}};
    if (location.kind != LocationKind::Normal) one["kind"] = kind_name(location.kind);
    add(one, "invariant",
        without_owner(conjunction(system_, location.invariant, location.clock_invariant), process.name));
    if (!places.empty()) {
      one["at"] = json_of(places[l].at);
      add(one, "name_at", places[l].name);
      add(one, "invariant_at", places[l].invariant);
    }
    locations.push_back(std::move(one));
  }
  PageJson edges = PageJson::array();
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>, uint32_t> known;
  for (const model::EdgeId id : process.edges) {
    const Edge& edge = system_.edge(id);
    const std::tuple key(edge.source, edge.target, edge.at.file, edge.at.line, edge.at.column);
    const auto [at, fresh] = known.emplace(key, static_cast<uint32_t>(edges.size()));
    drawn.push_back(at->second);
    if (!fresh) {
      join(edges[at->second], texts_of(edge));
      continue;
    }
    PageJson one{{"from", edge.source}, {"to", edge.target}};
    one.update(texts_of(edge));
    if (!places.empty()) {
      const model::DrawnEdge& lines = drawing[id.value];
      for (const Point& bend : lines.bends) one["bends"].push_back(json_of(bend));
      add(one, "select_at", lines.select);
      add(one, "guard_at", lines.guard);
      add(one, "sync_at", lines.synchronisation);
      add(one, "update_at", lines.update);
    }
    edges.push_back(std::move(one));
  }
  return {{"initial", system_.variable(process.location).initial},
          {"locations", std::move(locations)},
          {"edges", std::move(edges)}};
}

PageJson PageStructure::texts_of(const Edge& edge) const {
  PageJson out = PageJson::object();
  if (system_.telling == Telling::States) return out;
  add(out, "label", edge.label);
  if (system_.telling != Telling::Moves) return out;
  const std::string& owner = system_.process(edge.process).name;
  add(out, "guard", without_owner(conjunction(system_, edge.guard, edge.clock_guard), owner));
  if (edge.direction != model::Direction::Internal) {
    out["sync"] = system_.channel(edge.channel).name + (edge.direction == model::Direction::Send ? "!" : "?");
  }
  add(out, "update", without_owner(effect_text(system_, edge), owner));
  return out;
}

// The lines of the text that an edge consists of.
PageJson PageStructure::lines_of(const Edge& edge) const {
  std::set<uint32_t> lines;
  const auto note = [&](const SourceRef& at) {
    if (at.known() && at.file == edge.at.file) lines.insert(at.line);
  };
  note(edge.at);
  for (const model::ExprId condition : edge.guard) note(system_.expr(condition).at);
  for (const model::ClockConstraint& clock : edge.clock_guard) note(clock.at);
  for (const model::StmtId statement : edge.effect) note(system_.stmt(statement).at);
  return lines;
}

uint32_t PageStructure::edge(const FiredEdge& fired) {
  const auto [at, fresh] = edge_numbers_.emplace(fired.edge, static_cast<uint32_t>(edges_.size()));
  if (!fresh) return at->second;
  const Edge& edge = system_.edge(id_of(fired));
  PageJson one{{"process", process(edge.process)}, {"from", fired.source}, {"to", fired.target}};
  if (fired.direction != model::Direction::Internal) {
    one["channel"] = fired.channel;
    one["sends"] = fired.direction == model::Direction::Send;
  }
  one.update(texts_of(edge));
  if (edge.at.known()) {
    one["file"] = edge.at.file;
    one["lines"] = lines_of(edge);
  }
  if (!drawn_.empty() && drawn_[fired.edge] != kHidden) one["drawn"] = drawn_[fired.edge];
  edges_.push_back(std::move(one));
  return at->second;
}

PageJson PageStructure::processes_json() const {
  PageJson out = PageJson::array();
  for (size_t p = 0; p < system_.processes.size(); ++p) {
    if (processes_[p] == kHidden) continue;
    const Process& process = system_.processes[p];
    PageJson one{{"name", process.name}, {"type", process.type}};
    if (process.dynamic) one["dynamic"] = true;
    if (shapes_of_[p] != kHidden) {
      one["shape"] = shapes_of_[p];
    } else {
      for (const model::Location& location : process.locations) one["locations"].push_back(location.name);
    }
    out.push_back(std::move(one));
  }
  return out;
}

PageJson PageStructure::variables_json() const {
  PageJson out = PageJson::array();
  for (size_t v = 0; v < system_.variables.size(); ++v) {
    if (variables_[v] == kHidden) continue;
    const model::Variable& variable = system_.variables[v];
    PageJson one{{"name", variable.name}};
    if (variable.value_names != 0) one["values"] = variable.value_names - 1;
    if (variable.at.known()) one["at"] = PageJson::array({variable.at.file, variable.at.line});
    out.push_back(std::move(one));
  }
  return out;
}

PageJson PageStructure::files_json() const {
  PageJson out = PageJson::array();
  size_t room = kMostCharacters;
  for (uint32_t f = 0; f < system_.sources.file_count(); ++f) {
    const std::string& text = system_.sources.text(f);
    PageJson one{{"name", system_.sources.file_name(f)}};
    if (text.size() <= room) {
      one["text"] = text;
      room -= text.size();
    }
    out.push_back(std::move(one));
  }
  return out;
}

void PageStructure::add_to(PageJson& page) {
  page["model"] = {{"name", system_.name},
                   {"language", system_.language},
                   {"telling", telling_name(system_.telling)},
                   {"timed", system_.clocks.size() > 1}};
  page["processes"] = processes_json();
  page["variables"] = variables_json();
  page["value_names"] = system_.value_names;
  page["clocks"] = PageJson::array();
  for (size_t c = 1; c < system_.clocks.size(); ++c) page["clocks"].push_back(system_.clocks[c].name);
  page["queues"] = PageJson::array();
  for (const model::Queue& queue : system_.queues) page["queues"].push_back(queue.name);
  page["shapes"] = std::move(shapes_);
  if (too_many_edges_) page["shapes_left_out"] = system_.edges.size();
  page["edges"] = std::move(edges_);
  page["files"] = files_json();
}

}  // namespace harrier::trace
