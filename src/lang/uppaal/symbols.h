// What names stand for, and what expressions lower to, while a model is elaborated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/uppaal/ast.h"
#include "lang/uppaal/types.h"
#include "model/system.h"

namespace harrier::uppaal {

using model::ExprId;
using model::Op;
using model::StmtId;

// A constant whose value is known. One that is indexed by a variable gets a table of variables with one-value domains.
struct ConstantData {
  std::string name;
  const Type* type = nullptr;
  std::vector<int32_t> values;
  model::VarId table;  // none until it is needed
  SourceRef at;
};

// One dynamic index of an access: `index` counts from 0 and must be below `count`.
struct IndexTerm {
  ExprId index;
  uint32_t count = 0;
  uint32_t data_stride = 0;
  uint32_t clock_stride = 0;
  uint32_t channel_stride = 0;
  int64_t lo = 0;  // an interval that holds the index
  int64_t hi = 0;
  bool effect = false;  // as for Operand
  bool state = false;
  bool local = false;
};

enum class Root : uint8_t { Global, Local, Constant };

// Where a value lives: the part of a variable that an access names. The numbers already hold all constant offsets.
struct Place {
  Root root = Root::Global;
  const Type* type = nullptr;
  uint32_t data = 0;  // variable, frame slot, or index into the constant's values
  uint32_t clock = 0;
  uint32_t channel = 0;
  uint32_t block = 0;  // Local: the slots of the whole variable
  const Type* block_type = nullptr;
  bool writable = true;
  ConstantData* constant = nullptr;
  std::vector<IndexTerm> terms;
};

// Selected: a value that `select` will choose; no type may depend on it. Location: hides what is around the template.
enum class SymbolKind : uint8_t { Place, Type, Function, Template, Instance, Location, Selected };

class NameScope;

struct Symbol {
  SymbolKind kind = SymbolKind::Place;
  Place place;
  const Type* type = nullptr;
  const FunctionNode* function = nullptr;
  NameScope* home = nullptr;  // Function: the scope it was declared in
  uint32_t order = 0;         // how many names its scope had before it
  const TemplateNode* process = nullptr;
  const InstanceNode* instance = nullptr;
  SourceRef at;
};

// Names of one block, process or model, and the scope around it.
//
// UPPAAL reads in order: a name means the innermost declaration before its use. Most scopes are built in that order, so
// that what comes later is not there yet. Functions and templates are elaborated after what follows them, and
// therefore see only the first `seen` names of the scope around them:
//
//     int x = 1;  process P() { int f() { return x; }  int x = 5;  … }     // f() is 1
class NameScope {
 public:
  static constexpr uint32_t kAll = UINT32_MAX;

  explicit NameScope(NameScope* parent, uint32_t seen = kAll) : parent_(parent), seen_(seen) {}

  // Null if the name is taken in this very scope.
  Symbol* declare(std::string_view name, Symbol symbol) {
    symbol.order = size();
    auto [entry, fresh] = names_.emplace(name, std::move(symbol));
    return fresh ? &entry->second : nullptr;
  }
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  const Symbol* own(std::string_view name, uint32_t seen = kAll) const {
    const auto found = names_.find(name);
    return found == names_.end() || found->second.order >= seen ? nullptr : &found->second;
  }
  const Symbol* find(std::string_view name, uint32_t seen = kAll) const {
    for (const NameScope* scope = this; scope != nullptr; seen = scope->seen_, scope = scope->parent_) {
      if (const Symbol* symbol = scope->own(name, seen)) return symbol;
    }
    return nullptr;
  }
  // A declaration that comes too late to be meant.
  const Symbol* find_later(std::string_view name) const {
    for (const NameScope* scope = this; scope != nullptr; scope = scope->parent_) {
      if (const Symbol* symbol = scope->own(name)) return symbol;
    }
    return nullptr;
  }
  // The names of this scope, the first `seen` ones.
  std::vector<std::string> names(uint32_t seen = kAll) const {
    std::vector<std::string> result;
    for (const auto& [name, symbol] : names_) {
      if (symbol.order < seen) result.emplace_back(name);
    }
    std::sort(result.begin(), result.end());  // whatever the order of the table
    return result;
  }
  // All names that `find` finds, the innermost first.
  std::vector<std::string> visible() const {
    std::vector<std::string> result;
    uint32_t seen = kAll;
    for (const NameScope* scope = this; scope != nullptr; seen = scope->seen_, scope = scope->parent_) {
      const auto own_names = scope->names(seen);
      result.insert(result.end(), own_names.begin(), own_names.end());
    }
    return result;
  }

 private:
  NameScope* parent_;
  uint32_t seen_;
  std::unordered_map<std::string_view, Symbol> names_;
};

// plus - minus + offset, where each clock and the offset may be missing.
struct ClockTerm {
  bool has_plus = false;
  bool has_minus = false;
  Place plus;
  Place minus;
  ExprId offset;
};

enum class OperandKind : uint8_t { Bad, Void, Value, Place, Parts, Clock };

// The result of lowering an expression.
struct Operand {
  OperandKind kind = OperandKind::Bad;
  const Type* type = nullptr;
  ExprId expr;             // Value
  int64_t lo = INT32_MIN;  // Value: an interval that holds it
  int64_t hi = INT32_MAX;
  Place place;                             // Place
  std::vector<ExprId> parts;               // Parts: the integers of a structure or array
  ExprId prelude;                          // Parts: must be evaluated before them, once; may be invalid
  std::shared_ptr<const ClockTerm> clock;  // Clock; rare, and operands are many on the stack
  bool effect = false;                     // evaluation changes variables or clocks
  bool state = false;                      // the value depends on variables
  bool local = false;                      // the value depends on the frame of a function
};

// The frame of a function that is lowered.
struct Frame {
  const FunctionNode* function = nullptr;
  const Type* result = nullptr;
  uint32_t slots = 0;
  bool effect = false;  // what the body does, as for Operand
  bool state = false;
  // Copies of the caller's local variables that are passed by reference.
  struct Block {
    uint32_t first = 0;
    const Type* type = nullptr;
    bool written = false;
    uint32_t size() const { return type->data; }
  };
  std::vector<Block> blocks;
  // What a return yields: the value (part `output` of it) or, from `output` = parts of the result on, a block's slot.
  uint32_t output = 0;
  std::vector<uint32_t> outputs;       // slots of written blocks
  std::vector<model::VarId> transfer;  // variables that carry all outputs to the caller, see `calls.cpp`
  uint32_t returned = 0;               // slots of the value that is returned
  bool in_loop = false;
};

// What an expression is lowered for.
struct Context {
  NameScope* scope = nullptr;
  Frame* frame = nullptr;  // null outside functions
  bool query = false;      // processes and `deadlock` may be named
};

}  // namespace harrier::uppaal
