#include "abstraction/predicates/predicate.h"

#include <algorithm>
#include <numeric>

#include "model/operators.h"

namespace harrier::abstraction {

using model::Op;

namespace {

constexpr int64_t kLargest = INT32_MAX;  // number in a predicate

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

}  // namespace

std::optional<Predicate> predicate_of(const Terms& terms, TermId comparison) {
  const Terms::Term& term = terms[comparison];
  if (term.kind != Terms::Kind::Operation || !model::is_comparison(term.op)) return std::nullopt;
  const auto left = terms.linear(term.a);
  const auto right = terms.linear(term.b);
  if (!left || !right) return std::nullopt;
  Predicate out;
  out.parts = left->parts;
  for (const auto& [variable, factor] : right->parts) out.parts.emplace_back(variable, -factor);
  std::sort(out.parts.begin(), out.parts.end());
  for (size_t i = 0; i + 1 < out.parts.size(); ++i) {
    if (out.parts[i].first != out.parts[i + 1].first) continue;
    out.parts[i + 1].second += out.parts[i].second;
    out.parts[i].second = 0;
  }
  std::erase_if(out.parts, [](const auto& part) { return part.second == 0; });
  if (out.parts.empty()) return std::nullopt;
  int64_t bound = right->constant - left->constant;  // sum of parts ⋈ bound
  const Op op = term.op;
  out.equal = op == Op::Eq || op == Op::Ne;
  if (op == Op::Lt || op == Op::Ge) --bound;  // s < b is s <= b - 1; s >= b is its complement
  if (out.parts[0].second < 0) {
    for (auto& part : out.parts) part.second = -part.second;
    bound = out.equal ? -bound : -bound - 1;  // s <= b is not (-s <= -b - 1)
  }
  int64_t divisor = 0;
  for (const auto& part : out.parts) divisor = std::gcd(divisor, part.second);
  if (out.equal && bound % divisor != 0) return std::nullopt;
  for (auto& part : out.parts) part.second /= divisor;
  out.bound = floor_divide(bound, divisor);
  if (std::abs(out.bound) > kLargest ||
      std::any_of(out.parts.begin(), out.parts.end(), [](const auto& p) { return std::abs(p.second) > kLargest; }))
    return std::nullopt;
  return out;
}

std::optional<Predicate> predicate_of(ClockAtom atom) {
  if (atom.left == atom.right || atom.bound == zone::kInfinity) return std::nullopt;
  if (atom.left < atom.right) atom = {atom.right, atom.left, zone::negate(atom.bound)};
  // Clocks are not negative: x < 0 is never, and x >= 0 always true.
  if (atom.right == 0 && atom.bound <= zone::kZeroLt) return std::nullopt;
  Predicate out;
  out.clocks = atom;
  return out;
}

TermId term_of(Terms& terms, const Predicate& predicate) {
  std::optional<TermId> sum;
  for (const auto& [variable, factor] : predicate.parts) {
    const TermId own = terms.make(Op::Mul, terms.variable(variable), terms.constant(static_cast<int32_t>(factor)));
    sum = sum ? terms.make(Op::Add, *sum, own) : own;
  }
  const TermId bound = terms.constant(static_cast<int32_t>(predicate.bound));
  return terms.make(predicate.equal ? Op::Eq : Op::Le, *sum, bound);
}

std::string to_text(const model::System& system, const Predicate& predicate) {
  if (predicate.is_about_clocks()) {
    const ClockAtom& atom = predicate.clocks;
    std::string out = system.clocks[atom.left].name;
    if (atom.right != 0) out += " - " + system.clocks[atom.right].name;
    return out + (zone::bound_is_strict(atom.bound) ? " < " : " <= ") +
           std::to_string(zone::bound_constant(atom.bound));
  }
  std::string out;
  for (const auto& [variable, factor] : predicate.parts) {
    const int64_t size = std::abs(factor);
    out += out.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    if (size != 1) out += std::to_string(size) + " ";
    out += system.variables[variable].name;
  }
  return out + (predicate.equal ? " == " : " <= ") + std::to_string(predicate.bound);
}

bool PredicateSet::add(const Predicate& predicate) {
  if (std::find(predicates_.begin(), predicates_.end(), predicate) != predicates_.end()) return false;
  if (predicate.parts.size() == 1 && !(*values_)[predicate.parts[0].first].wide) {
    const auto& [variable, factor] = predicate.parts[0];
    std::vector<bool> table;
    for (const int32_t value : (*values_)[variable].values) {
      const int64_t product = factor * value;
      table.push_back(predicate.equal ? product == predicate.bound : product <= predicate.bound);
    }
    if (table.empty() || std::equal(table.begin() + 1, table.end(), table.begin())) return false;
    if (table[0]) table.flip();
    auto entry = std::pair(variable, std::move(table));
    if (std::find(tables_.begin(), tables_.end(), entry) != tables_.end()) return false;
    tables_.push_back(std::move(entry));
  }
  predicates_.push_back(predicate);
  return true;
}

void save(const Predicate& predicate, ArchiveWriter& out) {
  std::vector<uint32_t> variables;
  std::vector<int64_t> factors;
  for (const auto& [variable, factor] : predicate.parts) {
    variables.push_back(variable);
    factors.push_back(factor);
  }
  out.list(variables);
  out.list(factors);
  out.list(std::vector<int64_t>{predicate.equal ? 1 : 0, predicate.bound});
  out.list(std::vector<uint32_t>{predicate.clocks.left, predicate.clocks.right});
  out.list(std::vector<zone::Bound>{predicate.clocks.bound});
}

Predicate load_predicate(ArchiveReader& in, const model::System& system) {
  Predicate out;
  const std::vector<uint32_t> variables = in.list<uint32_t>();
  const std::vector<int64_t> factors = in.list<int64_t>();
  const std::vector<int64_t> comparison = in.list<int64_t>();
  const std::vector<uint32_t> clocks = in.list<uint32_t>(2, system.clocks.size());
  const std::vector<zone::Bound> bound = in.list<zone::Bound>();
  if (factors.size() != variables.size() || comparison.size() != 2 || bound.size() != 1) {
    in.fail("a predicate is not complete");
  }
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables[i] >= system.variables.size()) in.fail("a predicate speaks of a variable that there is not");
    out.parts.emplace_back(variables[i], factors[i]);
  }
  out.equal = comparison[0] != 0;
  out.bound = comparison[1];
  out.clocks = {clocks[0], clocks[1], bound[0]};
  return out;
}

}  // namespace harrier::abstraction
