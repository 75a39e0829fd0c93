#include "lang/promela/automaton.h"

#include <algorithm>
#include <set>
#include <span>

namespace harrier::promela {

namespace {

constexpr uint32_t kNone = Element::kNone;

bool special(const std::string& label) {
  return label.starts_with("end") || label.starts_with("accept") || label.starts_with("progress");
}

bool is_skip(const StmtNode& s) {
  return s.kind == StmtKind::Expr && s.expr->kind == ExprKind::Number && s.expr->value != 0;
}

}  // namespace

Automaton::Automaton(const ProctypeNode& proctype, uint32_t first_id, const RemoteLabels& remote, RemoteLabels& jumps,
                     Diagnostics& diagnostics)
    : proctype_(proctype),
      remote_(remote),
      jumps_(jumps),
      diagnostics_(diagnostics),
      first_id_(first_id),
      next_id_(first_id) {
  Context context;
  context.scope = open_scope(kNone);
  for (const DeclNode& parameter : proctype.parameters) {
    declare(parameter, context, true);
    locals_.back().parameter = true;
  }
  const std::vector<uint32_t> body = sequence(proctype.body, context, true, false);
  end_ = add(Element::Kind::End, nullptr, proctype.end, context);
  link(body, end_);
  resolve_gotos();
  if (diagnostics_.has_errors()) return;
  start_ = control_of(hunt(body.empty() ? end_ : body.front()));
  find_steps();
}

uint32_t Automaton::add(Element::Kind kind, const StmtNode* stmt, SourceRef at, const Context& context) {
  Element e;
  e.kind = kind;
  e.stmt = stmt;
  e.at = at;
  e.scope = context.scope;
  e.d_step = context.d_step;
  e.id = next_id_++;
  elements_.push_back(std::move(e));
  joins_.push_back(kNone);
  return static_cast<uint32_t>(elements_.size() - 1);
}

uint32_t Automaton::open_scope(uint32_t parent) {
  scopes_.push_back({parent, {}});
  return static_cast<uint32_t>(scopes_.size() - 1);
}

void Automaton::declare(const DeclNode& decl, const Context& context, bool at_start) {
  if (!scopes_[context.scope].names.emplace(decl.name, locals_.size()).second) {
    diagnostics_.error(decl.at, "'" + decl.name + "' is declared twice");
  }
  locals_.push_back({&decl, context.scope, false, at_start});
}

uint32_t Automaton::find_local(uint32_t scope, const std::string& name) const {
  for (uint32_t s = scope; s != kNone; s = scopes_[s].parent) {
    if (const auto found = scopes_[s].names.find(name); found != scopes_[s].names.end()) return found->second;
  }
  return kNone;
}

std::vector<uint32_t> Automaton::sequence(const Sequence& seq, Context context, bool top, bool option) {
  std::vector<uint32_t> out;
  for (const StmtPtr& s : seq.statements) {
    if (s->kind == StmtKind::Declare) {
      const bool at_start = top && out.empty();
      for (const DeclNode& decl : s->declarations) {
        declare(decl, context, at_start || decl.channel);
        if (at_start || decl.channel) continue;
        const uint32_t e = add(Element::Kind::Basic, nullptr, decl.at, context);
        elements_[e].declaration = &decl;
        out.push_back(e);
      }
    } else {
      statement(*s, context, out);
    }
  }
  if (option) prune_skips(out);
  return out;
}

// Spin drops a skip inside an option if another skip or print stands right before it.
void Automaton::prune_skips(std::vector<uint32_t>& option) const {
  size_t run = 0;
  for (size_t i = 0; i < option.size();) {
    const Element& e = elements_[option[i]];
    const bool idle = e.kind == Element::Kind::Basic && e.stmt != nullptr && e.labels.empty() &&
                      (is_skip(*e.stmt) || e.stmt->kind == StmtKind::Print);
    run = idle ? run + 1 : 0;
    if (run > 1 && i + 1 < option.size() && is_skip(*e.stmt)) {
      option.erase(option.begin() + static_cast<ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

void Automaton::statement(const StmtNode& stmt, Context context, std::vector<uint32_t>& out) {
  uint32_t labelled = kNone;
  switch (stmt.kind) {
    case StmtKind::Declare:
    case StmtKind::Exclusive: return;
    case StmtKind::If:
    case StmtKind::Do:
      choice(stmt, context, out);
      labelled = out.back();
      break;
    case StmtKind::Unless:
      unless(stmt, context, out);
      labelled = out.back();
      break;
    case StmtKind::Atomic:
    case StmtKind::DStep:
    case StmtKind::Block: {
      Context inner = context;
      inner.scope = open_scope(context.scope);
      const bool d_step = stmt.kind == StmtKind::DStep;
      if (d_step && inner.d_step == 0) inner.d_step = ++d_steps_;
      std::vector<uint32_t> body = sequence(stmt.body, inner, false, false);
      if (stmt.spliced) {
        out.insert(out.end(), body.begin(), body.end());
        return;
      }
      const uint32_t e = add(d_step ? Element::Kind::DStep : Element::Kind::Enclose, &stmt, stmt.at, context);
      if (body.empty()) diagnostics_.error(stmt.at, "this block has no statement");
      if (stmt.kind == StmtKind::Atomic) {
        set_atomic(body);
        end_atomic(body);
      }
      elements_[e].parts.push_back(std::move(body));
      out.push_back(e);
      labelled = e;
      break;
    }
    case StmtKind::Goto:
    case StmtKind::Break: jump(stmt, context, out); return;
    default:
      count_references(stmt);
      labelled = add(Element::Kind::Basic, &stmt, stmt.at, context);
      out.push_back(labelled);
      break;
  }
  for (const Label& l : stmt.labels) set_label(l, labelled);
}

void Automaton::set_label(const Label& label, uint32_t element) {
  elements_[element].labels.push_back(label);
  if (!labels_.emplace(label.name, element).second) {
    diagnostics_.error(label.at, "the label '" + label.name + "' stands twice in " + proctype_.name);
  }
}

void Automaton::jump(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out) {
  uint32_t e = add(Element::Kind::Goto, &stmt, stmt.at, context);
  std::span<const Label> labels = stmt.labels;
  if (std::any_of(labels.begin(), labels.end(), [](const Label& l) { return special(l.name); })) {
    // The skip gets the outermost label, whichever that is.
    out.push_back(add(Element::Kind::Basic, nullptr, stmt.at, context));
    set_label(labels.front(), out.back());
    labels = labels.subspan(1);
  }
  for (const Label& l : labels) set_label(l, e);
  RemoteLabels referred;
  for (const Label& l : labels) {
    if (remote_.contains({name(), l.name})) referred.emplace(name(), l.name);
  }
  if (!referred.empty()) {
    // The jump itself becomes the skip; the new one gets its number where the first reference stands.
    elements_[e].kind = Element::Kind::Basic;
    elements_[e].stmt = nullptr;
    out.push_back(e);
    jumps_.merge(referred);
    e = add(Element::Kind::Goto, &stmt, stmt.at, context);
    --next_id_;
  }
  if (stmt.kind == StmtKind::Goto) {
    gotos_.emplace_back(e, &stmt);
  } else if (context.break_to == kNone) {
    diagnostics_.error(stmt.at, "'break' outside of a loop");
  } else {
    gotos_.emplace_back(e, nullptr);
    elements_[e].next = context.break_to;  // the do; its join is known later
  }
  out.push_back(e);
}

// Spin numbers the jump behind a label when it reads the first reference to the label.
void Automaton::count_references(const StmtNode& stmt) {
  RemoteLabels here;
  add_remote_labels(stmt, here);
  for (const auto& label : here) next_id_ += static_cast<uint32_t>(jumps_.erase(label));
}

void Automaton::choice(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out) {
  // The element of a loop gets its number after its options; breaks inside refer to it by a place holder.
  const bool loop = stmt.kind == StmtKind::Do;
  Context inner = context;
  const auto first_goto = gotos_.size();
  constexpr uint32_t kThisLoop = kNone - 1;
  if (loop) inner.break_to = kThisLoop;
  std::vector<std::vector<uint32_t>> options;
  for (const Sequence& option : stmt.options) {
    options.push_back(sequence(option, inner, false, true));
    if (options.back().empty()) diagnostics_.error(stmt.at, "an option has no statement");
  }
  const uint32_t e = add(Element::Kind::Choice, &stmt, stmt.at, context);
  if (loop) ++next_id_;  // Spin's element for the way back
  const uint32_t join = add(Element::Kind::Join, nullptr, stmt.at, context);
  joins_[e] = join;
  elements_[e].parts = std::move(options);
  for (size_t i = first_goto; loop && i < gotos_.size(); ++i) {
    Element& g = elements_[gotos_[i].first];
    if (gotos_[i].second == nullptr && g.next == kThisLoop) g.next = join;
  }
  out.push_back(e);
}

void Automaton::unless(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out) {
  Context inner = context;
  inner.scope = open_scope(context.scope);
  std::vector<uint32_t> main = sequence(stmt.body, inner, false, false);
  inner.scope = open_scope(context.scope);
  const auto escape_element = static_cast<uint32_t>(elements_.size());
  const uint32_t escape_id = next_id_;
  std::vector<uint32_t> escape = sequence(stmt.escape, inner, false, false);
  if (stmt.bare && !main.empty()) {  // Spin makes the element of the main part behind those of the escape
    const uint32_t ahead = next_id_ - escape_id;
    const uint32_t back = escape_id - elements_[main.back()].id;
    for (uint32_t e = main.back(); e < elements_.size(); ++e) {
      if (e < escape_element) {
        elements_[e].id += ahead;
      } else {
        elements_[e].id -= back;
      }
    }
  }
  const uint32_t e = add(Element::Kind::Unless, &stmt, stmt.at, context);
  joins_[e] = add(Element::Kind::Join, nullptr, stmt.at, context);
  if (main.empty() || escape.empty()) {
    diagnostics_.error(stmt.at, "a part of this 'unless' has no statement");
    return;
  }
  cover(main, escape.front());
  elements_[e].parts = {std::move(main), std::move(escape)};
  out.push_back(e);
}

void Automaton::cover(const std::vector<uint32_t>& seq, uint32_t escape) {
  for (const uint32_t e : seq) {
    elements_[e].escapes.insert(elements_[e].escapes.begin(), escape);
    if (elements_[e].kind == Element::Kind::DStep) continue;
    for (const auto& part : elements_[e].parts) cover(part, escape);
  }
}

void Automaton::set_atomic(const std::vector<uint32_t>& seq) {
  for (const uint32_t e : seq) {
    for (const uint32_t one : {e, joins_[e]}) {
      if (one == kNone) continue;
      elements_[one].atomic = true;
      elements_[one].last = false;
    }
    for (const auto& part : elements_[e].parts) set_atomic(part);
  }
}

void Automaton::end_atomic(const std::vector<uint32_t>& seq) {
  if (seq.empty()) return;
  const uint32_t e = seq.back();
  if (elements_[e].kind == Element::Kind::Enclose) {
    end_atomic(elements_[e].parts[0]);
  } else {
    elements_[joins_[e] != kNone ? joins_[e] : e].last = true;
  }
}

void Automaton::link(const std::vector<uint32_t>& seq, uint32_t after) {
  for (size_t i = 0; i < seq.size(); ++i) {
    const uint32_t behind = i + 1 < seq.size() ? seq[i + 1] : after;
    const uint32_t id = seq[i];
    Element& e = elements_[id];
    if (e.kind != Element::Kind::Goto) e.next = behind;
    if (joins_[id] != kNone) elements_[joins_[id]].next = behind;
    const bool loop = e.kind == Element::Kind::Choice && e.stmt->kind == StmtKind::Do;
    const uint32_t then = e.kind == Element::Kind::DStep ? kNone
                          : loop                         ? id
                          : joins_[id] != kNone          ? joins_[id]
                                                         : behind;
    for (const auto& part : e.parts) link(part, then);
  }
}

void Automaton::resolve_gotos() {
  for (const auto& [id, stmt] : gotos_) {
    if (stmt == nullptr) continue;
    const auto target = labels_.find(stmt->text);
    if (target == labels_.end()) {
      diagnostics_.error(stmt->at, "there is no label '" + stmt->text + "' in " + proctype_.name);
    } else {
      elements_[id].next = target->second;
    }
  }
  if (!diagnostics_.has_errors()) check_jumps();
}

void Automaton::check_jumps() const {
  for (const auto& [id, stmt] : gotos_) {
    if (elements_[id].d_step != elements_[elements_[id].next].d_step) {
      diagnostics_.error(elements_[id].at, "a jump into or out of a d_step");
      return;
    }
    uint32_t at = id;
    size_t passed = 0;
    while (at != kNone && (elements_[at].kind == Element::Kind::Goto || elements_[at].kind == Element::Kind::Join)) {
      at = elements_[at].next;
      if (++passed > elements_.size()) {
        diagnostics_.error(elements_[id].at, "this goto leads to itself");
        return;
      }
    }
  }
}

bool Automaton::is_else(uint32_t element) const {
  const Element& e = elements_[element];
  if (e.kind == Element::Kind::DStep) return is_else(e.parts[0].front());
  return e.kind == Element::Kind::Basic && e.stmt != nullptr && e.stmt->kind == StmtKind::Else;
}

uint32_t Automaton::hunt(uint32_t element, bool with_control) const {
  uint32_t at = element;
  while (at != kNone) {
    const Element& e = elements_[at];
    const bool unless = e.kind == Element::Kind::Unless;
    if (!unless && e.kind != Element::Kind::Goto && e.kind != Element::Kind::Join) break;
    const uint32_t next = unless ? e.parts[0].front() : e.next;
    if (with_control && !holds_control(next)) break;
    at = next;
  }
  return at;
}

// What can be executed at an element, escapes aside: itself, or the first statements inside, in the order in which Spin
// tries them: an else comes last of its own alternatives, not of all those around them.
void Automaton::starts(uint32_t element, std::vector<uint32_t>& out) const {
  const Element& e = elements_[element];
  switch (e.kind) {
    case Element::Kind::Choice:
    case Element::Kind::Enclose:
      for (const bool last : {false, true}) {
        for (const auto& part : e.parts) {
          const bool is_last = elements_[part.front()].kind == Element::Kind::Basic && is_else(part.front());
          if (is_last == last) starts(part.front(), out);
        }
      }
      break;
    case Element::Kind::Unless: starts(e.parts[0].front(), out); break;
    default: out.push_back(element); break;
  }
}

// Where an escape begins that is taken instead of a statement. If it begins with a jump, that is where the jump leads,
// unless that takes control away; only the end of the process is no statement.
uint32_t Automaton::escape_start(uint32_t escape, uint32_t instead_of) const {
  const uint32_t target = hunt(escape, holds_control(instead_of));
  return elements_[target].kind == Element::Kind::End ? escape : target;
}

// Escapes come before all else, each before those that were put into the list earlier: of one statement the outer ones
// before the inner ones, of several alternatives those of the last one first. An escape is in the list once. Those of
// an escape's own first statement do not count, except where Spin has added them already.
std::vector<Automaton::Start> Automaton::open_at(uint32_t element) const {
  constexpr size_t kMostTiers = 127;  // a process has 255 degrees of urgency, two for each
  std::vector<uint32_t> plain;
  starts(element, plain);
  std::vector<uint32_t> escapes;  // the first one last
  for (const uint32_t start : plain) {
    const std::vector<uint32_t>& own = elements_[start].escapes;
    for (size_t i = own.size(); i-- > 0;) {
      const uint32_t first = escape_start(own[i], start);
      if (std::find(escapes.begin(), escapes.end(), first) == escapes.end()) escapes.push_back(first);
    }
  }
  if (escapes.size() > kMostTiers) {
    diagnostics_.unsupported(elements_[element].at, "more than 127 escapes of 'unless' in one place");
    return {};
  }
  std::vector<Start> open;
  for (size_t i = escapes.size(); i-- > 0;) {
    const auto tier = static_cast<uint8_t>(i + 1);
    if (elements_[escapes[i]].id < elements_[element].id) {
      for (const Start& s : open_at(escapes[i])) open.push_back({s.element, tier});
    } else {
      std::vector<uint32_t> inside;
      starts(escapes[i], inside);
      for (const uint32_t s : inside) open.push_back({s, tier});
    }
  }
  for (const uint32_t start : plain) open.push_back({start, 0});
  return open;
}

uint32_t Automaton::control_of(uint32_t element) {
  const auto [at, fresh] = control_numbers_.emplace(element, static_cast<uint32_t>(controls_.size()) + 1);
  if (fresh) controls_.push_back(element);
  return at->second;
}

void Automaton::find_steps() {
  for (uint32_t control = 1; control <= controls_.size(); ++control) {
    const uint32_t here = controls_[control - 1];
    if (elements_[here].kind == Element::Kind::End) {
      end_control_ = control;
      continue;
    }
    const std::vector<Start> open = open_at(here);
    std::set<uint8_t> tiers_with_else;
    for (const Start& s : open) {
      if (is_else(s.element) && !tiers_with_else.insert(s.tier).second) {
        diagnostics_.error(elements_[s.element].at, "a second 'else' among the same alternatives");
      }
    }
    for (const Start& s : open) {
      const Element& e = elements_[s.element];
      const uint32_t then = hunt(e.next, holds_control(e.kind == Element::Kind::Goto ? e.next : s.element));
      steps_.push_back({s.element, control, control_of(then), s.tier, e.atomic && elements_[then].atomic});
    }
  }
  for (const auto& [name, element] : labels_) {
    const auto control = control_numbers_.find(hunt(element));
    label_controls_[name] = control == control_numbers_.end() ? 0 : control->second;
  }
}

std::vector<Automaton::Inner> Automaton::inner_steps(uint32_t element) const {
  std::vector<Inner> out;
  for (const Start& s : open_at(element)) out.push_back({s.element, hunt(elements_[s.element].next)});
  return out;
}

const uint32_t* Automaton::label(const std::string& name) const {
  const auto at = label_controls_.find(name);
  return at == label_controls_.end() ? nullptr : &at->second;
}

bool Automaton::has_label(uint32_t control, const char* prefix) const {
  const auto& labels = at_control(control).labels;
  return std::any_of(labels.begin(), labels.end(), [&](const Label& l) { return l.name.starts_with(prefix); });
}

}  // namespace harrier::promela
