// Expressions and queries.
#include "random/ta_printer.h"

namespace harrier::testing_support {

namespace {

const char* symbol(TaOp op) {
  switch (op) {
    case TaOp::Neg: return "-";
    case TaOp::Not: return "!";
    case TaOp::Mul: return "*";
    case TaOp::Div: return "/";
    case TaOp::Mod: return "%";
    case TaOp::Add: return "+";
    case TaOp::Sub: return "-";
    case TaOp::Shl: return "<<";
    case TaOp::Shr: return ">>";
    case TaOp::Min: return "<?";
    case TaOp::Max: return ">?";
    case TaOp::Lt: return "<";
    case TaOp::Le: return "<=";
    case TaOp::Ge: return ">=";
    case TaOp::Gt: return ">";
    case TaOp::Eq: return "==";
    case TaOp::Ne: return "!=";
    case TaOp::BitAnd: return "&";
    case TaOp::BitXor: return "^";
    case TaOp::BitOr: return "|";
    case TaOp::And: return "&&";
    case TaOp::Or: return "||";
    case TaOp::Imply: return "imply";
    case TaOp::Assign: return "=";
    case TaOp::AddAssign: return "+=";
    case TaOp::SubAssign: return "-=";
    case TaOp::PostIncrement:
    case TaOp::PreIncrement: return "++";
    case TaOp::PostDecrement:
    case TaOp::PreDecrement: return "--";
    case TaOp::Forall: return "forall";
    case TaOp::Exists: return "exists";
    case TaOp::Sum: return "sum";
    default: return "";
  }
}

// Higher binds tighter.
int precedence(TaOp op) {
  switch (op) {
    case TaOp::Const:
    case TaOp::Variable:
    case TaOp::Slot:
    case TaOp::Parameter:
    case TaOp::Call: return 20;
    case TaOp::PostIncrement:
    case TaOp::PostDecrement:
    case TaOp::PreIncrement:
    case TaOp::PreDecrement: return 19;
    case TaOp::Neg:
    case TaOp::Not: return 18;
    case TaOp::Mul:
    case TaOp::Div:
    case TaOp::Mod: return 17;
    case TaOp::Add:
    case TaOp::Sub: return 16;
    case TaOp::Shl:
    case TaOp::Shr: return 15;
    case TaOp::Min:
    case TaOp::Max: return 14;
    case TaOp::Lt:
    case TaOp::Le:
    case TaOp::Ge:
    case TaOp::Gt: return 13;
    case TaOp::Eq:
    case TaOp::Ne: return 12;
    case TaOp::BitAnd: return 11;
    case TaOp::BitXor: return 10;
    case TaOp::BitOr: return 9;
    case TaOp::And: return 8;
    case TaOp::Or: return 7;
    case TaOp::Ite: return 6;
    case TaOp::Assign:
    case TaOp::AddAssign:
    case TaOp::SubAssign: return 5;
    case TaOp::Imply: return 4;
    case TaOp::Forall:
    case TaOp::Exists:
    case TaOp::Sum: return 3;
  }
  return 0;
}

}  // namespace

std::string range_text(int32_t lo, int32_t hi) { return "int[" + std::to_string(lo) + "," + std::to_string(hi) + "]"; }

std::string TaPrinter::query(const TaQuery& query) {
  std::string any;
  for (const auto& clause : query.clauses) {
    std::string all;
    for (const TaGoalAtom& atom : clause) all += (all.empty() ? "" : " and ") + text(atom);
    if (query.clauses.size() > 1) all = "(" + all + ")";
    any += (any.empty() ? "" : " or ") + all;
  }
  return query.as_invariant ? "A[] not (" + any + ")" : "E<> " + any;
}

std::string TaPrinter::name_of(const TaPlace& place, bool clock) {
  switch (place.scope) {
    case TaScope::Global: return used(clock ? model_.clocks[place.index] : model_.variables[place.index].name);
    case TaScope::Local: return own(clock ? of_->clocks[place.index] : of_->variables[place.index].name);
    case TaScope::Reference: return own(of_->parameters[place.index].name);
  }
  return "";
}

std::string TaPrinter::type_name(const TaPlace& place) {
  return place.scope == TaScope::Global ? used(model_.types[place.index].name) : used(of_->types[place.index].name);
}

std::string TaPrinter::type_of(const TaSlot& slot) {
  if (slot.type) return type_name(*slot.type);
  return slot.bounded ? range_text(slot.lo, slot.hi) : "int";
}

std::string TaPrinter::child(const TaExpr& e, int at_least) {
  const std::string s = text(e);
  return precedence(e.op) < at_least ? "(" + s + ")" : s;
}

std::string TaPrinter::call(const TaExpr& e) {
  const bool global = e.place.scope == TaScope::Global;
  std::string s = global ? used(model_.functions[e.place.index].name) : own(of_->functions[e.place.index].name);
  s += "(";
  for (size_t i = 0; i < e.args.size(); ++i) s += (i ? ", " : "") + text(*e.args[i]);
  return s + ")";
}

std::string TaPrinter::quantifier(const TaExpr& e) {
  const TaSlot& slot = model_.slots[static_cast<size_t>(e.value)];
  const std::string type = type_of(slot);
  open();
  declared(slot.name);
  const std::string body = child(*e.args[0], 18);
  close();
  return std::string(symbol(e.op)) + " (" + slot.name + " : " + type + ") " + body;
}

std::string TaPrinter::text(const TaExpr& e) {
  const int own_level = precedence(e.op);
  switch (e.op) {
    case TaOp::Const: return e.value < 0 ? "(" + std::to_string(e.value) + ")" : std::to_string(e.value);
    case TaOp::Variable: {
      std::string s = name_of(e.place, false);
      if (!e.args.empty()) s += "[" + text(*e.args[0]) + "]";
      return s;
    }
    case TaOp::Slot: return used(model_.slots[static_cast<size_t>(e.value)].name);
    case TaOp::Parameter: return own(of_->parameters[static_cast<size_t>(e.value)].name);
    case TaOp::Call: return call(e);
    case TaOp::Neg:
      // "--" would be a token of its own.
      return e.args[0]->op == TaOp::Neg || e.args[0]->op == TaOp::PreDecrement ? "-(" + text(*e.args[0]) + ")"
                                                                               : "-" + child(*e.args[0], own_level);
    case TaOp::Not: return "!" + child(*e.args[0], own_level);
    case TaOp::PostIncrement:
    case TaOp::PostDecrement: return child(*e.args[0], own_level) + symbol(e.op);
    case TaOp::PreIncrement:
    case TaOp::PreDecrement: return symbol(e.op) + child(*e.args[0], own_level);
    case TaOp::Ite:
      return child(*e.args[0], own_level + 1) + " ? " + child(*e.args[1], own_level + 1) + " : " +
             child(*e.args[2], own_level + 1);
    case TaOp::Forall:
    case TaOp::Exists:
    case TaOp::Sum: return quantifier(e);
    case TaOp::Imply: return child(*e.args[0], 9) + " imply " + child(*e.args[1], 9);
    case TaOp::Assign:
    case TaOp::AddAssign:
    case TaOp::SubAssign: return text(*e.args[0]) + " " + symbol(e.op) + " " + child(*e.args[1], own_level + 1);
    default: return child(*e.args[0], own_level) + " " + symbol(e.op) + " " + child(*e.args[1], own_level + 1);
  }
}

std::string TaPrinter::text(const TaClockAtom& atom) {
  std::string clocks = name_of(atom.left, true);
  if (atom.right) clocks += " - " + name_of(*atom.right, true);
  const std::string bound = child(*atom.bound, 16);
  std::string s;
  if (atom.flipped) {
    const TaOp mirror = atom.op == TaOp::Lt   ? TaOp::Gt
                        : atom.op == TaOp::Le ? TaOp::Ge
                        : atom.op == TaOp::Gt ? TaOp::Lt
                        : atom.op == TaOp::Ge ? TaOp::Le
                                              : atom.op;
    s = bound + " " + symbol(mirror) + " " + clocks;
  } else {
    s = clocks + " " + symbol(atom.op) + " " + bound;
  }
  if (atom.condition) return "(" + child(*atom.condition, 9) + " imply " + s + ")";
  return s;
}

std::string TaPrinter::text(const TaCondition& condition) {
  return condition.clock ? text(*condition.clock) : child(*condition.expr, precedence(TaOp::And));
}

std::string TaPrinter::text(const std::vector<TaCondition>& conditions) {
  std::string s;
  for (const TaCondition& condition : conditions) s += (s.empty() ? "" : " && ") + text(condition);
  return s;
}

std::string TaPrinter::text(const TaGoalAtom& atom) {
  if (atom.kind == TaGoalAtom::Kind::Deadlock) return atom.negated ? "not deadlock" : "deadlock";
  const TaInstance& instance = model_.instances[atom.instance];
  of_ = &model_.templates[instance.of];
  prefix_ = instance.name + ".";
  std::string s;
  if (atom.kind == TaGoalAtom::Kind::All || atom.kind == TaGoalAtom::Kind::Some) {
    const TaSlot& slot = model_.slots[atom.slot];
    const std::string type = type_of(slot);
    open();
    prefix_ = of_->name + "(" + declared(slot.name) + ").";
    number_ = &slot.name;
    s = symbol(atom.kind == TaGoalAtom::Kind::All ? TaOp::Forall : TaOp::Exists);
    s = "(" + s + " (" + slot.name + " : " + type + ") " + child(*atom.condition.expr, 18) + ")";
    number_ = nullptr;
    close();
  } else if (atom.kind == TaGoalAtom::Kind::Location) {
    s = prefix_ + of_->locations[atom.location].name;
  } else if (atom.condition.clock) {
    s = text(*atom.condition.clock);
  } else {
    s = child(*atom.condition.expr, precedence(TaOp::Or) + 1);
  }
  prefix_.clear();
  if (atom.negated) s = "not (" + s + ")";
  return s;
}

TaExprPtr ta_const(int32_t value) { return std::make_shared<const TaExpr>(TaExpr{.op = TaOp::Const, .value = value}); }
TaExprPtr ta_node(TaOp op, std::vector<TaExprPtr> args) {
  return std::make_shared<const TaExpr>(TaExpr{.op = op, .args = std::move(args)});
}
TaExprPtr ta_variable(TaPlace place, TaExprPtr index) {
  TaExpr e{.op = TaOp::Variable, .place = place};
  if (index) e.args.push_back(std::move(index));
  return std::make_shared<const TaExpr>(std::move(e));
}
TaExprPtr ta_slot(size_t slot) {
  return std::make_shared<const TaExpr>(TaExpr{.op = TaOp::Slot, .value = static_cast<int32_t>(slot)});
}

std::string to_query(const TaModel& model, const TaQuery& query) { return TaPrinter(model).query(query); }

}  // namespace harrier::testing_support
