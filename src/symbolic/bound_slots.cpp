#include "symbolic/bound_slots.h"

#include <algorithm>
#include <optional>

namespace harrier::symbolic {

using model::Expr;
using model::ExprId;
using model::Op;
using model::Stmt;
using model::StmtId;
using model::StmtKind;
using model::System;
using model::VarId;

namespace {

class Finder {
 public:
  Finder(const System& system, model::Accesses& accesses)
      : system_(system),
        accesses_(accesses),
        slot_writes_(system.quantifier_slots),
        variable_writes_(system.variables.size()),
        written_at_(system.quantifier_slots) {}

  std::vector<std::pair<uint32_t, VarId>> find(const std::vector<StmtId>& effect) {
    for (const StmtId s : effect) flatten(s);
    for (size_t i = 0; i < flat_.size(); ++i) {
      note_slots(flat_[i]);
      for (const VarId v : accesses_.of(flat_[i]).writes) ++variable_writes_[v.value];
      if (const auto slot = slot_of(system_.stmt(flat_[i]))) written_at_[*slot] = i + 1;
    }
    for (const auto& others : {&system_.before_update, &system_.after_update}) {
      for (const StmtId s : *others) {
        for (const VarId v : accesses_.of(s).writes) ++variable_writes_[v.value];
      }
    }
    std::vector<std::pair<uint32_t, VarId>> out;
    std::vector<bool> taken(system_.quantifier_slots);
    for (size_t i = 0; i < flat_.size(); ++i) {
      const Stmt& s = system_.stmt(flat_[i]);
      if (s.kind != StmtKind::Expr) continue;
      const Expr& store = system_.expr(s.expr);
      if (store.op != Op::Store || store.a.valid() || system_.expr(store.b).op != Op::Local) continue;
      const uint32_t slot = system_.expr(store.b).base;
      if (variable_writes_[store.base] != 1 || slot_writes_[slot] != 1 || taken[slot]) continue;
      if (written_at_[slot] == 0 || written_at_[slot] > i) continue;
      taken[slot] = true;
      out.emplace_back(slot, VarId(store.base));
    }
    return out;
  }

 private:
  void flatten(StmtId id) {
    const Stmt& s = system_.stmt(id);
    if (s.kind != StmtKind::Block) {
      flat_.push_back(id);
      return;
    }
    for (const StmtId child : system_.block(s)) flatten(child);
  }

  // The slot that a statement of the top level writes.
  std::optional<uint32_t> slot_of(const Stmt& s) const {
    if (s.kind == StmtKind::Choose) return s.first;
    if (s.kind != StmtKind::Expr) return std::nullopt;
    const Expr& e = system_.expr(s.expr);
    if (e.op != Op::StoreLocal || e.a.valid()) return std::nullopt;
    return e.base;
  }

  void note_slots(StmtId id) {
    if (!id.valid()) return;
    const Stmt& s = system_.stmt(id);
    if (s.kind == StmtKind::Choose) ++slot_writes_[s.first];
    if (s.kind == StmtKind::Block) {
      for (const StmtId child : system_.block(s)) note_slots(child);
    }
    if (s.expr.valid()) note_slots(s.expr);
    note_slots(s.a);
    note_slots(s.b);
  }

  void note_slots(ExprId id) {
    if (!id.valid()) return;
    const Expr& e = system_.expr(id);
    const bool quantifier = e.op == Op::Forall || e.op == Op::Exists || e.op == Op::Sum;
    if (e.op == Op::StoreLocal || quantifier) {
      const uint32_t count = e.op == Op::StoreLocal && e.a.valid() ? e.count : 1;
      for (uint32_t i = 0; i < count; ++i) ++slot_writes_[e.base + i];
    }
    if (e.op == Op::Call) {
      for (const ExprId argument : system_.call_arguments(e)) note_slots(argument);
    }
    note_slots(e.a);
    note_slots(e.b);
    note_slots(e.c);
  }

  const System& system_;
  model::Accesses& accesses_;
  std::vector<uint32_t> slot_writes_;
  std::vector<uint32_t> variable_writes_;
  std::vector<size_t> written_at_;  // 1 + place in `flat_`
  std::vector<StmtId> flat_;
};

}  // namespace

std::vector<std::pair<uint32_t, VarId>> bound_slots(const System& system, const std::vector<StmtId>& effect,
                                                    model::Accesses& accesses) {
  return Finder(system, accesses).find(effect);
}

}  // namespace harrier::symbolic
