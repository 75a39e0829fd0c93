// The control flow of a proctype, cut into control points and steps exactly as Spin does it.
//
// A body becomes *elements*: one a basic statement, and one or more a compound statement, numbered in the order in
// which Spin makes them (inner ones first), so that `Element::id` is the number that a Spin trail uses.
//
// A *control point* is an element at which a process can stand: a basic statement, or the outermost compound statement
// that starts there. `{ do … od }` has two, the block and the loop, because a process comes back to the loop only.
// `goto`, `break` and the end of a selection are passed through, except where they stand first in an option or a block.
// A jump under a label that is referred to from outside or that means something to Spin (end, accept, progress) has a
// skip before it.
//
//     Automaton a(proctype, first_id, diagnostics);
//     for (const Step& s : a.steps()) …      // a.element(s.element) is what it executes
//
// Control point 0 is that of a process that does not run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"
#include "lang/promela/ast.h"
#include "lang/promela/remote_labels.h"

namespace harrier::promela {

struct Element {
  enum class Kind : uint8_t {
    Basic,    // one statement, or a declaration in the middle of a body
    Choice,   // if, do
    Enclose,  // atomic, { }
    DStep,
    Unless,
    Goto,  // goto, break
    Join,  // where the options of an if or the parts of an unless meet, and where a break leads to
    End,   // the closing brace
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::Basic;
  const StmtNode* stmt = nullptr;         // of a Goto that is a break, of Join and End: none
  const DeclNode* declaration = nullptr;  // of a declaration in the middle of a body
  uint32_t scope = 0;
  uint32_t next = kNone;                     // the element behind it; of a Goto where it leads
  std::vector<std::vector<uint32_t>> parts;  // the sequences inside: options; the body; the main part
  std::vector<uint32_t> escapes;             // first elements of the escapes that it stands under, outer ones first
  std::vector<Label> labels;
  bool atomic = false;  // inside an atomic sequence
  bool last = false;    // with atomic: of that sequence
  uint32_t d_step = 0;  // number of the d_step around it; 0: none
  uint32_t id = 0;
  SourceRef at;
};

// Names that are declared between two braces.
struct Scope {
  uint32_t parent = Element::kNone;
  std::map<std::string, uint32_t> names;  // to numbers of locals
};

// A parameter or local variable.
struct Local {
  const DeclNode* declaration = nullptr;
  uint32_t scope = 0;
  bool parameter = false;
  bool at_start = true;  // its initial value is set when the process starts, not by a step
};

struct Step {
  uint32_t element = 0;
  uint32_t source = 0;  // control points
  uint32_t target = 0;
  uint8_t tier = 0;  // 0: not an escape; of several escapes those that are tried first have greater ones
  bool keeps_control = false;
};

class Automaton {
 public:
  // `first_id` is the number of its first element, and next_id() that of the next proctype's. `remote` has all labels
  // that are referred to from outside; `jumps` gains those of them that stand on a jump, and loses them at the first
  // reference.
  Automaton(const ProctypeNode& proctype, uint32_t first_id, const RemoteLabels& remote, RemoteLabels& jumps,
            Diagnostics& diagnostics);

  const std::string& name() const { return proctype_.name; }
  const ProctypeNode& proctype() const { return proctype_; }
  uint32_t next_id() const { return next_id_; }
  // The number that Spin gives to the state of a process there, `_p` of its verifier.
  uint32_t spin_state(uint32_t control) const { return at_control(control).id - first_id_ + 1; }

  const Element& element(uint32_t e) const { return elements_[e]; }
  const std::vector<Element>& elements() const { return elements_; }
  const std::vector<Step>& steps() const { return steps_; }  // ordered by source, and as they are tried
  uint32_t control_count() const { return static_cast<uint32_t>(controls_.size()) + 1; }
  // The element at which a process stands at a control point other than 0.
  const Element& at_control(uint32_t control) const { return elements_[controls_[control - 1]]; }
  uint32_t start() const { return start_; }
  bool ends() const { return end_control_ != Element::kNone; }  // whether a process can come to its end
  uint32_t end_control() const { return end_control_; }
  const Element& end_element() const { return elements_[end_]; }
  // The control point of a label; 0 if no process ever stands there. Nothing if there is no such label.
  const uint32_t* label(const std::string& name) const;
  bool has_label(uint32_t control, const char* prefix) const;

  const std::vector<Local>& locals() const { return locals_; }  // parameters first
  const std::vector<Scope>& scopes() const { return scopes_; }
  // The local variable that a name means in a scope; kNone if it is none.
  uint32_t find_local(uint32_t scope, const std::string& name) const;

  // The steps inside a d_step, from `first` on: control points of their own, of which kNone is behind the d_step.
  struct Inner {
    uint32_t element = 0;
    uint32_t target = 0;  // an element; kNone: behind
  };
  std::vector<Inner> inner_steps(uint32_t element) const;
  uint32_t inner_start(const Element& d_step) const { return hunt(d_step.parts[0].front()); }

  // Whether the element is an else, or a d_step that begins with one.
  bool is_else(uint32_t element) const;

 private:
  struct Context {
    uint32_t scope = 0;
    uint32_t break_to = Element::kNone;
    uint32_t d_step = 0;
  };

  uint32_t add(Element::Kind kind, const StmtNode* stmt, SourceRef at, const Context& context);
  std::vector<uint32_t> sequence(const Sequence& seq, Context context, bool top, bool option);
  void statement(const StmtNode& stmt, Context context, std::vector<uint32_t>& out);
  void jump(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out);
  void set_label(const Label& label, uint32_t element);
  void count_references(const StmtNode& stmt);
  void choice(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out);
  void unless(const StmtNode& stmt, const Context& context, std::vector<uint32_t>& out);
  void declare(const DeclNode& decl, const Context& context, bool at_start);
  void prune_skips(std::vector<uint32_t>& option) const;
  uint32_t open_scope(uint32_t parent);
  void link(const std::vector<uint32_t>& seq, uint32_t after);
  void cover(const std::vector<uint32_t>& seq, uint32_t escape);
  void set_atomic(const std::vector<uint32_t>& seq);
  void end_atomic(const std::vector<uint32_t>& seq);
  void resolve_gotos();
  void check_jumps() const;

  // Inside an atomic sequence, but not at its end.
  bool holds_control(uint32_t element) const { return elements_[element].atomic && !elements_[element].last; }
  // Where a process stands that comes to an element: jumps and joins are passed. A process that has control passes only
  // those to elements that hold it: a jump out of an atomic sequence, or to the last element of one, is a step, before
  // which escapes are tried, and a process that loses control can be seen standing there.
  uint32_t hunt(uint32_t element, bool with_control = false) const;
  struct Start {
    uint32_t element = 0;
    uint8_t tier = 0;
  };
  void starts(uint32_t element, std::vector<uint32_t>& out) const;
  uint32_t escape_start(uint32_t escape, uint32_t instead_of) const;
  std::vector<Start> open_at(uint32_t element) const;
  uint32_t control_of(uint32_t element);
  void find_steps();

  const ProctypeNode& proctype_;
  const RemoteLabels& remote_;
  RemoteLabels& jumps_;
  Diagnostics& diagnostics_;
  uint32_t first_id_;
  uint32_t next_id_;
  std::vector<Element> elements_;
  std::vector<std::pair<uint32_t, const StmtNode*>> gotos_;
  std::vector<Scope> scopes_;
  std::vector<Local> locals_;
  std::vector<uint32_t> joins_;                     // by element: its Join; of a do where a break leads
  std::map<std::string, uint32_t> labels_;          // to elements
  std::map<std::string, uint32_t> label_controls_;  // to control points
  std::vector<uint32_t> controls_;
  std::map<uint32_t, uint32_t> control_numbers_;
  std::vector<Step> steps_;
  uint32_t start_ = 0;
  uint32_t end_ = 0;
  uint32_t end_control_ = Element::kNone;
  uint32_t d_steps_ = 0;
};

}  // namespace harrier::promela
