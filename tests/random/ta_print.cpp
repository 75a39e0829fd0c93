// Prints the tester's models and queries as UPPAAL text (.xta, new syntax). Parentheses are only printed where the
// precedence of UPPAAL asks for them, so that the parser's precedence is tested.
#include <algorithm>

#include "random/ta_model.h"

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

class Printer {
 public:
  explicit Printer(const TaModel& model) : model_(model) {}

  std::string system() {
    declarations();
    for (const TaTemplate& of : model_.templates) print(of);
    for (const TaInstance& instance : model_.instances) instantiate(instance);
    system_line();
    return out_;
  }

  std::string query(const TaQuery& query) {
    std::string any;
    for (const auto& clause : query.clauses) {
      std::string all;
      for (const TaGoalAtom& atom : clause) all += (all.empty() ? "" : " and ") + text(atom);
      if (query.clauses.size() > 1) all = "(" + all + ")";
      any += (any.empty() ? "" : " or ") + all;
    }
    return query.as_invariant ? "A[] not (" + any + ")" : "E<> " + any;
  }

 private:
  // ---- expressions ----
  std::string name_of(const TaPlace& place, bool clock) const {
    switch (place.scope) {
      case TaScope::Global: return clock ? model_.clocks[place.index] : model_.variables[place.index].name;
      case TaScope::Local: return prefix_ + (clock ? of_->clocks[place.index] : of_->variables[place.index].name);
      case TaScope::Reference: return of_->parameters[place.index].name;
    }
    return "";
  }

  std::string child(const TaExpr& e, int at_least) const {
    const std::string s = text(e);
    return precedence(e.op) < at_least ? "(" + s + ")" : s;
  }

  std::string text(const TaExpr& e) const {
    const int own = precedence(e.op);
    switch (e.op) {
      case TaOp::Const: return e.value < 0 ? "(" + std::to_string(e.value) + ")" : std::to_string(e.value);
      case TaOp::Variable: {
        std::string s = name_of(e.place, false);
        if (!e.args.empty()) s += "[" + text(*e.args[0]) + "]";
        return s;
      }
      case TaOp::Slot: return e.name;
      case TaOp::Parameter: return of_->parameters[static_cast<size_t>(e.value)].name;
      case TaOp::Call: {
        std::string s = model_.functions[static_cast<size_t>(e.value)].name + "(";
        for (size_t i = 0; i < e.args.size(); ++i) s += (i ? ", " : "") + text(*e.args[i]);
        return s + ")";
      }
      case TaOp::Neg:
        // "--" would be a token of its own.
        return e.args[0]->op == TaOp::Neg || e.args[0]->op == TaOp::PreDecrement ? "-(" + text(*e.args[0]) + ")"
                                                                                 : "-" + child(*e.args[0], own);
      case TaOp::Not: return "!" + child(*e.args[0], own);
      case TaOp::PostIncrement:
      case TaOp::PostDecrement: return child(*e.args[0], own) + symbol(e.op);
      case TaOp::PreIncrement:
      case TaOp::PreDecrement: return symbol(e.op) + child(*e.args[0], own);
      case TaOp::Ite:
        return child(*e.args[0], own + 1) + " ? " + child(*e.args[1], own + 1) + " : " + child(*e.args[2], own + 1);
      case TaOp::Forall:
      case TaOp::Exists:
      case TaOp::Sum:
        return std::string(symbol(e.op)) + " (" + e.name + " : " + range(e.lo, e.hi) + ") " + child(*e.args[0], 18);
      case TaOp::Imply: return child(*e.args[0], 9) + " imply " + child(*e.args[1], 9);
      case TaOp::Assign:
      case TaOp::AddAssign:
      case TaOp::SubAssign: return text(*e.args[0]) + " " + symbol(e.op) + " " + child(*e.args[1], own + 1);
      default: return child(*e.args[0], own) + " " + symbol(e.op) + " " + child(*e.args[1], own + 1);
    }
  }

  static std::string range(int32_t lo, int32_t hi) {
    return "int[" + std::to_string(lo) + "," + std::to_string(hi) + "]";
  }

  std::string text(const TaClockAtom& atom) const {
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

  std::string text(const TaCondition& condition) const {
    return condition.clock ? text(*condition.clock) : child(*condition.expr, precedence(TaOp::And));
  }

  std::string text(const std::vector<TaCondition>& conditions) const {
    std::string s;
    for (const TaCondition& condition : conditions) s += (s.empty() ? "" : " && ") + text(condition);
    return s;
  }

  std::string text(const TaGoalAtom& atom) {
    if (atom.kind == TaGoalAtom::Kind::Deadlock) return atom.negated ? "not deadlock" : "deadlock";
    const TaInstance& instance = model_.instances[atom.instance];
    of_ = &model_.templates[instance.of];
    prefix_ = instance.name + ".";
    std::string s;
    if (atom.kind == TaGoalAtom::Kind::Location) {
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

  // ---- declarations ----
  void line(int indent, const std::string& s) { out_ += std::string(static_cast<size_t>(indent), ' ') + s + "\n"; }

  void declare(const TaVariable& v, int indent) {
    std::string s = v.is_const ? "const " : "";
    const auto value = [&](int32_t x) {
      return v.is_bool ? std::string(x != 0 ? "true" : "false") : std::to_string(x);
    };
    s += v.is_bool ? "bool" : range(v.lo, v.hi);
    s += " " + v.name;
    if (v.size != 0) {
      s += "[" + std::to_string(v.size) + "] = { ";
      for (size_t i = 0; i < v.size; ++i) s += (i ? ", " : "") + value(v.initial[i]);
      s += " }";
    } else if (v.is_const || v.initial[0] != 0) {
      s += " = " + value(v.initial[0]);
    }
    line(indent, s + ";");
  }

  void declare_clocks(const std::vector<std::string>& clocks, int indent) {
    if (clocks.empty()) return;
    std::string s = "clock ";
    for (size_t i = 0; i < clocks.size(); ++i) s += (i ? ", " : "") + clocks[i];
    line(indent, s + ";");
  }

  void declarations() {
    for (const TaVariable& v : model_.variables) declare(v, 0);
    declare_clocks(model_.clocks, 0);
    for (const TaChannel& c : model_.channels) {
      line(0, std::string(c.urgent ? "urgent " : "") + (c.broadcast ? "broadcast " : "") + "chan " + c.name +
                  (c.size != 0 ? "[" + std::to_string(c.size) + "]" : "") + ";");
    }
    channel_priorities();
    for (const TaFunction& f : model_.functions) declare(f);
  }

  void channel_priorities() {
    if (model_.channel_priority.empty()) return;
    std::vector<int32_t> levels = model_.channel_priority;
    levels.push_back(0);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    std::string s;
    for (const int32_t level : levels) {
      std::string same = level == 0 ? "default" : "";
      for (size_t i = 0; i < model_.channels.size(); ++i) {
        if (level != 0 && model_.channel_priority[i] == level) {
          same += (same.empty() ? "" : ", ") + model_.channels[i].name;
        }
      }
      s += (s.empty() ? "" : " < ") + same;
    }
    line(0, "chan priority " + s + ";");
  }

  void declare(const TaFunction& f) {
    std::string head = std::string(f.returns_value ? "int " : "void ") + f.name + "(";
    for (size_t i = 0; i < f.parameters.size(); ++i) head += (i ? ", " : "") + declare(f.parameters[i]);
    line(0, head + ") {");
    for (size_t i = 0; i < f.locals.size(); ++i) {
      line(2, declare(f.locals[i]) + " = " + text(*f.local_initial[i]) + ";");
    }
    for (const TaStatement& s : f.body) print(s, 2);
    line(0, "}");
  }

  static std::string declare(const TaSlot& slot) {
    return (slot.bounded ? range(slot.lo, slot.hi) : std::string("int")) + " " + slot.name;
  }

  void print_body(const std::vector<TaStatement>& body, int indent) {
    for (const TaStatement& s : body) print(s, indent);
  }

  void print(const TaStatement& s, int indent) {
    switch (s.kind) {
      case TaStatement::Kind::Expression: line(indent, text(*s.expr) + ";"); break;
      case TaStatement::Kind::Return: line(indent, "return " + text(*s.expr) + ";"); break;
      case TaStatement::Kind::If:
        line(indent, "if (" + text(*s.expr) + ") {");
        print_body(s.body, indent + 2);
        if (!s.otherwise.empty()) {
          line(indent, "} else {");
          print_body(s.otherwise, indent + 2);
        }
        line(indent, "}");
        break;
      case TaStatement::Kind::While:
        line(indent, "while (" + text(*s.expr) + ") {");
        print_body(s.body, indent + 2);
        line(indent, "}");
        break;
      case TaStatement::Kind::ForRange:
        line(indent, "for (" + s.name + " : " + range(s.lo, s.hi) + ") {");
        print_body(s.body, indent + 2);
        line(indent, "}");
        break;
      case TaStatement::Kind::ForLoop:
        line(indent, "for (" + s.name + " = " + std::to_string(s.lo) + "; " + s.name + " <= " + std::to_string(s.hi) +
                         "; " + s.name + "++) {");
        print_body(s.body, indent + 2);
        line(indent, "}");
        break;
    }
  }

  // ---- templates and the system ----
  void print(const TaTemplate& of) {
    of_ = &of;
    std::string head = "process " + of.name + "(";
    for (size_t i = 0; i < of.parameters.size(); ++i) {
      const TaParameter& p = of.parameters[i];
      head += i ? ", " : "";
      switch (p.kind) {
        case TaParameter::Kind::Value: head += "const " + range(p.lo, p.hi) + " " + p.name; break;
        case TaParameter::Kind::Variable: head += range(p.lo, p.hi) + " &" + p.name; break;
        case TaParameter::Kind::Clock: head += "clock &" + p.name; break;
      }
    }
    line(0, head + ") {");
    for (const TaVariable& v : of.variables) declare(v, 2);
    declare_clocks(of.clocks, 2);
    std::string states;
    for (const TaLocation& l : of.locations) {
      states += (states.empty() ? "" : ", ") + l.name;
      if (!l.invariant.empty()) states += " { " + text(l.invariant) + " }";
    }
    line(2, "state " + states + ";");
    list_kind(of, TaLocationKind::Committed, "commit");
    list_kind(of, TaLocationKind::Urgent, "urgent");
    line(2, "init " + of.locations[of.initial].name + ";");
    if (!of.edges.empty()) line(2, "trans");
    for (size_t i = 0; i < of.edges.size(); ++i) print(of, i);
    line(0, "}");
  }

  void list_kind(const TaTemplate& of, TaLocationKind kind, const std::string& keyword) {
    std::string names;
    for (const TaLocation& l : of.locations) {
      if (l.kind == kind) names += (names.empty() ? "" : ", ") + l.name;
    }
    if (!names.empty()) line(2, keyword + " " + names + ";");
  }

  void print(const TaTemplate& of, size_t number) {
    const TaEdge& e = of.edges[number];
    // A transition with the source of the one before may leave it out; every other one does.
    const bool same_source = number % 2 == 1 && of.edges[number - 1].source == e.source;
    std::string s =
        (same_source ? "" : of.locations[e.source].name + " ") + "-> " + of.locations[e.target].name + " { ";
    if (!e.selects.empty()) {
      s += "select ";
      for (size_t i = 0; i < e.selects.size(); ++i) {
        s += (i ? ", " : "") + e.selects[i].name + " : " + range(e.selects[i].lo, e.selects[i].hi);
      }
      s += "; ";
    }
    if (!e.guard.empty()) s += "guard " + text(e.guard) + "; ";
    if (e.sync) {
      s += "sync " + model_.channels[e.sync->channel].name;
      if (e.sync->index) s += "[" + text(*e.sync->index) + "]";
      s += e.sync->send ? "!; " : "?; ";
    }
    if (!e.updates.empty()) {
      s += "assign ";
      for (size_t i = 0; i < e.updates.size(); ++i) {
        const TaUpdate& u = e.updates[i];
        s += i ? ", " : "";
        s += u.clock ? name_of(*u.clock, true) + " = " + text(*u.expr) : text(*u.expr);
      }
      s += "; ";
    }
    line(4, s + (number + 1 < of.edges.size() ? "}," : "};"));
  }

  void instantiate(const TaInstance& instance) {
    const TaTemplate& of = model_.templates[instance.of];
    if (of.instantiated_by_range) return;
    std::string s = instance.name + " = " + of.name + "(";
    for (size_t i = 0; i < of.parameters.size(); ++i) {
      s += i ? ", " : "";
      const size_t index = static_cast<size_t>(instance.arguments[i]);
      switch (of.parameters[i].kind) {
        case TaParameter::Kind::Value: s += std::to_string(instance.arguments[i]); break;
        case TaParameter::Kind::Variable: s += model_.variables[index].name; break;
        case TaParameter::Kind::Clock: s += model_.clocks[index]; break;
      }
    }
    line(0, s + ");");
  }

  void system_line() {
    std::string s;
    const TaInstance* before = nullptr;
    for (const TaInstance& instance : model_.instances) {
      const TaTemplate& of = model_.templates[instance.of];
      if (of.instantiated_by_range && before != nullptr && before->of == instance.of) continue;
      if (before != nullptr) s += before->priority < instance.priority ? " < " : ", ";
      s += of.instantiated_by_range ? of.name : instance.name;
      before = &instance;
    }
    line(0, "system " + s + ";");
  }

  const TaModel& model_;
  const TaTemplate* of_ = nullptr;
  std::string prefix_;
  std::string out_;
};

}  // namespace

TaExprPtr ta_const(int32_t value) { return std::make_shared<const TaExpr>(TaExpr{.op = TaOp::Const, .value = value}); }
TaExprPtr ta_node(TaOp op, std::vector<TaExprPtr> args) {
  return std::make_shared<const TaExpr>(TaExpr{.op = op, .args = std::move(args)});
}
TaExprPtr ta_variable(TaPlace place, TaExprPtr index) {
  TaExpr e{.op = TaOp::Variable, .place = place};
  if (index) e.args.push_back(std::move(index));
  return std::make_shared<const TaExpr>(std::move(e));
}
TaExprPtr ta_slot(int32_t slot, std::string name) {
  return std::make_shared<const TaExpr>(TaExpr{.op = TaOp::Slot, .value = slot, .name = std::move(name)});
}

std::string to_xta(const TaModel& model) { return Printer(model).system(); }
std::string to_query(const TaModel& model, const TaQuery& query) { return Printer(model).query(query); }

}  // namespace harrier::testing_support
