// Conditions and statements as functions of the values of variables: each is evaluated with every combination of values
// of those variables whose values it turns out to need. The evaluation is that of the reference interpreter.
//
// A value at the end of a window stands for others, too: there a condition may hold, and statements may write, what the
// value itself does not show.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/choices.h"
#include "model/interpreter.h"
#include "task/decisions.h"
#include "task/task.h"

namespace harrier::task {

class Enumeration {
 public:
  static constexpr size_t kMostCombinations = 4096;

  // Of a task whose domains are known.
  Enumeration(const Task& task, Decisions& out, const Watch& watch);

  // Results: whether the condition can hold. kNone if there are too many combinations.
  Decisions::Node condition(model::ExprId condition);
  // Results: what `outcome` makes of the writes of the statements, with all choices that they have, which write
  // `variables` at most; kImpossible where they fail. kNone if there are too many combinations.
  Decisions::Node effect(std::span<const model::StmtId> statements, std::span<const model::VarId> variables,
                         const std::function<uint32_t(std::span<const Write>)>& outcome);

 private:
  template <class Attempt, class Leaf>
  Decisions::Node enumerate(Attempt&& attempt, Leaf&& leaf);
  template <class Attempt, class Leaf>
  Decisions::Node grow(Attempt&& attempt, Leaf&& leaf, size_t combinations);
  void undo();
  // Runs statements with all choices, and keeps what they write then.
  void run(std::span<const model::StmtId> statements);

  bool is_vague(uint32_t variable, int32_t value) const;
  bool is_vague() const;
  bool may_hold(model::ExprId condition) const;
  std::optional<int64_t> change_of(std::span<const model::StmtId> statements) const;
  void vague_writes(std::span<const model::StmtId> statements, std::span<const model::VarId> variables);
  void note(const Write& write);

  const Task& task_;
  const model::System& system_;
  Decisions& out_;
  const Watch& watch_;
  model::Interpreter interpreter_;
  std::vector<int32_t> values_;
  model::Interpreter::Knowledge knowledge_;
  std::vector<std::pair<uint32_t, int32_t>> combination_;  // variables with the values they have before the attempt
  std::vector<model::ClockReset> resets_;
  model::Choices choices_;
  std::vector<Write> results_;  // of a run
  bool possible_ = false;       // some choices lead somewhere
  bool too_many_ = false;       // there are more choices than can be tried
  std::vector<Write> writes_;
  std::vector<uint64_t> noted_;  // by variable: the leaf that writes it
  uint64_t leaf_ = 0;
};

}  // namespace harrier::task
