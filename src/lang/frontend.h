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
#include <span>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/watch.h"
#include "harrier/language.h"
#include "lang/detect.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::lang {

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

  // The path as a trail for the language's own tool; empty: the language has none.
  virtual std::string trail(const model::Path& path) const;

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

  // What there is to say about what was read last, ready to be shown: the model, or the queries.
  const std::string& warnings() const { return warnings_; }

 protected:
  explicit Document(std::string warnings) : warnings_(std::move(warnings)) {}

 private:
  std::string warnings_;
};

// A model as text. Its name is that of its file, beside which a front end finds others that belong to it.
struct Input {
  std::string text;
  std::string name;
  LanguageOptions options;
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
