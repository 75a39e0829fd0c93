#include "harrier/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/data.h"
#include "api/read_trace.h"
#include "api/simulated_path.h"
#include "api/simulation_view.h"
#include "api/stepper.h"
#include "api/watching.h"
#include "api/witness.h"
#include "base/rng.h"
#include "trace/run.h"
#include "trace/validator.h"

namespace harrier {

namespace {

using api::InstancePtr;
using api::Position;
using api::SimulatedPath;
using api::Stepper;
using model::Property;

constexpr size_t kMostListed = 10'000;

std::string failure_text(const model::System& system, const model::EvalFailure& failure) {
  const std::string at = system.sources.describe(failure.at);
  return model::fault_text(system, failure.fault) + (at.empty() ? "" : " at " + at);
}

bool asks_for_state(const Property& property) {
  return !property.refusal && !property.on_fair_paths &&
         (property.kind == PropertyKind::Reachable || property.kind == PropertyKind::Invariant);
}

// A property, to be asked in states of a system that has the same variables and perhaps fewer at the end.
class Question {
 public:
  Question(InstancePtr instance, Property property, const model::System& asked, const Watch& watch)
      : instance_(std::move(instance)),
        property_(std::move(property)),
        semantics_(system(), property_, watch, step::all_clocks(system())) {
    const size_t common = std::min(system().variables.size(), asked.variables.size());
    for (size_t v = 0; v < common; ++v) {
      if (system().variables[v].name == asked.variables[v].name) continue;
      throw Error(ErrorKind::Unsupported, "unsupported: '" + property_.text + "' in the system of this trace");
    }
  }

  const model::System& system() const { return instance_->system(); }
  const Property& property() const { return property_; }

  // What a state satisfies of the goal. Throws EvalFailure.
  std::optional<step::ZoneStepper::Reached> ask(const SimulatedPath& path, const Watch& watch) const {
    Position position = path.here();
    const size_t known = position.values.size();
    position.values.resize(system().variables.size());
    for (size_t v = known; v < position.values.size(); ++v) position.values[v] = system().variables[v].initial;
    Stepper stepper(semantics_, watch);
    stepper.load(position, path.delay());
    return stepper.goal();
  }

 private:
  InstancePtr instance_;
  Property property_;
  step::Semantics semantics_;
};

}  // namespace

class Simulation::Inside {
 public:
  Inside(const Model& model, const Limits& limits)
      : model_(model), path_(Inside::start(model, part_), Watch(api::bounds_of(limits, bytes_before()))) {
    const Watch watch = this->watch(limits);
    std::optional<std::pair<std::vector<int32_t>, Position>> only;
    size_t count = 0;
    try {
      Stepper(path_.semantics(), watch).initial([&](std::vector<int32_t> choices, Position position) {
        only.emplace(std::move(choices), std::move(position));
        return ++count < 2;
      });
    } catch (const model::EvalFailure&) {  // that is told when somebody asks what can happen
      count = 0;
    }
    if (count != 1) return;
    path_.begin(std::move(only->first), only->second);
    path_.refine(watch);
  }

  const SimulatedPath& path() const { return path_; }
  const model::System& system() const { return path_.system(); }
  SimulatedPath& changed() {
    listed_.reset();
    return path_;
  }
  Rng& rng() { return rng_; }
  Watch watch(const Limits& limits) const { return Watch(api::bounds_of(limits, bytes_before())); }
  const api::Data& data() const { return api::Inside::of(model_); }

  struct Listed {
    Transitions shown;
    std::vector<std::pair<model::PathStep, Position>> steps;
    std::vector<std::vector<int32_t>> beginnings;
  };
  const Listed& list(const Watch& watch) {
    if (!listed_) listed_ = path_.begun() ? successors(watch) : beginnings(watch);
    return *listed_;
  }

  void need_beginning() const {
    if (!path_.begun()) throw Error(ErrorKind::Usage, "there is no state yet: take an initial state first");
  }

  // One of all that can happen, each as likely as the others. False: nothing can, or the model fails.
  bool step_randomly(std::optional<Stepper>& stepper, const Watch& watch) {
    const step::Semantics* before = &path_.semantics();
    std::optional<std::pair<model::PathStep, Position>> drawn;
    uint64_t count = 0;
    try {
      stepper->load(path_.here(), path_.delay());
      stepper->successors([&] {
        watch.poll();
        if (rng_.below(++count) == 0) drawn.emplace(stepper->step(), stepper->candidate());
        return true;
      });
    } catch (const model::EvalFailure&) {
      return false;
    }
    if (!drawn) return false;
    changed().append(std::move(drawn->first), drawn->second);
    path_.refine(watch);
    if (&path_.semantics() != before) stepper.emplace(path_.semantics(), watch);
    return true;
  }

  void begin_randomly(const Watch& watch) {
    if (path_.begun()) return;
    const Listed& all = list(watch);
    if (all.beginnings.empty()) throw Error(ErrorKind::Usage, "the model has no initial state");
    take(rng_.below(all.beginnings.size()), watch);
  }

  void take(size_t number, const Watch& watch) {
    const Listed& all = list(watch);
    if (number >= all.steps.size()) {
      throw Error(ErrorKind::Usage, all.steps.empty() ? "there is no transition to take"
                                                      : fmt::format("there is no transition {}, but {} of them",
                                                                    number + 1, all.steps.size()));
    }
    auto [step, position] = all.steps[number];
    if (path_.begun()) {
      changed().append(std::move(step), position);
    } else {
      std::vector<int32_t> choices = all.beginnings[number];
      changed().begin(std::move(choices), position);
    }
    path_.refine(watch);
  }

  // The properties of the model that are about its states, by number.
  const std::vector<std::pair<size_t, std::unique_ptr<Question>>>& questions(const Watch& watch) {
    if (asked_ == path_.instance()) return questions_;
    std::vector<std::pair<size_t, std::unique_ptr<Question>>> all;
    for (size_t i = 0; i < data().places.size(); ++i) {
      const api::PropertyPlace& place = data().places[i];
      if (place.part != part_ || place.number >= path_.instance()->properties().size()) continue;
      const Property& property = path_.instance()->properties()[place.number];
      if (asks_for_state(property)) all.emplace_back(i, question(path_.instance(), property, watch));
    }
    questions_ = std::move(all);
    asked_ = path_.instance();
    return questions_;
  }

  std::unique_ptr<Question> question(const InstancePtr& instance, Property property, const Watch& watch) const {
    std::erase_if(property.goal, [](const model::Clause& clause) { return clause.incomplete; });
    return std::make_unique<Question>(instance, std::move(property), system(), watch);
  }

  std::unique_ptr<Question> condition(const std::string& text, const Watch& watch) const {
    const InstancePtr instance = data().document->with_condition(*path_.instance(), text, watch);
    const Property& property = instance->properties().back();
    if (property.refusal) throw Error(property.refusal->kind, property.refusal->text);
    return question(instance, property, watch);
  }

  // Throws Error(Runtime) if there is none.
  std::optional<step::ZoneStepper::Reached> answer(const Question& question, const Watch& watch) const {
    try {
      return question.ask(path_, watch);
    } catch (const model::EvalFailure& failure) {
      throw Error(ErrorKind::Runtime, fmt::format("'{}' has no answer here: {}", question.property().text,
                                                  failure_text(question.system(), failure)));
    }
  }

  void go_on_from(SimulatedPath path, const api::Part* part) {
    changed() = std::move(path);
    part_ = part;
  }

 private:
  uint64_t bytes_before() const { return data().bytes_before; }

  // The first system without a claim, if there is one.
  static InstancePtr start(const Model& model, const api::Part*& part) {
    const auto& parts = api::Inside::of(model).parts;
    const auto free =
        std::find_if(parts.begin(), parts.end(), [](const auto& p) { return !p->now()->system().claim.valid(); });
    part = free == parts.end() ? parts.front().get() : free->get();
    return part->now();
  }

  Listed successors(const Watch& watch) const {
    Listed out;
    Stepper stepper(path_.semantics(), watch);
    const Position here = path_.here();
    try {
      stepper.load(here, path_.delay());
      stepper.successors([&] {
        watch.poll();
        out.shown.more = out.steps.size() == kMostListed;
        if (out.shown.more) return false;
        out.steps.emplace_back(stepper.step(), stepper.candidate());
        return true;
      });
    } catch (const model::EvalFailure& failure) {
      out.shown.failure = failure_text(system(), failure);
    }
    for (const auto& [step, target] : out.steps) {
      Transition& shown = out.shown.all.emplace_back();
      shown.text = api::step_text(system(), step, here.values, target.values);
      for (const model::EdgeId edge : step.edges) shown.edges.push_back(trace::describe(system(), edge));
      shown.choices = step.choices;
    }
    return out;
  }

  Listed beginnings(const Watch& watch) const {
    Listed out;
    try {
      Stepper(path_.semantics(), watch).initial([&](std::vector<int32_t> choices, Position position) {
        watch.poll();
        out.shown.more = out.steps.size() == kMostListed;
        if (out.shown.more) return false;
        std::vector<std::string> values;
        for (const Value& value : api::shown_values(system(), position.values, position.values)) {
          values.push_back(value.name.empty() ? value.value : value.name + " = " + value.value);
        }
        out.shown.all.push_back({fmt::format("{}", fmt::join(values, ", ")), {}, choices});
        out.beginnings.push_back(std::move(choices));
        out.steps.emplace_back(model::PathStep(), std::move(position));
        return true;
      });
    } catch (const model::EvalFailure& failure) {
      out.shown.failure = failure_text(system(), failure);
    }
    return out;
  }

  Model model_;
  const api::Part* part_ = nullptr;  // whose system it is; null: another one
  SimulatedPath path_;
  Rng rng_{1};
  std::optional<Listed> listed_;  // of where the path stands
  InstancePtr asked_;
  std::vector<std::pair<size_t, std::unique_ptr<Question>>> questions_;  // of that instance
};

Simulation::Simulation(const Model& model, const Limits& limits) : inside_(std::make_unique<Inside>(model, limits)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

bool Simulation::begun() const { return inside_->path().begun(); }
size_t Simulation::position() const { return inside_->path().place(); }
size_t Simulation::known_steps() const { return inside_->path().last(); }
bool Simulation::timed() const { return inside_->path().semantics().timed(); }

std::vector<Simulation::Value> Simulation::values() const {
  const SimulatedPath& path = inside_->path();
  if (!path.begun()) return {};
  const Position here = path.here();
  return api::shown_values(path.system(), path.place() == 0 ? here.values : path.position(path.place() - 1).values,
                           here.values);
}

std::vector<std::string> Simulation::zone(const Limits& limits) {
  const SimulatedPath& path = inside_->path();
  if (!path.begun()) return {};
  const Watch watch = inside_->watch(limits);
  Stepper stepper(path.semantics(), watch);
  stepper.load(path.here(), path.delay());
  return stepper.zone();
}

std::optional<int32_t> Simulation::waited() const {
  return begun() ? inside_->path().delay() : std::optional<int32_t>();
}

std::vector<Simulation::Standing> Simulation::standings(const Limits& limits) {
  std::vector<Standing> out;
  if (!begun()) return out;
  const Watch watch = inside_->watch(limits);
  for (const auto& [number, question] : inside_->questions(watch)) {
    const Property& property = question->property();
    try {
      const auto reached = question->ask(inside_->path(), watch);
      if (!reached) continue;
      const std::string& reason = property.goal[reached->clause].text;
      out.push_back({number, fmt::format("{} '{}'{}", api::holds_by_witness(property) ? "reaches" : "violates",
                                         property.text, reason.empty() ? "" : ": " + reason)});
    } catch (const model::EvalFailure& failure) {
      out.push_back(
          {number, fmt::format("'{}' has no answer: {}", property.text, failure_text(question->system(), failure))});
    }
  }
  return out;
}

const Simulation::Transitions& Simulation::transitions(const Limits& limits) {
  return inside_->list(inside_->watch(limits)).shown;
}

std::string Simulation::last_step() const {
  const SimulatedPath& path = inside_->path();
  if (path.place() == 0) return "";
  return api::step_text(path.system(), path.step(path.place()), path.position(path.place() - 1).values,
                        path.here().values);
}

void Simulation::take(size_t transition, const Limits& limits) { inside_->take(transition, inside_->watch(limits)); }

void Simulation::wait(std::optional<int32_t> delay, const Limits& limits) {
  inside_->need_beginning();
  if (!timed()) throw Error(ErrorKind::Usage, "the model has no clocks: no time passes");
  const SimulatedPath& path = inside_->path();
  std::optional<int32_t> all;
  if (delay) {
    const int64_t sum = int64_t{path.delay().value_or(0)} + *delay;
    if (*delay < 0 || sum > zone::kLargestConstant) {
      throw Error(ErrorKind::Usage, fmt::format("a delay is a number from 0 to {}", zone::kLargestConstant));
    }
    all = static_cast<int32_t>(sum);
    const Watch watch = inside_->watch(limits);
    if (!Stepper(path.semantics(), watch).load(path.here(), all)) {
      throw Error(ErrorKind::Usage, fmt::format("{} time units cannot pass here", sum));
    }
  }
  inside_->changed().set_delay(all);
}

void Simulation::go_to(size_t position) {
  inside_->need_beginning();
  if (position > known_steps()) {
    throw Error(ErrorKind::Usage, fmt::format("there is no step {}: they go from 0 to {}", position, known_steps()));
  }
  inside_->changed().go_to(position);
}

void Simulation::seed(uint64_t seed) { inside_->rng() = Rng(seed); }

uint64_t Simulation::random(uint64_t steps, const Limits& limits) {
  const Watch watch = inside_->watch(limits);
  inside_->begin_randomly(watch);
  std::optional<Stepper> stepper;
  stepper.emplace(inside_->path().semantics(), watch);
  uint64_t done = 0;
  while (done < steps && inside_->step_randomly(stepper, watch)) ++done;
  return done;
}

bool Simulation::run_until(const std::string& condition, uint64_t most_steps, const Limits& limits) {
  const Watch watch = inside_->watch(limits);
  inside_->begin_randomly(watch);
  InstancePtr asked = inside_->path().instance();
  std::unique_ptr<Question> question = inside_->condition(condition, watch);
  std::optional<Stepper> stepper;
  stepper.emplace(inside_->path().semantics(), watch);
  for (uint64_t done = 0; done < most_steps && inside_->step_randomly(stepper, watch); ++done) {
    if (asked != inside_->path().instance()) {
      question = inside_->condition(condition, watch);
      asked = inside_->path().instance();
    }
    if (inside_->answer(*question, watch)) return true;
  }
  return false;
}

Trace Simulation::trace(std::optional<size_t> number, const Limits& limits) {
  inside_->need_beginning();
  const Watch watch = inside_->watch(limits);
  const SimulatedPath& path = inside_->path();
  model::Path steps = path.path();
  Property property = trace::run_property();
  if (number) {
    const auto& all = inside_->questions(watch);
    const auto asked = std::find_if(all.begin(), all.end(), [&](const auto& q) { return q.first == *number; });
    const auto reached = asked == all.end() ? std::nullopt : inside_->answer(*asked->second, watch);
    if (!reached) throw Error(ErrorKind::Usage, fmt::format("this is no witness for property {}", *number + 1));
    const api::PropertyPlace& place = inside_->data().place(*number);
    property = path.instance()->properties()[place.number];
    const size_t incomplete = property.goal.size() - asked->second->property().goal.size();  // they come first
    steps.goal_clause = reached->clause + incomplete;
    steps.goal_extra = reached->extra;
  }
  trace::Trace out = trace::build_trace(path.system(), property, steps, watch, path.delays());
  const trace::ValidationReport report = trace::validate(path.system(), property, out, watch);
  std::string problem = report.valid ? "" : report.text();
  if (problem.empty() && number) problem = path.instance()->objection(steps, watch);
  if (!problem.empty()) throw Error(ErrorKind::Internal, "the simulated trace does not pass validation: " + problem);
  return api::published(std::move(out), path.instance());
}

void Simulation::load(const std::string& trace_json, const std::string& name, const Limits& limits) {
  const Watch watch = inside_->watch(limits);
  const api::Replayed replayed = api::read_replayed(inside_->data(), trace_json, name, watch);
  const std::string problem = replayed.problem(watch);
  if (!problem.empty()) throw Error(ErrorKind::Input, name + ": not a valid trace: " + problem);
  SimulatedPath path(replayed.instance, watch);
  path.follow(replayed.trace, watch);
  inside_->go_on_from(std::move(path), replayed.part);
}

}  // namespace harrier
