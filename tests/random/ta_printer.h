// Prints the tester's models and queries as UPPAAL text (.xta, new syntax). Parentheses are only printed where the
// precedence of UPPAAL asks for them, so that the parser's precedence is tested.
//
//   ta_print.cpp         expressions and queries
//   ta_print_system.cpp  declarations, functions, templates and the system
#pragma once

#include <string>
#include <vector>

#include "random/ta_model.h"

namespace harrier::testing_support {

class TaPrinter {
 public:
  // The events of the names are added to `events`, if there is such a list.
  explicit TaPrinter(const TaModel& model, std::vector<TaNameEvent>* events = nullptr)
      : model_(model), events_(events) {}

  std::string system();
  std::string query(const TaQuery& query);

 private:
  // ---- names ----
  void open() { note(TaNameEvent::Kind::Open, nullptr); }
  void close() { note(TaNameEvent::Kind::Close, nullptr); }
  const std::string& declared(const std::string& name) { return note(TaNameEvent::Kind::Declare, &name), name; }
  const std::string& used(const std::string& name) { return note(TaNameEvent::Kind::Use, &name), name; }
  void note(TaNameEvent::Kind kind, const std::string* name) {
    if (events_ != nullptr) events_->push_back({kind, name});
  }
  // A name of the template that is printed; in queries it is that of a process.
  std::string own(const std::string& name) {
    if (number_ != nullptr) used(*number_);
    note(prefix_.empty() ? TaNameEvent::Kind::Use : TaNameEvent::Kind::Member, &name);
    return prefix_ + name;
  }

  // ---- expressions ----
  std::string name_of(const TaPlace& place, bool clock);
  std::string child(const TaExpr& e, int at_least);
  std::string text(const TaExpr& e);
  std::string call(const TaExpr& e);
  std::string quantifier(const TaExpr& e);
  std::string text(const TaClockAtom& atom);
  std::string text(const TaCondition& condition);
  std::string text(const std::vector<TaCondition>& conditions);
  std::string text(const TaGoalAtom& atom);
  std::string type_of(const TaSlot& slot);
  std::string type_name(const TaPlace& place);

  // ---- declarations ----
  void line(int indent, const std::string& s) { out_ += std::string(static_cast<size_t>(indent), ' ') + s + "\n"; }
  template <class Owner>
  void declarations(const Owner& owner, int indent);
  void declare(const TaVariable& v, int indent);
  void declare(const TaFunction& f, int indent);
  void declare(const std::vector<TaLocal>& locals, int indent);
  void channels();
  void channel_priorities();
  void print_body(const std::vector<TaStatement>& body, int indent);
  void print(const TaStatement& s, int indent);

  // ---- templates and the system ----
  void print(const TaTemplate& of);
  std::string parameters(const TaTemplate& of);
  void list_kind(const TaTemplate& of, TaLocationKind kind, const std::string& keyword);
  void print(const TaTemplate& of, size_t number);
  void instantiate(const TaInstance& instance);
  void system_line();

  const TaModel& model_;
  std::vector<TaNameEvent>* events_;
  const TaTemplate* of_ = nullptr;
  std::string prefix_;
  const std::string* number_ = nullptr;  // the bound name in the prefix, if there is one
  std::string out_;
};

std::string range_text(int32_t lo, int32_t hi);

}  // namespace harrier::testing_support
