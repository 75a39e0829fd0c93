// Conditions of a task as they were written, evaluated in a state that is a set of atoms: what the validator of plans
// stands on. Quantifiers are searched through with the atoms in them, like the joins of a database:
//
//     (exists (?q ?m) (and (reads ?p ?q) (message ?q ?m)))    takes what ?p reads, then its messages
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/task.h"

namespace harrier::pddl::lifted {

// The atoms of one predicate that hold: rows of objects, numbered in no order but that new ones come last.
class Relation {
 public:
  explicit Relation(size_t arity) : arity_(arity) {}

  size_t size() const { return size_; }
  std::span<const uint32_t> row(size_t index) const { return {values_.data() + index * arity_, arity_}; }
  bool contains(std::span<const uint32_t> row) const { return find(row) != kNone; }
  // The rows that have an object at a place; rows that come later are put behind them.
  const std::vector<uint32_t>& with(size_t place, uint32_t object) const;
  bool insert(std::span<const uint32_t> row);  // false: it was there
  bool erase(std::span<const uint32_t> row);   // false: it was not there
  void clear();

 private:
  using Table = std::unordered_map<uint32_t, std::vector<uint32_t>>;

  uint32_t find(std::span<const uint32_t> row) const;
  void renumber(uint32_t from, uint32_t to);

  size_t arity_;
  size_t size_ = 0;
  std::vector<uint32_t> values_;
  std::unordered_multimap<uint64_t, uint32_t> rows_;     // by their hash
  mutable std::vector<std::optional<Table>> by_object_;  // of each place; made when it is asked for first
};

// The objects that a variable may stand for.
struct Domain {
  std::vector<uint32_t> objects;
  std::vector<bool> contains;
};

// One for each combination of types that variables have.
class Domains {
 public:
  Domains(const Task& task, const Watch& watch) : task_(task), watch_(watch) {}
  const Domain& of(const Variable& variable);

 private:
  const Task& task_;
  const Watch& watch_;
  std::map<std::vector<uint32_t>, Domain> known_;
};

// A condition with negations only before atoms, equalities and quantifiers.
struct Formula {
  enum class Kind : uint8_t { And, Or, Holds, Equal, Exists };

  Kind kind = Kind::And;
  bool negated = false;             // not of And and Or
  std::vector<Formula> parts;       // of Exists: all of them have to hold
  std::vector<uint32_t> variables;  // of Exists
  size_t wanted = 0;                // so many of them are asked for, the first ones; the others only have to be there
  std::vector<bool> apart;          // of Exists, by parts: it has nothing to do with what is wanted
  std::vector<uint32_t> free;       // variables, sorted
  const Atom* atom = nullptr;
  const Condition* source = nullptr;
};

// Points into the condition.
Formula formula_of(const Condition& condition, bool negated = false);
Formula atom_formula(const Atom& atom, bool negated);
// The ways in which there are objects for the variables so that a formula holds: each a formula of Exists, whose parts
// are atoms where that does not take too many ways.
std::vector<Formula> alternatives_of(const std::vector<uint32_t>& variables, const Formula& formula);

// What the variables of a schema stand for.
struct Binding {
  std::vector<uint32_t> objects;  // kNone: nothing
  std::vector<const Domain*> domains;
};

Binding binding_of(const std::vector<Variable>& variables, Domains& domains);

class Evaluator {
 public:
  using Found = std::function<bool()>;

  Evaluator(const std::vector<Relation>& relations, const Watch& watch) : relations_(relations), watch_(watch) {}

  // Where all free variables stand for something.
  bool holds(const Formula& formula, Binding& binding);
  // Calls `found` with each way of the wanted variables of a formula of Exists, whatever its negation, until it gives
  // true; sometimes again with the same. What it finds may be added to the relations.
  bool solve(const Formula& exists, Binding& binding, const Found& found);
  // With only some of the rows for one of its parts, an atom.
  bool solve(const Formula& exists, size_t part, size_t from, size_t to, Binding& binding, const Found& found);
  // The objects of an atom; good until the next call.
  std::span<const uint32_t> ground(const Atom& atom, const Binding& binding);

 private:
  struct Search {
    const Formula& exists;
    Binding& binding;
    const Found* found;
    std::vector<bool> done;  // by parts
    bool settled = false;    // all that is wanted is known
  };
  // Of a relation: those with these numbers, or all.
  struct Rows {
    const std::vector<uint32_t>* numbers = nullptr;
    size_t from = 0;
    size_t to = 0;
    size_t count() const { return to - from; }
  };

  bool go_on(Search& search);
  bool check_parts(Search& search);
  bool branch(Search& search);
  bool settle(Search& search);
  Rows rows_for(const Atom& atom, const Binding& binding) const;
  bool over_rows(Search& search, size_t part, Rows rows);
  bool over_objects(Search& search, uint32_t variable);
  bool match(const Atom& atom, std::span<const uint32_t> row, Binding& binding);
  void unbind(Binding& binding, size_t count);

  const std::vector<Relation>& relations_;
  const Watch& watch_;
  std::vector<uint32_t> row_;
  std::vector<size_t> checked_;  // parts that are done, of all searches that are under way
  std::vector<uint32_t> bound_;  // variables, in the same way
};

}  // namespace harrier::pddl::lifted
