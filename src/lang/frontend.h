// What a language is to the rest of Harrier. A front end is a folder of this room and a line in table.cpp; nothing
// outside of its folder knows the language.
//
//     const Frontend& language = told_frontend(text, "model.pml");                  // table.h
//     std::shared_ptr<const Document> document = language.load({text, "model.pml", options}, watch);
//     std::shared_ptr<const Instance> first = document->instance(0, nullptr, watch);
//     … first->system(), first->properties() …
//
// Documents and instances do not change, so that any number of threads may use them; what changes them makes others.
// What is wrong with an input is thrown as Error(Input) or Error(Unsupported), with all diagnostics.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/watch.h"
#include "harrier/language.h"
#include "lang/detect.h"
#include "model/drawing.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::lang {

// What came of a plan.
struct Replayed {
  std::string problem;  // empty: it leads to the goal
  uint64_t steps = 0;   // that could be carried out
  uint64_t cost = 0;    // of these
};

// A system and its properties: what a search works on.
class Instance {
 public:
  Instance(std::shared_ptr<const model::System> system, std::vector<model::Property> properties)
      : system_(std::move(system)), properties_(std::move(properties)) {}
  virtual ~Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const model::System& system() const { return *system_; }
  const std::vector<model::Property>& properties() const { return properties_; }

  // What a system needs may show only when it runs. Then the first clause of every goal says that something is missing
  // (Clause::incomplete): a search finds such a state before anything else, and the front end makes the system again,
  // with what is missing in a state with these values. Null: there is nothing to be refined.
  virtual std::shared_ptr<const Instance> refined(std::span<const int32_t> values, const Watch& watch) const;
  // The instance that a trace was made with which has these processes; null: this one.
  virtual std::shared_ptr<const Instance> with_processes(const std::vector<std::string>& names,
                                                         const Watch& watch) const;
  // Of a property that counts on fair paths only (Property::on_fair_paths): a system that can tell them, with the same
  // property as its only one.
  virtual std::shared_ptr<const Instance> fairly(size_t property, const Watch& watch) const;
  // Whether a search may find that something is missing.
  virtual bool may_be_incomplete() const { return false; }

  // The path as a trail for the language's own tool, or as a plan; empty: the language has none.
  virtual std::string trail(const model::Path& path) const;
  // A plan that was written so. Throws Error(Input) if it cannot be read. Only of languages with plans.
  virtual Replayed replay(std::string plan, const std::string& name, const Watch& watch) const;
  // Why the path is no witness by the rules of the language itself, looked at without anything that the system was made
  // with; empty: it is one, or nothing more than the system is known.
  virtual std::string objection(const model::Path& path, const Watch& watch) const;
  // Why no goal can be reached, where that was proved before any search: a sentence. Empty: it was not.
  virtual std::string refutation() const;
  // As a SAS+ task. Only of languages that have this.
  virtual std::string sas(const Watch& watch) const;
  // Where the file says that processes are drawn; nothing if it does not say so.
  virtual model::Drawing drawing() const;

 private:
  std::shared_ptr<const model::System> system_;
  std::vector<model::Property> properties_;
};

// A model that was read. It may be several systems, each with properties of its own: a claim is a process, so that a
// model with several claims is a system for each.
class Document {
 public:
  virtual ~Document() = default;

  virtual size_t instances() const { return 1; }
  // `known` is an instance of the same document that has been refined, or null: what is known from there is used.
  virtual std::shared_ptr<const Instance> instance(size_t number, const Instance* known, const Watch& watch) const = 0;

  // The model with the queries of a text, in addition to those it has. A query that cannot be used is a property with a
  // refusal. Only of languages with queries.
  virtual std::shared_ptr<const Document> with_queries(std::string text, const std::string& name,
                                                       const Watch& watch) const;

  // An instance with the system of this one and one more property, its last: that a state can be reached in which a
  // condition holds, an expression as the language has them. There may be more variables behind those of the system.
  // Throws what is wrong with the expression, Error(Unsupported) if the system would have to be another one.
  virtual std::shared_ptr<const Instance> with_condition(const Instance& instance, std::string text,
                                                         const Watch& watch) const = 0;

  // What there is to say about what was read last, ready to be shown: the model, or the queries.
  const std::string& warnings() const { return warnings_; }

  virtual Translation translation() const { return {}; }

 protected:
  explicit Document(std::string warnings) : warnings_(std::move(warnings)) {}

 private:
  std::string warnings_;
};

// A file that belongs to a model.
struct Companion {
  std::string text;
  std::string name;
};

// A model as text. Its name is that of its file, beside which a front end finds others that belong to it, unless they
// are given. Either of two files may come first.
struct Input {
  std::string text;
  std::string name;
  LanguageOptions options;
  std::optional<Companion> companion = std::nullopt;  // only for languages that have one (LanguageInfo::companion)
};

struct Frontend {
  LanguageInfo info;
  Signs signs;  // in the content
  std::shared_ptr<const Document> (*load)(Input input, const Watch& watch);
};

// Throws if there are errors; returns the warnings.
std::string settle(const Sources& sources, const Diagnostics& diagnostics);

// The values of an option, in order.
std::vector<std::string> values_of(const LanguageOptions& options, const std::string& name);
bool is_given(const LanguageOptions& options, const std::string& name);

}  // namespace harrier::lang
