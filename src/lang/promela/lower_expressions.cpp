// Expressions and references.
#include <algorithm>

#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;
using model::StmtId;

namespace {

constexpr uint32_t kNone = UINT32_MAX;

}  // namespace

ExprId Lowering::all_of(std::span<const ExprId> conditions, SourceRef at) {
  ExprId all = number(1, at);
  for (const ExprId c : conditions) all = system_.make_binary(Op::And, all, c, at);
  return all;
}

ExprId Lowering::any_of(std::span<const ExprId> conditions, SourceRef at) {
  ExprId any = number(0, at);
  for (const ExprId c : conditions) any = system_.make_binary(Op::Or, any, c, at);
  return any;
}

ExprId Lowering::load(const Place& place, SourceRef at) {
  if (!place.index.valid()) return system_.make_var(place.base, at);
  return system_.make({.op = Op::Load, .base = place.base.value, .count = place.count, .a = place.index, .at = at});
}

StmtId Lowering::store(const Place& place, ExprId value, SourceRef at) {
  model::Expr e{
      .op = Op::Store, .base = place.base.value, .count = 1, .b = truncated(system_, place.type, value), .at = at};
  if (place.index.valid()) {
    e.a = place.index;
    e.count = place.count;
  }
  return system_.make_expr_stmt(system_.make(e), at);
}

StmtId Lowering::set(VarId variable, ExprId value, SourceRef at) {
  return system_.make_expr_stmt(
      system_.make({.op = Op::Store, .base = variable.value, .count = 1, .b = value, .at = at}), at);
}

StmtId Lowering::fail(const char* text, SourceRef at) {
  return system_.make_expr_stmt(system_.make_fail(text, at), at);
}

std::optional<Lowering::Root> Lowering::root(const std::string& name, const Here& here) {
  if (here.instance != nullptr) {
    const uint32_t local = automaton(*here.instance).find_local(here.scope, name);
    if (local != kNone) {
      return Root{&locals_[here.instance->proctype][local], here.instance->locals[local],
                  &here.instance->channels[local]};
    }
  }
  const auto global = global_names_.find(name);
  if (global == global_names_.end()) return std::nullopt;
  return Root{&globals_[global->second], global_base_[global->second], &global_channels_[global->second]};
}

uint32_t Lowering::find_leaf(const Symbol& symbol, std::span<const RefPart> parts) {
  for (size_t l = 0; l < symbol.layout.leaves.size(); ++l) {
    const std::vector<std::string>& path = symbol.layout.leaves[l].path;
    if (std::equal(path.begin(), path.end(), parts.begin() + 1, parts.end(),
                   [](const std::string& field, const RefPart& part) { return field == part.name; })) {
      return static_cast<uint32_t>(l);
    }
  }
  return kNone;
}

std::vector<Lowering::Place> Lowering::places_in(const Root& root, std::span<const RefPart> parts, const Here& here) {
  std::vector<Place> out;
  const Symbol& symbol = *root.symbol;
  for (size_t l = 0; l < symbol.layout.leaves.size(); ++l) {
    const Leaf& leaf = symbol.layout.leaves[l];
    if (parts.size() > leaf.path.size() + 1) continue;
    if (!std::equal(parts.begin() + 1, parts.end(), leaf.path.begin(),
                    [](const RefPart& part, const std::string& field) { return part.name == field; })) {
      continue;
    }
    // The indices that the reference gives, and all combinations of those that it leaves out.
    ExprId index;
    int64_t fixed = 0;
    size_t dimension = 0;
    uint32_t rest = leaf.count;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!leaf.indexed[i]) {
        if (parts[i].index) {
          diagnostics_.error(parts[i].at, "'" + parts[i].name + "' is not an array");
          return {};
        }
        continue;
      }
      const uint32_t length = leaf.lengths[dimension++];
      rest /= length;
      if (!parts[i].index) {
        diagnostics_.error(parts[i].at, "the array '" + parts[i].name + "' needs an index");
        return {};
      }
      int64_t constant = 0;
      if (types_.fold(*parts[i].index, constant)) {
        if (constant < 0 || constant >= length) {
          diagnostics_.error(parts[i].index->at, "the index " + std::to_string(constant) + " is outside of '" +
                                                     parts[i].name + "[" + std::to_string(length) + "]'");
          return {};
        }
        fixed += constant * rest;
        continue;
      }
      const ExprId raw = value(*parts[i].index, here);
      if (!raw.valid()) return {};
      ExprId term = system_.make({.op = Op::Index, .count = length, .a = raw, .at = parts[i].at});
      if (rest != 1) term = system_.make_binary(Op::Mul, term, number(rest), parts[i].at);
      index = index.valid() ? system_.make_binary(Op::Add, index, term, parts[i].at) : term;
    }
    const bool stays = leaf.declaration->channel && !assigned_.contains(symbol.holders[l]);
    const auto made = root.channels->begin() + (stays ? leaf.offset : 0);
    for (uint32_t r = 0; r < rest; ++r) {
      Place place;
      place.type = leaf.type;
      place.holder = symbol.holders[l];
      const auto at = static_cast<uint32_t>(fixed + r);
      if (index.valid()) {
        place.base = VarId(root.base.value + leaf.offset);
        place.count = leaf.count;
        place.index = at == 0 ? index : system_.make_binary(Op::Add, index, number(at), parts[0].at);
        if (stays) place.fixed.assign(made, made + leaf.count);
      } else {
        place.base = VarId(root.base.value + leaf.offset + at);
        if (stays) place.fixed = {made[at]};
      }
      out.push_back(std::move(place));
    }
  }
  if (out.empty()) diagnostics_.error(parts.back().at, "there is no field '" + parts.back().name + "'");
  return out;
}

std::vector<Lowering::Place> Lowering::places(const ExprNode& ref, const Here& here) {
  const std::string& name = ref.parts[0].name;
  const std::optional<Root> found = root(name, here);
  if (!found) {
    const bool constant = types_.mtype(name) != nullptr || name == "_pid" || name == "_nr_pr" || name == "_last";
    if (name == "_priority") {
      diagnostics_.unsupported(ref.parts[0].at, "a change of '_priority'");
    } else {
      diagnostics_.error(ref.parts[0].at,
                         constant ? "'" + name + "' is not a variable" : "unknown name '" + name + "'");
    }
    return {};
  }
  return places_in(*found, ref.parts, here);
}

std::optional<Lowering::Place> Lowering::place(const ExprNode& ref, const Here& here) {
  if (ref.kind != ExprKind::Ref) {
    diagnostics_.error(ref.at, "a variable is expected here");
    return std::nullopt;
  }
  std::vector<Place> all = places(ref, here);
  if (all.empty()) return std::nullopt;
  if (find_leaf(*root(ref.parts[0].name, here)->symbol, ref.parts) == kNone) {
    diagnostics_.error(ref.at, "'" + ref.parts.back().name + "' is a structure, not a number");
    return std::nullopt;
  }
  return all.front();
}

ExprId Lowering::reference(const ExprNode& e, const Here& here) {
  const std::string& name = e.parts[0].name;
  if (e.parts.size() == 1 && !e.parts[0].index && !root(name, here)) {
    if (const int32_t* constant = types_.mtype(name)) return number(*constant, e.at);
    if (name == "_pid" && here.instance != nullptr) return number(here.instance->pid, e.at);
    if (name == "_nr_pr") return system_.make_var(process_count_, e.at);
    if (name == "_priority" && here.instance != nullptr) {
      return priority_of(*here.instance, e.at);
    }
    if (name == "_last") return system_.make_var(last_, e.at);
    if (name == "_") {
      diagnostics_.error(e.at, "'_' can only be assigned to");
      return number(0);
    }
  }
  const std::optional<Place> at = place(e, here);
  return at ? load(*at, e.at) : number(0);
}

std::optional<uint32_t> Lowering::array_length(const ExprNode& ref, const Here& here) {
  const std::optional<Root> found = root(ref.parts[0].name, here);
  if (!found) return std::nullopt;
  const size_t last = ref.parts.size() - 1;
  for (const Leaf& leaf : found->symbol->layout.leaves) {
    if (leaf.indexed.size() <= last || !leaf.indexed[last] ||
        !std::equal(ref.parts.begin() + 1, ref.parts.end(), leaf.path.begin(),
                    [](const RefPart& part, const std::string& field) { return part.name == field; })) {
      continue;
    }
    return leaf.lengths[static_cast<size_t>(
        std::count(leaf.indexed.begin(), leaf.indexed.begin() + static_cast<ptrdiff_t>(last), true))];
  }
  return std::nullopt;
}

ExprId Lowering::value(const ExprNode& e, const Here& here) {
  diagnostics_.poll();
  switch (e.kind) {
    case ExprKind::Number:
      if (e.value < INT32_MIN || e.value > INT32_MAX) diagnostics_.error(e.at, "the number does not fit 32 bits");
      return number(e.value, e.at);
    case ExprKind::Ref: return reference(e, here);
    case ExprKind::Unary: return system_.make_unary(e.op, value(*e.a, here), e.at);
    case ExprKind::Binary: {
      const ExprId a = value(*e.a, here);
      return system_.make_binary(e.op, a, value(*e.b, here), e.at);
    }
    case ExprKind::Conditional: {
      const ExprId test = value(*e.a, here);
      const ExprId then = value(*e.b, here);
      return system_.make_ite(test, then, value(*e.c, here), e.at);
    }
    case ExprKind::Len:
    case ExprKind::Full:
    case ExprKind::Empty:
    case ExprKind::Nfull:
    case ExprKind::Nempty: return length_test(e, here);
    case ExprKind::Poll: return poll(e, here);
    case ExprKind::Timeout: return number(here.timeout ? 1 : 0, e.at);
    case ExprKind::NonProgress: return no_progress(e.at);
    case ExprKind::RemoteLabel:
    case ExprKind::RemoteRef: return remote(e, here);
    case ExprKind::LastIndex: {
      const std::optional<uint32_t> length = array_length(*e.a, here);
      if (!length) diagnostics_.error(e.at, "'for' needs an array here");
      return number(int64_t{length.value_or(1)} - 1, e.at);
    }
    case ExprKind::Run: diagnostics_.unsupported(e.at, "'run' inside a larger expression"); break;
    case ExprKind::Enabled: return enabled(e, here);
    case ExprKind::PcValue: return pc_value(e, here);
    case ExprKind::GetPriority: return priority(e, here);
    case ExprKind::SetPriority: diagnostics_.unsupported(e.at, "set_priority() inside an expression"); break;
    case ExprKind::Eval: diagnostics_.error(e.at, "'eval' is only for the arguments of a receive"); break;
    case ExprKind::Temporal: diagnostics_.error(e.at, "a temporal operator in an expression"); break;
  }
  return number(0, e.at);
}

ExprId Lowering::no_progress(SourceRef at) {
  std::vector<ExprId> progress;
  for (const Instance& i : instances_) {
    const Automaton& a = automaton(i);
    for (uint32_t control = 1; control < a.control_count(); ++control) {
      if (a.has_label(control, "progress")) {
        progress.push_back(equal(system_.make_var(i.location, at), number(control), at));
      }
    }
  }
  return negated(any_of(progress, at), at);
}

// P[pid]@label and P[pid]:variable. Without a pid the first process of that type that runs is meant.
ExprId Lowering::remote(const ExprNode& e, const Here& here) {
  const auto automaton_at =
      std::find_if(automata_.begin(), automata_.end(), [&](const auto& a) { return a->name() == e.parts[0].name; });
  if (automaton_at == automata_.end()) {
    diagnostics_.error(e.at, "there is no proctype '" + e.parts[0].name + "'");
    return number(0);
  }
  const auto proctype = static_cast<uint32_t>(automaton_at - automata_.begin());
  const Automaton& a = **automaton_at;
  std::vector<const Instance*> which;
  for (const Instance& i : instances_) {
    if (i.proctype == proctype) which.push_back(&i);
  }
  const uint32_t* control = nullptr;
  uint32_t local = kNone;
  if (e.kind == ExprKind::RemoteLabel) {
    control = a.label(e.parts[1].name);
    if (control == nullptr) {
      diagnostics_.error(e.parts[1].at, "there is no label '" + e.parts[1].name + "' in " + a.name());
      return number(0);
    }
  } else {
    // Variables of all scopes can be meant; the outermost is.
    for (uint32_t s = 0; s < a.scopes().size() && local == kNone; ++s) {
      const auto name = a.scopes()[s].names.find(e.parts[1].name);
      if (name != a.scopes()[s].names.end()) local = name->second;
    }
    if (local == kNone) {
      diagnostics_.error(e.parts[1].at, "there is no variable '" + e.parts[1].name + "' in " + a.name());
      return number(0);
    }
  }
  const auto read = [&](const Instance& i) -> ExprId {
    if (control != nullptr) {
      if (*control == 0) return number(0, e.at);
      return equal(system_.make_var(i.location, e.at), number(*control, e.at), e.at);
    }
    const Root found{&locals_[proctype][local], i.locals[local], &i.channels[local]};
    const std::vector<Place> all = places_in(found, std::span(e.parts).subspan(1), here);
    return all.empty() ? number(0) : load(all.front(), e.at);
  };
  ExprId out = number(0, e.at);
  if (!e.a) {
    for (size_t i = which.size(); i-- > 0;) {
      const ExprId runs = system_.make_binary(Op::Ne, system_.make_var(which[i]->location, e.at), number(0), e.at);
      const ExprId found = read(*which[i]);
      out = which.size() == 1 ? found : system_.make_ite(runs, found, out, e.at);  // one that does not run has zeros
    }
    return out;
  }
  const ExprId pid = value(*e.a, here);
  const auto constant = system_.constant(pid);
  for (const Instance* i : which) {
    if (!constant) {
      const ExprId found = read(*i);
      out = system_.make_ite(equal(pid, number(i->pid), e.at), found, out, e.at);
    } else if (*constant == static_cast<int32_t>(i->pid)) {
      out = read(*i);
    }
  }
  return out;
}

}  // namespace harrier::promela
