// Conditions of #if: C's constant expressions over 64-bit integers; names that are no macros are 0.
#include <limits>

#include "lang/promela/preprocessor.h"

namespace harrier::promela {

namespace {

constexpr size_t kMaxDepth = 200;

int level_of(Tok kind) {
  switch (kind) {
    case Tok::OrOr: return 1;
    case Tok::AndAnd: return 2;
    case Tok::Pipe: return 3;
    case Tok::Caret: return 4;
    case Tok::Amp: return 5;
    case Tok::Eq:
    case Tok::Ne: return 6;
    case Tok::Lt:
    case Tok::Le:
    case Tok::Gt:
    case Tok::Ge: return 7;
    case Tok::Shl:
    case Tok::Shr: return 8;
    case Tok::Plus:
    case Tok::Minus: return 9;
    case Tok::Star:
    case Tok::Slash:
    case Tok::Percent: return 10;
    default: return 0;
  }
}

// Wraps around like the machine does it.
int64_t wrapped(uint64_t value) { return static_cast<int64_t>(value); }

class Evaluator {
 public:
  Evaluator(const std::vector<Token>& tokens, SourceRef at) : tokens_(tokens), at_(at) {}

  int64_t value() {
    const int64_t result = conditional();
    if (next_ < tokens_.size()) fail(place(), "unexpected " + describe(tokens_[next_]) + " in the condition of #if");
    return result;
  }
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  Tok kind() const { return next_ < tokens_.size() && !failure_ ? tokens_[next_].kind : Tok::End; }
  SourceRef place() const { return next_ < tokens_.size() ? tokens_[next_].at : at_; }
  int64_t fail(SourceRef at, std::string message) {
    if (!failure_) failure_ = Diagnostic{Severity::Error, at, std::move(message)};
    return 0;
  }

  int64_t conditional() {
    if (++depth_ > kMaxDepth) return fail(place(), "the condition of #if is nested too deeply");
    int64_t result = binary(1);
    if (kind() == Tok::Question) {
      ++next_;
      const int64_t yes = conditional();
      if (kind() != Tok::Colon) return fail(place(), "expected ':' in the condition of #if");
      ++next_;
      const int64_t no = conditional();
      result = result != 0 ? yes : no;
    }
    --depth_;
    return result;
  }

  int64_t binary(int level) {
    int64_t left = unary();
    for (int next = level_of(kind()); next >= level && next != 0; next = level_of(kind())) {
      const Token& op = tokens_[next_++];
      // What && and || decide without is not looked at.
      const bool idle = (op.kind == Tok::AndAnd && left == 0) || (op.kind == Tok::OrOr && left != 0);
      idle_ += idle ? 1 : 0;
      const int64_t right = binary(next + 1);
      idle_ -= idle ? 1 : 0;
      left = apply(op, left, right);
    }
    return left;
  }

  int64_t unary() {
    if (++depth_ > kMaxDepth) return fail(place(), "the condition of #if is nested too deeply");
    int64_t result = 0;
    const Tok first = kind();
    const SourceRef at = place();
    if (first != Tok::End) ++next_;
    switch (first) {
      case Tok::Minus: result = wrapped(0 - static_cast<uint64_t>(unary())); break;
      case Tok::Plus: result = unary(); break;
      case Tok::Tilde: result = ~unary(); break;
      case Tok::Exclaim: result = unary() == 0 ? 1 : 0; break;
      case Tok::SortedSend: result = unary() != 0 ? 1 : 0; break;
      case Tok::Number: result = tokens_[next_ - 1].value; break;
      case Tok::Name: break;
      case Tok::LParen:
        result = conditional();
        if (kind() != Tok::RParen) return fail(place(), "expected ')' in the condition of #if");
        ++next_;
        break;
      default:
        return fail(at, first == Tok::End ? "the condition of #if is not complete"
                                          : "unexpected " + describe(tokens_[next_ - 1]) + " in the condition of #if");
    }
    --depth_;
    return result;
  }

  int64_t apply(const Token& op, int64_t a, int64_t b) {
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    switch (op.kind) {
      case Tok::OrOr: return a != 0 || b != 0;
      case Tok::AndAnd: return a != 0 && b != 0;
      case Tok::Pipe: return a | b;
      case Tok::Caret: return a ^ b;
      case Tok::Amp: return a & b;
      case Tok::Eq: return a == b;
      case Tok::Ne: return a != b;
      case Tok::Lt: return a < b;
      case Tok::Le: return a <= b;
      case Tok::Gt: return a > b;
      case Tok::Ge: return a >= b;
      case Tok::Shl: return y < 64 ? wrapped(x << y) : 0;
      case Tok::Shr: return y < 64 ? a >> b : (a < 0 ? -1 : 0);
      case Tok::Plus: return wrapped(x + y);
      case Tok::Minus: return wrapped(x - y);
      case Tok::Star: return wrapped(x * y);
      default: break;
    }
    if (b == 0) return idle_ != 0 ? 0 : fail(op.at, "division by zero in the condition of #if");
    if (b == -1) return op.kind == Tok::Slash ? wrapped(0 - x) : 0;
    return op.kind == Tok::Slash ? a / b : a % b;
  }

  const std::vector<Token>& tokens_;
  SourceRef at_;
  size_t next_ = 0;
  size_t depth_ = 0;
  int idle_ = 0;
  std::optional<Diagnostic> failure_;
};

}  // namespace

std::optional<int64_t> condition_value(const std::vector<Token>& tokens, SourceRef at, Diagnostics& diagnostics) {
  Evaluator evaluator(tokens, at);
  const int64_t value = evaluator.value();
  if (!evaluator.failure()) return value;
  diagnostics.error(evaluator.failure()->at, evaluator.failure()->message);
  return {};
}

}  // namespace harrier::promela
