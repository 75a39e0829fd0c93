#include "symbolic/order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "model/analysis.h"
#include "model/operators.h"

namespace harrier::symbolic {

namespace {

using model::Access;
using model::ExprId;
using model::StmtId;
using model::System;
using model::VarId;

// What occurs together, by number: a variable, or after all of these a frame slot.
using Group = std::vector<uint32_t>;

class Groups {
 public:
  Groups(const System& system, const Watch& watch) : system_(system), watch_(watch), accesses_(system, watch) {}

  std::vector<Group> collect() {
    for (const model::Transition& t : model::flat_transitions(system_, watch_)) {
      watch_.poll();
      add(t);
    }
    for (const model::Process& process : system_.processes) {
      for (const model::Location& l : process.locations) {
        Access access = accesses_.of(l);
        access.reads.push_back(process.location);
        add(access);
      }
    }
    return std::move(groups_);
  }

 private:
  void add(const Access& access, Group extra = {}) {
    for (const VarId v : access.reads) extra.push_back(v.value);
    for (const VarId v : access.writes) extra.push_back(v.value);
    std::sort(extra.begin(), extra.end());
    extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
    if (extra.size() > 1) groups_.push_back(std::move(extra));
  }

  // A broadcast joins the sender with each receiver. An effect that chooses is taken apart: its statements are
  // conjuncts of their own.
  void add(const model::Transition& t) {
    if (!system_.has_choices()) {
      add(accesses_.of(model::Transition{t.edges, {}}));
      for (const model::EdgeId receiver : t.optional) {
        Access access = accesses_.of(system_.edge(receiver));
        const Access sender = accesses_.of(system_.edge(t.edges.front()));
        access.reads.insert(access.reads.end(), sender.writes.begin(), sender.writes.end());
        add(access);
      }
      return;
    }
    for (const model::EdgeId id : t.edges) {
      for (const StmtId s : system_.edge(id).effect) add(s);
    }
  }

  void add(StmtId id) {
    const model::Stmt& s = system_.stmt(id);
    if (s.kind == model::StmtKind::Block) {
      for (const StmtId child : system_.block(s)) add(child);
      return;
    }
    Group slots;
    if (s.kind == model::StmtKind::Choose) slots.push_back(slot(s.first));
    if (s.expr.valid()) find_slots(s.expr, slots);
    add(accesses_.of(id), std::move(slots));
  }

  uint32_t slot(uint32_t number) const { return static_cast<uint32_t>(system_.variables.size()) + number; }

  void find_slots(ExprId id, Group& out) {
    if (!id.valid()) return;
    const model::Expr& e = system_.expr(id);
    if (e.op == model::Op::Local || e.op == model::Op::StoreLocal) out.push_back(slot(e.base));
    find_slots(e.a, out);
    find_slots(e.b, out);
    find_slots(e.c, out);
  }

  const System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  std::vector<Group> groups_;
};

// Which variables tell others apart: the index of an array its elements, and what a chain of tests `v = 1 ? x : v = 2 ?
// y : z` tests what it chooses among.
class Selections {
 public:
  struct Selection {
    std::vector<VarId> by;
    std::vector<VarId> among;
  };

  Selections(const System& system, const Watch& watch) : system_(system), accesses_(system, watch) {}

  std::vector<Selection> collect() {
    for (uint32_t i = 0; i < system_.exprs.size(); ++i) {
      const model::Expr& e = system_.exprs[i];
      if (e.op == model::Op::Load && e.count > kFew) {
        Selection selection{accesses_.of(e.a).reads, {}};
        for (uint32_t v = 0; v < e.count; ++v) selection.among.emplace_back(e.base + v);
        out_.push_back(std::move(selection));
      } else if (const VarId v = tested(ExprId(i)); v.valid()) {
        add_chain(ExprId(i), v);
      }
    }
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kFew = 2;  // whose order does not matter

  // The variable of `v = constant ? … : …`.
  VarId tested(ExprId id) const {
    const model::Expr& e = system_.expr(id);
    if (e.op != model::Op::Ite) return {};
    const model::Expr& condition = system_.expr(e.a);
    if (condition.op != model::Op::Eq || system_.expr(condition.a).op != model::Op::Var ||
        system_.expr(condition.b).op != model::Op::Const) {
      return {};
    }
    return VarId(system_.expr(condition.a).base);
  }

  void add_chain(ExprId id, VarId v) {
    Selection selection{{v}, {}};
    uint32_t alternatives = 1;
    const auto choose = [&](ExprId branch) {
      const model::Expr& e = system_.expr(branch);
      if (e.op == model::Op::Var) selection.among.emplace_back(e.base);
    };
    for (; tested(id) == v; id = system_.expr(id).c, ++alternatives) choose(system_.expr(id).b);
    choose(id);
    if (alternatives > kFew) out_.push_back(std::move(selection));
  }

  const System& system_;
  model::Accesses accesses_;
  std::vector<Selection> out_;
};

// Moves what selects to before what it selects among: the diagram of a selection has a copy of all that comes before
// for each way to select it.
void put_selectors_first(const System& system, std::vector<uint32_t>& order, const Watch& watch) {
  const auto selections = Selections(system, watch).collect();
  std::vector<double> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<double>(i);
  // What selects may be selected among; and in a circle, so that there is an end to it.
  for (int round = 0; round < 3; ++round) {
    bool moved = false;
    for (const auto& [by, among] : selections) {
      if (among.empty()) continue;
      double first = place[among.front().value];
      for (const VarId v : among) first = std::min(first, place[v.value]);
      for (const VarId v : by) {
        if (place[v.value] < first || std::find(among.begin(), among.end(), v) != among.end()) continue;
        place[v.value] = first - 0.5;
        moved = true;
      }
    }
    if (!moved) break;
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return place[a] < place[b]; });
}

// The order of the declarations, with locations before the variables of their process.
std::vector<uint32_t> first_order(const System& system) {
  std::vector<double> place(system.variables.size());
  std::iota(place.begin(), place.end(), 0.0);
  for (size_t p = 0; p < system.processes.size(); ++p) {
    const model::Process& process = system.processes[p];
    const std::string prefix = process.name + ".";
    for (size_t v = 0; v < system.variables.size(); ++v) {
      if (VarId(v) != process.location && std::string_view(system.variables[v].name).starts_with(prefix)) {
        place[process.location.value] = static_cast<double>(v) - 0.5;
        break;
      }
    }
  }
  std::vector<uint32_t> order(system.variables.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return place[a] < place[b]; });
  return order;
}

// Variables with so many values are wide numbers.
constexpr int64_t kWide = 60;

// A block is where the first of its variables is.
VariableBlocks blocks(const std::vector<Group>& groups, const std::vector<uint32_t>& order,
                      const std::vector<model::Interval>& domains) {
  std::vector<uint32_t> first(domains.size());
  std::iota(first.begin(), first.end(), 0);
  const auto find = [&](uint32_t v) {
    while (first[v] != v) v = first[v] = first[first[v]];
    return v;
  };
  const auto is_wide = [&](uint32_t v) { return v < domains.size() && domains[v].hi - domains[v].lo >= kWide; };
  for (const Group& group : groups) {
    const auto one = std::find_if(group.begin(), group.end(), is_wide);
    for (const uint32_t v : group) {
      if (is_wide(v)) first[find(v)] = find(*one);
    }
  }
  VariableBlocks out;
  std::vector<size_t> place(domains.size());  // 1 + number of the block
  for (const uint32_t v : order) {
    if (v >= domains.size()) continue;
    size_t& at = place[find(v)];
    if (at == 0) {
      out.emplace_back();
      at = out.size();
    }
    out[at - 1].emplace_back(v);
  }
  return out;
}

double spans(const std::vector<Group>& groups, const std::vector<double>& place) {
  double out = 0;
  for (const Group& group : groups) {
    double lo = place[group.front()];
    double hi = lo;
    for (const uint32_t v : group) {
      lo = std::min(lo, place[v]);
      hi = std::max(hi, place[v]);
    }
    out += hi - lo;
  }
  return out;
}

}  // namespace

std::vector<VariableBlocks> variable_orders(const System& system, const std::vector<model::Interval>& domains,
                                            const Watch& watch) {
  const std::vector<Group> groups = Groups(system, watch).collect();
  std::vector<uint32_t> order = first_order(system);
  const size_t count = order.size() + (system.has_choices() ? system.quantifier_slots : 0);
  for (size_t i = order.size(); i < count; ++i) order.push_back(static_cast<uint32_t>(i));
  std::vector<double> place(count);
  const auto number = [&] {
    for (size_t i = 0; i < count; ++i) place[order[i]] = static_cast<double>(i);
  };
  number();
  std::vector<uint32_t> declared = order;
  std::vector<uint32_t> best = order;
  double best_spans = spans(groups, place);
  const auto rounds = static_cast<size_t>(20 + 10 * std::log2(static_cast<double>(count + 1)));
  std::vector<double> sum(count);
  std::vector<double> weight(count);
  for (size_t round = 0, since = 0; round < rounds && since < 10; ++round, ++since) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(weight.begin(), weight.end(), 0.0);
    for (const Group& group : groups) {
      watch.poll();
      double centre = 0;
      for (const uint32_t v : group) centre += place[v];
      centre /= static_cast<double>(group.size());
      for (const uint32_t v : group) {
        sum[v] += centre;
        weight[v] += 1;
      }
    }
    for (size_t v = 0; v < count; ++v) {
      if (weight[v] > 0) place[v] = sum[v] / weight[v];
    }
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return place[a] < place[b]; });
    number();
    const double now = spans(groups, place);
    if (now < best_spans) {
      best_spans = now;
      best = order;
      since = 0;
    }
  }
  std::vector<VariableBlocks> out;
  for (std::vector<uint32_t>* candidate : {&best, &declared}) {
    put_selectors_first(system, *candidate, watch);
    out.push_back(blocks(groups, *candidate, domains));
  }
  return out;
}

}  // namespace harrier::symbolic
