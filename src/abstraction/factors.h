// A task as factors that move in lockstep: what abstractions are made of.
//
// Each variable with an exact domain is a small graph. A *label* is a step of the system; of each variable that it
// concerns it has a *relation*: which values lead to which. A variable without one may have any value and keeps it. So
// a projection to some variables, or a product of some, needs to look at the relations of these alone:
//
//     Factors factors(domains);
//     for (const Factors::Label& label : factors.labels())
//       for (const Factors::Part& part : factors.parts(label))
//         for (Value to : factors.relation(part.relation).from(value)) …
//
// Compared with the variable domain system, a label here is a whole step of a broadcast: other receivers than
// the label's own may come along, so the relation of their variables has what they may do besides staying as they are.
// Hence *whatever the model does, one label does*, in all variables at once. Of what keeps enabled transitions from
// firing, committed locations are respected: a label that leaves none cannot be taken while a process is in one. Clocks
// and the rest are left out, as in the task; so are derived variables, which may have any value then.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/watch.h"
#include "task/evaluator.h"
#include "task/variable_domains.h"

namespace harrier::abstraction {

using task::Value;

class Factors {
 public:
  // The values that may follow each value of a variable, increasing; none where the label cannot be taken.
  class Relation {
   public:
    std::span<const Value> from(Value value) const {
      return std::span(to_).subspan(first_[value], first_[value + size_t{1}] - first_[value]);
    }
    uint32_t size() const { return static_cast<uint32_t>(first_.size()) - 1; }  // number of values of the variable
    bool keeps() const { return keeps_; }  // where the label can be taken, the value stays as it is
    bool total() const { return total_; }  // the label can be taken from every value

   private:
    friend class Factors;
    std::vector<uint32_t> first_;
    std::vector<Value> to_;
    bool keeps_ = true;
    bool total_ = true;
  };
  struct Part {
    uint32_t variable = 0;
    uint32_t relation = 0;

    auto operator<=>(const Part&) const = default;
  };
  // Labels with the same parts are one.
  struct Label {
    uint32_t transition = task::kNone;  // of the task, one of several perhaps
    uint32_t cost = 1;
    uint32_t first_part = 0;
    uint32_t end_part = 0;
  };

  explicit Factors(std::shared_ptr<const task::VariableDomains> domains, const Watch& watch = Watch::none());

  const task::VariableDomains& domains() const { return *domains_; }
  const task::Task& task() const { return domains_->task(); }
  const model::System& system() const { return task().system(); }
  uint32_t size() const { return static_cast<uint32_t>(variables_.size()); }
  uint32_t values(uint32_t v) const { return domains_->variable(variables_[v]).size; }
  uint32_t number_in_domains(uint32_t v) const { return variables_[v]; }
  // In the system.
  uint32_t variable(uint32_t v) const { return domains_->variable(variables_[v]).variable; }
  const std::string& name(uint32_t v) const { return system().variables[variable(v)].name; }

  std::span<const Label> labels() const { return labels_; }
  // A goal state satisfies all parts of one of these, whose relations keep values.
  std::span<const Label> goals() const { return goals_; }
  std::span<const Part> parts(const Label& label) const {
    return std::span(parts_).subspan(label.first_part, label.end_part - label.first_part);
  }
  const Relation& relation(uint32_t id) const { return relations_[id]; }

  const model::ValueNumbers& number(uint32_t v) const { return *domains_->variable(variables_[v]).number; }
  // The number of a variable's value in a state.
  Value read(uint32_t v, const int32_t* state) const {
    const auto& variable = domains_->variable(variables_[v]);
    return static_cast<Value>((*variable.number)(state[variable.variable]));
  }

 private:
  using Images = std::vector<std::vector<Value>>;  // by value

  void add(const task::VariableDomains::Label& label, std::map<uint32_t, Images>&& changes,
           std::map<std::vector<Part>, uint32_t>& known);
  Images& images_of(uint32_t v, std::map<uint32_t, Images>& changes) const;
  bool may_receive(const task::Label& receiver, const std::map<uint32_t, Images>& changes, task::Evaluator& evaluator,
                   std::vector<Value>& state) const;
  void come_along(const task::Label& label, std::map<uint32_t, Images>& changes, task::Evaluator& evaluator,
                  std::vector<Value>& state) const;
  void respect_committed(const task::Label& label, std::map<uint32_t, Images>& changes) const;
  Images image_of(uint32_t v, const task::VariableDomains::Part* part) const;
  uint32_t relation_id(const Images& images);

  std::shared_ptr<const task::VariableDomains> domains_;
  std::vector<uint32_t> variables_;  // numbers in the domains
  std::vector<uint32_t> number_of_;  // by number in the domains; kNone: left out
  std::vector<uint32_t> by_system_;  // by variable of the system; kNone: left out
  std::vector<Label> labels_;
  std::vector<Label> goals_;
  std::vector<Part> parts_;
  std::vector<Relation> relations_;
  std::map<Images, uint32_t> known_relations_;
};

}  // namespace harrier::abstraction
