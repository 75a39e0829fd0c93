// Random derived variables for a system: in several layers, some in cycles, with the negation of what comes before.
// And their values by a definition of its own: a layer gets the least set of heads that is closed under its axioms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/interpreter.h"
#include "random/rng.h"
#include "support/system_builder.h"

namespace harrier::testing_support {

class RandomAxioms {
 public:
  RandomAxioms(SystemBuilder& builder, Rng& rng) : b_(builder), rng_(rng) {}

  // Adds up to so many derived variables for the variables that the system has now, and returns them.
  std::vector<model::VarId> add(int most) {
    const size_t plain = b_.system.variables.size();
    for (size_t v = 0; v < plain; ++v) {
      if (model::VarId(v) != b_.system.control) known_.emplace_back(v);
    }
    std::vector<model::VarId> all;
    const int layers = rng_.between(1, 3);
    for (int layer = 0; layer < layers; ++layer) {
      std::vector<model::VarId> heads;
      for (int i = rng_.between(1, std::max(1, most / layers)); i > 0; --i) heads.push_back(add_head());
      for (const model::VarId head : heads) {
        for (int i = rng_.between(1, 3); i > 0; --i) add_axiom(head, static_cast<uint32_t>(layer), heads);
      }
      known_.insert(known_.end(), heads.begin(), heads.end());
      all.insert(all.end(), heads.begin(), heads.end());
    }
    return all;
  }

  // The values of the heads that follow from those of the other variables.
  static void derive(const model::System& system, std::vector<int32_t>& values) {
    model::Interpreter run(system);
    std::vector<int32_t> now = values;
    for (const model::Axiom& a : system.axioms) now[a.head.value] = system.variable(a.head).initial;
    uint32_t last = 0;
    for (const model::Axiom& a : system.axioms) last = std::max(last, a.layer);
    for (uint32_t layer = 0; layer <= last; ++layer) {
      for (std::vector<int32_t> before; before != now;) {
        before = now;
        for (const model::Axiom& a : system.axioms) {
          if (a.layer == layer && run.holds(a.body, before)) now[a.head.value] = a.value;
        }
      }
    }
    values = now;
  }

 private:
  model::VarId add_head() {
    const model::VarId head = b_.var("d" + std::to_string(b_.system.variables.size()), 0, 2, rng_.between(0, 1));
    values_.resize(b_.system.variables.size());
    values_[head.value] = b_.system.variable(head).initial == 0 ? rng_.between(1, 2) : 0;
    return head;
  }

  // Something about a variable whose layer is done.
  model::ExprId about_known() {
    const model::VarId v = rng_.pick(known_);
    const model::Variable& variable = b_.system.variable(v);
    const model::ExprId value = b_.num(rng_.between(variable.lo, variable.hi));
    return b_.op(rng_.chance(70) ? model::Op::Eq : model::Op::Ne, b_.get(v), value);
  }
  // That a head of the same layer has its value, said in one way or another.
  model::ExprId about_head(model::VarId head) {
    const int32_t otherwise = b_.system.variable(head).initial;
    if (rng_.chance(60)) return b_.eq(head, values_[head.value]);
    if (rng_.chance(50)) return b_.op(model::Op::Ne, b_.get(head), b_.num(otherwise));
    if (rng_.chance(50)) return b_.op(model::Op::Not, b_.eq(head, otherwise));
    const model::ExprId left = b_.eq(head, values_[head.value]);
    const model::ExprId right = about_known();
    return b_.op(rng_.chance(50) ? model::Op::And : model::Op::Or, left, right);
  }
  void add_axiom(model::VarId head, uint32_t layer, const std::vector<model::VarId>& heads) {
    model::Axiom axiom{head, values_[head.value], layer, {}, SystemBuilder::line(1)};
    for (int i = rng_.between(0, 2); i > 0; --i) axiom.body.push_back(about_known());
    for (int i = rng_.between(0, 2); i > 0; --i) axiom.body.push_back(about_head(rng_.pick(heads)));
    b_.system.axioms.push_back(axiom);
  }

  SystemBuilder& b_;
  Rng& rng_;
  std::vector<model::VarId> known_;  // plain variables and the heads of earlier layers
  std::vector<int32_t> values_;      // of the heads, where axioms say so; by variable
};

}  // namespace harrier::testing_support
