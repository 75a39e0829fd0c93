#include "lang/uppaal/xml_reader.h"

#include <optional>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>

#include "lang/uppaal/branches.h"
#include "lang/uppaal/parser.h"

namespace harrier::uppaal {

namespace {

class XmlReader {
 public:
  XmlReader(uint32_t file, Sources& sources, Diagnostics& diagnostics, Ast& ast, ModelNode& model,
            std::vector<EmbeddedQuery>& queries)
      : file_(file), sources_(sources), diagnostics_(diagnostics), ast_(ast), model_(model), queries_(queries) {}

  void read();

 private:
  void read_template(pugi::xml_node node, const std::string& path);
  void read_locations(pugi::xml_node node, const std::string& path, TemplateNode& process);
  void read_edge(pugi::xml_node node, const std::string& path, TemplateNode& process);
  void read_edge_label(pugi::xml_node label, const std::string& path, EdgeNode& edge);
  void read_queries(pugi::xml_node node, const std::string& path);

  std::optional<uint32_t> endpoint(pugi::xml_node edge, const char* which, const std::string& path,
                                   TemplateNode& process);
  SourceRef place(pugi::xml_node node, const std::string& path);
  const TextPiece& text_of(pugi::xml_node node, const std::string& path);
  void append_decoded(TextPiece& piece, size_t begin, std::string_view terminator);
  Parser parser(pugi::xml_node node, const std::string& path) {
    return Parser(ast_, model_, text_of(node, path), sources_, diagnostics_);
  }
  // The name in an element's text, without blanks around it.
  std::string_view name_of(pugi::xml_node node, const std::string& path);

  uint32_t file_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  Ast& ast_;
  ModelNode& model_;
  std::vector<EmbeddedQuery>& queries_;
  std::string text_;
  std::unordered_map<std::string_view, uint32_t> ids_;  // of locations and branch points of the template that is read
};

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | ((code >> 18) & 0x07));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// Decodes the entity at text[begin] == '&'. Returns its length, or 0 if there is none.
size_t decode_entity(std::string_view text, size_t begin, std::string& out) {
  static constexpr std::pair<std::string_view, char> kNamed[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (const auto& [name, c] : kNamed) {
    if (text.substr(begin, name.size()) == name) {
      out += c;
      return name.size();
    }
  }
  constexpr size_t kLongest = 12;
  const size_t end = text.substr(begin, kLongest).find(';');
  if (end == std::string_view::npos || end < 3 || text[begin + 1] != '#') return 0;
  const bool hex = text[begin + 2] == 'x';
  uint32_t code = 0;
  for (size_t i = begin + (hex ? 3 : 2); i < begin + end; ++i) {
    const char c = text[i];
    uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (hex && ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')) {
      digit = static_cast<uint32_t>((c | 0x20) - 'a') + 10;
    } else {
      return 0;
    }
    code = code * (hex ? 16 : 10) + digit;
    if (code > 0x10ffff) return 0;
  }
  append_utf8(out, code);
  return end + 1;
}

void XmlReader::append_decoded(TextPiece& piece, size_t begin, std::string_view terminator) {
  const std::string_view text = text_;
  const size_t end = std::min(text.find(terminator, begin), text.size());
  const bool cdata = terminator.size() > 1;
  const auto start_run = [&](size_t file_offset) {
    if (!piece.runs.empty() && piece.runs.back().at == piece.text.size()) {
      piece.runs.back().file_offset = file_offset;
    } else {
      piece.runs.push_back({piece.text.size(), file_offset});
    }
  };
  start_run(begin);
  for (size_t i = begin; i < end;) {
    if (text[i] == '&' && !cdata) {
      if (const size_t length = decode_entity(text, i, piece.text)) {
        i += length;
        start_run(i);
        continue;
      }
    }
    piece.text += text[i++];
  }
}

const TextPiece& XmlReader::text_of(pugi::xml_node node, const std::string& path) {
  TextPiece piece;
  piece.file = file_;
  piece.context = sources_.add_context(path);
  piece.runs.clear();
  for (pugi::xml_node part : node.children()) {
    if (part.type() != pugi::node_pcdata && part.type() != pugi::node_cdata) continue;
    const auto offset = static_cast<size_t>(std::max<ptrdiff_t>(part.offset_debug(), 0));
    append_decoded(piece, offset, part.type() == pugi::node_cdata ? "]]>" : "<");
  }
  if (piece.runs.empty()) {
    piece.runs.push_back({0, static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug(), 0))});
  }
  return ast_.add_text(std::move(piece));
}

SourceRef XmlReader::place(pugi::xml_node node, const std::string& path) {
  // The offset of an element is that of its name, behind the '<'.
  const ptrdiff_t back = node.type() == pugi::node_element ? 1 : 0;
  const auto offset = static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug() - back, 0));
  return sources_.ref_at(file_, offset, sources_.add_context(path));
}

std::string_view XmlReader::name_of(pugi::xml_node node, const std::string& path) {
  std::string_view name = text_of(node, path).text;
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = name.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return name.substr(first, name.find_last_not_of(kBlanks) + 1 - first);
}

std::string child_path(const std::string& parent, const char* name, size_t number) {
  return parent + "/" + name + "[" + std::to_string(number) + "]";
}

void XmlReader::read() {
  text_ = sources_.text(file_);
  const auto starts = [&](std::string_view bytes) { return text_.starts_with(bytes); };
  if (starts("\xff\xfe") || starts("\xfe\xff")) {
    diagnostics_.error(sources_.ref_at(file_, 0), "the file is UTF-16; only UTF-8 is read");
    return;
  }
  pugi::xml_document document;
  const auto result = document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    const auto offset = std::min(static_cast<size_t>(std::max<ptrdiff_t>(result.offset, 0)), text_.size());
    diagnostics_.error(sources_.ref_at(file_, offset), std::string("not well-formed XML: ") + result.description());
    return;
  }
  const pugi::xml_node root = document.document_element();
  const std::string root_name = root.name();
  if (root_name != "nta" && root_name != "project") {
    diagnostics_.error(place(root, "/" + root_name),
                       "an UPPAAL model has the root element <nta>, not <" + root_name + ">");
    return;
  }
  const std::string path = "/" + root_name;
  size_t templates = 0;
  size_t declarations = 0;
  for (pugi::xml_node child : root.children()) {
    if (diagnostics_.full()) return;
    const std::string_view name = child.name();
    if (name == "declaration") {
      parser(child, child_path(path, "declaration", ++declarations)).model_text();
    } else if (name == "template") {
      read_template(child, child_path(path, "template", ++templates));
    } else if (name == "lsc") {
      diagnostics_.unsupported(place(child, path + "/lsc"), "live sequence charts");
    } else if (name == "instantiation") {
      parser(child, path + "/instantiation").model_text();
    } else if (name == "system") {
      parser(child, path + "/system").model_text();
    } else if (name == "queries") {
      read_queries(child, path + "/queries");
    } else if (name != "imports" && child.type() == pugi::node_element) {
      diagnostics_.error(place(child, path + "/" + std::string(name)), "unknown element <" + std::string(name) + ">");
    } else if (name == "imports" && !name_of(child, path + "/imports").empty()) {
      diagnostics_.unsupported(place(child, path + "/imports"), "imports");
    }
  }
}

void XmlReader::read_template(pugi::xml_node node, const std::string& path) {
  TemplateNode* process = ast_.process();
  const pugi::xml_node name = node.child("name");
  process->at = name ? place(name.first_child() ? name.first_child() : name, path + "/name") : place(node, path);
  process->name = name ? name_of(name, path + "/name") : std::string_view();
  if (process->name.empty()) {
    diagnostics_.error(process->at, "a template needs a name");
    return;
  }
  Declaration* declared = ast_.declaration(DeclarationKind::Template, process->at);
  declared->process = process;
  model_.declarations.push_back(declared);
  if (const pugi::xml_node parameters = node.child("parameter")) {
    process->parameters = parser(parameters, path + "/parameter").template_parameters();
  }
  if (const pugi::xml_node declaration = node.child("declaration")) {
    parser(declaration, path + "/declaration").template_declarations(*process);
  }
  read_locations(node, path, *process);
  size_t number = 0;
  for (pugi::xml_node edge : node.children("transition")) {
    if (diagnostics_.full()) return;
    read_edge(edge, child_path(path, "transition", ++number), *process);
  }
  join_branches(*process, diagnostics_);
}

void XmlReader::read_locations(pugi::xml_node node, const std::string& path, TemplateNode& process) {
  ids_.clear();
  std::set<std::string_view> names;
  size_t number = 0;
  for (pugi::xml_node child : node.children("location")) {
    const std::string here = child_path(path, "location", ++number);
    LocationNode location;
    const pugi::xml_node name = child.child("name");
    location.at = place(name && name.first_child() ? name.first_child() : child, here);
    if (name) location.name = name_of(name, here + "/name");
    if (!location.name.empty() && !names.insert(location.name).second) {
      diagnostics_.error(location.at, "location '" + std::string(location.name) + "' is declared twice");
    }
    size_t labels = 0;
    for (pugi::xml_node label : child.children("label")) {
      const std::string label_path = child_path(here, "label", ++labels);
      const std::string_view kind = label.attribute("kind").value();
      if (kind == "invariant") {
        location.invariant = parser(label, label_path).guard_label();
      } else if (kind == "exponentialrate" && !name_of(label, label_path).empty()) {
        note_rates(model_, place(label, label_path), diagnostics_);
      }
    }
    location.urgent = static_cast<bool>(child.child("urgent"));
    location.committed = static_cast<bool>(child.child("committed"));
    const std::string_view id = ast_.keep(child.attribute("id").value());
    if (id.empty()) {
      diagnostics_.error(place(child, here), "a location needs an id");
    } else if (!ids_.emplace(id, static_cast<uint32_t>(process.locations.size())).second) {
      diagnostics_.error(place(child, here), "the location id '" + std::string(id) + "' is used twice");
    }
    process.locations.push_back(location);
  }
  // Nameless locations are called by their id, which no other location may have as its name.
  for (auto& [id, index] : ids_) {
    if (!process.locations[index].name.empty()) continue;
    std::string name = "_" + std::string(id);
    while (names.contains(name)) name += "_";
    process.locations[index].name = ast_.keep(std::move(name));
    names.insert(process.locations[index].name);
  }
  number = 0;
  for (pugi::xml_node child : node.children("branchpoint")) {
    const std::string here = child_path(path, "branchpoint", ++number);
    const std::string_view id = ast_.keep(child.attribute("id").value());
    const auto index = static_cast<uint32_t>(process.locations.size() + process.branchpoints.size());
    note_weights(model_, place(child, here), diagnostics_);
    if (id.empty()) {
      diagnostics_.error(place(child, here), "a branch point needs an id");
    } else if (!ids_.emplace(id, index).second) {
      diagnostics_.error(place(child, here), "the id '" + std::string(id) + "' is used twice");
    }
    process.branchpoints.push_back(ast_.keep("_" + std::string(id)));
  }
  const pugi::xml_node init = node.child("init");
  if (!init) {
    diagnostics_.error(process.at, "template '" + std::string(process.name) + "' has no initial location");
    process.broken = true;
    return;
  }
  const std::string init_path = path + "/init";
  if (init.next_sibling("init")) {
    diagnostics_.error(place(init.next_sibling("init"), init_path + "[2]"), "a template has only one initial location");
  }
  const std::string ref = init.attribute("ref").value();
  if (const auto found = ids_.find(ref); found != ids_.end() && found->second < process.locations.size()) {
    process.initial = found->second;
  } else {
    diagnostics_.error(place(init, init_path), "the initial location '" + ref + "' does not exist");
    process.broken = true;
  }
}

std::optional<uint32_t> XmlReader::endpoint(pugi::xml_node edge, const char* which, const std::string& path,
                                            TemplateNode& process) {
  const pugi::xml_node end = edge.child(which);
  if (!end) {
    diagnostics_.error(place(edge, path), std::string("a transition needs a <") + which + ">");
    process.broken = true;
    return std::nullopt;
  }
  const std::string ref = end.attribute("ref").value();
  if (const auto found = ids_.find(ref); found != ids_.end()) return found->second;
  diagnostics_.error(place(end, path + "/" + which), "there is no location '" + ref + "'");
  process.broken = true;
  return std::nullopt;
}

void XmlReader::read_edge(pugi::xml_node node, const std::string& path, TemplateNode& process) {
  EdgeNode edge;
  edge.at = place(node, path);
  if (std::string_view(node.attribute("controllable").value()) == "false") {
    note_games(model_, edge.at, diagnostics_);
  }
  const auto source = endpoint(node, "source", path, process);
  const auto target = endpoint(node, "target", path, process);
  size_t labels = 0;
  for (pugi::xml_node label : node.children("label")) {
    read_edge_label(label, child_path(path, "label", ++labels), edge);
  }
  if (!source || !target) return;
  edge.source = *source;
  edge.target = *target;
  process.edges.push_back(std::move(edge));
}

void XmlReader::read_edge_label(pugi::xml_node label, const std::string& path, EdgeNode& edge) {
  static const std::set<std::string_view> kHarmless = {"comments", "testcode", "testcodeEnter", "testcodeExit"};
  const std::string_view kind = label.attribute("kind").value();
  const auto again = [&](bool present) {
    if (present) diagnostics_.error(place(label, path), "a transition has only one label '" + std::string(kind) + "'");
    return present;
  };
  if (kind == "select") {
    if (!again(!edge.selects.empty())) edge.selects = parser(label, path).select_label();
  } else if (kind == "guard") {
    if (!again(edge.guard != nullptr)) edge.guard = parser(label, path).guard_label();
  } else if (kind == "synchronisation") {
    if (!again(edge.sync != nullptr)) parser(label, path).sync_label(edge);
  } else if (kind == "assignment") {
    if (!again(edge.update != nullptr)) edge.update = parser(label, path).update_label();
  } else if (kind == "probability") {
    if (!again(edge.weight != nullptr)) edge.weight = parser(label, path).weight_label();
  } else if (!kHarmless.contains(kind)) {
    diagnostics_.error(place(label, path), "unknown kind of label '" + std::string(kind) + "'");
  }
}

void XmlReader::read_queries(pugi::xml_node node, const std::string& path) {
  size_t number = 0;
  for (pugi::xml_node query : node.children("query")) {
    const std::string here = child_path(path, "query", ++number) + "/formula";
    const pugi::xml_node formula = query.child("formula");
    if (!formula) continue;
    const std::string_view outcome = query.child("expect").attribute("outcome").value();
    queries_.push_back({&text_of(formula, here), query.child("comment").text().get(),
                        outcome == "success"   ? "holds"
                        : outcome == "failure" ? "violated"
                                               : ""});
  }
}

}  // namespace

bool looks_like_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  return text[first] == '<' || text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

void read_xml(uint32_t file, Sources& sources, Diagnostics& diagnostics, Ast& ast, ModelNode& model,
              std::vector<EmbeddedQuery>& queries) {
  XmlReader(file, sources, diagnostics, ast, model, queries).read();
}

}  // namespace harrier::uppaal
