// Terms: what expressions mean once names and types are resolved. All values are integers, as in the model; a boolean
// is 0 or 1, a symbol its number in the enumeration. A term speaks of the variables of a step before it (`Current`) and
// after it (`Next`), so that one term serves the initial states, the steps and the properties, each with its own
// rewriting.
//
// Equal terms are made once: a term is a node of a graph, and its operands have smaller numbers than itself. What
// walks them goes by number, not by recursion, so that long chains of definitions are no problem. Terms are simplified
// where they are made, as far as no run-time error gets lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/source.h"
#include "model/expr.h"

namespace harrier::smv {

using TermId = Id<struct TermTag>;

enum class TermKind : uint8_t {
  Const,    // value
  Current,  // the variable `value`
  Next,     // the variable `value` after the step
  Running,  // whether the process `value` is the one that runs
  Slot,     // a slot of the frame: what a step has chosen or computed so far
  Fail,     // has no value: raises the error with the text number `value`
  Node,     // op of a, b, c
};

struct Term {
  TermKind kind = TermKind::Const;
  model::Op op = model::Op::Const;
  int32_t value = 0;
  TermId a = {}, b = {}, c = {};
  SourceRef at = {};
  // Derived.
  int32_t lo = 0;  // bounds of its value; lo > hi: it has none
  int32_t hi = 0;
  uint32_t size = 1;  // of the tree; saturated
  uint32_t depth = 1;
  bool fails = false;    // it may raise an error
  uint8_t mentions = 0;  // a union of kMentions…
};
inline constexpr uint8_t kMentionsNext = 1;
inline constexpr uint8_t kMentionsInput = 2;
inline constexpr uint8_t kMentionsRunning = 4;

struct Bounds {
  int32_t lo = 0;
  int32_t hi = 0;
};

class Terms {
 public:
  const Term& operator[](TermId id) const { return terms_[id.value]; }
  size_t size() const { return terms_.size(); }
  const std::string& text(const Term& fail) const { return texts_[static_cast<size_t>(fail.value)]; }

  TermId constant(int32_t value, SourceRef at = {});
  TermId truth(bool value) { return constant(value ? 1 : 0); }
  TermId variable(uint32_t number, Bounds bounds, bool input, SourceRef at);
  TermId next(uint32_t number, Bounds bounds, SourceRef at);
  TermId running(uint32_t process, SourceRef at);
  TermId slot(uint32_t number, Bounds bounds);
  TermId fail(std::string_view text, SourceRef at);
  // Any operator of two operands, or one: Neg.
  TermId make(model::Op op, TermId a, TermId b, SourceRef at);
  TermId negation(TermId a, SourceRef at = {});
  TermId both(TermId a, TermId b, SourceRef at = {}) { return make(model::Op::And, a, b, at); }
  TermId either(TermId a, TermId b, SourceRef at = {}) { return make(model::Op::Or, a, b, at); }
  TermId equal(TermId a, TermId b, SourceRef at = {}) { return make(model::Op::Eq, a, b, at); }
  TermId ite(TermId condition, TermId then, TermId otherwise, SourceRef at = {});
  // A balanced tree of a connective.
  TermId all_of(std::vector<TermId> parts, SourceRef at = {});
  TermId any_of(std::vector<TermId> parts, SourceRef at = {});

  bool is_const(TermId id) const { return (*this)[id].kind == TermKind::Const; }
  bool is_true(TermId id) const { return is_const(id) && (*this)[id].value != 0; }
  bool is_false(TermId id) const { return is_const(id) && (*this)[id].value == 0; }
  bool is_node(TermId id, model::Op op) const { return (*this)[id].kind == TermKind::Node && (*this)[id].op == op; }
  bool is_boolean(TermId id) const { return (*this)[id].lo >= 0 && (*this)[id].hi <= 1; }

  // The term with other leaves. `memo` keeps what was rewritten with the same function.
  using Memo = std::unordered_map<uint32_t, TermId>;
  TermId rewrite(TermId root, Memo& memo, const std::function<TermId(TermId)>& leaf);
  // The leaves of a tree of Ite, each replaced: conditions stay as they are.
  TermId rewrite_values(TermId root, const std::function<TermId(TermId)>& value);
  // The numbers of the slots in a term, in order.
  std::vector<uint32_t> slots(TermId root) const;
  // All terms that a term consists of, itself included, operands first.
  std::vector<TermId> parts(TermId root) const;

 private:
  struct Key {
    TermKind kind;
    model::Op op;
    int32_t value;
    uint32_t a, b, c;
    uint64_t place;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  TermId keep(Term term);
  void derive(Term& term) const;
  void derive_bounds(Term& term) const;
  TermId simplified(model::Op op, TermId a, TermId b, SourceRef at);
  TermId simplified_comparison(model::Op op, TermId a, TermId b, SourceRef at);
  TermId balanced(model::Op op, std::vector<TermId> parts, SourceRef at);

  std::vector<Term> terms_;
  std::vector<std::string> texts_;
  std::unordered_map<Key, TermId, KeyHash> known_;
};

}  // namespace harrier::smv
