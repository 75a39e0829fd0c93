// Entry points: reading a Promela model, and lowering it as often as room must be made for processes.
#include "lang/promela/promela.h"

#include <algorithm>

#include "base/hash.h"
#include "lang/promela/automaton.h"
#include "lang/promela/lowering.h"

namespace harrier::promela {

Source::Source(std::string text, const std::string& name, Options options, Diagnostics& diagnostics)
    : options_(std::move(options)), name_(name), hash_(hash_text(text)), system_(std::make_shared<model::System>()) {
  parsed_ = parse_model(sources_, sources_.add_file(name, std::move(text)), options_.defines, diagnostics);
  if (!diagnostics.has_errors()) {
    for (const std::string& goal : options_.goals) {
      if (ExprPtr expr = parse_expression(sources_, sources_.add_file("goal", goal), *parsed_.macros, diagnostics)) {
        goals_.emplace_back(std::move(expr), goal);
      }
    }
  }
  if (!diagnostics.has_errors()) {
    choose_claim(diagnostics);
    RemoteLabels remote, jumps;
    add_remote_labels(parsed_.model, remote);
    if (claim_.made) add_remote_labels(claim_.made->body, remote);
    for (const auto& goal : goals_) add_remote_labels(*goal.first, remote);
    uint32_t id = 0;
    const auto add = [&](const ProctypeNode& proctype) {
      automata_.push_back(std::make_unique<Automaton>(proctype, id, remote, jumps, diagnostics));
      id = automata_.back()->next_id();
    };
    for (const ProctypeNode& proctype : parsed_.model.proctypes) add(proctype);
    if (claim_.made) add(*claim_.made);
  }
  system_->sources = sources_;
}

Source::~Source() = default;

// As Spin does it, the first claim of the text is used if none is asked for, and formulas stand behind the text.
void Source::choose_claim(Diagnostics& diagnostics) {
  if (!goals_.empty()) return;
  if (options_.non_progress) {
    claim_ = non_progress_claim();
    return;
  }
  if (options_.ltl.empty() && !options_.claims) return;
  for (const ProctypeNode& p : parsed_.model.proctypes) {
    if (p.kind != ProctypeNode::Kind::Never || (!options_.ltl.empty() && p.name != options_.ltl)) continue;
    claim_ = never_claim(p, diagnostics);
    return;
  }
  for (const LtlNode& node : parsed_.model.ltl) {
    if (!options_.ltl.empty() && node.name != options_.ltl) continue;
    claim_ = ltl_claim(*node.formula, node.name, diagnostics);
    return;
  }
  if (options_.ltl.empty()) return;
  const uint32_t file = sources_.add_file("formula", options_.ltl);
  if (const ExprPtr formula = parse_formula(sources_, file, *parsed_.macros, diagnostics)) {
    claim_ = ltl_claim(*formula, "formula", diagnostics);
  }
}

void Source::lower(Diagnostics& diagnostics) {
  system_ = std::make_shared<model::System>();
  system_->name = name_;
  system_->language = "promela";
  system_->content_hash = hash_;
  system_->sources = sources_;
  properties_.clear();
  Lowering lowering(parsed_.model, automata_, pairs_, options_, claim_, *system_, diagnostics);
  lowering.run();
  if (diagnostics.has_errors()) return;
  for (const auto& [expr, text] : goals_) {
    if (auto property = lowering.goal(*expr, text)) properties_.push_back(std::move(*property));
  }
  if (goals_.empty()) properties_.push_back(lowering.no_errors());
  missing_ = lowering.missing();
  missing_variable_ = lowering.missing_variable();
  for (model::Property& property : properties_) {
    if (may_lack_room()) property.goal.insert(property.goal.begin(), lowering.lacks_room());
  }
  trail_ = lowering.trail();
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
