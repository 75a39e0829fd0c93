#include "abstraction/predicates/solver.h"

#include <z3++.h>

#include <algorithm>
#include <unordered_map>

#include "model/operators.h"

namespace harrier::abstraction {

using model::Op;

namespace {

constexpr unsigned kMostEffort = 2'000'000;  // Z3's measure of work, for one question: some tenths of a second

}  // namespace

class Solver::Machine {
 public:
  explicit Machine(Workbench& bench) : bench_(bench), solver_(context_) {
    z3::params parameters(context_);
    parameters.set("rlimit", kMostEffort);
    parameters.set("random_seed", 0u);
    solver_.set(parameters);
  }

  z3::expr truth(TermId id) {
    if (const auto known = truths_.find(id); known != truths_.end()) return known->second;
    z3::expr out = make_truth(id);
    truths_.emplace(id, out);
    return out;
  }
  z3::expr number(TermId id) {
    if (const auto known = numbers_.find(id); known != numbers_.end()) return known->second;
    z3::expr out = make_number(id);
    numbers_.emplace(id, out);
    return out;
  }
  // Adds the domains of what terms depend on.
  void add_domains(std::span<const TermId> terms) {
    std::vector<TermId> leaves;
    for (const TermId id : terms) {
      const auto more = bench_.terms.leaves(id);
      leaves.insert(leaves.end(), more.begin(), more.end());
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    for (const TermId leaf : leaves) {
      const auto [lo, hi] = domain(leaf);
      solver_.add(number(leaf) >= context_.int_val(lo) && number(leaf) <= context_.int_val(hi));
    }
  }

  z3::context& context() { return context_; }
  z3::solver& solver() { return solver_; }

 private:
  Terms& terms() { return bench_.terms; }

  std::pair<int32_t, int32_t> domain(TermId leaf) {
    const Terms::Term& term = terms()[leaf];
    if (term.kind == Terms::Kind::Unknown) return {term.value, term.highest};
    const model::ValueSet& set = bench_.values[term.number];
    if (!set.wide && !set.values.empty()) return {set.values.front(), set.values.back()};
    const model::Variable& variable = bench_.system.variables[term.number];
    return {variable.lo, variable.hi};
  }

  z3::expr make_truth(TermId id) {
    const Terms::Term term = terms()[id];
    if (term.kind == Terms::Kind::Constant) return context_.bool_val(term.value != 0);
    if (term.kind == Terms::Kind::Operation) {
      if (term.op == Op::Not) return !truth(term.a);
      if (term.op == Op::And) return truth(term.a) && truth(term.b);
      if (term.op == Op::Or) return truth(term.a) || truth(term.b);
      if (term.op == Op::Ite) return z3::ite(truth(term.a), truth(term.b), truth(term.c));
      if (model::is_comparison(term.op)) return comparison(term);
    }
    return number(id) != 0;
  }
  z3::expr comparison(const Terms::Term& term) {
    const z3::expr a = number(term.a);
    const z3::expr b = number(term.b);
    switch (static_cast<model::ComparisonOp>(term.op)) {
      case model::ComparisonOp::Lt: return a < b;
      case model::ComparisonOp::Le: return a <= b;
      case model::ComparisonOp::Eq: return a == b;
      case model::ComparisonOp::Ne: return a != b;
      case model::ComparisonOp::Ge: return a >= b;
      case model::ComparisonOp::Gt: return a > b;
    }
    return context_.bool_val(true);
  }
  z3::expr make_number(TermId id) {
    const Terms::Term term = terms()[id];
    if (term.kind == Terms::Kind::Constant) return context_.int_val(term.value);
    if (term.kind == Terms::Kind::Variable) return context_.int_const(("v" + std::to_string(term.number)).c_str());
    if (term.kind == Terms::Kind::Unknown) return context_.int_const(("u" + std::to_string(term.number)).c_str());
    if (model::is_truth(term.op)) return z3::ite(truth(id), context_.int_val(1), context_.int_val(0));
    if (term.op == Op::Ite) return z3::ite(truth(term.a), number(term.b), number(term.c));
    if (term.op == Op::Neg) return -number(term.a);
    if (term.op == Op::BitNot) return -number(term.a) - 1;
    return arithmetic(term);
  }
  z3::expr arithmetic(const Terms::Term& term) {
    const z3::expr a = number(term.a);
    const z3::expr b = number(term.b);
    switch (static_cast<model::ArithmeticOp>(term.op)) {
      case model::ArithmeticOp::Add: return a + b;
      case model::ArithmeticOp::Sub: return a - b;
      case model::ArithmeticOp::Mul: return a * b;
      case model::ArithmeticOp::Min: return z3::ite(a <= b, a, b);
      case model::ArithmeticOp::Max: return z3::ite(a >= b, a, b);
      case model::ArithmeticOp::Div:
      case model::ArithmeticOp::Mod: {
        // Z3 rounds the quotient by a positive number down; the model rounds it towards zero.
        if (!terms().is_constant(term.b) || terms()[term.b].value <= 0) return anything();
        const z3::expr quotient = z3::ite(a >= 0, a / b, -((-a) / b));
        return term.op == Op::Div ? quotient : a - b * quotient;
      }
      case model::ArithmeticOp::Shl:
      case model::ArithmeticOp::Shr:
      case model::ArithmeticOp::BitAnd:
      case model::ArithmeticOp::BitOr:
      case model::ArithmeticOp::BitXor: return anything();
    }
    return anything();
  }
  z3::expr anything() { return context_.int_const(("w" + std::to_string(anythings_++)).c_str()); }

  Workbench& bench_;
  z3::context context_;
  z3::solver solver_;
  std::unordered_map<TermId, z3::expr> truths_;
  std::unordered_map<TermId, z3::expr> numbers_;
  uint32_t anythings_ = 0;
};

Solver::Solver(Workbench& bench, std::function<bool()> over) : bench_(bench), over_(std::move(over)) {}
Solver::~Solver() = default;

std::optional<std::vector<uint16_t>> Solver::common(std::span<const TermId> conditions,
                                                    std::span<const TermId> outputs) {
  bench_.watch.poll();
  std::vector<uint16_t> values(outputs.size(), kAny);
  if (over_()) return values;
  if (!machine_) machine_ = std::make_unique<Machine>(bench_);
  z3::solver& solver = machine_->solver();
  solver.push();
  try {
    for (const TermId id : conditions) solver.add(machine_->truth(id));
    machine_->add_domains(conditions);
    machine_->add_domains(outputs);
    ++calls_;
    const z3::check_result possible = solver.check();
    if (possible == z3::unsat) {
      solver.pop();
      return std::nullopt;
    }
    std::vector<bool> open(outputs.size(), possible == z3::sat);
    const auto read = [&](size_t i, const z3::model& model) {
      int value = 0;
      return model.eval(machine_->number(outputs[i]), true).is_numeral_i(value) && value >= 0 && value < kAny
                 ? std::optional(static_cast<uint16_t>(value))
                 : std::nullopt;
    };
    if (possible == z3::sat) {
      const z3::model model = solver.get_model();
      for (size_t i = 0; i < outputs.size(); ++i) {
        const auto value = read(i, model);
        open[i] = value.has_value();
        if (value) values[i] = *value;
      }
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!open[i]) continue;
      bench_.watch.poll();
      if (over_()) {
        values[i] = kAny;
        continue;
      }
      solver.push();
      solver.add(machine_->number(outputs[i]) != static_cast<int>(values[i]));
      ++calls_;
      const z3::check_result other = solver.check();
      if (other == z3::unknown) values[i] = kAny;
      if (other == z3::sat) {
        const z3::model model = solver.get_model();
        for (size_t j = i; j < outputs.size(); ++j) {
          if (!open[j] || read(j, model) == values[j]) continue;
          open[j] = false;
          values[j] = kAny;
        }
      }
      solver.pop();
    }
    solver.pop();
  } catch (const z3::exception&) {
    machine_.reset();
    std::fill(values.begin(), values.end(), kAny);
  }
  return values;
}

std::optional<std::vector<size_t>> Solver::conflict(std::span<const Constraint> constraints, size_t times) {
  bench_.watch.poll();
  if (over_()) return std::nullopt;
  if (!machine_) machine_ = std::make_unique<Machine>(bench_);
  z3::solver& solver = machine_->solver();
  z3::context& context = machine_->context();
  std::optional<std::vector<size_t>> out;
  solver.push();
  try {
    std::vector<z3::expr> time;
    for (size_t i = 0; i < times; ++i) {
      time.push_back(i == 0 ? context.real_val(0) : context.real_const(("t" + std::to_string(i)).c_str()));
      if (i != 0) solver.add(time[i - 1] <= time[i]);
    }
    z3::expr_vector names(context);
    std::vector<TermId> terms;
    for (size_t i = 0; i < constraints.size(); ++i) {
      const Constraint& c = constraints[i];
      const z3::expr name = context.bool_const(("c" + std::to_string(i)).c_str());
      z3::expr formula = machine_->truth(c.condition);
      terms.push_back(c.condition);
      if (c.timed) {
        const auto real = [&](TermId id) { return z3::to_real(machine_->number(id)); };
        const z3::expr difference = time[c.late] + real(c.late_offset) - time[c.early] - real(c.early_offset);
        formula = z3::implies(formula, c.strict ? difference < real(c.bound) : difference <= real(c.bound));
        terms.insert(terms.end(), {c.late_offset, c.early_offset, c.bound});
      }
      solver.add(z3::implies(name, formula));
      names.push_back(name);
    }
    machine_->add_domains(terms);
    ++calls_;
    if (solver.check(names) == z3::unsat) {
      out.emplace();
      for (const z3::expr& name : solver.unsat_core()) {
        out->push_back(static_cast<size_t>(std::stoul(name.decl().name().str().substr(1))));
      }
      std::sort(out->begin(), out->end());
    }
    solver.pop();
  } catch (const z3::exception&) {
    machine_.reset();
    out.reset();
  }
  return out;
}

}  // namespace harrier::abstraction
