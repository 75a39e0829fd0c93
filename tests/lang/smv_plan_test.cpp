// Steps and initial states, found in the order of their dependencies, are those that plain enumeration finds: every
// state with every other one, and every assignment and constraint evaluated on the two.
#include <functional>
#include <random>

#include "lang/smv/flat.h"
#include "lang/smv/parser.h"
#include "lang/smv_support.h"

namespace harrier::testing {
namespace {

using smv::AssignTime;
using smv::ConstraintKind;
using smv::TermId;
using smv::TermKind;

// What a flat model means, term by term.
class Plain {
 public:
  explicit Plain(const std::string& text) {
    const auto tree = smv::parse(sources_, sources_.add_file("m.smv", text), diagnostics_);
    flat_ = smv::flatten(*tree, "main", diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors());
  }

  // All values of the variables, inputs included.
  void for_all(const std::function<void(const SmvState&)>& f) {
    SmvState state(flat_->variables.size());
    for_all(state, 0, f);
  }
  // Without the inputs, which a state does not have: their first value stands for it.
  SmvState state_of(SmvState state) const {
    for (size_t i = 0; i < state.size(); ++i) {
      if (flat_->variables[i].kind == smv::VarClass::Input) state[i] = flat_->variables[i].lo;
    }
    return state;
  }
  bool is_state(const SmvState& state) const { return state == state_of(state); }

  bool is_valid(const SmvState& state) {
    return holds(ConstraintKind::Invar, state, state, 0) && assigned(AssignTime::Always, state, state, 0);
  }
  bool is_initial(const SmvState& state) {
    return is_valid(state) && holds(ConstraintKind::Init, state, state, 0) &&
           assigned(AssignTime::Init, state, state, 0);
  }
  // With the inputs of `from`.
  bool is_step(const SmvState& from, const SmvState& to) {
    if (!is_valid(to)) return false;
    for (uint32_t process = 0; process < flat_->processes.size(); ++process) {
      if (holds(ConstraintKind::Trans, from, to, process) && assigned(AssignTime::Next, from, to, process) &&
          keeps(from, to, process)) {
        return true;
      }
    }
    return false;
  }

 private:
  void for_all(SmvState& state, size_t i, const std::function<void(const SmvState&)>& f) {
    if (i == state.size()) return f(state);
    for (int32_t v = flat_->variables[i].lo; v <= flat_->variables[i].hi; ++v) {
      if (!flat_->variables[i].has(v)) continue;
      state[i] = v;
      for_all(state, i + 1, f);
    }
  }

  int32_t value(TermId id, const SmvState& from, const SmvState& to, uint32_t process) {
    const smv::Term& t = flat_->values.terms()[id];
    const auto part = [&](TermId p) { return value(p, from, to, process); };
    switch (t.kind) {
      case TermKind::Const: return t.value;
      case TermKind::Current: return from[static_cast<size_t>(t.value)];
      case TermKind::Next: return to[static_cast<size_t>(t.value)];
      case TermKind::Running: return static_cast<uint32_t>(t.value) == process;
      case TermKind::Slot:
      case TermKind::Fail: ADD_FAILURE() << "no value"; return 0;
      case TermKind::Node: break;
    }
    if (t.op == model::Op::Ite) return part(t.a) != 0 ? part(t.b) : part(t.c);
    if (t.op == model::Op::And) return part(t.a) != 0 && part(t.b) != 0;
    if (t.op == model::Op::Or) return part(t.a) != 0 || part(t.b) != 0;
    model::Fault fault = model::Fault::None;
    const int32_t out = t.b.valid() ? model::apply_binary(t.op, part(t.a), part(t.b), fault)
                                    : model::apply_unary(t.op, part(t.a), fault);
    EXPECT_EQ(fault, model::Fault::None);
    return out;
  }

  bool holds(ConstraintKind kind, const SmvState& from, const SmvState& to, uint32_t process) {
    for (const smv::Constraint& c : flat_->constraints) {
      if (c.kind == kind && value(c.term, from, to, process) == 0) return false;
    }
    return true;
  }

  // As the constraint that it is: x in e.
  bool assigned(AssignTime time, const SmvState& from, const SmvState& to, uint32_t process) {
    for (const smv::Assignment& a : flat_->assignments) {
      if (a.time != time || (time == AssignTime::Next && a.process != process)) continue;
      const TermId own = time == AssignTime::Next ? flat_->next(a.variable) : flat_->current(a.variable);
      const smv::Value member = flat_->values.membership({flat_->variables[a.variable].type, own}, a.value, a.at);
      if (value(member.term, from, to, process) == 0) return false;
    }
    return true;
  }

  bool keeps(const SmvState& from, const SmvState& to, uint32_t process) {
    std::set<uint32_t> own;
    std::set<uint32_t> others;
    for (const smv::Assignment& a : flat_->assignments) {
      if (a.time == AssignTime::Next) (a.process == process ? own : others).insert(a.variable);
    }
    for (uint32_t i = 0; i < from.size(); ++i) {
      const bool frozen = flat_->variables[i].kind == smv::VarClass::Frozen;
      if ((frozen || (others.contains(i) && !own.contains(i))) && from[i] != to[i]) return false;
    }
    return true;
  }

  Sources sources_;
  Diagnostics diagnostics_;
  std::unique_ptr<smv::FlatModel> flat_;
};

std::string shown(const SmvState& state) {
  std::string out;
  for (const int32_t v : state) out += " " + std::to_string(v);
  return out;
}

void compare(const std::string& text) {
  const SmvModel model(text);
  ASSERT_FALSE(model.diagnostics.has_errors()) << model.said() << "\n" << text;
  const model::System& system = model.system();
  Plain plain(text);
  const auto with_locations = [&](SmvState state) {
    state.resize(system.variables.size(), 0);
    return state;
  };
  std::set<SmvState> initial;
  std::vector<SmvState> all;
  plain.for_all([&](const SmvState& state) {
    all.push_back(state);
    if (plain.is_state(state) && plain.is_initial(state)) initial.insert(with_locations(state));
  });
  EXPECT_EQ(initial_states(system), initial) << text;
  std::map<SmvState, std::set<SmvState>> steps;
  for (const SmvState& from : all) {
    std::set<SmvState>& to = steps[plain.state_of(from)];
    if (!plain.is_valid(plain.state_of(from))) continue;
    for (const SmvState& next : all) {
      if (plain.is_state(next) && plain.is_step(from, next)) to.insert(with_locations(next));
    }
  }
  for (const auto& [from, to] : steps) {
    if (!plain.is_valid(from)) continue;
    ASSERT_EQ(successors(system, with_locations(from)), to) << "from" << shown(from) << " in\n" << text;
  }
}

TEST(SmvPlan, Assignments) {
  compare(
      "MODULE main VAR x : 0..3; b : boolean; s : {a, b1, c}; t : {c, d, a};\n"
      "ASSIGN init(x) := {0, 2}; next(x) := case b : (x + 1) mod 4; TRUE : {x, 3}; esac;\n"
      "init(s) := a; next(s) := case next(b) : a; s = t : {a, c}; TRUE : s; esac;\n"
      "t := case s = a : {c, d}; s = c : c; TRUE : a; esac;\n");
}

TEST(SmvPlan, RelationsThatGiveValues) {
  compare(
      "MODULE main VAR x : 0..3; y : 0..3; b : boolean;\n"
      "INIT x = 1 & (y = 2 | y = x) & !b\n"
      "TRANS next(x) = (x + y) mod 4 & (b -> next(y) = x) & (!b -> next(y) in {0, y}) & (next(b) <-> next(x) > 1)\n");
}

TEST(SmvPlan, AlternativesAreBranchedOn) {
  const std::string text =
      "MODULE main VAR x : 0..9; y : 0..9;\n"
      "INIT x = 0 & y = 0\n"
      "TRANS (x < 9 & next(x) = x + 1 & next(y) = y) | (y < 9 & next(y) = y + 1 & next(x) = x)\n"
      "    | (x = y & next(x) = 0 & next(y) = 0)\n";
  compare(text);
  const SmvModel model(text);
  size_t transitions = 0;
  SmvState state = model.system().initial_values();
  state[0] = state[1] = 4;
  EXPECT_EQ(outcomes(model.system(), model.system().processes[0].edges[0], state, &transitions).size(), 3U);
  EXPECT_EQ(transitions, 3U);
}

TEST(SmvPlan, ValuesThatNothingAllows) {
  compare(
      "MODULE main VAR x : 0..3; y : {1, 5, 7}; INIT x > 1 & y != 5 TRANS next(x) = x + y - 1 TRANS next(y) <= y + "
      "x\n");
  compare("MODULE main VAR x : 0..3; INIT x > 5 TRANS next(x) = 9\n");
}

TEST(SmvPlan, InputsAndFrozenVariables) {
  compare(
      "MODULE main VAR x : 0..3; IVAR i : 0..2; FROZENVAR f : 1..2; ASSIGN next(x) := (x + i) mod 4;\n"
      "TRANS i >= f -> next(x) != x INVAR x != 3 | f = 1\n");
}

TEST(SmvPlan, ProcessesTakeTurns) {
  compare(
      "MODULE main VAR x : 0..3; free : boolean; p : process P(x, TRUE); q : process P(x, FALSE);\n"
      "ASSIGN init(x) := 0; TRANS next(p.y) | next(q.y) | running\n"
      "MODULE P(x, up) VAR y : boolean; ASSIGN next(x) := case up & x < 3 : x + 1; !up & x > 0 : x - 1; TRUE : x; "
      "esac;\n"
      "next(y) := {y, running}; TRANS running -> x != 2 | next(y)\n");
}

// Random models of everything that has no run-time errors.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string model() {
    std::string out = "MODULE main\nVAR b : boolean; c : boolean; x : 0..3; s : {p, q, r}; t : {r, u, p};\n";
    const bool input = below(2) == 0;
    if (input) out += "IVAR i : boolean;\n";
    input_ = input;
    const bool processes = below(3) == 0;
    if (processes) out += "VAR p1 : process P(x, s, b); p2 : process P(x, t, c);\n";
    for (const char* name : {"b", "c", "x", "s", "t"}) {
      const std::string value = std::string(name) == "x"                               ? "number"
                                : std::string(name) == "s" || std::string(name) == "t" ? "symbol"
                                                                                       : "bit";
      const uint32_t kind = below(6);
      next_ = false;
      if (kind == 0 && value == "bit") {
        // The first of them, so that nothing is cyclic.
        if (std::string(name) == "b") out += "ASSIGN b := {x > 1, s = p};\n";
        continue;
      }
      if (kind <= 2) out += "ASSIGN init(" + std::string(name) + ") := " + constants(value) + ";\n";
      if (kind == 1 || kind == 3) {
        next_ = below(4) == 0;
        if (!processes) out += "ASSIGN next(" + std::string(name) + ") := " + set(name) + ";\n";
      }
    }
    next_ = false;
    const bool had_input = input_;
    input_ = false;
    if (below(2) == 0) out += "INIT " + formula(3) + "\n";
    if (below(3) == 0) out += "INVAR " + formula(2) + "\n";
    input_ = had_input;
    next_ = true;
    for (uint32_t i = below(3); i > 0; --i) out += "TRANS " + formula(4) + "\n";
    if (processes) {
      next_ = false;
      input_ = false;
      in_process_ = true;
      out += "MODULE P(x, s, b) VAR y : boolean;\nASSIGN next(x) := " + set("x") + "; next(y) := " + set("b") + ";\n";
      if (below(2) == 0) out += "TRANS running -> " + formula(3) + "\n";
    }
    return out;
  }

 private:
  uint32_t below(uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random_); }
  std::string variable(const std::vector<std::string>& names) {
    const std::string& name = names[below(static_cast<uint32_t>(names.size()))];
    return next_ && name != "i" && below(2) == 0 ? "next(" + name + ")" : name;
  }
  std::string bit() {
    return in_process_ ? variable({"b", "y"}) : input_ ? variable({"b", "c", "i"}) : variable({"b", "c"});
  }
  std::string symbol() {
    if (below(2) == 0) return std::vector<std::string>{"p", "q", "r", "u"}[below(4)];
    return in_process_ ? variable({"s"}) : variable({"s", "t"});
  }
  std::string number() {
    const uint32_t kind = below(4);
    if (kind == 0) return std::to_string(below(4));
    if (kind == 1) return "(" + variable({"x"}) + " + " + std::to_string(below(4)) + ") mod 4";
    return variable({"x"});
  }
  std::string atom() {
    switch (below(6)) {
      case 0: return bit();
      case 1: return "!" + bit();
      case 2: return number() + (below(3) == 0 ? " < " : " = ") + number();
      case 3: return symbol() + (below(4) == 0 ? " != " : " = ") + symbol();
      case 4: return variable({"x"}) + " in {" + number() + ", " + number() + "}";
      default: return bit() + " <-> " + bit();
    }
  }
  std::string formula(int depth) {
    if (depth == 0 || below(5) == 0) return "(" + atom() + ")";
    const std::string a = formula(depth - 1);
    const std::string b = formula(depth - 1);
    switch (below(8)) {
      case 0: return "!" + a;
      case 1:
      case 2: return "(" + a + " & " + b + ")";
      case 3:
      case 4: return "(" + a + " | " + b + " | " + formula(depth - 1) + ")";
      case 5: return "(" + a + " -> " + b + ")";
      case 6: return "(" + a + " xor " + b + ")";
      default: return "case " + a + " : " + b + "; TRUE : " + formula(depth - 1) + "; esac";
    }
  }
  std::string constants(const std::string& kind) {
    const auto one = [&]() -> std::string {
      if (kind == "bit") return below(2) == 0 ? "TRUE" : "FALSE";
      return kind == "number" ? std::to_string(below(4)) : below(2) == 0 ? "p" : "r";
    };
    return below(2) == 0 ? one() : "{" + one() + ", " + one() + "}";
  }
  // Values of a variable that are surely in its range.
  std::string set(const std::string& name) {
    const auto value = [&]() -> std::string {
      if (name == "x") return number();
      if (name == "s" || name == "t")
        return below(3) == 0 && (name == "s" || !in_process_) ? name : below(2) == 0 ? "p" : "r";
      return below(2) == 0 ? bit() : "(" + atom() + ")";
    };
    switch (below(4)) {
      case 0: return value();
      case 1: return "{" + value() + ", " + value() + "}";
      case 2: return value() + " union " + value();
      default:
        return "case " + formula(1) + " : " + value() + "; TRUE : {" + value() + ", " + value() + ", " + value() +
               "}; esac";
    }
  }

  std::mt19937 random_;
  bool next_ = false;
  bool input_ = false;
  bool in_process_ = false;
};

TEST(SmvPlan, RandomModels) {
  size_t read = 0;
  for (uint32_t seed = 1; seed <= 40 && !HasFatalFailure(); ++seed) {
    const std::string text = Generator(seed).model();
    // Assignments may be cyclic: a model that is refused.
    if (SmvModel(text).diagnostics.has_errors()) continue;
    ++read;
    compare(text);
  }
  EXPECT_GT(read, 25U);
}

}  // namespace
}  // namespace harrier::testing
