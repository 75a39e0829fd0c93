// Prints expressions with as few parentheses as their meaning allows, and whole systems in blocks.
//
// Array accesses with a computed index are shown as `a[i]` where the block is a plain array, else as `a{k}` with
// the flat index k into the block. Frame slots are `$0`, `$1`, …; a check that a value lies in a range is
// `in_range(value, lo, hi)`.
#include "model/printer.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <unordered_map>

#include "model/operators.h"

namespace harrier::model {

namespace {

// How tightly an expression binds, loosest first.
enum Level : int {
  kComma,
  kAssign,
  kQuantifier,
  kConditional,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kOrder,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary,
};

struct Infix {
  const char* symbol;
  Level level;
};

Infix comparison(Op op) {
  switch (static_cast<ComparisonOp>(op)) {
    case ComparisonOp::Lt: return {"<", kOrder};
    case ComparisonOp::Le: return {"<=", kOrder};
    case ComparisonOp::Eq: return {"==", kEquality};
    case ComparisonOp::Ne: return {"!=", kEquality};
    case ComparisonOp::Ge: return {">=", kOrder};
    case ComparisonOp::Gt: return {">", kOrder};
  }
  return {"", kPrimary};
}

Infix infix(Op op) {
  if (is_comparison(op)) return comparison(op);
  if (is_connective(op)) return op == Op::And ? Infix{"&&", kAnd} : Infix{"||", kOr};
  switch (static_cast<ArithmeticOp>(op)) {
    case ArithmeticOp::Add: return {"+", kSum};
    case ArithmeticOp::Sub: return {"-", kSum};
    case ArithmeticOp::Mul: return {"*", kProduct};
    case ArithmeticOp::Div: return {"/", kProduct};
    case ArithmeticOp::Mod: return {"%", kProduct};
    case ArithmeticOp::Shl: return {"<<", kShift};
    case ArithmeticOp::Shr: return {">>", kShift};
    case ArithmeticOp::BitAnd: return {"&", kBitAnd};
    case ArithmeticOp::BitOr: return {"|", kBitOr};
    case ArithmeticOp::BitXor: return {"^", kBitXor};
    case ArithmeticOp::Min: return {"min", kPrimary};  // written as functions
    case ArithmeticOp::Max: return {"max", kPrimary};
  }
  return {"", kPrimary};
}

class Printer {
 public:
  explicit Printer(const System& system) : system_(system) {
    for (size_t p = 0; p < system.processes.size(); ++p) process_of_[system.processes[p].location.value] = p;
  }

  // The text of an expression in a place that needs at least the given tightness.
  std::string expr(ExprId id, Level needed = kComma) const {
    Level level = kPrimary;
    std::string text = bare(system_.expr(id), level);
    return level < needed ? "(" + text + ")" : text;
  }

  std::string conjunction(const std::vector<ExprId>& conditions) const {
    std::string out;
    for (const ExprId condition : conditions) join(out, " && ", expr(condition, kAnd));
    return out;
  }

  std::string constraint(const ClockConstraint& c) const {
    const std::string condition = c.condition.valid() ? expr(c.condition, kOr) + " imply " : "";
    if (c.left.value == 0 && c.right.value != 0) {
      return fmt::format("{}{} {} {}", condition, clock(c.right), c.strict ? ">" : ">=", negated(c.bound));
    }
    std::string left = clock(c.left);
    if (c.right.value != 0) left += " - " + clock(c.right);
    return fmt::format("{}{} {} {}", condition, left, c.strict ? "<" : "<=", expr(c.bound, kShift));
  }

  std::string clause(const Clause& clause) const {
    std::string out = conjunction(clause.conditions);
    for (const ClockConstraint& c : clause.clocks) join(out, " && ", constraint(c));
    if (clause.deadlock == DeadlockTest::IsDeadlock) join(out, " && ", "deadlock");
    if (clause.deadlock == DeadlockTest::NotDeadlock) join(out, " && ", "!deadlock");
    return out.empty() ? "true" : out;
  }

  // A statement on one line.
  std::string stmt(StmtId id) const {
    if (!id.valid()) return "{ }";
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Expr: return expr(s.expr) + ";";
      case StmtKind::Block: {
        std::string out = "{ ";
        for (const StmtId child : system_.block(s)) out += stmt(child) + " ";
        return out + "}";
      }
      case StmtKind::If: {
        std::string out = "if (" + expr(s.expr) + ") " + stmt(s.a);
        if (s.b.valid()) out += " else " + stmt(s.b);
        return out;
      }
      case StmtKind::While: return "while (" + expr(s.expr) + ") " + stmt(s.a);
      case StmtKind::Return: return s.expr.valid() ? "return " + expr(s.expr) + ";" : "return;";
      case StmtKind::Reset: return reset(s) + ";";
      case StmtKind::Choose:
        return fmt::format("${} := any of [{}, {}];", s.first, s.low, int64_t{s.low} + s.count - 1);
      case StmtKind::Assume: return "assume " + expr(s.expr) + ";";
    }
    return "";
  }

  // Effects separated by commas, as on an edge.
  std::string effects(const std::vector<StmtId>& statements) const {
    std::string out;
    for (const StmtId id : statements) {
      std::string text = stmt(id);
      if (!text.empty() && text.back() == ';') text.pop_back();
      join(out, ", ", text);
    }
    return out;
  }

  std::string edge(const Edge& e) const {
    const Process& process = system_.process(e.process);
    std::string out =
        fmt::format("{}: {} -> {}", process.name, process.locations[e.source].name, process.locations[e.target].name);
    if (!e.label.empty()) out += " select " + e.label;
    std::string guard = conjunction(e.guard);
    for (const ClockConstraint& c : e.clock_guard) join(guard, " && ", constraint(c));
    if (!guard.empty()) out += " guard " + guard;
    if (e.direction != Direction::Internal) {
      out += " sync " + system_.channel(e.channel).name + (e.direction == Direction::Send ? "!" : "?");
    }
    if (!e.effect.empty()) out += " do " + effects(e.effect);
    return out;
  }

  std::string system() const {
    std::string out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "system {}\n", system_.name);
    variables(out);
    for (size_t i = 1; i < system_.clocks.size(); ++i) fmt::format_to(to, "clock {}\n", system_.clocks[i].name);
    for (const Channel& c : system_.channels) {
      fmt::format_to(to, "{}{}chan {}", c.urgent ? "urgent " : "", c.broadcast ? "broadcast " : "", c.name);
      if (c.priority != system_.internal_priority) fmt::format_to(to, " priority {}", c.priority);
      out += '\n';
    }
    for (const Function& f : system_.functions) {
      fmt::format_to(to, "function {}/{} slots {} {}\n", f.name, f.parameters, f.slots, stmt(f.body));
    }
    if (!system_.before_update.empty()) fmt::format_to(to, "before_update {}\n", effects(system_.before_update));
    if (!system_.after_update.empty()) fmt::format_to(to, "after_update {}\n", effects(system_.after_update));
    for (const Axiom& a : system_.axioms) fmt::format_to(to, "axiom {}\n", axiom(a));
    for (const Process& p : system_.processes) process(p, out);
    return out;
  }

  std::string axiom(const Axiom& a) const {
    const std::string body = conjunction(a.body);
    return fmt::format("layer {} {} := {} if {}", a.layer, system_.variable(a.head).name, a.value,
                       body.empty() ? "true" : body);
  }

 private:
  static void join(std::string& out, std::string_view separator, const std::string& text) {
    if (!out.empty()) out += separator;
    out += text;
  }

  const std::string& clock(ClockId id) const { return system_.clocks[id.value].name; }

  // The text of -bound.
  std::string negated(ExprId bound) const {
    const Expr& e = system_.expr(bound);
    if (e.op == Op::Const) return std::to_string(-int64_t{e.value});
    if (e.op == Op::Neg) return expr(e.a, kShift);
    return "-" + expr(bound, kPrimary);
  }

  // `P.loc` for a comparison of a location with a constant; empty if the expression is none.
  std::string location_test(const Expr& e) const {
    const Expr* left = &system_.expr(e.a);
    const Expr* right = &system_.expr(e.b);
    if (left->op == Op::Const) std::swap(left, right);
    if (left->op != Op::Var || right->op != Op::Const) return "";
    const auto process = process_of_.find(left->base);
    if (process == process_of_.end()) return "";
    const Process& p = system_.processes[process->second];
    if (right->value < 0 || static_cast<size_t>(right->value) >= p.locations.size()) return "";
    return p.name + "." + p.locations[static_cast<size_t>(right->value)].name;
  }

  // A variable of the block that starts at `base`, `index` given.
  std::string element(uint32_t base, uint32_t count, const std::string& index) const {
    const std::string& first = system_.variables[base].name;
    if (first.ends_with("[0]")) {
      const std::string_view array(first.data(), first.size() - 3);
      const std::string& last = system_.variables[base + std::max(count, 1U) - 1].name;
      if (last == fmt::format("{}[{}]", array, std::max(count, 1U) - 1)) return fmt::format("{}[{}]", array, index);
    }
    return fmt::format("{}{{{}}}", first.substr(0, first.find('[')), index);
  }

  std::string binary(const Expr& e, Level& level) const {
    if (e.op == Op::Eq || e.op == Op::Ne) {
      std::string test = location_test(e);
      if (!test.empty()) {
        if (e.op == Op::Eq) return test;
        level = kUnary;
        return "!" + test;
      }
    }
    const Infix form = infix(e.op);
    level = form.level;
    if (level == kPrimary) return fmt::format("{}({}, {})", form.symbol, argument(e.a), argument(e.b));
    // All of these group to the left, so that only a right operand of the same level needs parentheses.
    const bool associative = e.op == Op::And || e.op == Op::Or;
    const auto right_level = associative ? form.level : static_cast<Level>(form.level + 1);
    return fmt::format("{} {} {}", expr(e.a, form.level), form.symbol, expr(e.b, right_level));
  }

  std::string bare(const Expr& e, Level& level) const {
    switch (kind_of(e.op)) {
      case OpKind::Const:
        if (e.value < 0) level = kUnary;
        return std::to_string(e.value);
      case OpKind::Var: return system_.variables[e.base].name;
      case OpKind::Load: return element(e.base, e.count, expr(e.a));
      case OpKind::Local: return fmt::format("${}", e.base);
      case OpKind::LoadLocal: return fmt::format("${}[{}]", e.base, expr(e.a));
      case OpKind::Index: return bare(system_.expr(e.a), level);
      case OpKind::InRange: return fmt::format("in_range({}, {}, {})", argument(e.a), argument(e.b), argument(e.c));
      case OpKind::Unary: return prefix(e, level);
      case OpKind::Arithmetic:
      case OpKind::Comparison:
      case OpKind::Connective: return binary(e, level);
      case OpKind::Ite:
        level = kConditional;
        return fmt::format("{} ? {} : {}", expr(e.a, kOr), expr(e.b, kConditional), expr(e.c, kConditional));
      case OpKind::Quantifier:
        return quantifier(e.op == Op::Forall ? "forall" : e.op == Op::Exists ? "exists" : "sum", e, level);
      case OpKind::Call: {
        std::string arguments;
        for (const ExprId a : system_.call_arguments(e)) join(arguments, ", ", argument(a));
        return fmt::format("{}({})", system_.functions[e.base].name, arguments);
      }
      case OpKind::Store:
      case OpKind::StoreLocal: return store(e, level);
      case OpKind::Comma: level = kComma; return fmt::format("{}, {}", expr(e.a), expr(e.b));
      case OpKind::Fail: return fmt::format("fail(\"{}\")", fault_text(system_, static_cast<Fault>(e.value)));
    }
    return "";
  }

  std::string argument(ExprId id) const { return expr(id, kAssign); }

  std::string prefix(const Expr& e, Level& level) const {
    level = kUnary;
    // "- -1" would read as a decrement.
    return symbol(e.op) + expr(e.a, e.op == Op::Neg ? kPrimary : kUnary);
  }

  std::string quantifier(const char* word, const Expr& e, Level& level) const {
    level = kQuantifier;
    return fmt::format("{} (${} : {}..{}) {}", word, e.base, expr(e.a), expr(e.b), expr(e.c, kQuantifier));
  }

  std::string store(const Expr& e, Level& level) const {
    level = kAssign;
    std::string target;
    if (e.op == Op::StoreLocal) {
      target = e.a.valid() ? fmt::format("${}[{}]", e.base, expr(e.a)) : fmt::format("${}", e.base);
    } else {
      target = e.a.valid() ? element(e.base, e.count, expr(e.a)) : system_.variables[e.base].name;
    }
    return fmt::format("{} := {}", target, expr(e.b, kAssign));
  }

  std::string reset(const Stmt& s) const {
    std::string target = clock(s.clock);
    if (s.offset.valid()) target = fmt::format("{}[{}]", target.substr(0, target.find('[')), expr(s.offset));
    return fmt::format("{} := {}", target, expr(s.expr, kAssign));
  }

  void variables(std::string& out) const {
    auto to = std::back_inserter(out);
    for (const Variable& v : system_.variables) {
      if (v.kind == VarKind::Location) continue;
      fmt::format_to(to, "var {} : [{}, {}] = {}\n", v.name, v.lo, v.hi, v.initial);
    }
  }

  void process(const Process& p, std::string& out) const {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "process {}", p.name);
    if (p.priority != 0) fmt::format_to(to, " priority {}", p.priority);
    out += '\n';
    const auto initial = static_cast<size_t>(system_.variable(p.location).initial);
    for (size_t i = 0; i < p.locations.size(); ++i) {
      const Location& l = p.locations[i];
      const char* kind = l.kind == LocationKind::Urgent      ? "urgent "
                         : l.kind == LocationKind::Committed ? "committed "
                                                             : "";
      fmt::format_to(to, "  {}{}location {}", i == initial ? "initial " : "", kind, l.name);
      std::string invariant = conjunction(l.invariant);
      for (const ClockConstraint& c : l.clock_invariant) join(invariant, " && ", constraint(c));
      if (!invariant.empty()) fmt::format_to(to, " invariant {}", invariant);
      out += '\n';
    }
    for (const EdgeId id : p.edges) {
      // The process is already named above.
      const uint32_t cost = system_.edge(id).cost;
      fmt::format_to(to, "  edge {}{}\n", edge(system_.edge(id)).substr(p.name.size() + 2),
                     cost == 1 ? "" : " cost " + std::to_string(cost));
    }
  }

  const System& system_;
  std::unordered_map<uint32_t, size_t> process_of_;  // location variable -> process
};

}  // namespace

const char* symbol(Op op) {
  if (!is_unary(op)) return infix(op).symbol;
  switch (static_cast<UnaryOp>(op)) {
    case UnaryOp::Neg: return "-";
    case UnaryOp::Not: return "!";
    case UnaryOp::BitNot: return "~";
  }
  return "";
}

std::string to_text(const System& system, ExprId expr) { return Printer(system).expr(expr); }
std::string to_text(const System& system, StmtId stmt) { return Printer(system).stmt(stmt); }
std::string to_text(const System& system, const ClockConstraint& constraint) {
  return Printer(system).constraint(constraint);
}
std::string to_text(const System& system, const Edge& edge) { return Printer(system).edge(edge); }
std::string to_text(const System& system, const Clause& clause) { return Printer(system).clause(clause); }
std::string to_text(const System& system) { return Printer(system).system(); }

}  // namespace harrier::model
