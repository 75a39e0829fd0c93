// What can be derived by rules, a Datalog program: the atoms of the heads wherever the body holds. Semi-naive: every
// new tuple is joined once with those that were there before it (Ullman 1989; Helmert 2009, §6).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/grounding_join.h"

namespace harrier::pddl {

struct Rule {
  struct Head {
    Relation* relation = nullptr;
    const std::vector<Term>* terms = nullptr;
    uint32_t target = 0;  // Reachability's number of the relation
  };
  Body body;
  std::vector<Head> heads;
  Relation* instances = nullptr;  // what body.wanted was when the body held; null: that is not kept
  // Reachability's own.
  uint32_t target = 0;   // the number of the instances
  uint32_t missing = 0;  // atoms without variables that were not reached yet
};

class Reachability {
 public:
  explicit Reachability(const Watch& watch) : watch_(watch) {}

  // All that can be in the relation; not called for those that are complete.
  void add_relation(Relation& relation);
  void add_rule(Rule rule);
  // All relations are complete then.
  void run();

 private:
  // An atom of a rule's body that a new tuple may be.
  struct Trigger {
    Rule* rule = nullptr;
    size_t atom = 0;
    std::unique_ptr<Plan> plan = nullptr;  // made when it is needed first
  };
  // The triggers of a relation. Where they have constants, those of a tuple are found by one of its objects.
  struct Target {
    Relation* relation = nullptr;
    std::vector<Trigger> always = {};
    std::vector<std::unordered_map<uint32_t, std::vector<Trigger>>> by_object = {};  // by column
    bool read = false;
    std::unique_ptr<Relation> awaited = {};        // tuples that are atoms without variables…
    std::vector<std::vector<Rule*>> waiting = {};  // … of these rules
  };

  bool await(Rule& rule, const Body::Present& atom);
  void add_trigger(Rule& rule, size_t atom);
  void fire(const Rule& rule);
  void fire(Trigger& trigger, uint32_t tuple);
  void derive(const Rule& rule);
  void add(uint32_t target, bool surely_new);

  const Watch& watch_;
  std::deque<Rule> rules_;
  std::vector<Target> targets_;
  std::unordered_map<const Relation*, uint32_t> numbers_;  // of targets
  std::deque<uint32_t> queue_;                             // targets, each with its next tuple
  std::vector<uint32_t> binding_;
  std::vector<uint32_t> tuple_;
};

}  // namespace harrier::pddl
