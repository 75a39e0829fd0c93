// Locations and edges are found again by where their elements stand in the file, as the XML reader noted it.
#include "lang/uppaal/drawing.h"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "lang/uppaal/xml_reader.h"

namespace harrier::uppaal {

namespace {

using model::DrawnEdge;
using model::DrawnLocation;
using model::Point;
using Place = std::pair<uint32_t, uint32_t>;  // line and column

std::optional<Point> point_of(pugi::xml_node node) {
  // Nobody draws on a larger sheet; what is read is added and scaled by others.
  constexpr int kFarthest = 1'000'000;
  const pugi::xml_attribute x = node.attribute("x");
  const pugi::xml_attribute y = node.attribute("y");
  if (!x || !y) return std::nullopt;
  return Point{std::clamp(x.as_int(), -kFarthest, kFarthest), std::clamp(y.as_int(), -kFarthest, kFarthest)};
}

std::optional<DrawnLocation> location_of(pugi::xml_node node) {
  const auto at = point_of(node);
  if (!at) return std::nullopt;
  return DrawnLocation{*at, point_of(node.child("name")),
                       point_of(node.find_child_by_attribute("label", "kind", "invariant"))};
}

DrawnEdge edge_of(pugi::xml_node node) {
  DrawnEdge out;
  for (const pugi::xml_node nail : node.children("nail")) {
    if (const auto point = point_of(nail)) out.bends.push_back(*point);
  }
  for (const pugi::xml_node label : node.children("label")) {
    const std::string_view kind = label.attribute("kind").value();
    if (kind == "select") out.select = point_of(label);
    if (kind == "guard") out.guard = point_of(label);
    if (kind == "synchronisation") out.synchronisation = point_of(label);
    if (kind == "assignment") out.update = point_of(label);
  }
  return out;
}

class Sheet {
 public:
  explicit Sheet(const Sources& sources) : sources_(sources) {
    const std::string& text = sources.text(0);
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8)) return;
    for (const pugi::xml_node process : document.document_element().children("template")) {
      for (const pugi::xml_node location : process.children("location")) {
        const pugi::xml_node name = location.child("name");
        const auto drawn = location_of(location);
        if (drawn) locations_[place(name && name.first_child() ? name.first_child() : location)] = *drawn;
      }
      for (const pugi::xml_node edge : process.children("transition")) edges_[place(edge)] = edge_of(edge);
    }
  }

  std::vector<DrawnLocation> locations(const model::Process& process) const {
    std::vector<DrawnLocation> out;
    for (const model::Location& location : process.locations) {
      const auto found = locations_.find({location.at.line, location.at.column});
      if (found == locations_.end()) return {};
      out.push_back(found->second);
    }
    return out;
  }

  DrawnEdge edge(const SourceRef& at) const {
    const auto found = edges_.find({at.line, at.column});
    return found == edges_.end() ? DrawnEdge() : found->second;
  }

 private:
  Place place(pugi::xml_node node) const {
    // The offset of an element is that of its name, behind the '<'.
    const ptrdiff_t back = node.type() == pugi::node_element ? 1 : 0;
    const SourceRef at = sources_.ref_at(0, static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug() - back, 0)));
    return {at.line, at.column};
  }

  const Sources& sources_;
  std::map<Place, DrawnLocation> locations_;
  std::map<Place, DrawnEdge> edges_;
};

}  // namespace

model::Drawing drawing_of(const model::System& system) {
  model::Drawing out;
  if (system.sources.file_count() == 0 || !looks_like_xml(system.sources.text(0))) return out;
  const Sheet sheet(system.sources);
  for (const model::Process& process : system.processes) out.locations.push_back(sheet.locations(process));
  for (const model::Edge& edge : system.edges) out.edges.push_back(sheet.edge(edge.at));
  return out;
}

}  // namespace harrier::uppaal
