#include "random/operators.h"

#include <climits>
#include <utility>
#include <vector>

#include "random/rng.h"

namespace harrier::testing_support {

namespace {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Stmt;
using model::StmtId;
using model::StmtKind;

constexpr uint32_t kScalars = 3;   // the first variables
constexpr uint32_t kElements = 3;  // and an array behind them
constexpr uint32_t kParameters = 2;
constexpr uint32_t kArray = 2;  // slots of a function: parameters, an array, counters of loops, bound variables
constexpr uint32_t kLoops = 2;
constexpr uint32_t kBound = 2;  // nested quantifiers, at most
constexpr uint32_t kSlots = 2;  // of effects, behind those of quantifiers

// Where an expression stands.
struct Place {
  bool effects = false;      // variables may be written, and clocks
  bool function = false;     // there are parameters and local variables
  bool chooses = false;      // it is the effect of an edge, which has slots
  uint32_t callable = 0;     // functions below this number may be called; those with effects have odd numbers
  uint32_t bound = 0;        // quantifiers around it
  uint32_t loops = 0;        // loops around it
  uint32_t first_bound = 0;  // slot of the outermost quantifier
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : rng_(seed) {}

  model::System make() {
    const std::vector<std::pair<int32_t, int32_t>> domains = {{0, 3}, {-2, 5}, {INT32_MIN, INT32_MAX}, {0, 1}, {0, 9}};
    for (uint32_t v = 0; v < kScalars + kElements; ++v) {
      const auto [lo, hi] = rng_.pick(domains);
      s_.variables.push_back({.name = "v" + std::to_string(v), .lo = lo, .hi = hi, .initial = lo < 0 ? 0 : lo});
    }
    for (int c = 0; c < 3; ++c) s_.clocks.push_back({.name = "c" + std::to_string(c), .at = {}});
    s_.quantifier_slots = kBound + kSlots;
    for (uint32_t f = 0; f < 4; ++f) make_function(f);
    const model::VarId location(s_.variables.size());
    s_.variables.push_back({.name = "P", .kind = model::VarKind::Location});
    s_.processes.push_back({.name = "P", .type = "P", .location = location, .locations = {{.name = "a"}}});
    for (uint32_t e = 0; e < 4; ++e) {
      model::Edge edge{.process = model::ProcessId(0)};
      for (size_t i = rng_.below(3); i > 0; --i) edge.guard.push_back(expr({.callable = 4}, rng_.between(1, 4)));
      edge.clock_guard.push_back(
          {.left = model::ClockId(1), .right = model::ClockId(0), .bound = expr({.callable = 4}, 3)});
      for (size_t i = rng_.below(4); i > 0; --i) {
        edge.effect.push_back(stmt({.effects = true, .chooses = true, .callable = 4}, 3));
      }
      s_.processes[0].edges.push_back(model::EdgeId(s_.edges.size()));
      s_.edges.push_back(std::move(edge));
    }
    return std::move(s_);
  }

 private:
  void make_function(uint32_t number) {
    model::Function f{.name = "f" + std::to_string(number), .parameters = kParameters};
    f.slots = kParameters + kArray + kLoops + kBound;
    const Place place{
        .effects = number % 2 == 1, .function = true, .callable = number, .first_bound = kParameters + kArray + kLoops};
    std::vector<StmtId> body;
    for (size_t i = 1 + rng_.below(3); i > 0; --i) body.push_back(stmt(place, 3));
    f.body = s_.make_block(body);
    s_.functions.push_back(f);
  }

  int32_t constant() {
    static const std::vector<int32_t> kNumbers = {-2, -1, 0, 0, 1, 1, 2, 3, 5, 31, 32, INT32_MIN, INT32_MAX};
    return rng_.pick(kNumbers);
  }
  ExprId number(int32_t value) { return s_.make({.op = Op::Const, .value = value}); }

  // A leaf that any place has.
  ExprId leaf() {
    if (rng_.chance(40)) return number(constant());
    return s_.make({.op = Op::Var, .base = static_cast<uint32_t>(rng_.below(kScalars + kElements))});
  }

  // An index that is mostly right.
  ExprId index(const Place& place, int depth, uint32_t count) {
    return rng_.chance(60) ? number(static_cast<int32_t>(rng_.below(count))) : expr(place, depth - 1);
  }

  ExprId expr(const Place& place, int depth) {
    if (depth <= 0) return leaf();
    for (;;) {
      const ExprId made = of(static_cast<Op>(rng_.below(model::kOps)), place, depth);
      if (made.valid()) return made;
    }
  }

  // An expression with this operator, not folded; invalid if the place does not allow it.
  ExprId of(Op op, const Place& place, int depth) {
    const auto operand = [&] { return expr(place, depth - 1); };
    switch (op) {
      case Op::Const:
      case Op::Var: return leaf();
      case Op::Load:
        return s_.make({.op = op, .base = kScalars, .count = kElements, .a = index(place, depth, kElements)});
      case Op::Local: return local(place);
      case Op::LoadLocal:
        if (!place.function) return {};
        return s_.make({.op = op, .base = kParameters, .count = kArray, .a = index(place, depth, kArray)});
      case Op::Index: return s_.make({.op = op, .count = 1 + static_cast<uint32_t>(rng_.below(6)), .a = operand()});
      case Op::InRange: {
        const ExprId a = operand();
        const int32_t lo = rng_.between(-3, 3);
        return s_.make({.op = op, .a = a, .b = number(lo), .c = number(lo + rng_.between(0, 6))});
      }
      case Op::Neg:
      case Op::Not:
      case Op::BitNot: return s_.make({.op = op, .a = operand()});
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Div:
      case Op::Mod:
      case Op::Shl:
      case Op::Shr:
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case Op::Min:
      case Op::Max:
      case Op::Lt:
      case Op::Le:
      case Op::Eq:
      case Op::Ne:
      case Op::Ge:
      case Op::Gt:
      case Op::And:
      case Op::Or: {
        const ExprId a = operand();
        return s_.make({.op = op, .a = a, .b = operand()});
      }
      case Op::Comma: {
        const ExprId a = operand();
        return s_.make({.op = op, .a = a, .b = operand()});
      }
      case Op::Ite: {
        const ExprId a = operand();
        const ExprId b = operand();
        return s_.make({.op = op, .a = a, .b = b, .c = operand()});
      }
      case Op::Forall:
      case Op::Exists:
      case Op::Sum: return quantifier(op, place, depth);
      case Op::Call: return call(place, depth);
      case Op::Store: {
        if (!place.effects) return {};
        if (rng_.chance(50)) {
          return s_.make({.op = op, .base = static_cast<uint32_t>(rng_.below(kScalars)), .b = operand()});
        }
        const ExprId at = index(place, depth, kElements);
        return s_.make({.op = op, .base = kScalars, .count = kElements, .a = at, .b = operand()});
      }
      case Op::StoreLocal: {
        if (place.chooses) return s_.make({.op = op, .base = slot(), .b = operand()});
        if (!place.function) return {};
        if (rng_.chance(50)) {
          return s_.make({.op = op, .base = static_cast<uint32_t>(rng_.below(kParameters)), .b = operand()});
        }
        const ExprId at = index(place, depth, kArray);
        return s_.make({.op = op, .base = kParameters, .count = kArray, .a = at, .b = operand()});
      }
      case Op::Fail: return rng_.chance(60) ? s_.make_fail("a fault with a text of its own") : ExprId();
    }
    return {};
  }

  ExprId local(const Place& place) {
    std::vector<uint32_t> slots;
    for (uint32_t b = 0; b < place.bound; ++b) slots.push_back(place.first_bound + b);
    for (uint32_t p = 0; place.function && p < kParameters; ++p) slots.push_back(p);
    for (uint32_t l = 0; l < place.loops; ++l) slots.push_back(kParameters + kArray + l);
    for (uint32_t s = 0; place.chooses && s < kSlots; ++s) slots.push_back(kBound + s);
    return slots.empty() ? ExprId() : s_.make({.op = Op::Local, .base = rng_.pick(slots)});
  }

  uint32_t slot() { return kBound + static_cast<uint32_t>(rng_.below(kSlots)); }

  ExprId quantifier(Op op, const Place& place, int depth) {
    if (place.bound == kBound) return {};
    Place inner = place;
    ++inner.bound;
    const int32_t first = rng_.between(-1, 1);
    return s_.make({.op = op,
                    .base = place.first_bound + place.bound,
                    .a = number(first),
                    .b = number(first + rng_.between(-1, 2)),
                    .c = expr(inner, depth - 1)});
  }

  ExprId call(const Place& place, int depth) {
    if (place.callable == 0) return {};
    const auto function = static_cast<uint32_t>(rng_.below(place.callable));
    if (function % 2 == 1 && !place.effects) return {};
    std::vector<ExprId> arguments;
    for (uint32_t i = 0; i < kParameters; ++i) arguments.push_back(expr(place, depth - 1));
    const auto first = static_cast<int32_t>(s_.arguments.size());
    s_.arguments.insert(s_.arguments.end(), arguments.begin(), arguments.end());
    return s_.make({.op = Op::Call, .value = first, .base = function, .count = kParameters});
  }

  StmtId stmt(const Place& place, int depth) {
    if (depth <= 0) return s_.make_expr_stmt(expr(place, 2));
    for (;;) {
      const StmtId made = of(static_cast<StmtKind>(rng_.below(model::kStmtKinds)), place, depth);
      if (made.valid()) return made;
    }
  }

  StmtId of(StmtKind kind, const Place& place, int depth) {
    switch (kind) {
      case StmtKind::Expr:
        if (place.effects && rng_.chance(30)) return assignment();
        return s_.make_expr_stmt(expr(place, rng_.between(1, depth)));
      case StmtKind::Block: {
        std::vector<StmtId> children;
        for (size_t i = rng_.below(4); i > 0; --i) children.push_back(stmt(place, depth - 1));
        return s_.make_block(children);
      }
      case StmtKind::If: {
        const ExprId condition = expr(place, depth - 1);
        const StmtId then = stmt(place, depth - 1);
        return s_.make_stmt(
            {.kind = kind, .expr = condition, .a = then, .b = rng_.chance(60) ? stmt(place, depth - 1) : StmtId()});
      }
      case StmtKind::While: return loop(place, depth);
      case StmtKind::Return:
        if (!place.function) return {};
        return s_.make_stmt({.kind = kind, .expr = rng_.chance(80) ? expr(place, depth - 1) : ExprId()});
      case StmtKind::Reset: {
        if (!place.effects) return {};
        Stmt reset{.kind = kind, .clock = model::ClockId(1)};
        if (rng_.chance(60)) {
          reset.offset = index(place, depth, 3);
          reset.count = 3;
        }
        reset.expr = expr(place, depth - 1);
        return s_.make_stmt(reset);
      }
      case StmtKind::Choose:
        if (!place.chooses) return {};
        return s_.make_stmt({.kind = kind,
                             .first = slot(),
                             .count = 1 + static_cast<uint32_t>(rng_.below(3)),
                             .low = rng_.between(-2, 2)});
      case StmtKind::Assume:
        if (!place.chooses) return {};
        return s_.make_stmt({.kind = kind, .expr = expr(place, depth - 1)});
    }
    return {};
  }

  // What effects mostly are: v := w, v := c, v := w + c, v := w - c.
  StmtId assignment() {
    const auto variable = [&] { return s_.make({.op = Op::Var, .base = static_cast<uint32_t>(rng_.below(kScalars))}); };
    ExprId value = rng_.chance(30) ? number(constant()) : variable();
    if (rng_.chance(60)) {
      value = s_.make({.op = rng_.chance(50) ? Op::Add : Op::Sub, .a = value, .b = number(constant())});
    }
    return s_.make_expr_stmt(
        s_.make({.op = Op::Store, .base = static_cast<uint32_t>(rng_.below(kScalars)), .b = value}));
  }

  // At most three rounds: slot := 0; while (slot < n && condition) { …; slot := slot + 1; }
  StmtId loop(const Place& place, int depth) {
    if (!place.function || place.loops == kLoops) return {};
    const uint32_t slot = kParameters + kArray + place.loops;
    Place inner = place;
    ++inner.loops;
    const auto counter = [&] { return s_.make({.op = Op::Local, .base = slot}); };
    const auto set = [&](ExprId value) {
      return s_.make_expr_stmt(s_.make({.op = Op::StoreLocal, .base = slot, .b = value}));
    };
    const ExprId few = s_.make({.op = Op::Lt, .a = counter(), .b = number(rng_.between(1, 3))});
    const ExprId condition = s_.make({.op = Op::And, .a = few, .b = expr(inner, depth - 1)});
    const StmtId work = stmt(inner, depth - 1);
    const StmtId body[] = {work, set(s_.make({.op = Op::Add, .a = counter(), .b = number(1)}))};
    const StmtId rounds = s_.make_stmt({.kind = StmtKind::While, .expr = condition, .a = s_.make_block(body)});
    const StmtId all[] = {set(number(0)), rounds};
    return s_.make_block(all);
  }

  Rng rng_;
  model::System s_;
};

}  // namespace

model::System random_operators(uint64_t seed) { return Generator(seed).make(); }

Occurrences occurrences(const model::System& system) {
  Occurrences out;
  for (const Expr& e : system.exprs) out.operators.insert(e.op);
  for (const Stmt& s : system.stmts) out.statements.insert(s.kind);
  return out;
}

}  // namespace harrier::testing_support
