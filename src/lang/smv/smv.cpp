#include "lang/smv/smv.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "lang/smv/flat.h"
#include "lang/smv/lower.h"
#include "lang/smv/parser.h"
#include "lang/smv/watcher.h"

namespace harrier::smv {

namespace {

Machine machine_of(const Origin& origin) {
  return {.system = std::make_shared<model::System>(*origin.empty), .properties = {}};
}

void add(Machine& machine, model::Property property, uint32_t rank) {
  property.rank = rank;
  machine.properties.push_back(std::move(property));
}

// What is not supported concerns the specification alone.
template <class Make>
model::Property attempt(const Spec& spec, const model::System& system, Diagnostics& diagnostics, const Make& make) {
  std::vector<Diagnostic> before = diagnostics.take();
  model::Property out;
  try {
    out = make();
  } catch (const Failure&) {
    out = PropertyLowering::refused(spec, system, diagnostics.all().front());
    diagnostics.take();
  }
  std::vector<Diagnostic> own = diagnostics.take();
  before.insert(before.end(), own.begin(), own.end());
  for (Diagnostic& diagnostic : before) diagnostics.add(std::move(diagnostic));
  return out;
}

bool is_about_steps(const FlatModel& flat, const Constraint& constraint) {
  const uint8_t mentions = flat.values.terms()[constraint.term].mentions;
  return constraint.kind == ConstraintKind::Justice && (mentions & (kMentionsInput | kMentionsRunning)) != 0;
}

// A system in which something watches the model, for some specifications. It starts from a flat model as it was: terms
// remember all variables that there have been. Nothing if there are no specifications, and refusals if it cannot be
// made.
Machine watched(const Origin& origin, const std::vector<uint32_t>& specs, SpecForm form, const Watch& watch) {
  Diagnostics own(watch);
  Machine machine = machine_of(origin);
  const auto flat = flatten(*origin.tree, origin.main, own);
  own.take();  // the same as before
  TermId accepting;
  std::vector<TermId> justice;
  try {
    Watcher watcher(*flat, own);
    justice = watcher.justice();
    if (form != SpecForm::Branching) {
      const Spec& spec = flat->specs[specs.front()];
      const auto always = PropertyLowering(*flat, *machine.system, own).always(spec);
      accepting = always ? watcher.automaton(*always) : watcher.automaton(*spec.formula);
    }
    lower(*flat, *machine.system, own);
  } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): it was reported
  }
  const bool failed = own.has_errors();
  PropertyLowering lowering(*flat, *machine.system, own);
  for (const uint32_t i : specs) {
    const Spec& spec = flat->specs[i];
    if (failed) {
      add(machine, PropertyLowering::refused(spec, *origin.empty, own.all().front()), i);
      continue;
    }
    const auto make = [&] {
      return form == SpecForm::Branching ? lowering.branching(spec, justice)
                                         : lowering.linear(spec, accepting, justice);
    };
    add(machine, attempt(spec, *machine.system, own, make), i);
  }
  return machine;
}

std::vector<Machine> machines_of(const Origin& origin, Diagnostics& diagnostics) {
  std::vector<Machine> machines{machine_of(origin)};
  const auto flat = flatten(*origin.tree, origin.main, diagnostics);
  if (diagnostics.has_errors()) return machines;
  model::System& system = *machines.front().system;
  lower(*flat, system, diagnostics);
  if (diagnostics.has_errors()) return machines;
  const bool needs_watching =
      std::any_of(flat->constraints.begin(), flat->constraints.end(),
                  [&](const Constraint& constraint) { return is_about_steps(*flat, constraint); });
  PropertyLowering lowering(*flat, system, diagnostics);
  std::vector<uint32_t> branching;
  std::vector<uint32_t> linear;
  for (uint32_t i = 0; i < flat->specs.size(); ++i) {
    diagnostics.poll();
    const Spec& spec = flat->specs[i];
    switch (lowering.form(spec)) {
      case SpecForm::Refused:
      case SpecForm::States: add(machines.front(), lowering.states(spec), i); break;
      case SpecForm::Linear: linear.push_back(i); break;
      case SpecForm::Branching:
        if (needs_watching) {
          branching.push_back(i);
          break;
        }
        const auto make = [&] { return lowering.branching(spec, Watcher(*flat, diagnostics).justice()); };
        add(machines.front(), attempt(spec, system, diagnostics, make), i);
        break;
    }
  }
  const auto add_watched = [&](const std::vector<uint32_t>& specs, SpecForm form) {
    Machine machine = watched(origin, specs, form, diagnostics.watch());
    const auto is_refused = [](const model::Property& property) { return property.refusal.has_value(); };
    // Refusals need no system.
    const bool none = std::all_of(machine.properties.begin(), machine.properties.end(), is_refused);
    if (none) {
      for (model::Property& property : machine.properties) machines.front().properties.push_back(std::move(property));
    } else {
      machines.push_back(std::move(machine));
    }
  };
  if (!branching.empty()) add_watched(branching, SpecForm::Branching);
  for (const uint32_t i : linear) add_watched({i}, SpecForm::Linear);
  return machines;
}

}  // namespace

Loaded load(std::string text, const std::string& name, const std::string& main, Diagnostics& diagnostics) {
  auto empty = std::make_shared<model::System>();
  empty->name = name;
  empty->language = "smv";
  empty->content_hash = hash_text(text);
  const uint32_t file = empty->sources.add_file(name, std::move(text));
  Loaded out;
  out.origin = {.tree = parse(empty->sources, file, diagnostics), .main = main, .empty = empty};
  if (diagnostics.has_errors()) {
    out.machines.push_back(machine_of(out.origin));
  } else {
    out.machines = machines_of(out.origin, diagnostics);
  }
  return out;
}

Machine machine_with_condition(const Origin& origin, std::string condition, Diagnostics& diagnostics) {
  Machine machine = machine_of(origin);
  const uint32_t file = machine.system->sources.add_file("condition", std::move(condition));
  const auto parsed = parse_condition(machine.system->sources, file, diagnostics);
  if (diagnostics.has_errors()) return machine;
  const auto flat = flatten(*origin.tree, origin.main, diagnostics, &parsed->modules.front().specs.front());
  if (diagnostics.has_errors()) return machine;
  lower(*flat, *machine.system, diagnostics);
  if (diagnostics.has_errors()) return machine;
  machine.properties.push_back(PropertyLowering(*flat, *machine.system, diagnostics).reached(flat->specs.back()));
  return machine;
}

Machine fair_machine(const Origin& origin, uint32_t rank, const Watch& watch) {
  return watched(origin, {rank}, SpecForm::Linear, watch);
}

}  // namespace harrier::smv
