#include "lang/pddl/frontend.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "lang/pddl/condition.h"
#include "lang/pddl/files.h"
#include "lang/pddl/operator_plan.h"
#include "lang/pddl/parser.h"
#include "lang/pddl/plan.h"
#include "lang/pddl/plan_validator.h"
#include "lang/pddl/sas.h"
#include "lang/pddl/translation.h"

namespace harrier::pddl {

namespace {

std::vector<PlanStep> read_plan(std::string plan, const std::string& name, const Watch& watch) {
  Sources sources;
  Diagnostics diagnostics(watch);
  const uint32_t file = sources.add_file(name, std::move(plan));
  std::vector<PlanStep> steps = parse_plan(sources, file, diagnostics);
  lang::settle(sources, diagnostics);
  return steps;
}

// What both languages have in common: actions by name.
class PlanningInstance : public lang::Instance {
 public:
  PlanningInstance(std::shared_ptr<const model::System> system, std::vector<model::Property> properties,
                   std::string refutation, bool costs)
      : Instance(std::move(system), std::move(properties)), refutation_(std::move(refutation)), costs_(costs) {}

  std::string trail(const model::Path& path) const override {
    return plan_text(names_of(path), cost_of(path), !costs_);
  }

  // What others get to see of a plan is what is looked at.
  std::string objection(const model::Path& path, const Watch& watch) const override {
    const lang::Replayed replayed = replay(trail(path), "plan", watch);
    if (!replayed.problem.empty() || replayed.cost == cost_of(path)) return replayed.problem;
    return "it costs " + std::to_string(replayed.cost) + ", not " + std::to_string(cost_of(path));
  }

  std::string refutation() const override { return refutation_; }

 private:
  std::vector<std::string> names_of(const model::Path& path) const {
    std::vector<std::string> out;
    for (const model::PathStep& step : path.steps) out.push_back(system().edge(step.edges.front()).label);
    return out;
  }
  uint64_t cost_of(const model::Path& path) const {
    uint64_t out = 0;
    for (const model::PathStep& step : path.steps) out += system().edge(step.edges.front()).cost;
    return out;
  }

  std::string refutation_;
  bool costs_;
};

class PddlInstance : public PlanningInstance {
 public:
  PddlInstance(std::shared_ptr<const model::System> system, std::vector<model::Property> properties,
               std::string refutation, std::shared_ptr<const Task> task)
      : PlanningInstance(std::move(system), std::move(properties), std::move(refutation), task->costs),
        task_(std::move(task)) {}

  lang::Replayed replay(std::string plan, const std::string& name, const Watch& watch) const override {
    const PlanVerdict verdict = validate_plan(*task_, read_plan(std::move(plan), name, watch), watch);
    return {verdict.valid ? "" : verdict.problem, verdict.steps, verdict.cost};
  }

  // Made anew, since it would take as much memory as the model.
  std::string sas(const Watch& watch) const override {
    Diagnostics none(watch);
    return to_sas(translate(*task_, Stopwatch(watch), none));
  }

 private:
  std::shared_ptr<const Task> task_;
};

class SasInstance : public PlanningInstance {
 public:
  SasInstance(std::shared_ptr<const model::System> system, std::vector<model::Property> properties,
              std::string refutation, FiniteTask task)
      : PlanningInstance(std::move(system), std::move(properties), std::move(refutation), task.costs),
        task_(std::move(task)) {}

  lang::Replayed replay(std::string plan, const std::string&, const Watch& watch) const override {
    return pddl::replay(task_, plan_names(plan), watch);
  }

  std::string sas(const Watch&) const override { return to_sas(task_); }

 private:
  FiniteTask task_;
};

class PlanningText : public lang::Document {
 public:
  PlanningText(std::shared_ptr<const lang::Instance> instance, harrier::Translation translation, std::string warnings)
      : Document(std::move(warnings)), instance_(std::move(instance)), translation_(std::move(translation)) {}

  std::shared_ptr<const lang::Instance> instance(size_t, const lang::Instance*, const Watch&) const override {
    return instance_;
  }
  harrier::Translation translation() const override { return translation_; }
  std::shared_ptr<const lang::Instance> with_condition(const lang::Instance& instance, std::string text,
                                                       const Watch& watch) const override {
    auto system = std::make_shared<model::System>(instance.system());
    Diagnostics diagnostics(watch);
    model::Property property = condition(*system, std::move(text), diagnostics);
    lang::settle(system->sources, diagnostics);
    return std::make_shared<lang::Instance>(std::move(system), std::vector{std::move(property)});
  }

 private:
  std::shared_ptr<const lang::Instance> instance_;
  harrier::Translation translation_;
};

std::shared_ptr<const model::System> completed(model::System system, const std::string& language, Sources sources) {
  system.name = sources.file_name(0);
  system.language = language;
  system.content_hash = 0;
  for (uint32_t i = 0; i < sources.file_count(); ++i) system.content_hash ^= mix64(hash_text(sources.text(i)) + i);
  system.telling = model::Telling::Actions;
  system.sources = std::move(sources);
  return std::make_shared<const model::System>(std::move(system));
}

// An operator stands in the text where its action does; its name begins with that of the action: "(drive van mill)".
void place_operators(model::System& system, const Task& task) {
  std::map<std::string_view, SourceRef> places;
  for (const Action& action : task.actions) places[action.name] = action.at;
  for (model::Edge& edge : system.edges) {
    const std::string_view name = edge.label;
    if (!name.starts_with('(')) continue;
    const auto found = places.find(name.substr(1, name.find_first_of(" )") - 1));
    if (found != places.end()) edge.at = found->second;
  }
}

std::shared_ptr<const lang::Document> load(lang::Input input, const Watch& watch) {
  const std::vector<std::string> domains = lang::values_of(input.options, "--domain");
  TaskFiles files = find_files(std::move(input), domains.empty() ? "" : domains.front(), watch);
  Sources sources;
  const uint32_t problem = sources.add_file(files.problem.name, std::move(files.problem.text));
  const uint32_t domain = sources.add_file(files.domain.name, std::move(files.domain.text));
  const Stopwatch stopwatch(watch);
  Diagnostics diagnostics(watch);
  double parsing_s = 0;
  auto task = stopwatch.time(
      "parsing", parsing_s, [&] { return std::make_shared<const Task>(parse(sources, domain, problem, diagnostics)); });
  lang::settle(sources, diagnostics);
  FiniteTask finite = translate(*task, stopwatch, diagnostics);
  std::string warnings = lang::settle(sources, diagnostics);
  finite.translation.parsing_s = parsing_s;
  Translated translated = to_model(finite, stopwatch, watch);
  const std::string refutation = translated.solvable ? "" : "It proves that the goal cannot be reached.";
  place_operators(translated.lowered.system, *task);
  auto system = completed(std::move(translated.lowered.system), "pddl", std::move(sources));
  auto instance = std::make_shared<PddlInstance>(std::move(system), std::move(translated.lowered.properties),
                                                 refutation, std::move(task));
  return std::make_shared<PlanningText>(std::move(instance), std::move(translated.statistics), std::move(warnings));
}

std::shared_ptr<const lang::Document> load_sas(lang::Input input, const Watch& watch) {
  Sources sources;
  const uint32_t file = sources.add_file(input.name, std::move(input.text));
  const Stopwatch stopwatch(watch);
  Diagnostics diagnostics(watch);
  double parsing_s = 0;
  FiniteTask task = stopwatch.time("parsing", parsing_s, [&] { return parse_sas(sources, file, diagnostics); });
  std::string warnings = lang::settle(sources, diagnostics);
  task.translation.parsing_s = parsing_s;
  Translated translated = to_model(task, stopwatch, watch);
  auto system = completed(std::move(translated.lowered.system), "sas", std::move(sources));
  auto instance =
      std::make_shared<SasInstance>(std::move(system), std::move(translated.lowered.properties), "", std::move(task));
  return std::make_shared<PlanningText>(std::move(instance), std::move(translated.statistics), std::move(warnings));
}

}  // namespace

// Whether a task begins with a comment or with a parenthesis, no other language does.
lang::Frontend frontend() {
  return {.info = {.name = "pddl",
                   .title = "PDDL",
                   .summary = "planning tasks in PDDL 2.2 without numbers and durations, with action costs",
                   .suffixes = {".pddl"},
                   .plan = true,
                   .sas = true,
                   .companion = "the domain or the problem, unless the domain is beside the problem",
                   .options = {{.name = "--domain",
                                .value = "FILE",
                                .summary = "the domain of the problem, if it is not beside it",
                                .help = "Without it the domain is a second file, or one beside the problem: "
                                        "domain.pddl, domain_NAME.pddl, NAME-domain.pddl (docs/pddl.md).",
                                .reading = true}}},
          .signs = {.start = "(;"},
          .load = load};
}

lang::Frontend sas_frontend() {
  return {.info = {.name = "sas",
                   .title = "SAS+",
                   .summary = "planning tasks with finite-domain variables, version 3 of Fast Downward's format",
                   .suffixes = {".sas"},
                   .plan = true,
                   .sas = true},
          .signs = {.words = {"begin_version"}},
          .load = load_sas};
}

}  // namespace harrier::pddl
