// The types of an elaborated model, and how values of them are laid out.
//
// Everything is flattened: a value of a type is a block of integers (`data`), a block of clocks and a block of
// channels. A structure inside an array has a part in each of the three, at offsets that grow with the index.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace harrier::uppaal {

inline constexpr int32_t kDefaultLo = -32768;
inline constexpr int32_t kDefaultHi = 32767;
// More variables, clocks or channels than this are refused.
inline constexpr uint64_t kMaxVariables = 16'777'216;

struct Type;

struct Field {
  std::string_view name;
  const Type* type = nullptr;
  uint32_t data = 0;  // offsets within the structure
  uint32_t clock = 0;
  uint32_t channel = 0;
};

enum class TypeKind : uint8_t { Bad, Void, Int, Bool, Scalar, Clock, Channel, Array, Struct };

struct Type {
  TypeKind kind = TypeKind::Bad;
  int32_t lo = 0;  // Int, Bool, Scalar
  int32_t hi = 0;
  bool ranged = false;      // Int: a range was given
  uint32_t scalar_set = 0;  // Scalar: which set
  bool urgent = false;      // Channel
  bool broadcast = false;
  const Type* element = nullptr;  // Array
  const Type* index = nullptr;    // Array: an Int or Scalar type
  uint32_t count = 0;             // Array
  std::vector<Field> fields;      // Struct
  uint32_t data = 0;              // sizes
  uint32_t clocks = 0;
  uint32_t channels = 0;

  bool integral() const { return kind == TypeKind::Int || kind == TypeKind::Bool; }
  bool scalar_value() const { return integral() || kind == TypeKind::Scalar; }
  bool aggregate() const { return kind == TypeKind::Array || kind == TypeKind::Struct; }
  bool enumerable() const { return (kind == TypeKind::Int && ranged) || kind == TypeKind::Scalar; }
};

class TypeTable {
 public:
  TypeTable();

  const Type* bad() const { return &types_[0]; }
  const Type* nothing() const { return &types_[1]; }
  const Type* integer() const { return &types_[2]; }  // default range
  const Type* boolean() const { return &types_[3]; }
  const Type* clock() const { return &types_[4]; }
  const Type* wide_integer() const { return &types_[5]; }  // any 32-bit value: results of arithmetic, constants
  const Type* range(int32_t lo, int32_t hi);
  const Type* scalar(int32_t size);
  const Type* channel(bool urgent, bool broadcast);
  // Null if the array would have too many elements.
  const Type* array(const Type* element, const Type* index);
  const Type* structure(std::vector<Field> fields);

 private:
  const Type* add(Type type);

  std::deque<Type> types_;
  uint32_t scalar_sets_ = 0;
};

// Calls `leaf(type, name)` for every integer of a value in layout order; the name starts with `name`.
void for_each_leaf(const Type& type, const std::string& name,
                   const std::function<void(const Type&, const std::string&)>& leaf);
// The same for clocks and channels.
void for_each_clock(const Type& type, const std::string& name, const std::function<void(const std::string&)>& leaf);
void for_each_channel(const Type& type, const std::string& name,
                      const std::function<void(const Type&, const std::string&)>& leaf);
// The integer leaves alone.
std::vector<const Type*> leaves(const Type& type);

// Whether values of one type may be assigned to, or compared with, the other.
bool compatible(const Type& a, const Type& b);
// As shown in messages: "int", "int[0,5]", "clock".
std::string describe(const Type& type);

}  // namespace harrier::uppaal
