// Entry points: loading a model, and parsing queries against it.
#include "lang/uppaal/uppaal.h"

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

// Queries inside a model. If at least one of them can be used, the others are only warned about.
void read_embedded(Loaded& loaded, const std::vector<const TextPiece*>& pieces, Diagnostics& diagnostics) {
  std::vector<Diagnostic> problems;
  const Scope& scope = *loaded.scope;
  for (const TextPiece* piece : pieces) {
    Diagnostics own(diagnostics.watch());
    scope.elaborator.report_to(own);
    Parser parser(*scope.ast, *scope.model, *piece, loaded.system->sources, own, true);
    if (const auto query = parser.single_query()) {
      if (auto property = scope.elaborator.property(*query); property && !own.has_errors()) {
        loaded.embedded_queries.push_back(std::move(*property));
      }
    }
    if (own.has_errors()) ++loaded.queries_left_out;
    problems.insert(problems.end(), own.all().begin(), own.all().end());
  }
  for (const Diagnostic& problem : problems) {
    if (!loaded.embedded_queries.empty() || problem.severity == Severity::Warning) {
      const bool refused = problem.severity == Severity::Unsupported;
      diagnostics.warning(problem.at,
                          "query left out: " + std::string(refused ? "unsupported: " : "") + problem.message);
    } else if (problem.severity == Severity::Error) {
      diagnostics.error(problem.at, problem.message);
    } else {
      diagnostics.unsupported(problem.at, problem.message);
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
  const bool xml = looks_like_xml(text);
  const uint32_t file = system.sources.add_file(name, xml ? std::move(text) : text);
  std::vector<const TextPiece*> embedded;
  if (xml) {
    read_xml(file, system.sources, diagnostics, *scope->ast, *scope->model, embedded);
  } else {
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
  scope.elaborator.report_to(diagnostics);
  Parser(*scope.ast, *scope.model, piece, sources, diagnostics, true).queries([&](const QueryNode& query) {
    if (auto property = scope.elaborator.property(query)) result.push_back(std::move(*property));
  });
  return result;
}

}  // namespace harrier::uppaal
