// Functions of UPPAAL's library.
#include <cstdlib>
#include <functional>
#include <iterator>
#include <sstream>

#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

namespace {

// About floating-point numbers, chance or processes that come and go.
bool is_refused(std::string_view name) {
  static const std::set<std::string, std::less<>> kRefused = [] {
    std::istringstream words(
        "fabs fmod fma fmax fmin fdim exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot sin "
        "cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil "
        "floor trunc round fint ldexp ilogb logb nextafter copysign fpclassify isfinite isinf isnan "
        "isnormal signbit isunordered random random_arcsine random_beta random_gamma random_normal "
        "random_poisson random_weibull random_tri spawn exit numof");
    return std::set<std::string, std::less<>>(std::istream_iterator<std::string>(words), {});
  }();
  return kRefused.contains(name);
}

}  // namespace

// abs is the only one about integers.
Operand Elaborator::builtin(const Expr& expr, Context context) {
  const std::string_view name = expr.a->name;
  if (name != "abs" || expr.items.size() != 1) {
    if (is_refused(name)) {
      unsupported(expr.at, "the function '" + std::string(name) + "'");
    } else if (context.query && processes_.contains(std::string(name))) {
      error(expr.at, "'" + std::string(name) + "' is a process; name one of its locations or variables");
    } else {
      error(expr.at, name == "abs" ? std::string("'abs' takes 1 argument")
                                   : "unknown function '" + std::string(name) + "'" + hint(name, *context.scope));
    }
    return bad();
  }
  Operand argument = integer(*expr.items[0], context);
  if (argument.kind == OperandKind::Bad) return argument;
  ExprId prelude;
  if (argument.effect) {
    const uint32_t slot = new_slots(1, context);
    prelude = store_local(slot, argument.expr, expr.at);
    argument.expr = local(slot, expr.at);
  }
  const ExprId negative = system_.make_binary(Op::Lt, argument.expr, system_.make_const(0, expr.at), expr.at);
  const ExprId chosen =
      system_.make_ite(negative, system_.make_unary(Op::Neg, argument.expr, expr.at), argument.expr, expr.at);
  Operand result = value(comma(prelude, chosen, expr.at), types_.wide_integer());
  if (!system_.constant(result.expr)) {
    result.lo = 0;
    result.hi = std::min<int64_t>(std::max(std::abs(argument.lo), std::abs(argument.hi)), INT32_MAX);
  }
  result.effect = argument.effect;
  result.state = argument.state;
  result.local = argument.local;
  return result;
}

}  // namespace harrier::uppaal
