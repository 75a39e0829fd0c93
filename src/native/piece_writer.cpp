#include "native/piece_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/operators.h"
#include "step/native_code.h"

namespace harrier::native {

using model::ArithmeticOp;
using step::Code;
using step::Instruction;
using step::Opcode;

static_assert(2 * PieceWriter::kMostWrites <= step::NativeCode::kMostWrites);

namespace {

std::string number(int64_t value) {
  if (value == INT32_MIN) return "(-2147483647 - 1)";
  return fmt::format("{}", value);
}

// A comparison by its outcomes.
std::string test(uint16_t outcomes, const std::string& left, const std::string& right) {
  static constexpr const char* kOperators[] = {nullptr, "<", "==", "<=", ">", "!=", ">=", nullptr};
  const char* const op = kOperators[outcomes & 7];
  if (op == nullptr) return outcomes == 0 ? "0" : "1";
  return fmt::format("{} {} {}", left, op, right);
}

std::string variable(int64_t number) { return fmt::format("v[{}]", number); }
std::string at_depth(uint32_t depth) { return fmt::format("s{}", depth); }

}  // namespace

template <class... Arguments>
void PieceWriter::line(const char* format, const Arguments&... arguments) {
  text_ += "  ";
  fmt::format_to(std::back_inserter(text_), fmt::runtime(format), arguments...);
  text_ += '\n';
}

std::optional<PieceWriter::Move> PieceWriter::move_of(const Instruction& at) {
  switch (at.op) {
    case Opcode::PushConst:
    case Opcode::PushVar:
    case Opcode::PushVarPlus:
    case Opcode::PushElementAt:
    case Opcode::PushLocal: return Move{0, 1};
    case Opcode::PushElement:
    case Opcode::PushLocalElement:
    case Opcode::CheckIndex:
    case Opcode::CheckRange:
    case Opcode::Unary:
    case Opcode::AddConst:
    case Opcode::AddVar:
    case Opcode::Mask:
    case Opcode::CompareConst:
    case Opcode::StoreVar:
    case Opcode::StoreLocal: return Move{1, 1};
    case Opcode::Binary:
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Compare:
    case Opcode::StoreElement:
    case Opcode::StoreLocalElement: return Move{2, 1};
    case Opcode::Jump:
    case Opcode::JumpBack: return Move{0, 0, Flow::Jump};
    case Opcode::JumpIfZero:
    case Opcode::JumpIfNonZero:
    case Opcode::JumpIfConst: return Move{1, 0, Flow::Branch};
    case Opcode::JumpIf: return Move{2, 0, Flow::Branch};
    case Opcode::JumpIfVarConst: return Move{0, 0, Flow::Branch};
    case Opcode::Call: return Move{at.b, 1};
    case Opcode::Pop:
    case Opcode::Require:
    case Opcode::RequireConst:
    case Opcode::SetTop: return Move{1, 0};
    case Opcode::RequireTest:
    case Opcode::SetElement: return Move{2, 0};
    case Opcode::RequireVarConst:
    case Opcode::RequireVarVar:
    case Opcode::SetConst:
    case Opcode::SetVar:
    case Opcode::Increase:
    case Opcode::ClearFrame: return Move{};
    case Opcode::Return:
    case Opcode::StopValue: return Move{1, 0, Flow::End};
    case Opcode::Refuse:
    case Opcode::Stop:
    case Opcode::Fail: return Move{0, 0, Flow::End};
    case Opcode::Reset:
    case Opcode::ResetConst:
    case Opcode::ResetElement:
    case Opcode::Choose: break;
  }
  return std::nullopt;
}

bool PieceWriter::writes(Opcode op) {
  switch (op) {
    case Opcode::StoreVar:
    case Opcode::StoreElement:
    case Opcode::SetConst:
    case Opcode::SetVar:
    case Opcode::SetTop:
    case Opcode::SetElement:
    case Opcode::Increase: return true;
    default: return false;
  }
}

void PieceWriter::note_locals(const Instruction& at, Shape& shape) const {
  const auto use = [&](uint32_t slots) { shape.locals = std::max(shape.locals, slots); };
  if (at.op == Opcode::PushLocal || at.op == Opcode::StoreLocal) use(at.a + 1);
  if (at.op == Opcode::PushLocalElement || at.op == Opcode::StoreLocalElement) {
    use(at.a + static_cast<uint32_t>(at.b));
  }
}

std::optional<PieceWriter::Shape> PieceWriter::shape_of(uint32_t start) {
  Shape shape;
  std::vector<uint32_t> open;
  bool possible = true;
  const auto reach = [&](uint32_t to, uint32_t depth) {
    const auto [known, fresh] = shape.depths.try_emplace(to, depth);
    if (fresh) open.push_back(to);
    possible = possible && known->second == depth;
  };
  reach(start, 0);
  while (possible && !open.empty()) {
    const uint32_t i = open.back();
    open.pop_back();
    const Instruction& at = program_.instructions()[i];
    const auto depth = static_cast<int32_t>(shape.depths.at(i));
    const std::optional<Move> move = move_of(at);
    if (!move || depth < move->pops) return std::nullopt;
    if (at.op == Opcode::Call) {
      const Callee& callee = function(at.a);
      if (!callee.possible) return std::nullopt;
      if (callee.writes) ++shape.writes;
      shape.repeats = true;
    }
    if (writes(at.op)) ++shape.writes;
    note_locals(at, shape);
    const auto after = static_cast<uint32_t>(depth - move->pops + move->pushes);
    shape.deepest = std::max({shape.deepest, after, static_cast<uint32_t>(depth)});
    if (move->flow == Flow::Jump || move->flow == Flow::Branch) {
      shape.targets.push_back(at.a);
      shape.repeats = shape.repeats || at.a <= i;
      reach(at.a, after);
    }
    if (move->flow == Flow::Next || move->flow == Flow::Branch) reach(i + 1, after);
  }
  if (!possible) return std::nullopt;
  std::sort(shape.targets.begin(), shape.targets.end());
  return shape;
}

const PieceWriter::Callee& PieceWriter::function(uint32_t number) {
  if (const auto known = functions_.find(number); known != functions_.end()) return known->second;
  const std::optional<Shape> shape = shape_of(program_.function(number).start);
  Callee& callee = functions_[number];
  if (!shape) return callee;
  callee = {true, shape->writes != 0};
  const model::Function& f = program_.system().functions[number];
  fmt::format_to(std::back_inserter(text_), "static int f{}(int32_t *v, E *j, uint32_t *n, uint32_t *k, int32_t *r",
                 number);
  for (uint32_t i = 0; i < f.parameters; ++i) fmt::format_to(std::back_inserter(text_), ", int32_t a{}", i);
  text_ += ") {\n";
  is_function_ = true;
  is_effect_ = true;
  begin_body(*shape, std::max(shape->locals, f.slots), f.parameters);
  write_body(*shape, true);
  return callee;
}

PieceWriter::Kind PieceWriter::add(Code piece) {
  if (const auto known = pieces_.find(piece.start); known != pieces_.end()) return known->second;
  const std::optional<Shape> shape = shape_of(piece.start);
  Kind& kind = pieces_[piece.start];
  kind = Kind::None;
  if (!shape) return kind;
  kind = shape->writes != 0 ? Kind::Effect : Kind::Value;
  is_function_ = false;
  is_effect_ = kind == Kind::Effect;
  fmt::format_to(
      std::back_inserter(text_), "static int p{}({}) {{\n", piece.start,
      is_effect_ ? "int32_t *restrict v, E *restrict j, uint32_t *restrict n" : "const int32_t *v, int32_t *r");
  begin_body(*shape, shape->locals, 0);
  if (shape->repeats) line("uint32_t steps = 0, *const k = &steps;");
  write_body(*shape, shape->repeats || shape->writes > kMostWrites);
  return kind;
}

void PieceWriter::begin_body(const Shape& shape, uint32_t locals, uint32_t parameters) {
  for (uint32_t d = 1; d <= shape.deepest; ++d) line("int32_t s{};", d);
  if (locals == 0) return;
  line("int32_t l[{}] = {{0}};", locals);
  for (uint32_t i = 0; i < parameters; ++i) line("l[{}] = a{};", i, i);
}

void PieceWriter::write_body(const Shape& shape, bool checked) {
  checked_ = checked;
  for (const auto& [i, depth] : shape.depths) {
    if (std::binary_search(shape.targets.begin(), shape.targets.end(), i)) line("L{}:;", i);
    write(i, depth);
  }
  text_ += "}\n";
}

void PieceWriter::write(uint32_t number, uint32_t depth) {
  const Instruction& at = program_.instructions()[number];
  if (at.op == Opcode::ClearFrame) {
    line("/* all locals are 0 */");
  } else if (!write_jump(at, depth) && !write_store(at, depth) && !write_operator(at, depth) && !write_end(at, depth)) {
    write_push(at, depth);
  }
}

bool PieceWriter::write_jump(const Instruction& at, uint32_t depth) {
  const auto jump_if = [&](const std::string& condition) { line("if ({}) goto L{};", condition, at.a); };
  const std::string top = at_depth(depth);
  switch (at.op) {
    case Opcode::JumpBack: line("if (++*k > {}) return 0;", model::kMaxSteps); [[fallthrough]];
    case Opcode::Jump: line("goto L{};", at.a); return true;
    case Opcode::JumpIfZero: jump_if(top + " == 0"); return true;
    case Opcode::JumpIfNonZero: jump_if(top + " != 0"); return true;
    case Opcode::JumpIf: jump_if(test(at.test, at_depth(depth - 1), top)); return true;
    case Opcode::JumpIfConst: jump_if(test(at.test, top, number(at.b))); return true;
    case Opcode::JumpIfVarConst: jump_if(test(at.test, variable(at.c), number(at.b))); return true;
    default: return false;
  }
}

void PieceWriter::set(const std::string& variable, const std::string& value, uint32_t of, uint32_t count) {
  line("{{ const uint32_t i = {}; const int32_t x = {};", variable, value);
  const std::span lo = program_.lows().subspan(of, count);
  const std::span hi = program_.highs().subspan(of, count);
  const bool same = std::all_of(lo.begin(), lo.end(), [&](int32_t l) { return l == lo[0]; }) &&
                    std::all_of(hi.begin(), hi.end(), [&](int32_t h) { return h == hi[0]; });
  if (same) {
    line("if (x < {} || x > {}) return 0;", number(lo[0]), number(hi[0]));
  } else {
    std::string lows;
    std::string highs;
    for (uint32_t k = 0; k < count; ++k) {
      lows += number(lo[k]) + ",";
      highs += number(hi[k]) + ",";
    }
    line("static const int32_t lo[] = {{{}}}, hi[] = {{{}}};", lows, highs);
    line("if (x < lo[i - {}] || x > hi[i - {}]) return 0;", of, of);
  }
  if (checked_) line("if (*n >= {}) return 0;", kMostWrites);
  line("W(i) v[i] = x; }}");
}

bool PieceWriter::write_store(const Instruction& at, uint32_t depth) {
  const std::string top = at_depth(depth);
  const std::string below = at_depth(depth - 1);
  const auto check = [&] { line("if ((uint32_t){} >= {}u) return 0;", below, at.b); };
  const auto element = [&] {
    check();
    set(fmt::format("{}u + (uint32_t){}", at.a, below), top, at.a, static_cast<uint32_t>(at.b));
  };
  switch (at.op) {
    case Opcode::SetConst: set(number(at.a), number(at.b), at.a, 1); return true;
    case Opcode::SetVar: set(number(at.a), variable(at.b), at.a, 1); return true;
    case Opcode::SetTop:
    case Opcode::StoreVar: set(number(at.a), top, at.a, 1); return true;
    case Opcode::SetElement: element(); return true;
    case Opcode::StoreElement:
      element();
      line("{} = {};", below, top);
      return true;
    case Opcode::Increase:
      line("{{ int32_t y; if (__builtin_add_overflow(v[{}], {}, &y)) return 0;", at.a, number(at.b));
      set(number(at.a), "y", at.a, 1);
      line("}}");
      return true;
    case Opcode::StoreLocal: line("l[{}] = {};", at.a, top); return true;
    case Opcode::StoreLocalElement:
      check();
      line("l[{} + {}] = {};", at.a, below, top);
      line("{} = {};", below, top);
      return true;
    case Opcode::Pop: return true;
    default: return false;
  }
}

bool PieceWriter::write_operator(const Instruction& at, uint32_t depth) {
  const std::string top = at_depth(depth);
  const std::string below = at_depth(depth - 1);
  const auto checked = [&](const char* op, const std::string& left, const std::string& right, const std::string& to) {
    line("if (__builtin_{}_overflow({}, {}, &{})) return 0;", op, left, right, to);
  };
  const auto plain = [&](const char* op) { line("{} = {} {} {};", below, below, op, top); };
  switch (at.op) {
    case Opcode::Add: checked("add", below, top, below); return true;
    case Opcode::Sub: checked("sub", below, top, below); return true;
    case Opcode::AddConst: checked("add", top, number(at.b), top); return true;
    case Opcode::AddVar: checked("add", top, variable(at.a), top); return true;
    case Opcode::Mask: line("{} &= {};", top, number(at.b)); return true;
    case Opcode::Compare: line("{} = {};", below, test(at.test, below, top)); return true;
    case Opcode::CompareConst: line("{} = {};", top, test(at.test, top, number(at.b))); return true;
    case Opcode::Unary:
      switch (static_cast<model::UnaryOp>(at.a)) {
        case model::UnaryOp::Neg: checked("sub", "0", top, top); break;
        case model::UnaryOp::Not: line("{} = !{};", top, top); break;
        case model::UnaryOp::BitNot: line("{} = ~{};", top, top); break;
      }
      return true;
    case Opcode::Binary: break;
    default: return false;
  }
  switch (static_cast<ArithmeticOp>(at.a)) {
    case ArithmeticOp::Add: checked("add", below, top, below); break;
    case ArithmeticOp::Sub: checked("sub", below, top, below); break;
    case ArithmeticOp::Mul: checked("mul", below, top, below); break;
    case ArithmeticOp::Div:
    case ArithmeticOp::Mod:
      line("if ({} == 0 || ({} == -2147483647 - 1 && {} == -1)) return 0;", top, below, top);
      plain(static_cast<ArithmeticOp>(at.a) == ArithmeticOp::Div ? "/" : "%");
      break;
    case ArithmeticOp::Shl:
      line("if ((uint32_t){} > 31) return 0;", top);
      checked("mul", fmt::format("(int64_t){}", below), fmt::format("((int64_t)1 << {})", top), below);
      break;
    case ArithmeticOp::Shr:
      line("if ((uint32_t){} > 31) return 0;", top);
      plain(">>");
      break;
    case ArithmeticOp::BitAnd: plain("&"); break;
    case ArithmeticOp::BitOr: plain("|"); break;
    case ArithmeticOp::BitXor: plain("^"); break;
    case ArithmeticOp::Min: line("{} = {} < {} ? {} : {};", below, top, below, top, below); break;
    case ArithmeticOp::Max: line("{} = {} > {} ? {} : {};", below, top, below, top, below); break;
  }
  return true;
}

bool PieceWriter::write_end(const Instruction& at, uint32_t depth) {
  const std::string top = at_depth(depth);
  // Where a condition is not satisfied; what that means in an effect, the bytecode says.
  const char* const no = is_effect_ ? "return 0;" : "{ *r = 0; return 1; }";
  const auto unless = [&](const std::string& condition) { line("if (!({})) {}", condition, no); };
  switch (at.op) {
    case Opcode::Require: unless(top); return true;
    case Opcode::RequireTest: unless(test(at.test, at_depth(depth - 1), top)); return true;
    case Opcode::RequireConst: unless(test(at.test, top, number(at.b))); return true;
    case Opcode::RequireVarConst: unless(test(at.test, variable(at.a), number(at.b))); return true;
    case Opcode::RequireVarVar: unless(test(at.test, variable(at.a), variable(at.b))); return true;
    case Opcode::Refuse: line("{}", no); return true;
    case Opcode::Stop: line("{}", is_effect_ ? "return 1;" : "*r = 1; return 1;"); return true;
    case Opcode::Fail: line("return 0;"); return true;
    case Opcode::StopValue:
    case Opcode::Return: line("*r = {}; return 1;", top); return true;
    default: return false;
  }
}

void PieceWriter::write_push(const Instruction& at, uint32_t depth) {
  const std::string top = at_depth(depth);
  const std::string next = at_depth(depth + 1);
  const auto check = [&](const std::string& index) { line("if ((uint32_t){} >= {}u) return 0;", index, at.b); };
  switch (at.op) {
    case Opcode::PushConst: line("{} = {};", next, number(at.b)); return;
    case Opcode::PushVar: line("{} = v[{}];", next, at.a); return;
    case Opcode::PushVarPlus:
      line("if (__builtin_add_overflow(v[{}], {}, &{})) return 0;", at.a, number(at.b), next);
      return;
    case Opcode::PushElement:
      check(top);
      line("{} = v[{}u + (uint32_t){}];", top, at.a, top);
      return;
    case Opcode::PushElementAt:
      check(variable(at.c));
      line("{} = v[{}u + (uint32_t)v[{}]];", next, at.a, at.c);
      return;
    case Opcode::PushLocal: line("{} = l[{}];", next, at.a); return;
    case Opcode::PushLocalElement:
      check(top);
      line("{} = l[{} + {}];", top, at.a, top);
      return;
    case Opcode::CheckIndex: check(top); return;
    case Opcode::CheckRange: line("if ({} < {} || {} > {}) return 0;", top, number(at.b), top, number(at.c)); return;
    case Opcode::Call: write_call(at, depth); return;
    default: break;
  }
  throw Error(ErrorKind::Internal, "an instruction that native code does not know");
}

void PieceWriter::write_call(const Instruction& at, uint32_t depth) {
  const auto arguments = static_cast<uint32_t>(at.b);
  const char* const where = is_effect_ ? "v, j, n" : "(int32_t *)v, 0, 0";
  std::string values;
  for (uint32_t i = 0; i < arguments; ++i) values += ", " + at_depth(depth - arguments + 1 + i);
  line("{{ int32_t x; if (!f{}({}, k, &x{})) return 0; {} = x; }}", at.a, where, values,
       at_depth(depth - arguments + 1));
}

std::string PieceWriter::simple_condition(Code piece) const {
  std::string out;
  for (uint32_t i = piece.start;; ++i) {
    const Instruction& at = program_.instructions()[i];
    if (at.op == Opcode::Stop) return out;
    if (at.op != Opcode::RequireVarConst && at.op != Opcode::RequireVarVar) return {};
    const std::string right = at.op == Opcode::RequireVarConst ? number(at.b) : variable(at.b);
    out += (out.empty() ? "" : " && ") + test(at.test, variable(at.a), right);
  }
}

}  // namespace harrier::native
