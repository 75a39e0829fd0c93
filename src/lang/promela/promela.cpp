// Entry points: reading a Promela model, and lowering it as often as room must be made for processes.
#include "lang/promela/promela.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "lang/promela/automaton.h"
#include "lang/promela/lowering.h"
#include "lang/promela/names.h"

namespace harrier::promela {

namespace {

// What one system is about: at most one claim, and what is looked for beside it.
struct Task {
  const ProctypeNode* never = nullptr;
  const ExprNode* formula = nullptr;
  std::string name;  // of the formula; empty: it has none
  bool non_progress = false;
  bool assertions = false;
  bool end_states = false;
  bool acceptance = false;
  std::optional<model::Refusal> refusal;  // of a formula that is none; `name` is its text
};

// Made of what was said about one property only; nothing of it is left.
model::Refusal refusal_by(const Sources& sources, Diagnostics& own) {
  const Error error = to_error(sources, own);
  own.take();
  return {error.kind(), error.what()};
}

bool asserts(const Sequence& sequence) {
  return std::any_of(sequence.statements.begin(), sequence.statements.end(), [](const StmtPtr& s) {
    return s->kind == StmtKind::Assert || asserts(s->body) || asserts(s->escape) ||
           std::any_of(s->options.begin(), s->options.end(), asserts);
  });
}

}  // namespace

// What all systems of a model have in common.
struct Source::Text {
  Text(std::string text, const std::string& name, Options options, Diagnostics& diagnostics);
  void choose_claims(Diagnostics& diagnostics);
  // A claim of that name; false if there is none.
  bool find_claim(const std::string& name);
  // A never claim may be there to pick the paths on which assertions have to hold, so they are looked at together.
  void add_never(const ProctypeNode& node) {
    tasks.push_back({.never = &node, .assertions = options.assertions, .acceptance = options.acceptance});
  }
  void add_formula(const ExprNode& formula, const std::string& named) {
    tasks.push_back({.formula = &formula, .name = named, .acceptance = options.acceptance});
  }

  Options options;
  std::string name;
  uint64_t hash = 0;
  Sources sources;
  Parsed parsed;
  std::vector<Goal> goals;
  std::vector<ExprPtr> formulas;
  std::vector<Task> tasks;
};

Source::Text::Text(std::string text, const std::string& file, Options asked, Diagnostics& diagnostics)
    : options(std::move(asked)), name(file), hash(hash_text(text)) {
  parsed = parse_model(sources, sources.add_file(name, std::move(text)), options.defines, diagnostics);
  if (diagnostics.has_errors()) return;
  for (const std::string& goal : options.goals) {
    Diagnostics own(diagnostics.watch());
    ExprPtr expr = parse_expression(sources, sources.add_file("goal", goal), *parsed.macros, own);
    goals.push_back({std::move(expr), goal, {}});
    if (own.has_errors()) goals.back().refusal = refusal_by(sources, own);
  }
  if (options.non_progress) {
    tasks.push_back({.non_progress = true, .assertions = options.assertions});
  } else if (goals.empty()) {
    choose_claims(diagnostics);
  }
  const bool formula = std::any_of(tasks.begin(), tasks.end(), [](const Task& t) { return t.formula != nullptr; });
  const auto& all = parsed.model.proctypes;
  const bool assertions = options.assertions && std::any_of(all.begin(), all.end(), [](const ProctypeNode& p) {
                            using enum ProctypeNode::Kind;
                            if (p.kind == Never) return false;
                            return p.kind == DProctype || p.kind >= Trace || asserts(p.body);
                          });
  const bool end_states = options.end_states.value_or(tasks.empty());
  if (tasks.empty()) {
    tasks.push_back({.assertions = options.assertions, .end_states = end_states, .acceptance = options.acceptance});
  } else if (end_states || (formula && assertions)) {
    tasks.push_back({.assertions = options.assertions, .end_states = end_states});
  }
}

void Source::Text::choose_claims(Diagnostics& diagnostics) {
  for (const std::string& ltl : options.ltl) {
    if (find_claim(ltl)) continue;
    const uint32_t file = sources.add_file("formula", ltl);
    Diagnostics own(diagnostics.watch());
    formulas.push_back(parse_formula(sources, file, *parsed.macros, own));
    if (own.has_errors()) {
      tasks.push_back({.name = ltl, .refusal = refusal_by(sources, own)});
    } else {
      add_formula(*formulas.back(), "");
    }
  }
  if (!options.ltl.empty() || !options.claims) return;
  for (const ProctypeNode& p : parsed.model.proctypes) {
    if (p.kind == ProctypeNode::Kind::Never) add_never(p);
  }
  for (const LtlNode& node : parsed.model.ltl) add_formula(*node.formula, node.name);
}

bool Source::Text::find_claim(const std::string& wanted) {
  for (const ProctypeNode& p : parsed.model.proctypes) {
    if (p.kind != ProctypeNode::Kind::Never || p.name != wanted) continue;
    add_never(p);
    return true;
  }
  for (const LtlNode& node : parsed.model.ltl) {
    if (node.name != wanted) continue;
    add_formula(*node.formula, node.name);
    return true;
  }
  return false;
}

Source::Source(std::string text, const std::string& name, Options options, Diagnostics& diagnostics)
    : Source(std::make_shared<const Text>(std::move(text), name, std::move(options), diagnostics), 0, diagnostics) {}

Source::Source(std::shared_ptr<const Text> text, size_t number, Diagnostics& diagnostics)
    : text_(std::move(text)), options_(text_->options), system_(std::make_shared<model::System>()) {
  system_->sources = text_->sources;
  if (diagnostics.has_errors()) return;
  const Task& task = text_->tasks[number];
  if (task.refusal) {
    refused_ = model::Property{.text = task.name, .refusal = task.refusal};
    make_automata(diagnostics);
    return;
  }
  options_.assertions = task.assertions;
  options_.end_states = task.end_states;
  options_.acceptance = task.acceptance;
  within_claim(diagnostics, [&](Diagnostics& own) {
    if (task.non_progress) claim_ = non_progress_claim();
    if (task.never != nullptr) claim_ = never_claim(*task.never, own);
    if (task.formula != nullptr) claim_ = ltl_claim(*task.formula, task.name, own);
    make_automata(own);
  });
}

void Source::make_automata(Diagnostics& diagnostics) {
  RemoteLabels remote, jumps;
  add_remote_labels(text_->parsed.model, remote);
  if (claim_.made) add_remote_labels(claim_.made->body, remote);
  for (const auto& goal : text_->goals) {
    if (goal.expr) add_remote_labels(*goal.expr, remote);
  }
  if (own_goal_) add_remote_labels(*own_goal_->goal.expr, remote);
  automata_.clear();
  uint32_t id = 0;
  const auto add = [&](const ProctypeNode& proctype) {
    automata_.push_back(std::make_shared<Automaton>(proctype, id, remote, jumps, diagnostics));
    id = automata_.back()->next_id();
  };
  for (const ProctypeNode& proctype : text_->parsed.model.proctypes) add(proctype);
  if (claim_.made) add(*claim_.made);
  if (!diagnostics.has_errors()) check_names(text_->parsed.model, automata_, diagnostics);
}

// Does something with the claim. If that has errors and the model without a claim has none, then it is the claim that
// is refused.
template <class Action>
void Source::within_claim(Diagnostics& diagnostics, Action&& action) {
  Diagnostics own(diagnostics.watch());
  action(own);
  if (own.has_errors() && !claim_.text.empty()) {
    const Claim claim = std::exchange(claim_, {});
    Diagnostics without(diagnostics.watch());
    make_automata(without);
    if (!without.has_errors()) make_system(without);
    if (!without.has_errors()) {
      refused_ = model::Property{.text = claim.text, .name = claim.name, .refusal = refusal_by(text_->sources, own)};
      properties_ = {*refused_};
    }
  }
  for (const Diagnostic& d : own.take()) diagnostics.add(d);
}

std::vector<Source> Source::others(Diagnostics& diagnostics) const {
  std::vector<Source> out;
  for (size_t task = 1; task < text_->tasks.size(); ++task) {
    out.push_back(Source(text_, task, diagnostics));
  }
  return out;
}

Source Source::with_goal(const std::string& goal, Diagnostics& diagnostics) const {
  auto own = std::make_shared<OwnGoal>(OwnGoal{{nullptr, goal, {}}, sources()});
  const uint32_t file = own->sources.add_file("condition", goal);
  own->goal.expr = parse_expression(own->sources, file, *text_->parsed.macros, diagnostics);
  Source out = *this;
  out.system_ = std::make_shared<model::System>();
  out.system_->sources = own->sources;
  if (diagnostics.has_errors()) return out;
  out.own_goal_ = std::move(own);
  out.make_automata(diagnostics);
  return out;
}

const Sources& Source::sources() const { return own_goal_ ? own_goal_->sources : text_->sources; }

void Source::lower(Diagnostics& diagnostics) {
  within_claim(diagnostics, [&](Diagnostics& own) { make_system(own); });
}

void Source::make_system(Diagnostics& diagnostics) {
  system_ = std::make_shared<model::System>();
  system_->name = text_->name;
  system_->language = "promela";
  system_->content_hash = text_->hash;
  system_->sources = sources();
  properties_.clear();
  Lowering lowering(text_->parsed.model, automata_, pairs_, options_, claim_, *system_, diagnostics);
  lowering.run();
  if (diagnostics.has_errors()) return;
  for (const Goal& goal : text_->goals) add_goal(lowering, goal, diagnostics);
  if (text_->goals.empty()) properties_.push_back(refused_ ? *refused_ : lowering.no_errors());
  if (own_goal_) add_goal(lowering, own_goal_->goal, diagnostics);
  missing_ = lowering.missing();
  missing_variable_ = lowering.missing_variable();
  for (model::Property& property : properties_) {
    if (may_lack_room() && !property.refusal) property.goal.insert(property.goal.begin(), lowering.lacks_room());
  }
  trail_ = lowering.trail();
}

void Source::add_goal(Lowering& lowering, const Goal& goal, Diagnostics& diagnostics) {
  std::optional<model::Property> property;
  if (goal.expr) property = lowering.goal(*goal.expr, goal.text);
  if (!property) {
    property = model::Property{.text = goal.text, .refusal = goal.refusal};
    if (!goal.refusal) property->refusal = refusal_by(sources(), diagnostics);
  }
  properties_.push_back(std::move(*property));
}

// One process more, and after some rounds twice as many each time: a room too much costs little, a round a search.
void Source::make_room(std::span<const int32_t> values) {
  constexpr uint32_t kSingle = 12;
  constexpr uint32_t kMostDoubled = 7;
  const auto [first, proctype] = missing_[static_cast<size_t>(values[missing_variable_.value]) - 1];
  const uint32_t more = 1u << std::min(kMostDoubled, rounds_ < kSingle ? 0 : rounds_ - kSingle);
  ++rounds_;
  for (uint32_t pid = first; pid < std::min(first + more, kMostProcesses); ++pid) pairs_.emplace(pid, proctype);
}

void Source::make_room_for(const std::vector<std::string>& processes) {
  pairs_.clear();
  for (uint32_t proctype = 0; proctype < automata_.size(); ++proctype) {
    for (uint32_t pid = 0; pid < kMostProcesses; ++pid) {
      const std::string name = process_name(automata_[proctype]->name(), pid);
      if (std::find(processes.begin(), processes.end(), name) != processes.end()) pairs_.emplace(pid, proctype);
    }
  }
}

}  // namespace harrier::promela
