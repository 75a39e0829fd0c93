// The bytecode of a program as functions in C.
//
//     PieceWriter writer(program);
//     const PieceWriter::Kind kind = writer.add(guard);   // "static int p17(const int32_t *v, int32_t *r) { … }"
//     … writer.text() …
//
// What is on the machine's stack becomes a variable for each depth, a jump becomes a goto; a function of the model
// becomes one in C. Whatever is special makes a function return 0 (step/native_code.h). Code that sets clocks or
// chooses is not translated, nor is what calls it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "step/program.h"

namespace harrier::native {

class PieceWriter {
 public:
  // So many entries may a piece write into the journal, the rest of NativeCode::kMostWrites is for others.
  static constexpr uint32_t kMostWrites = 32;

  // It must outlive the writer.
  explicit PieceWriter(const step::Program& program) : program_(program) {}

  // What a piece became: a function p<start> of one of the kinds of step::NativeCode.
  enum class Kind : uint8_t { None, Value, Effect };
  // Not of an empty piece. The same piece is written once.
  Kind add(step::Code piece);
  // The functions that were written.
  const std::string& text() const { return text_; }

  // A condition that is nothing but tests of variables, as an expression in C; empty: it is not such a one.
  std::string simple_condition(step::Code piece) const;

 private:
  // What can be reached from the start of a piece or a function.
  struct Shape {
    std::map<uint32_t, uint32_t> depths;  // of the stack, before each instruction, by number
    std::vector<uint32_t> targets;        // of jumps, sorted
    uint32_t deepest = 0;
    uint32_t locals = 0;  // slots that it uses
    uint32_t writes = 0;  // instructions that write a variable
    bool repeats = false;
  };
  // A function of the model.
  struct Callee {
    bool possible = false;
    bool writes = false;
  };
  enum class Flow : uint8_t { Next, Jump, Branch, End };
  struct Move {
    int32_t pops = 0;
    int32_t pushes = 0;
    Flow flow = Flow::Next;
  };

  static std::optional<Move> move_of(const step::Instruction& at);
  static bool writes(step::Opcode op);
  std::optional<Shape> shape_of(uint32_t start);
  void note_locals(const step::Instruction& at, Shape& shape) const;
  const Callee& function(uint32_t number);

  void begin_body(const Shape& shape, uint32_t locals, uint32_t parameters);
  void write_body(const Shape& shape, bool checked);
  void write(uint32_t number, uint32_t depth);
  bool write_jump(const step::Instruction& at, uint32_t depth);
  bool write_store(const step::Instruction& at, uint32_t depth);
  bool write_operator(const step::Instruction& at, uint32_t depth);
  bool write_end(const step::Instruction& at, uint32_t depth);
  void write_push(const step::Instruction& at, uint32_t depth);
  void write_call(const step::Instruction& at, uint32_t depth);
  // Sets a variable to a value, both expressions; the domain is that of `of`, or of so many variables from there on.
  void set(const std::string& variable, const std::string& value, uint32_t of, uint32_t count);
  template <class... Arguments>
  void line(const char* format, const Arguments&... arguments);

  const step::Program& program_;
  std::string text_;
  std::map<uint32_t, Kind> pieces_;       // by start
  std::map<uint32_t, Callee> functions_;  // by number
  // Of what is being written.
  bool is_function_ = false;
  bool is_effect_ = false;
  bool checked_ = false;  // whether there is room for an entry is looked at before each
};

}  // namespace harrier::native
