#include "lang/promela/expression_text.h"

#include <algorithm>

#include "model/printer.h"

namespace harrier::promela {

namespace {

const char* symbol(Temporal op) {
  switch (op) {
    case Temporal::Implies: return "->";
    case Temporal::Equivalent: return "<->";
    case Temporal::Always: return "[]";
    case Temporal::Eventually: return "<>";
    case Temporal::Next: return "X";
    case Temporal::Until: return "U";
    case Temporal::WeakUntil: return "W";
    case Temporal::Release: return "V";
  }
  return "";
}

std::string reference(const std::vector<RefPart>& parts, size_t first) {
  std::string out;
  for (size_t i = first; i < parts.size(); ++i) {
    if (i > first) out += ".";
    out += parts[i].name;
    if (parts[i].index) out += "[" + text_of(*parts[i].index) + "]";
  }
  return out;
}

std::string list(const std::vector<ExprPtr>& arguments) {
  std::string out;
  for (const ExprPtr& argument : arguments) {
    if (!out.empty()) out += ", ";
    out += text_of(*argument);
  }
  return out;
}

std::string operand(const ExprNode& e) {
  const bool compound = e.kind == ExprKind::Binary || (e.kind == ExprKind::Temporal && e.b);
  return compound ? "(" + text_of(e) + ")" : text_of(e);
}

std::string process(const ExprNode& e) { return e.parts[0].name + (e.a ? "[" + text_of(*e.a) + "]" : std::string()); }

}  // namespace

std::string text_of(const ExprNode& e) {
  const auto call = [&](const char* name) { return std::string(name) + "(" + text_of(*e.a) + ")"; };
  switch (e.kind) {
    case ExprKind::Number: return std::to_string(e.value);
    case ExprKind::Ref: return reference(e.parts, 0);
    case ExprKind::Unary: return model::symbol(e.op) + operand(*e.a);
    case ExprKind::Binary: return operand(*e.a) + " " + model::symbol(e.op) + " " + operand(*e.b);
    case ExprKind::Temporal:
      if (!e.b) return std::string(symbol(e.temporal)) + " " + operand(*e.a);
      return operand(*e.a) + " " + symbol(e.temporal) + " " + operand(*e.b);
    case ExprKind::Conditional: return "(" + operand(*e.a) + " -> " + operand(*e.b) + " : " + operand(*e.c) + ")";
    case ExprKind::Run: return "run " + e.parts[0].name + "(" + list(e.arguments) + ")";
    case ExprKind::Len: return call("len");
    case ExprKind::Full: return call("full");
    case ExprKind::Empty: return call("empty");
    case ExprKind::Nfull: return call("nfull");
    case ExprKind::Nempty: return call("nempty");
    case ExprKind::Poll: return text_of(*e.a) + (e.random ? "??[" : "?[") + list(e.arguments) + "]";
    case ExprKind::Timeout: return "timeout";
    case ExprKind::NonProgress: return "np_";
    case ExprKind::Enabled: return call("enabled");
    case ExprKind::PcValue: return call("pc_value");
    case ExprKind::GetPriority: return call("get_priority");
    case ExprKind::SetPriority: return "set_priority(" + text_of(*e.a) + ", " + text_of(*e.b) + ")";
    case ExprKind::RemoteLabel: return process(e) + "@" + e.parts[1].name;
    case ExprKind::RemoteRef: return process(e) + ":" + reference(e.parts, 1);
    case ExprKind::Eval: return call("eval");
    case ExprKind::LastIndex: return text_of(*e.a) + "'last";
  }
  return "";
}

ExprPtr copy_of(const ExprNode& e) {
  const auto copy = [](const ExprPtr& part) { return part ? copy_of(*part) : nullptr; };
  auto out = std::make_unique<ExprNode>();
  out->kind = e.kind;
  out->op = e.op;
  out->value = e.value;
  out->random = e.random;
  out->height = e.height;
  out->at = e.at;
  out->a = copy(e.a);
  out->b = copy(e.b);
  out->c = copy(e.c);
  for (const RefPart& part : e.parts) out->parts.push_back({part.name, copy(part.index), part.at});
  for (const ExprPtr& argument : e.arguments) out->arguments.push_back(copy_of(*argument));
  return out;
}

bool contains(const ExprNode& e, const std::function<bool(const ExprNode&)>& test) {
  const auto in = [&](const ExprPtr& inner) { return inner && contains(*inner, test); };
  return test(e) || in(e.a) || in(e.b) || in(e.c) || std::any_of(e.arguments.begin(), e.arguments.end(), in) ||
         std::any_of(e.parts.begin(), e.parts.end(), [&](const RefPart& part) { return in(part.index); });
}

}  // namespace harrier::promela
