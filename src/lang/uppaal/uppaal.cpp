// Entry points: loading a model, and parsing queries against it.
#include "lang/uppaal/uppaal.h"

#include <regex>

#include "base/hash.h"
#include "lang/uppaal/ast.h"
#include "lang/uppaal/elaborator.h"
#include "lang/uppaal/parser.h"
#include "lang/uppaal/xml_reader.h"

namespace harrier::uppaal {

// Keeps everything that queries need: the syntax tree (names point into it) and the elaborated names.
class Scope {
 public:
  explicit Scope(model::System& system) : elaborator(system, *model) {}

  std::unique_ptr<Ast> ast = std::make_unique<Ast>();
  std::unique_ptr<ModelNode> model = std::make_unique<ModelNode>();
  // Queries add functions and quantifiers to the system, so this stays usable behind a pointer to const.
  mutable Elaborator elaborator;
};

namespace {

TextPiece whole_file(std::string text, uint32_t file) {
  TextPiece piece;
  piece.file = file;
  if (text.starts_with("\xef\xbb\xbf")) {
    piece.runs = {{0, 3}};
    text.erase(0, 3);
  }
  piece.text = std::move(text);
  return piece;
}

// "expect: holds" or "expected: holds" in a comment; empty if there is none.
std::string expected_by(const std::string& comment) {
  static const std::regex pattern("\\bexpect(ed)?\\s*[:=]\\s*([a-z]+)", std::regex::icase);
  std::smatch match;
  return std::regex_search(comment, match, pattern) ? match[2].str() : "";
}

// The property of a query; `own` has what was said about it so far, and only that.
model::Property to_property(const Scope& scope, const Sources& sources, const QueryNode& query, Diagnostics& own) {
  std::optional<model::Property> made;
  if (!query.broken) made = scope.elaborator.property(query);
  model::Property property;
  if (made && !own.has_errors()) property = *std::move(made);
  property.text = query.text;
  property.at = query.at;
  property.comment = query.comment;
  property.expected = expected_by(query.comment);
  if (own.has_errors()) {
    const Error error = to_error(sources, own);
    property.refusal = {error.kind(), error.what()};
  }
  return property;
}

void read_embedded(Loaded& loaded, const std::vector<EmbeddedQuery>& queries, Diagnostics& diagnostics) {
  const Scope& scope = *loaded.scope;
  for (const EmbeddedQuery& embedded : queries) {
    Diagnostics own(diagnostics.watch());
    scope.elaborator.report_to(own);
    Parser parser(*scope.ast, *scope.model, *embedded.formula, loaded.system->sources, own, true);
    if (const auto query = parser.single_query()) {
      model::Property property = to_property(scope, loaded.system->sources, *query, own);
      if (!embedded.comment.empty()) {
        property.comment = embedded.comment;
        property.expected = expected_by(embedded.comment);
      }
      if (!embedded.expected.empty()) property.expected = embedded.expected;
      loaded.embedded_queries.push_back(std::move(property));
    }
    // Errors stay with the query: the model has none.
    for (const Diagnostic& d : own.all()) {
      if (d.severity == Severity::Warning) diagnostics.warning(d.at, d.message);
    }
  }
}

}  // namespace

Loaded load(std::string text, const std::string& name, Diagnostics& diagnostics) {
  Loaded loaded;
  loaded.system = std::make_shared<model::System>();
  model::System& system = *loaded.system;
  system.name = name;
  system.language = "uppaal";
  system.content_hash = hash_text(text);
  auto scope = std::make_shared<Scope>(system);
  std::vector<EmbeddedQuery> embedded;
  if (looks_like_xml(text)) {
    const uint32_t file = system.sources.add_file(name, std::move(text));
    read_xml(file, system.sources, diagnostics, *scope->ast, *scope->model, embedded);
  } else {
    const uint32_t file = system.sources.add_file(name, text);
    const TextPiece& piece = scope->ast->add_text(whole_file(std::move(text), file));
    Parser(*scope->ast, *scope->model, piece, system.sources, diagnostics).model_text();
  }
  loaded.scope = scope;
  // What a broken declaration would have declared is missing everywhere: no more errors after syntax errors.
  if (diagnostics.has_errors()) return loaded;
  scope->elaborator.report_to(diagnostics);
  scope->elaborator.run();
  if (!diagnostics.has_errors()) read_embedded(loaded, embedded, diagnostics);
  return loaded;
}

std::vector<model::Property> parse_queries(Loaded& loaded, std::string text, const std::string& name,
                                           Diagnostics& diagnostics) {
  std::vector<model::Property> result;
  const Scope& scope = *loaded.scope;
  Sources& sources = loaded.system->sources;
  const uint32_t file = sources.add_file(name, text);
  const TextPiece& piece = scope.ast->add_text(whole_file(std::move(text), file));
  Diagnostics own(diagnostics.watch());  // about one query at a time
  bool given_up = false;
  const auto settle = [&] {
    given_up = given_up || own.full();
    for (const Diagnostic& d : own.take()) diagnostics.add(d);
    scope.elaborator.report_to(own);
  };
  settle();
  Parser(*scope.ast, *scope.model, piece, sources, own, true).queries([&](const QueryNode& query) {
    result.push_back(to_property(scope, sources, query, own));
    settle();
  });
  // What belongs to no query, such as a comment without an end, or keeps the rest from being read.
  if (own.has_errors() || given_up) {
    model::Property rest;
    rest.text = "the rest of " + name;
    const std::string why = own.has_errors() ? to_error(sources, own).what() : name + ": too many errors, giving up";
    rest.refusal = {ErrorKind::Input, why};
    result.push_back(std::move(rest));
  }
  settle();
  scope.elaborator.report_to(diagnostics);
  return result;
}

}  // namespace harrier::uppaal
