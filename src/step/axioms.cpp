#include "step/axioms.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.h"
#include "model/interpreter.h"

namespace harrier::step {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

// What a condition says of the only head of a cycle that it reads, and of nothing else.
enum class Says : uint8_t { Always, Derived, Never, NotDerived };

}  // namespace

class Axioms::Builder {
 public:
  Builder(Axioms& axioms, const model::System& system, Program& program, const Watch& watch)
      : axioms_(axioms),
        system_(system),
        program_(program),
        watch_(watch),
        accesses_(system, watch),
        run_(system),
        values_(system.variables.size(), 0) {}

  void build() {
    find_heads();
    find_components();
    axioms_.readers_.resize(system_.variables.size());
    for (uint32_t c = 0; c < axioms_.components_.size(); ++c) add_rules(c);
  }

 private:
  void find_heads() {
    head_of_.assign(system_.variables.size(), kNone);
    for (const model::Axiom& axiom : system_.axioms) {
      watch_.poll();
      uint32_t& head = head_of_[axiom.head.value];
      if (head == kNone) {
        head = static_cast<uint32_t>(axioms_.heads_.size());
        axioms_.heads_.push_back({axiom.head.value, axiom.value, system_.variable(axiom.head).initial, 0, {}});
        axioms_of_.emplace_back();
        reads_.emplace_back();
      }
      axioms_of_[head].push_back(&axiom);
    }
    for (uint32_t h = 0; h < axioms_of_.size(); ++h) {
      for (const model::Axiom* axiom : axioms_of_[h]) {
        for (const model::VarId v : accesses_.of(*axiom).reads) {
          if (head_of_[v.value] == kNone) continue;
          reads_[h].push_back(head_of_[v.value]);
          if (axioms_of_[head_of_[v.value]].front()->layer > axiom->layer) refuse(*axiom, "a later layer");
        }
      }
      std::sort(reads_[h].begin(), reads_[h].end());
      reads_[h].erase(std::unique(reads_[h].begin(), reads_[h].end()), reads_[h].end());
    }
  }

  [[noreturn]] void refuse(const model::Axiom& axiom, const char* what) const {
    throw Error(ErrorKind::Unsupported, "unsupported: an axiom for " + system_.variable(axiom.head).name +
                                            " that depends on " + what + " at " + system_.sources.describe(axiom.at));
  }

  // Tarjan 1972: a component comes after those that its heads read.
  void find_components() {
    struct Visit {
      uint32_t head = 0;
      size_t next = 0;
    };
    const size_t count = axioms_.heads_.size();
    std::vector<uint32_t> number(count, kNone), lowest(count, 0), open;
    std::vector<bool> is_open(count, false);
    std::vector<Visit> visits;
    uint32_t next_number = 0;
    const auto enter = [&](uint32_t h) {
      number[h] = lowest[h] = next_number++;
      open.push_back(h);
      is_open[h] = true;
      visits.push_back({h});
    };
    for (uint32_t start = 0; start < count; ++start) {
      if (number[start] == kNone) enter(start);
      while (!visits.empty()) {
        watch_.poll();
        const uint32_t h = visits.back().head;
        if (visits.back().next < reads_[h].size()) {
          const uint32_t read = reads_[h][visits.back().next++];
          if (number[read] == kNone) {
            enter(read);
          } else if (is_open[read]) {
            lowest[h] = std::min(lowest[h], number[read]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) lowest[visits.back().head] = std::min(lowest[visits.back().head], lowest[h]);
        if (lowest[h] == number[h]) close(open, is_open, h);
      }
    }
  }

  void close(std::vector<uint32_t>& open, std::vector<bool>& is_open, uint32_t last) {
    Component c;
    c.first_head = static_cast<uint32_t>(axioms_.members_.size());
    for (bool more = true; more;) {
      const uint32_t h = open.back();
      open.pop_back();
      is_open[h] = false;
      more = h != last;
      axioms_.heads_[h].component = static_cast<uint32_t>(axioms_.components_.size());
      axioms_.members_.push_back(h);
    }
    c.head_count = static_cast<uint32_t>(axioms_.members_.size()) - c.first_head;
    const bool reads_itself = std::binary_search(reads_[last].begin(), reads_[last].end(), last);
    c.kind = c.head_count > 1 || reads_itself ? Kind::Cycle : Kind::Single;
    axioms_.components_.push_back(c);
  }

  void add_rules(uint32_t number) {
    Component& c = axioms_.components_[number];
    c.first_rule = static_cast<uint32_t>(axioms_.rules_.size());
    if (c.kind == Kind::Cycle && !can_count(c, number)) c.kind = Kind::Tried;
    for (const uint32_t h : axioms_.members(c)) {
      for (const model::Axiom* axiom : axioms_of_[h]) {
        watch_.poll();
        for (const model::VarId v : accesses_.of(*axiom).reads) {
          std::vector<uint32_t>& readers = axioms_.readers_[v.value];
          if (!inside(v, number) && (readers.empty() || readers.back() != number)) readers.push_back(number);
        }
        if (c.kind == Kind::Cycle) {
          add_counted(number, h, *axiom);
        } else {
          axioms_.rules_.push_back({h, 0, program_.condition(axiom->body)});
        }
      }
    }
    c.rule_count = static_cast<uint32_t>(axioms_.rules_.size()) - c.first_rule;
  }

  bool inside(model::VarId v, uint32_t component) const {
    const uint32_t head = head_of_[v.value];
    return head != kNone && axioms_.heads_[head].component == component;
  }

  // The heads of a component that a condition reads.
  std::vector<model::VarId> heads_in(model::ExprId condition, uint32_t component) {
    std::vector<model::VarId> reads = accesses_.of(condition).reads;
    if (std::none_of(reads.begin(), reads.end(), [&](model::VarId v) { return inside(v, component); })) reads.clear();
    return reads;
  }

  // Each condition that reads a head of the cycle reads nothing else.
  bool can_count(const Component& c, uint32_t number) {
    for (const uint32_t h : axioms_.members(c)) {
      for (const model::Axiom* axiom : axioms_of_[h]) {
        for (const model::ExprId condition : conjuncts(axiom->body)) {
          if (heads_in(condition, number).size() > 1) return false;
        }
      }
    }
    return true;
  }

  std::vector<model::ExprId> conjuncts(std::vector<model::ExprId> open) const {
    std::vector<model::ExprId> out;
    while (!open.empty()) {
      const model::Expr& e = system_.expr(open.back());
      if (e.op == model::Op::And) {
        open.back() = e.a;
        open.push_back(e.b);
      } else {
        out.push_back(open.back());
        open.pop_back();
      }
    }
    return out;
  }

  void add_counted(uint32_t component, uint32_t head, const model::Axiom& axiom) {
    std::vector<uint32_t> heads;
    std::vector<model::ExprId> rest;
    for (const model::ExprId condition : conjuncts(axiom.body)) {
      const std::vector<model::VarId> reads = heads_in(condition, component);
      if (reads.empty()) {
        rest.push_back(condition);
        continue;
      }
      const uint32_t read = head_of_[reads[0].value];
      switch (said_by(condition, axioms_.heads_[read])) {
        case Says::Always: break;
        case Says::Derived: heads.push_back(read); break;
        case Says::Never: return;
        case Says::NotDerived: refuse(axiom, "its own negation");
      }
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    const auto rule = static_cast<uint32_t>(axioms_.rules_.size());
    axioms_.rules_.push_back({head, static_cast<uint32_t>(heads.size()), program_.condition(rest)});
    for (const uint32_t h : heads) axioms_.heads_[h].waiting.push_back(rule);
  }

  Says said_by(model::ExprId condition, const Head& head) {
    const auto holds = [&](int32_t value) {
      values_[head.variable] = value;
      return run_.value(condition, values_) != 0;
    };
    const bool derived = holds(head.value);
    if (derived == holds(head.otherwise)) return derived ? Says::Always : Says::Never;
    return derived ? Says::Derived : Says::NotDerived;
  }

  Axioms& axioms_;
  const model::System& system_;
  Program& program_;
  const Watch& watch_;
  model::Accesses accesses_;
  model::Interpreter run_;
  std::vector<int32_t> values_;
  std::vector<uint32_t> head_of_;                            // by variable
  std::vector<std::vector<const model::Axiom*>> axioms_of_;  // by head
  std::vector<std::vector<uint32_t>> reads_;                 // by head: the heads that its bodies read
};

Axioms::Axioms(const model::System& system, Program& program, const Watch& watch) {
  if (!system.axioms.empty()) Builder(*this, system, program, watch).build();
}

void Axioms::update(Workspace& work, int32_t* values) const {
  Workspace::Derivation& d = work.derivation();
  if (d.derived.size() != heads_.size()) {
    d.derived.resize(heads_.size());
    d.waits_for.resize(rules_.size());
    d.due.resize(components_.size() / 64 + 1);
    d.open.reserve(heads_.size());
  }
  for (const JournalEntry& entry : work.journal()) {
    if (values[entry.variable] != entry.old_value) make_due(work, entry.variable);
  }
  for (size_t word = 0; word < d.due.size(); ++word) {
    while (d.due[word] != 0) {
      const auto bit = static_cast<size_t>(std::countr_zero(d.due[word]));
      d.due[word] &= d.due[word] - 1;
      compute(components_[word * 64 + bit], work, values);
    }
  }
}

void Axioms::make_due(Workspace& work, uint32_t variable) const {
  for (const uint32_t c : readers_[variable]) work.derivation().due[c / 64] |= uint64_t{1} << (c % 64);
}

void Axioms::compute(const Component& c, Workspace& work, int32_t* values) const {
  switch (c.kind) {
    case Kind::Single: compute_single(c, work, values); return;
    case Kind::Cycle: compute_cycle(c, work, values); return;
    case Kind::Tried: compute_tried(c, work, values); return;
  }
}

void Axioms::compute_single(const Component& c, Workspace& work, int32_t* values) const {
  const std::span<const Rule> all = rules(c);
  const bool derived =
      std::any_of(all.begin(), all.end(), [&](const Rule& rule) { return work.holds(rule.condition, values); });
  settle(heads_[members_[c.first_head]], derived, work, values);
}

void Axioms::compute_cycle(const Component& c, Workspace& work, int32_t* values) const {
  Workspace::Derivation& d = work.derivation();
  const auto derive = [&](uint32_t head) {
    if (d.derived[head] != 0) return;
    d.derived[head] = 1;
    d.open.push_back(head);
  };
  for (uint32_t r = c.first_rule; r < c.first_rule + c.rule_count; ++r) {
    const Rule& rule = rules_[r];
    // Where it is not needed, or cannot hold, it waits for more than there is.
    const bool useful = d.derived[rule.head] == 0 && work.holds(rule.condition, values);
    d.waits_for[r] = useful ? rule.heads_read : kNone;
    if (d.waits_for[r] == 0) derive(rule.head);
  }
  while (!d.open.empty()) {
    const uint32_t head = d.open.back();
    d.open.pop_back();
    for (const uint32_t r : heads_[head].waiting) {
      if (--d.waits_for[r] == 0) derive(rules_[r].head);
    }
  }
  for (const uint32_t h : members(c)) {
    settle(heads_[h], d.derived[h] != 0, work, values);
    d.derived[h] = 0;
  }
}

void Axioms::compute_tried(const Component& c, Workspace& work, int32_t* values) const {
  for (const uint32_t h : members(c)) settle(heads_[h], false, work, values);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : rules(c)) {
      const Head& head = heads_[rule.head];
      if (values[head.variable] == head.value || !work.holds(rule.condition, values)) continue;
      settle(head, true, work, values);
      changed = true;
    }
  }
}

void Axioms::settle(const Head& head, bool derived, Workspace& work, int32_t* values) const {
  const int32_t value = derived ? head.value : head.otherwise;
  if (values[head.variable] == value) return;
  work.write(values, head.variable, value);
  make_due(work, head.variable);
}

}  // namespace harrier::step
