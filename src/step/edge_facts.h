// What single edges need and do, as far as it matters to whether edges of different processes can change places.
//
// A *write* is known as precisely as is cheap: the constants that are stored, or that the value only grows or shrinks.
// A *condition* is one conjunct of a guard; whether a write can make it true or false is found by trying values if it
// reads a single variable.
//
// A channel with room for messages (System::queues) is several variables, all of which sends and receives write. What
// an edge does with it is recognised by what it says, not by who made it:
//
//     Send     adds one message at the end, where it has tested that there is room
//     Receive  removes the first message, where it has tested that there is one; looks at no other message
//     Peek     looks at the length, or at the first message where it has tested that there is one
//     Other    anything else, such as a sorted send: an access to variables like all others
//
// A send and a receive that are both possible can change places: the message is appended behind the one that is taken
// (Holzmann and Peled 1994; Godefroid 1996, §3.3). Two sends cannot, nor two receives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/interpreter.h"
#include "model/system.h"

namespace harrier::step {

enum class QueueUse : uint8_t { None, Send, Receive, Peek, Other };

struct Condition {
  model::ExprId expr;
  std::vector<model::VarId> reads;  // sorted
  bool can_fail = false;            // at run time
};

struct Write {
  enum class Kind : uint8_t { Constants, Grows, Shrinks, Any };
  model::VarId variable;
  Kind kind = Kind::Any;
  std::vector<int32_t> constants = {};
};

struct EdgeFacts {
  std::vector<Condition> guard;
  std::vector<model::VarId> reads;  // of the effect, sorted
  std::vector<Write> writes;        // by variable; with the location of the process, unless the edge is a loop
  std::vector<std::pair<uint32_t, QueueUse>> queues;
  bool forced = false;  // where it is possible, something else is not: it makes a difference that it becomes possible

  const Write* write_of(model::VarId v) const;
  bool reads_in_effect(model::VarId v) const;
  QueueUse use_of(uint32_t queue) const;
};

// Makes the facts, and answers questions about them.
class EdgeFactsMaker {
 public:
  explicit EdgeFactsMaker(const model::System& system, const Watch& watch);

  EdgeFacts of(const model::Edge& edge);
  Condition condition(model::ExprId expr);

  // Whether an edge can make a condition true (or false) that was not. `of` has the condition in its guard; null: it is
  // one of a goal.
  bool may_make(const model::Edge& edge, const EdgeFacts& by, const Condition& condition, bool truth,
                const EdgeFacts* of);
  // Whether what an edge does may change what the other one can do, or what comes of it; both have been possible,
  // unless the other one is forced.
  bool disturbs(const model::Edge& edge, const EdgeFacts& by, const EdgeFacts& other);
  // Whether it matters which of two edges that are both possible writes first.
  bool collide(const EdgeFacts& a, const EdgeFacts& b) const;

  model::Accesses& accesses() { return accesses_; }
  // Of the condition if the only variable that it reads has this value; nothing: it cannot be told.
  std::optional<bool> truth(const Condition& condition, int32_t value);

 private:
  static constexpr uint32_t kNoQueue = UINT32_MAX;
  static constexpr int64_t kMostValues = 4096;  // of a variable, to be tried one after the other

  void add_writes(model::StmtId stmt, std::vector<Write>& writes);
  QueueUse classify(uint32_t queue, const model::Edge& edge, const std::vector<Condition>& guard);
  bool is_send(uint32_t queue, std::span<const model::StmtId> effect);
  bool is_receive(uint32_t queue, std::span<const model::StmtId> effect);
  bool touches(uint32_t queue, std::span<const model::VarId> variables) const;
  bool is_first_slot(uint32_t queue, model::VarId v) const;
  // The edges keep to the two ends of the queue that the variable belongs to.
  bool excused(model::VarId v, const EdgeFacts& a, const EdgeFacts& b) const;
  // Whether the condition can become `truth` when the variable grows (shrinks).
  bool by_moving(const Condition& condition, bool grows, bool truth);

  const model::System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  model::Interpreter interpreter_;
  std::vector<int32_t> values_;                                            // to try conditions on
  std::vector<uint32_t> queue_of_;                                         // by variable
  std::unordered_map<uint32_t, std::vector<std::optional<bool>>> tables_;  // by condition: by value
  std::unordered_map<uint64_t, std::optional<bool>> tried_;                // by condition and value
};

}  // namespace harrier::step
