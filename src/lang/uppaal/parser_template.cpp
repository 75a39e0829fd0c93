// Processes of the textual format: locations, edges, and the system line.
#include "base/suggest.h"
#include "lang/uppaal/branches.h"
#include "lang/uppaal/parser.h"

namespace harrier::uppaal {

void Parser::process() {
  take();
  TemplateNode* node = ast_.process();
  node->name = expect_name("the name of a process", &node->at);
  if (accept(Tok::LParen)) {
    node->parameters = parameters(Tok::RParen);
    expect(Tok::RParen, "after the parameters");
  } else {
    model_.old_syntax = true;
  }
  // Declared before its body is read: a broken body must not make the name unknown.
  Declaration* declared = ast_.declaration(DeclarationKind::Template, node->at);
  declared->process = node;
  model_.declarations.push_back(declared);
  const uint32_t outside = braces_;
  const SourceRef open = expect(Tok::LBrace, "before the body of the process").at;
  try {
    process_body(*node);
    join_branches(*node, diagnostics_);
    if (at(Tok::End)) fail(open, "this process is not closed: '}' is missing");
    if (!at(Tok::RBrace)) fail_unexpected("'}'");
    take();
  } catch (const Failure&) {
    node->broken = true;
    // To the end of the process: its next part would only be misunderstood.
    while (!at(Tok::End) && !at(Tok::KwProcess) && !at(Tok::KwSystem) && braces_ > outside) take();
    braces_ = outside;
  }
}

void Parser::process_body(TemplateNode& process) {
  const uint32_t level = braces_;
  while (!at(Tok::KwState) && !at(Tok::RBrace) && !at(Tok::End)) {
    if (at(Tok::KwInit) || at(Tok::KwTrans) || at(Tok::KwCommit)) fail_unexpected("'state'");
    try {
      declaration(process.declarations, true);
    } catch (const Failure&) {
      process.broken = true;
      if (diagnostics_.full()) throw;
      recover(level);
      if (at(Tok::KwProcess) || at(Tok::KwSystem)) throw;
    }
  }
  if (!at(Tok::KwState)) fail_unexpected("'state'");
  states(process);
  bool initial = false;
  for (;;) {
    if (at(Tok::Identifier) && peek().text == "branchpoint" && peek(1).kind == Tok::Identifier) {
      branchpoints(process);
    } else if (at(Tok::KwCommit) || at(Tok::KwUrgent)) {
      const bool committed = take().kind == Tok::KwCommit;
      location_flags(process, committed);
    } else if (at(Tok::KwInit)) {
      const SourceRef place = take().at;
      if (initial) fail(place, "a process has only one initial location");
      SourceRef name_at;
      const std::string_view name = expect_name("the name of the initial location", &name_at);
      if (const auto index = location(process, name, name_at)) process.initial = *index;
      expect(Tok::Semicolon, "after the initial location");
      initial = true;
    } else {
      break;
    }
  }
  if (!initial) fail_unexpected("'init'");
  if (accept(Tok::KwTrans)) transitions(process);
}

void Parser::states(TemplateNode& process) {
  take();
  location_index_.clear();
  do {
    LocationNode location;
    location.name = expect_name("the name of a location", &location.at);
    if (!location_index_.emplace(location.name, static_cast<uint32_t>(process.locations.size())).second) {
      diagnostics_.error(location.at, "location '" + std::string(location.name) + "' is declared twice");
    }
    if (accept(Tok::LBrace)) {
      if (!at(Tok::Semicolon)) location.invariant = conjunction_list();
      if (at(Tok::Semicolon)) {
        // A rate: an expression or a fraction, often with floating-point numbers, which nothing needs.
        note_rates(model_, take().at, diagnostics_);
        if (at(Tok::RBrace)) fail_unexpected("a rate");
        while (!at(Tok::RBrace) && !at(Tok::Semicolon) && !at(Tok::End)) take();
      }
      expect(Tok::RBrace, "after the invariant");
    }
    process.locations.push_back(location);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the locations");
}

void Parser::branchpoints(TemplateNode& process) {
  note_weights(model_, take().at, diagnostics_);
  do {
    SourceRef place;
    const std::string_view name = expect_name("the name of a branch point", &place);
    const auto number = static_cast<uint32_t>(process.locations.size() + process.branchpoints.size());
    if (!location_index_.emplace(name, number).second) {
      diagnostics_.error(place, "the branch point '" + std::string(name) + "' has the name of a location");
    }
    process.branchpoints.push_back(name);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the branch points");
}

void Parser::location_flags(TemplateNode& process, bool committed) {
  do {
    SourceRef place;
    const std::string_view name = expect_name("the name of a location", &place);
    if (const auto index = location(process, name, place)) {
      (committed ? process.locations[*index].committed : process.locations[*index].urgent) = true;
    }
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, committed ? "after the committed locations" : "after the urgent locations");
}

// The end of an edge: a location or branch point.
std::optional<uint32_t> Parser::endpoint(TemplateNode& process, std::string_view name, SourceRef at) {
  if (const auto found = location_index_.find(name); found != location_index_.end()) return found->second;
  return location(process, name, at);
}

std::optional<uint32_t> Parser::location(TemplateNode& process, std::string_view name, SourceRef at) {
  if (const auto found = location_index_.find(name);
      found != location_index_.end() && found->second < process.locations.size()) {
    return found->second;
  }
  std::vector<std::string> known;
  for (const LocationNode& one : process.locations) known.emplace_back(one.name);
  const std::string close = suggestion(name, known);
  diagnostics_.error(at, "unknown location '" + std::string(name) + "' in process '" + std::string(process.name) + "'" +
                             (close.empty() ? "" : "; " + close));
  process.broken = true;
  return std::nullopt;
}

void Parser::transitions(TemplateNode& process) {
  std::optional<uint32_t> source;
  do {
    transition(process, source);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the transitions");
}

// `A -> B { ... }`; without A, the source of the edge before (old syntax).
void Parser::transition(TemplateNode& process, std::optional<uint32_t>& source) {
  EdgeNode edge;
  edge.at = peek().at;
  bool known = true;
  if (at(Tok::Identifier)) {
    const Token name = take();
    source = endpoint(process, name.text, name.at);
  } else if (!at(Tok::Arrow) && !at(Tok::UncontrolledArrow)) {
    fail_unexpected("a transition");
  } else if (process.edges.empty() && !source) {
    fail(peek().at, "the first transition needs a source location");
  }
  known = source.has_value();
  edge.source = source.value_or(0);
  if (at(Tok::UncontrolledArrow)) {
    note_games(model_, take().at, diagnostics_);
  } else {
    expect(Tok::Arrow, "in a transition");
  }
  SourceRef target_at;
  const std::string_view target = expect_name("the target location", &target_at);
  const auto index = endpoint(process, target, target_at);
  known = known && index.has_value();
  edge.target = index.value_or(0);
  const SourceRef open = expect(Tok::LBrace, "after the target of a transition").at;
  edge_body(edge);
  if (at(Tok::End)) fail(open, "this transition is not closed: '}' is missing");
  expect(Tok::RBrace, "after the labels of a transition");
  if (known) process.edges.push_back(std::move(edge));
}

void Parser::edge_body(EdgeNode& edge) {
  while (!at(Tok::RBrace) && !at(Tok::End)) {
    const Token word = peek();
    switch (word.kind) {
      case Tok::KwSelect:
        take();
        selects(edge.selects);
        break;
      case Tok::KwGuard:
        take();
        if (edge.guard != nullptr) fail(word.at, "a transition has only one guard");
        edge.guard = conjunction_list();
        break;
      case Tok::KwSync:
        take();
        if (edge.sync != nullptr) fail(word.at, "a transition has only one synchronisation");
        sync(edge);
        break;
      case Tok::KwAssign:
        take();
        if (edge.update != nullptr) fail(word.at, "a transition has only one list of updates");
        edge.update = expression_list();
        break;
      default:
        if (word.text != "probability") fail_unexpected("'select', 'guard', 'sync', 'assign' or '}'");
        take();
        if (edge.weight != nullptr) fail(word.at, "a transition has only one probability weight");
        edge.weight = weight();
    }
    expect(Tok::Semicolon, "after the label");
  }
}

SelectNode Parser::select() {
  SelectNode result;
  result.name = expect_name("the name of a selected value", &result.at);
  expect(Tok::Colon, "after the name of the selected value");
  result.type = type();
  return result;
}

void Parser::selects(std::vector<SelectNode>& into) {
  do {
    into.push_back(select());
  } while (accept(Tok::Comma));
}

std::vector<SelectNode> Parser::select_label() {
  std::vector<SelectNode> result;
  try {
    if (at(Tok::End)) return result;
    selects(result);
    accept(Tok::Semicolon);
    expect_end();
  } catch (const Failure&) {
  }
  return result;
}

void Parser::sync(EdgeNode& edge) {
  edge.sync = postfix();
  if (at(Tok::Exclaim) || at(Tok::Question)) {
    edge.send = take().kind == Tok::Exclaim;
    return;
  }
  if (at(Tok::Semicolon) || at(Tok::End)) refuse(edge.sync->at, "CSP synchronisation (a channel without '!' or '?')");
  fail_unexpected("'!' or '?'");
}

void Parser::sync_label(EdgeNode& edge) {
  try {
    if (at(Tok::End)) return;
    sync(edge);
    expect_end();
  } catch (const Failure&) {
    edge.sync = nullptr;
  }
}

void Parser::system_line() {
  const SourceRef place = take().at;
  if (model_.has_system) fail(place, "a model has only one 'system' line");
  model_.has_system = true;
  model_.system_at = place;
  model_.before_system = model_.declarations.size();
  int32_t level = 0;
  for (;;) {
    PriorityEntry entry;
    entry.level = level;
    entry.name = expect_name("the name of a process", &entry.at);
    model_.system.push_back(entry);
    if (accept(Tok::Lt)) {
      ++level;
    } else if (!accept(Tok::Comma)) {
      break;
    }
  }
  expect(Tok::Semicolon, "after the system line");
}

void Parser::skip_braces() {
  const SourceRef open = take().at;
  for (int depth = 1; depth > 0; take()) {
    if (at(Tok::End)) fail(open, "this block is not closed: '}' is missing");
    if (at(Tok::LBrace)) ++depth;
    if (at(Tok::RBrace)) --depth;
  }
}

}  // namespace harrier::uppaal
