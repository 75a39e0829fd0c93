#include "step/edge_facts.h"

#include <algorithm>

namespace harrier::step {

using model::ExprId;
using model::Op;
using model::StmtId;
using model::VarId;

namespace {

bool contains(const std::vector<VarId>& sorted, VarId v) { return std::binary_search(sorted.begin(), sorted.end(), v); }

bool is_variable(const model::System& system, ExprId id, VarId v) {
  const model::Expr& e = system.expr(id);
  return e.op == Op::Var && e.base == v.value;
}

// The store that a statement consists of.
const model::Expr* store_of(const model::System& system, StmtId id) {
  const model::Stmt& s = system.stmt(id);
  if (s.kind != model::StmtKind::Expr) return nullptr;
  const model::Expr& e = system.expr(s.expr);
  return e.op == Op::Store ? &e : nullptr;
}

// By how much a store changes the variable that it is to, if that is all that it does.
std::optional<int32_t> step_of(const model::System& system, const model::Expr& store) {
  if (store.a.valid()) return std::nullopt;
  const model::Expr& value = system.expr(store.b);
  if (value.op != Op::Add && value.op != Op::Sub) return std::nullopt;
  if (!is_variable(system, value.a, VarId(store.base))) return std::nullopt;
  const auto by = system.constant(value.b);
  if (!by || *by == INT32_MIN) return std::nullopt;
  return value.op == Op::Add ? *by : -*by;
}

void merge(std::vector<Write>& writes, Write write) {
  const auto at =
      std::find_if(writes.begin(), writes.end(), [&](const Write& w) { return w.variable == write.variable; });
  if (at == writes.end()) {
    writes.push_back(std::move(write));
  } else if (at->kind != write.kind) {
    *at = {write.variable, Write::Kind::Any};
  } else {
    at->constants.insert(at->constants.end(), write.constants.begin(), write.constants.end());
  }
}

// Two ends of a queue that do not get in each other's way.
bool apart(QueueUse a, QueueUse b) {
  const auto is = [&](QueueUse x, QueueUse y) { return (a == x && b == y) || (a == y && b == x); };
  return is(QueueUse::Send, QueueUse::Receive) || is(QueueUse::Send, QueueUse::Peek) ||
         is(QueueUse::Peek, QueueUse::Peek);
}

}  // namespace

const Write* EdgeFacts::write_of(VarId v) const {
  const auto at = std::lower_bound(writes.begin(), writes.end(), v,
                                   [](const Write& w, VarId sought) { return w.variable < sought; });
  return at != writes.end() && at->variable == v ? &*at : nullptr;
}

bool EdgeFacts::reads_in_effect(VarId v) const { return contains(reads, v); }

QueueUse EdgeFacts::use_of(uint32_t queue) const {
  const auto at = std::find_if(queues.begin(), queues.end(), [&](const auto& q) { return q.first == queue; });
  return at == queues.end() ? QueueUse::None : at->second;
}

EdgeFactsMaker::EdgeFactsMaker(const model::System& system, const Watch& watch)
    : system_(system),
      watch_(watch),
      accesses_(system, watch),
      interpreter_(system),
      values_(system.initial_values()),
      queue_of_(system.variables.size(), kNoQueue) {
  for (uint32_t q = 0; q < system.queues.size(); ++q) {
    const model::Queue& queue = system.queues[q];
    queue_of_[queue.length.value] = q;
    for (const VarId field : queue.fields) {
      for (int32_t i = 0; i < system.variable(queue.length).hi; ++i) {
        queue_of_[field.value + static_cast<uint32_t>(i)] = q;
      }
    }
  }
}

Condition EdgeFactsMaker::condition(ExprId expr) {
  return {expr, accesses_.of(expr).reads, model::can_fail(system_, expr)};
}

EdgeFacts EdgeFactsMaker::of(const model::Edge& edge) {
  watch_.poll();
  EdgeFacts facts;
  for (const ExprId g : edge.guard) facts.guard.push_back(condition(g));
  for (const StmtId s : edge.effect) {
    const std::vector<VarId> reads = accesses_.of(s).reads;
    facts.reads.insert(facts.reads.end(), reads.begin(), reads.end());
    add_writes(s, facts.writes);
  }
  if (edge.source != edge.target) {
    merge(facts.writes,
          {system_.process(edge.process).location, Write::Kind::Constants, {static_cast<int32_t>(edge.target)}});
  }
  std::sort(facts.reads.begin(), facts.reads.end());
  facts.reads.erase(std::unique(facts.reads.begin(), facts.reads.end()), facts.reads.end());
  std::sort(facts.writes.begin(), facts.writes.end(),
            [](const Write& a, const Write& b) { return a.variable < b.variable; });
  std::vector<uint32_t> touched;
  const auto touch = [&](VarId v) {
    if (queue_of_[v.value] != kNoQueue) touched.push_back(queue_of_[v.value]);
  };
  for (const Condition& c : facts.guard) std::for_each(c.reads.begin(), c.reads.end(), touch);
  std::for_each(facts.reads.begin(), facts.reads.end(), touch);
  for (const Write& w : facts.writes) touch(w.variable);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const uint32_t q : touched) facts.queues.emplace_back(q, classify(q, edge, facts.guard));
  return facts;
}

void EdgeFactsMaker::add_writes(StmtId id, std::vector<Write>& writes) {
  const model::Stmt& s = system_.stmt(id);
  if (s.kind == model::StmtKind::Block) {
    for (const StmtId child : system_.block(s)) add_writes(child, writes);
    return;
  }
  Write::Kind kind = Write::Kind::Any;
  std::vector<int32_t> constants;
  const model::Expr* store = store_of(system_, id);
  if (store != nullptr) {
    const auto constant = system_.constant(store->b);
    const auto step = step_of(system_, *store);
    if (constant) {
      kind = Write::Kind::Constants;
      constants = {*constant};
    } else if (step && *step != 0) {
      kind = *step > 0 ? Write::Kind::Grows : Write::Kind::Shrinks;
    }
  }
  for (const VarId v : accesses_.of(id).writes) merge(writes, {v, kind, constants});
}

// ---- queues ----

bool EdgeFactsMaker::touches(uint32_t queue, std::span<const VarId> variables) const {
  return std::any_of(variables.begin(), variables.end(), [&](VarId v) { return queue_of_[v.value] == queue; });
}

bool EdgeFactsMaker::is_first_slot(uint32_t queue, VarId v) const {
  const std::vector<VarId>& fields = system_.queues[queue].fields;
  return std::find(fields.begin(), fields.end(), v) != fields.end();
}

QueueUse EdgeFactsMaker::classify(uint32_t queue, const model::Edge& edge, const std::vector<Condition>& guard) {
  const VarId length = system_.queues[queue].length;
  const int32_t capacity = system_.variable(length).hi;
  bool has_message = false;
  bool has_room = false;
  for (const Condition& c : guard) {
    if (!touches(queue, c.reads)) continue;
    if (c.reads.size() == 1 && c.reads[0] == length) {
      has_message = has_message || truth(c, 0) == false;
      has_room = has_room || truth(c, capacity) == false;
      continue;
    }
    const auto allowed = [&](VarId v) { return queue_of_[v.value] != queue || is_first_slot(queue, v); };
    if (!has_message || !std::all_of(c.reads.begin(), c.reads.end(), allowed)) return QueueUse::Other;
  }
  bool writes = false;
  bool reads_first_only = true;
  for (const StmtId s : edge.effect) {
    const model::Access access = accesses_.of(s);
    writes = writes || touches(queue, access.writes);
    for (const VarId v : access.reads) {
      if (queue_of_[v.value] == queue) reads_first_only = reads_first_only && is_first_slot(queue, v);
    }
  }
  if (!writes) {
    const bool reads = std::any_of(edge.effect.begin(), edge.effect.end(),
                                   [&](StmtId s) { return touches(queue, accesses_.of(s).reads); });
    return !reads || (reads_first_only && has_message) ? QueueUse::Peek : QueueUse::Other;
  }
  if (has_room && is_send(queue, edge.effect)) return QueueUse::Send;
  if (has_message && is_receive(queue, edge.effect)) return QueueUse::Receive;
  return QueueUse::Other;
}

// Each field of the message is stored once behind the last one, then the length is one more.
bool EdgeFactsMaker::is_send(uint32_t number, std::span<const StmtId> effect) {
  const model::Queue& queue = system_.queues[number];
  const auto capacity = static_cast<uint32_t>(system_.variable(queue.length).hi);
  std::vector<VarId> open = queue.fields;
  bool longer = false;
  for (const StmtId s : effect) {
    const model::Access access = accesses_.of(s);
    if (!touches(number, access.writes)) {
      if (touches(number, access.reads)) return false;
      continue;
    }
    const model::Expr* store = store_of(system_, s);
    if (store == nullptr || longer) return false;
    if (store->base == queue.length.value && !store->a.valid()) {
      if (step_of(system_, *store) != 1 || !open.empty()) return false;
      longer = true;
      continue;
    }
    const auto field = std::find(open.begin(), open.end(), VarId(store->base));
    if (field == open.end() || store->count != capacity || !store->a.valid()) return false;
    if (!is_variable(system_, store->a, queue.length) || touches(number, accesses_.of(store->b).reads)) return false;
    open.erase(field);
  }
  return longer;
}

// Messages move up by one place, the last place is 0 and the length one less; the first message may be read before.
bool EdgeFactsMaker::is_receive(uint32_t number, std::span<const StmtId> effect) {
  const model::Queue& queue = system_.queues[number];
  const auto capacity = static_cast<uint32_t>(system_.variable(queue.length).hi);
  bool shorter = false;
  // What each place of a field holds: the message that was in this place, or (capacity) none.
  std::vector<std::vector<uint32_t>> holds(queue.fields.size());
  for (auto& places : holds) {
    for (uint32_t i = 0; i < capacity; ++i) places.push_back(i);
  }
  const auto place_of = [&](uint32_t variable, uint32_t& field, uint32_t& place) {
    for (field = 0; field < queue.fields.size(); ++field) {
      place = variable - queue.fields[field].value;
      if (variable >= queue.fields[field].value && place < capacity) return true;
    }
    return false;
  };
  uint32_t field = 0;
  uint32_t place = 0;
  for (const StmtId s : effect) {
    const model::Access access = accesses_.of(s);
    if (!touches(number, access.writes)) {
      for (const VarId v : access.reads) {
        if (queue_of_[v.value] != number) continue;
        if (!place_of(v.value, field, place) || place != 0 || holds[field][0] != 0) return false;
      }
      continue;
    }
    const model::Expr* store = store_of(system_, s);
    if (store == nullptr || store->a.valid()) return false;
    if (store->base == queue.length.value) {
      if (step_of(system_, *store) != -1 || shorter) return false;
      shorter = true;
      continue;
    }
    if (!place_of(store->base, field, place)) return false;
    uint32_t& held = holds[field][place];
    uint32_t from_field = 0;
    uint32_t from = 0;
    const model::Expr& value = system_.expr(store->b);
    if (system_.constant(store->b) == 0) {
      held = capacity;
    } else if (value.op == Op::Var && place_of(value.base, from_field, from) && from_field == field) {
      held = holds[field][from];
    } else {
      return false;
    }
  }
  for (const auto& places : holds) {
    for (uint32_t i = 0; i < capacity; ++i) {
      if (places[i] != i + 1) return false;
    }
  }
  return shorter;
}

bool EdgeFactsMaker::excused(VarId v, const EdgeFacts& a, const EdgeFacts& b) const {
  const uint32_t queue = queue_of_[v.value];
  return queue != kNoQueue && apart(a.use_of(queue), b.use_of(queue));
}

// ---- what edges do to each other ----

std::optional<bool> EdgeFactsMaker::truth(const Condition& condition, int32_t value) {
  const auto [at, fresh] = tried_.try_emplace(uint64_t{condition.expr.value} << 32 | static_cast<uint32_t>(value));
  std::optional<bool>& out = at->second;
  if (!fresh) return out;
  const VarId v = condition.reads[0];
  const int32_t before = values_[v.value];
  values_[v.value] = value;
  try {
    const ExprId all[] = {condition.expr};
    out = interpreter_.holds(all, values_);
  } catch (const model::EvalFailure&) {
  }
  values_[v.value] = before;
  return out;
}

bool EdgeFactsMaker::by_moving(const Condition& condition, bool grows, bool wanted) {
  const model::Variable& v = system_.variable(condition.reads[0]);
  if (int64_t{v.hi} - v.lo >= kMostValues) return true;
  auto& table = tables_[condition.expr.value];
  if (table.empty()) {
    for (int32_t value = v.lo;; ++value) {
      table.push_back(truth(condition, value));
      if (value == v.hi) break;
    }
  }
  // Somewhere it is not as wanted, and later in the direction of the move it is.
  bool was_other = false;
  for (size_t i = 0; i < table.size(); ++i) {
    const std::optional<bool> here = grows ? table[i] : table[table.size() - 1 - i];
    if (!here || (was_other && *here == wanted)) return true;
    was_other = was_other || *here != wanted;
  }
  return false;
}

bool EdgeFactsMaker::may_make(const model::Edge& edge, const EdgeFacts& by, const Condition& condition, bool wanted,
                              const EdgeFacts* of) {
  const VarId own_location = system_.process(edge.process).location;
  return std::any_of(condition.reads.begin(), condition.reads.end(), [&](VarId v) {
    const Write* write = by.write_of(v);
    if (write == nullptr) return false;
    if (condition.can_fail) return true;
    // The first message stays the first when others are appended.
    if (of != nullptr && v != (queue_of_[v.value] == kNoQueue ? v : system_.queues[queue_of_[v.value]].length) &&
        excused(v, by, *of)) {
      return false;
    }
    if (condition.reads.size() > 1) return true;
    if (write->kind == Write::Kind::Any) return true;
    if (write->kind != Write::Kind::Constants) return by_moving(condition, write->kind == Write::Kind::Grows, wanted);
    if (v == own_location && write->constants.size() == 1 &&
        truth(condition, static_cast<int32_t>(edge.source)) == wanted) {
      return false;
    }
    return std::any_of(write->constants.begin(), write->constants.end(),
                       [&](int32_t c) { return truth(condition, c) != !wanted; });
  });
}

bool EdgeFactsMaker::disturbs(const model::Edge& edge, const EdgeFacts& by, const EdgeFacts& other) {
  for (const Condition& c : other.guard) {
    if (may_make(edge, by, c, false, &other) || (other.forced && may_make(edge, by, c, true, &other))) return true;
  }
  return std::any_of(by.writes.begin(), by.writes.end(), [&](const Write& w) {
    return other.reads_in_effect(w.variable) && !excused(w.variable, by, other);
  });
}

bool EdgeFactsMaker::collide(const EdgeFacts& a, const EdgeFacts& b) const {
  return std::any_of(a.writes.begin(), a.writes.end(), [&](const Write& w) {
    const Write* other = b.write_of(w.variable);
    if (other == nullptr || excused(w.variable, a, b)) return false;
    const bool same = w.kind == Write::Kind::Constants && other->kind == Write::Kind::Constants &&
                      w.constants.size() == 1 && w.constants == other->constants;
    return !same;
  });
}

}  // namespace harrier::step
