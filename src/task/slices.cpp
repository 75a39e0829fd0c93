#include "task/slices.h"

#include <algorithm>

#include "model/operators.h"

namespace harrier::task {

using model::Expr;
using model::ExprId;
using model::Op;
using model::OpKind;
using model::Stmt;
using model::StmtId;
using model::StmtKind;
using model::System;
using model::VarId;

namespace {

using Numbers = std::vector<uint32_t>;  // sorted

bool contains(const Numbers& all, uint32_t x) { return std::binary_search(all.begin(), all.end(), x); }

void insert(Numbers& all, uint32_t x) {
  const auto at = std::lower_bound(all.begin(), all.end(), x);
  if (at == all.end() || *at != x) all.insert(at, x);
}

// What a statement does to slots, and which variables it reads and writes.
struct Footprint {
  Numbers slots_read;
  Numbers slots_written;
  Numbers variables_read;
  bool writes_variables = false;
  bool chooses = false;
  bool understood = true;
};

class Collector {
 public:
  explicit Collector(const System& system) : system_(system), seen_(system.exprs.size(), 0) {}

  Footprint of(StmtId id) {
    begin();
    stmt(id);
    return std::move(out_);
  }
  Footprint of(ExprId id) {
    begin();
    expr(id);
    return std::move(out_);
  }

 private:
  void begin() {
    ++round_;
    out_ = {};
  }

  void range(Numbers& all, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) insert(all, first + i);
  }

  // An expression may occur many times; it is looked at once.
  void expr(ExprId id) {
    if (!id.valid() || seen_[id.value] == round_) return;
    seen_[id.value] = round_;
    const Expr& e = system_.expr(id);
    switch (kind_of(e.op)) {
      case OpKind::Var: insert(out_.variables_read, e.base); break;
      case OpKind::Load: range(out_.variables_read, e.base, e.count); break;
      case OpKind::Local: insert(out_.slots_read, e.base); break;
      case OpKind::LoadLocal: range(out_.slots_read, e.base, e.count); break;
      case OpKind::Quantifier: insert(out_.slots_written, e.base); break;
      case OpKind::StoreLocal: range(out_.slots_written, e.base, e.a.valid() ? e.count : 1); break;
      case OpKind::Store: out_.writes_variables = true; break;
      case OpKind::Call: out_.understood = false; break;  // what a function does is for others to find out
      case OpKind::Const:
      case OpKind::Index:
      case OpKind::InRange:
      case OpKind::Unary:
      case OpKind::Arithmetic:
      case OpKind::Comparison:
      case OpKind::Connective:
      case OpKind::Ite:
      case OpKind::Comma:
      case OpKind::Fail: break;
    }
    expr(e.a);
    expr(e.b);
    expr(e.c);
  }

  void stmt(StmtId id) {
    if (!id.valid()) return;
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Choose:
        insert(out_.slots_written, s.first);
        out_.chooses = true;
        break;
      case StmtKind::Block:
        for (const StmtId child : system_.block(s)) stmt(child);
        break;
      case StmtKind::Return:
      case StmtKind::Reset: out_.understood = false; break;
      case StmtKind::Expr:
      case StmtKind::If:
      case StmtKind::While:
      case StmtKind::Assume: break;
    }
    expr(s.expr);
    stmt(s.a);
    stmt(s.b);
  }

  const System& system_;
  std::vector<uint32_t> seen_;  // by expression: the round in which it was met
  uint32_t round_ = 0;
  Footprint out_;
};

struct Piece {
  StmtId id;
  Footprint footprint;
  VarId stored;  // valid: it is `variable := expression`
  bool assumes = false;
};

Slice slice_of(std::span<const Piece> pieces, size_t store) {
  Slice out{.variable = pieces[store].stored};
  Numbers needed = pieces[store].footprint.slots_read;
  std::vector<bool> taken(store, false);
  for (size_t i = store; i-- > 0;) {
    const Piece& piece = pieces[i];
    if (piece.stored.valid() || piece.assumes) continue;
    const auto& written = piece.footprint.slots_written;
    if (std::none_of(written.begin(), written.end(), [&](uint32_t s) { return contains(needed, s); })) continue;
    taken[i] = true;
    out.chooses = out.chooses || piece.footprint.chooses;
    for (const uint32_t slot : piece.footprint.slots_read) insert(needed, slot);
  }
  for (size_t i = 0; i < store; ++i) {
    const auto& read = pieces[i].footprint.slots_read;
    const bool assumed =
        pieces[i].assumes && !read.empty() && std::includes(needed.begin(), needed.end(), read.begin(), read.end());
    if (taken[i] || assumed) out.statements.push_back(pieces[i].id);
    if (taken[i]) out.without_assumptions.push_back(pieces[i].id);
  }
  out.statements.push_back(pieces[store].id);
  out.without_assumptions.push_back(pieces[store].id);
  return out;
}

}  // namespace

std::optional<std::vector<Slice>> slices_of(const System& system, std::span<const StmtId> statements) {
  Collector collector(system);
  std::vector<Piece> pieces;
  Numbers stored;
  bool slots = false;
  for (const StmtId id : statements) {
    const Stmt& s = system.stmt(id);
    const bool store = s.kind == StmtKind::Expr && system.expr(s.expr).op == Op::Store;
    Piece piece{id, store ? collector.of(system.expr(s.expr).b) : collector.of(id), {}, s.kind == StmtKind::Assume};
    const Footprint& f = piece.footprint;
    if (!f.understood || f.writes_variables) return std::nullopt;
    if (std::any_of(f.variables_read.begin(), f.variables_read.end(),
                    [&](uint32_t v) { return contains(stored, v); })) {
      return std::nullopt;
    }
    slots = slots || !f.slots_written.empty();
    if (store) {
      const Expr& e = system.expr(s.expr);
      if (e.a.valid() || contains(stored, e.base)) return std::nullopt;
      piece.stored = VarId(e.base);
      insert(stored, e.base);
    }
    pieces.push_back(std::move(piece));
  }
  if (!slots) return std::nullopt;
  std::vector<Slice> out;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].stored.valid()) out.push_back(slice_of(pieces, i));
  }
  return out;
}

}  // namespace harrier::task
