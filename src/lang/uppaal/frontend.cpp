#include "lang/uppaal/frontend.h"

#include <mutex>
#include <utility>

#include "lang/uppaal/drawing.h"
#include "lang/uppaal/uppaal.h"

namespace harrier::uppaal {

namespace {

struct QueryText {
  std::string text;
  std::string name;

  bool operator==(const QueryText&) const = default;
};

// The names of a model, to which queries are added one text after the other: each may add functions and variables to
// the system. Documents that have grown in the same way share them.
struct Names {
  std::mutex mutex;
  Loaded loaded;  // its system is empty between two additions: those who have the last one own it
  std::vector<QueryText> queries;
  std::shared_ptr<const lang::Instance> last;  // the system with all of them
  bool whole = true;                           // no addition was broken off
};

class Processes : public lang::Instance {
 public:
  using Instance::Instance;

  model::Drawing drawing() const override { return drawing_of(system()); }
};

class Network : public lang::Document {
 public:
  Network(std::shared_ptr<Names> names, std::string warnings)
      : Document(std::move(warnings)), names_(std::move(names)), queries_(names_->queries), instance_(names_->last) {}

  std::shared_ptr<const lang::Instance> instance(size_t, const lang::Instance*, const Watch&) const override {
    return instance_;
  }

  std::shared_ptr<const lang::Document> with_queries(std::string text, const std::string& name,
                                                     const Watch& watch) const override {
    const std::lock_guard lock(names_->mutex);
    if (names_->whole && names_->queries == queries_) return extended(names_, {std::move(text), name}, watch);
    // Another copy of the model has got other queries meanwhile: begin anew. What there was to say has been said.
    const model::System& system = instance_->system();
    const std::shared_ptr<Names> names = read(system.sources.text(0), system.name, watch).first;
    for (const QueryText& query : queries_) extended(names, query, watch);
    return extended(names, {std::move(text), name}, watch);
  }

  // A query of its own; edges and clocks are those of all instances of the model.
  std::shared_ptr<const lang::Instance> with_condition(const lang::Instance&, std::string text,
                                                       const Watch& watch) const override {
    auto instance = with_queries("E<> " + text, "condition", watch)->instance(0, nullptr, watch);
    if (instance->properties().size() != instance_->properties().size() + 1) {
      throw Error(ErrorKind::Input, "'" + text + "' is not one condition");
    }
    return instance;
  }

  // The names of a model that is read, and the warnings.
  static std::pair<std::shared_ptr<Names>, std::string> read(std::string text, const std::string& name,
                                                             const Watch& watch) {
    auto names = std::make_shared<Names>();
    Diagnostics diagnostics(watch);
    names->loaded = load(std::move(text), name, diagnostics);
    std::string warnings = lang::settle(names->loaded.system->sources, diagnostics);
    hand_over(*names, std::move(names->loaded.embedded_queries));
    return {std::move(names), std::move(warnings)};
  }

 private:
  static void hand_over(Names& names, std::vector<model::Property> properties) {
    auto system = std::make_shared<model::System>(std::move(*names.loaded.system));
    names.last = std::make_shared<Processes>(std::move(system), std::move(properties));
  }

  static std::shared_ptr<const lang::Document> extended(const std::shared_ptr<Names>& names, QueryText query,
                                                        const Watch& watch) {
    names->whole = false;  // until it is done
    *names->loaded.system = names->last->system();
    std::vector<model::Property> properties = names->last->properties();
    Diagnostics diagnostics(watch);
    for (model::Property& added : parse_queries(names->loaded, query.text, query.name, diagnostics)) {
      properties.push_back(std::move(added));
    }
    std::string warnings;
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity == Severity::Warning) warnings += format_diagnostic(names->loaded.system->sources, d);
    }
    hand_over(*names, std::move(properties));
    names->queries.push_back(std::move(query));
    names->whole = true;
    return std::make_shared<Network>(names, std::move(warnings));
  }

  std::shared_ptr<Names> names_;
  std::vector<QueryText> queries_;  // of this document
  std::shared_ptr<const lang::Instance> instance_;
};

std::shared_ptr<const lang::Document> load_document(lang::Input input, const Watch& watch) {
  auto [names, warnings] = Network::read(std::move(input.text), input.name, watch);
  return std::make_shared<Network>(std::move(names), std::move(warnings));
}

}  // namespace

lang::Frontend frontend() {
  return {.info = {.name = "uppaal",
                   .title = "UPPAAL",
                   .summary = "timed automata as text (old and new syntax) or XML, queries inside or in .q files",
                   .suffixes = {".xta", ".ta", ".xml"},
                   .clocks = true,
                   .queries = true},
          .signs = {.start = "<",  // XML
                    .words = {"broadcast", "clock", "const", "meta", "process", "system", "urgent", "void"}},
          .load = load_document};
}

}  // namespace harrier::uppaal
