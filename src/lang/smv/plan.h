// How the values of a step, or of an initial state, are found one after the other, so that few are guessed in vain.
//
// The unknowns are slots of the frame: the values after the step, and those of input variables. An assignment computes
// its slot, or chooses it from a set, as soon as what it reads is known. Of the constraints,
//   - `next(x) = e` gives x its value once e is known, like an assignment;
//   - a conjunction is several constraints; an implication or a case whose condition is known is one under a *guard*;
//   - a disjunction whose alternatives give values is branched on: which one holds is chosen, and each becomes a
//   constraint
//     under the guard that it was chosen;
//   - whatever else is open is assumed as soon as all of it is known.
// Only when nothing of this helps, a slot is chosen from its whole domain. So the actions of a plan are in an order in
// which each knows what it needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lang/smv/flat.h"

namespace harrier::smv {

// The values that a slot can be given: all from lo to hi, or only some of them.
struct Domain {
  int32_t lo = 0;
  int32_t hi = 0;
  std::vector<int32_t> values = {};

  uint64_t count() const { return values.empty() ? static_cast<uint64_t>(int64_t{hi} - lo + 1) : values.size(); }
};

// A choice from a set: one of the elements, which may be the same; or, with a condition, one of two choices.
struct Choice {
  TermId condition = {};
  std::unique_ptr<const Choice> then = {};
  std::unique_ptr<const Choice> otherwise = {};
  std::vector<TermId> elements = {};
};

enum class ActionKind : uint8_t {
  Assign,   // slot := term
  Assume,   // term
  Pick,     // slot := one of `choice`
  Guess,    // slot := any of `domain`
  Guarded,  // slot := the term of the first guard that holds; if none does, any of `domain`, unless `total`
  Branch,   // slot := a number below `count`, if term holds; else 0
};

struct Action {
  ActionKind kind = ActionKind::Assign;
  uint32_t slot = 0;
  TermId term = {};
  std::unique_ptr<const Choice> choice = {};
  Domain domain = {};
  std::vector<std::pair<TermId, TermId>> cases = {};  // guard, value
  bool total = false;
  uint32_t count = 0;
  SourceRef at = {};
};

struct Plan {
  std::vector<TermId> guard;  // what has to hold before
  std::vector<Action> actions;
  uint32_t slots = 0;
};

class Planner {
 public:
  Planner(FlatModel& model, Diagnostics& diagnostics)
      : terms_(model.values.terms()), values_(model.values), diagnostics_(diagnostics) {}

  // A slot for a value of the variable. All of them come first.
  uint32_t add_slot(const Variable& variable);
  TermId slot_term(uint32_t slot) { return terms_.slot(slot, {slots_[slot].domain.lo, slots_[slot].domain.hi}); }
  void define(uint32_t slot, const Value& value, SourceRef at);
  void constrain(TermId term) { constrain({}, term); }
  Plan run();

 private:
  using Guards = std::vector<TermId>;
  struct Slot {
    const Variable* variable = nullptr;
    Domain domain = {};
    bool known = false;
    bool assigned = false;
    std::vector<uint32_t> uses = {};     // numbers of items
    std::vector<uint32_t> pending = {};  // items that give it a value under a guard
    bool covered = false;  // the guards of the pending ones, of which there were so many, leave nothing open
    size_t covered_by = 0;
  };
  struct Item {
    bool is_define = false;
    bool done = false;
    uint32_t slot = 0;  // of a definition
    Value value = {};
    Guards guards = {};  // of a constraint: known
    TermId body = {};
    std::vector<TermId> alternatives = {};  // where the body is a disjunction
    std::vector<uint32_t> reads = {};       // slots
    uint32_t open = 0;                      // how many of them are not known
    SourceRef at = {};
  };

  // Items.
  void constrain(const Guards& guards, TermId body);
  void add_item(Guards guards, TermId body);
  bool restrict_domain(TermId body);
  uint32_t count_open(const std::vector<uint32_t>& slots) const;
  bool is_known(TermId term) const { return count_open(terms_.slots(term)) == 0; }
  std::vector<TermId> alternatives(TermId body);
  void check_cycles();

  // Progress.
  void learn(uint32_t slot);
  void touch(uint32_t item);
  bool split(Item& item);
  TermId definition(TermId body, uint32_t slot);
  uint32_t open_slot(const Item& item) const;
  bool step();
  bool act_pending(bool total_only);
  bool act_branch();
  bool act_guess();
  bool is_productive(TermId alternative);

  // Actions.
  void emit(Action action) { plan_.actions.push_back(std::move(action)); }
  void emit_assume(TermId term, SourceRef at);
  void emit_define(Item& item);
  void emit_guess(uint32_t slot);
  void emit_guarded(uint32_t slot, bool total);
  void branch(uint32_t item);
  std::unique_ptr<const Choice> choice_of(const SetNode& set, const Variable& variable, bool surely, SourceRef at);
  void add_elements(const SetNode& set, const Variable& variable, bool surely, SourceRef at, std::vector<TermId>& out);
  TermId fitting(const Value& value, const Variable& variable, bool surely, SourceRef at);
  TermId in_domain(TermId term, const Domain& domain);
  TermId guarded(const Guards& guards, TermId body);

  // Guards.
  bool covers(std::vector<Guards> all, uint32_t& budget);
  bool exclusive(const Guards& a, const Guards& b);
  struct Selector {
    uint32_t slot = 0;
    int32_t value = 0;
    bool valid = false;
  };
  Selector selector(TermId guard) const;

  Terms& terms_;
  Values& values_;
  Diagnostics& diagnostics_;
  std::vector<Slot> slots_;
  std::vector<Item> items_;
  std::vector<uint32_t> assumable_;  // constraints of which all is known
  std::vector<uint32_t> computable_;
  std::vector<uint32_t> pickable_;  // definitions by sets
  std::vector<uint32_t> touched_;
  uint32_t unknowns_ = 0;
  uint32_t choices_ = 0;  // that were made of the set of one assignment
  Plan plan_;
};

}  // namespace harrier::smv
