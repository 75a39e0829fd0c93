// Joins: all ways to give objects to variables so that atoms are in their relations. A plan says in which order the
// atoms are looked up, each by an index on the arguments that are known by then; whatever only filters is done as soon
// as it can be (Ullman 1989; Helmert 2009, §6).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/grounding_formula.h"
#include "lang/pddl/grounding_relation.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

// The objects that a variable may stand for.
struct Domain {
  std::vector<bool> has;  // by object
  std::vector<uint32_t> objects;
  bool all = false;
};

// Variables that are of the same types share one.
class Domains {
 public:
  Domains(const Task& task, const Watch& watch) : task_(task), watch_(watch) {}
  const Domain& of(const Variable& variable);

 private:
  const Task& task_;
  const Watch& watch_;
  std::map<std::vector<uint32_t>, Domain> domains_;  // by types
};

// What is to be joined. The vectors that are pointed to have to stay.
struct Body {
  struct Present {
    Relation* relation = nullptr;
    const std::vector<Term>* terms = nullptr;
  };
  struct Absent {
    const Relation* relation = nullptr;
    const std::vector<Term>* terms = nullptr;
    uint32_t among = 0;  // only among so many, the first ones
  };
  std::vector<const Domain*> domains;  // by variable
  std::vector<Present> atoms;
  std::vector<Absent> absent;
  std::vector<Comparison> comparisons;
  std::vector<uint32_t> wanted;  // variables that shall have a value; others may be left without
};

class Plan {
 public:
  static constexpr size_t kNoAtom = SIZE_MAX;

  // `known`: by variable, which ones have a value already. With a trigger, which is an atom of the body, run() starts
  // from a tuple for it.
  Plan(const Body& body, std::vector<bool> known, size_t trigger, const Watch& watch);

  // Calls `found` for each way to give values to the variables in `binding`. To be called again only from other plans'
  // `found`.
  template <class Found>
  void run(uint32_t* binding, const Watch& watch, Found&& found) {
    run_from(binding, Relation::kNone, watch, found);
  }
  // The tuple has to be the last one that was entered. Where the trigger's relation is that of an atom before it, other
  // tuples are meant there: so no combination is found from two triggers.
  template <class Found>
  void run(uint32_t* binding, uint32_t tuple, const Watch& watch, Found&& found) {
    if (fits(trigger_, tuple, binding)) run_from(binding, tuple, watch, found);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  enum class Kind : uint8_t { Match, Contains, Lacks, Compare, Assign, Enumerate };
  // What a column of a tuple has to be, besides those that an index looks for.
  struct Column {
    enum class Kind : uint8_t { New, Known, Constant };
    Kind kind = Kind::New;
    uint32_t column = 0;
    uint32_t value = 0;              // a variable or an object
    const Domain* domain = nullptr;  // of a new variable; null: any object
  };
  struct Step {
    Kind kind = Kind::Match;
    bool earlier = false;  // of Match and Contains: not the tuple that the join started from
    bool equal = true;     // of Compare
    const Relation* relation = nullptr;
    const Index* index = nullptr;  // of Match; null: all tuples
    uint32_t terms = 0;            // the first of so many: a key, a tuple, or what is compared or assigned
    uint32_t term_count = 0;
    uint32_t columns = 0;
    uint32_t column_count = 0;
    uint32_t variable = 0;           // of Assign and Enumerate
    const Domain* domain = nullptr;  // likewise
    uint32_t among = kNone;          // of Lacks
    uint32_t choice = kNone;         // the last step before it that has alternatives
    uint32_t cursor = 0;             // where it is, while the plan runs
  };
  friend class Planner;

  template <class Found>
  void run_from(uint32_t* binding, uint32_t start, const Watch& watch, Found& found) {
    const auto count = static_cast<uint32_t>(steps_.size());
    uint32_t at = 0;
    for (;;) {
      watch.poll();
      while (at < count && begin(steps_[at], binding, start)) ++at;
      if (at == count) found();
      at = at == count ? last_choice_ : steps_[at].choice;
      while (at != kNone && !advance(steps_[at], binding, start)) at = steps_[at].choice;
      if (at == kNone) return;
      ++at;
    }
  }
  bool begin(Step& step, uint32_t* binding, uint32_t start);
  bool advance(Step& step, uint32_t* binding, uint32_t start) const;
  bool settle(Step& step, uint32_t* binding, uint32_t start) const;
  bool fits(const Step& step, uint32_t tuple, uint32_t* binding) const;
  const uint32_t* values(const Step& step, const uint32_t* binding);
  static uint32_t value(const Term& term, const uint32_t* binding) {
    return term.variable ? binding[term.index] : term.index;
  }

  std::vector<Step> steps_;
  std::vector<Term> terms_;
  std::vector<Column> columns_;
  std::vector<uint32_t> buffer_;
  Step trigger_;
  uint32_t last_choice_ = kNone;
};

}  // namespace harrier::pddl
