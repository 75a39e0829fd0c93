// Typed values: what the operators of SMV make of terms, with the checks of types.
//
// A value has a type and a term; a set has its elements instead. Symbols are *atoms*, and so are numbers in an
// enumeration that has symbols, too. An expression of such a type has a *coding*, the list of atoms that it may be, and
// its term is the number of one of them. `recoded` translates between codings, so that variables of different
// enumerations can be compared and assigned to each other.
//
// Where old models mix booleans with 0 and 1, they are taken for each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "lang/smv/ast.h"
#include "lang/smv/terms.h"

namespace harrier::smv {

// A number, or kFirstSymbol + the number of a symbol.
using Atom = int64_t;
inline constexpr Atom kFirstSymbol = int64_t{1} << 40;

struct Coding {
  std::vector<Atom> atoms;
  std::unordered_map<Atom, int32_t> codes;

  // -1: the atom is not among them.
  int32_t code(Atom atom) const {
    const auto found = codes.find(atom);
    return found == codes.end() ? -1 : found->second;
  }
};

enum class TypeKind : uint8_t { Boolean, Integer, Symbolic, Word };

struct Type {
  TypeKind kind = TypeKind::Boolean;
  bool is_signed = false;  // of words
  uint32_t width = 0;
  const Coding* coding = nullptr;  // of Symbolic

  bool operator==(const Type&) const = default;
};

// More bits than this do not fit the arithmetic of the model.
inline constexpr uint32_t kMaxWidth = 30;

struct SetNode;
using SetPtr = std::shared_ptr<const SetNode>;

struct Value {
  Type type;
  TermId term;  // invalid of a set
  SetPtr set = {};
};

enum class SetKind : uint8_t {
  Single,  // term
  Range,   // lo .. hi
  Union,   // parts
  Ite,     // term ? parts[0] : parts[1]
};

struct SetNode {
  SetKind kind = SetKind::Single;
  Type type = {};
  TermId term = {};
  int32_t lo = 0;  // bounds of the elements, where they are numbers
  int32_t hi = 0;
  std::vector<SetPtr> parts = {};
  uint64_t size = 1;
  uint32_t depth = 1;
};

// Thrown after an error was reported; caught where the next declaration begins.
struct Failure {};

class Values {
 public:
  explicit Values(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Terms& terms() { return terms_; }
  const Terms& terms() const { return terms_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  [[noreturn]] void fail(SourceRef at, std::string message);
  [[noreturn]] void refuse(SourceRef at, std::string message);

  // Symbols and codings.
  Atom symbol(const std::string& name);
  bool is_symbol(const std::string& name) const { return symbols_.contains(name); }
  std::string atom_name(Atom atom) const;
  const std::vector<std::string>& symbol_names() const { return symbol_names_; }
  const Coding* coding(const std::vector<Atom>& atoms);

  // Values.
  Value boolean(TermId term) { return {{TypeKind::Boolean}, term}; }
  Value integer(TermId term) { return {{TypeKind::Integer}, term}; }
  Value symbol_value(Atom atom, SourceRef at);
  Value word_literal(const std::string& text, SourceRef at);

  // Operators. The operands are no sets unless it is said.
  Value unary(ExprKind kind, const Value& a, SourceRef at);
  Value binary(ExprKind kind, const Value& a, const Value& b, SourceRef at);
  Value connective(ExprKind kind, const std::vector<Value>& operands, SourceRef at);
  Value conditional(TermId condition, const Value& then, const Value& otherwise, SourceRef at);  // of sets, too
  Value set_of(const std::vector<Value>& elements, SourceRef at);                                // of sets, too
  Value range(const Value& lo, const Value& hi, SourceRef at);
  Value membership(const Value& a, const Value& set, SourceRef at);
  Value call(const std::string& function, const std::vector<Value>& arguments, SourceRef at);
  Value bits(const Value& word, const Value& high, const Value& low, SourceRef at);

  // Conversions.
  TermId to_boolean(const Value& value, SourceRef at);
  TermId to_integer(const Value& value, SourceRef at);
  std::optional<int32_t> constant(const Value& value) const;
  // The term of a value in another type; what the type has no code for becomes `missing`.
  TermId recoded(const Value& value, const Type& type, TermId missing, SourceRef at);
  // The set with other terms.
  SetPtr rewrite(const SetPtr& set, const std::function<TermId(TermId)>& term) const;

  std::string describe(const Value& value) const;
  std::string describe(const Type& type) const;

 private:
  Type merged(const Value& a, const Value& b, SourceRef at);
  std::vector<Atom> atoms_of(const Value& value, SourceRef at);
  TermId by_code(TermId term, const std::vector<TermId>& by_code, SourceRef at);
  SetPtr to_set(const Value& value) const;
  SetPtr keep_set(SetNode node, SourceRef at);
  TermId member_term(const Value& a, const SetNode& set, SourceRef at);
  TermId truth_table(ExprKind kind, TermId a, TermId b, SourceRef at);
  Value compare(ExprKind kind, const Value& a, const Value& b, SourceRef at);
  Value arithmetic(ExprKind kind, const Value& a, const Value& b, SourceRef at);
  void no_set(const Value& value, SourceRef at);

  // Words.
  TermId wrapped(TermId term, const Type& type, SourceRef at);
  TermId raw(const Value& word, SourceRef at);
  Value word_of(TermId raw_bits, Type type, SourceRef at);
  Value word_binary(ExprKind kind, const Value& a, const Value& b, SourceRef at);
  Value word_shift(ExprKind kind, const Value& a, const Value& b, SourceRef at);
  TermId word_product(const Value& a, const Value& b, SourceRef at);
  Value word_call(const std::string& function, const std::vector<Value>& arguments, SourceRef at);
  Value resized(const Value& word, uint32_t width, bool extend, SourceRef at);
  uint32_t width_of(int64_t width, SourceRef at);
  friend class Flattener;

  Diagnostics& diagnostics_;
  Terms terms_;
  std::unordered_map<std::string, Atom> symbols_;
  std::vector<std::string> symbol_names_;
  std::map<std::vector<Atom>, std::unique_ptr<Coding>> codings_;
};

}  // namespace harrier::smv
