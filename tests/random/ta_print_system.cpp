// Declarations, functions, templates and the system.
#include <algorithm>

#include "random/ta_printer.h"

namespace harrier::testing_support {

std::string TaPrinter::system() {
  declarations(model_, 0);
  channels();
  channel_priorities();
  for (const TaTemplate& of : model_.templates) print(of);
  for (const TaInstance& instance : model_.instances) instantiate(instance);
  system_line();
  return out_;
}

// ---- declarations ----

template <class Owner>
void TaPrinter::declarations(const Owner& owner, int indent) {
  for (const TaDeclaration& declaration : owner.order) {
    const size_t i = declaration.index;
    switch (declaration.kind) {
      case TaDeclaration::Kind::Variable: declare(owner.variables[i], indent); break;
      case TaDeclaration::Kind::Clock: line(indent, "clock " + declared(owner.clocks[i]) + ";"); break;
      case TaDeclaration::Kind::Function: declare(owner.functions[i], indent); break;
      case TaDeclaration::Kind::Type: {
        const TaTypedef& t = owner.types[i];
        line(indent, "typedef " + range_text(t.lo, t.hi) + " " + declared(t.name) + ";");
        break;
      }
    }
  }
}

void TaPrinter::declare(const TaVariable& v, int indent) {
  std::string s = v.is_const ? "const " : "";
  const auto value = [&](int32_t x) { return v.is_bool ? std::string(x != 0 ? "true" : "false") : std::to_string(x); };
  if (v.is_bool) {
    s += "bool";
  } else if (v.type) {
    s += type_name(*v.type);
  } else if (v.upper) {
    s += "int[" + std::to_string(v.lo) + "," + name_of(*v.upper, false) + "]";
  } else {
    s += range_text(v.lo, v.hi);
  }
  s += " " + v.name;
  if (v.size != 0) {
    s += "[" + std::to_string(v.size) + "] = { ";
    for (size_t i = 0; i < v.size; ++i) s += (i ? ", " : "") + value(v.initial[i]);
    s += " }";
  } else if (v.value) {
    s += " = " + name_of(*v.value, false);
  } else if (v.is_const || v.initial[0] != 0) {
    s += " = " + value(v.initial[0]);
  }
  // A name is known behind its initial value.
  declared(v.name);
  line(indent, s + ";");
}

void TaPrinter::channels() {
  for (const TaChannel& c : model_.channels) {
    line(0, std::string(c.urgent ? "urgent " : "") + (c.broadcast ? "broadcast " : "") + "chan " + declared(c.name) +
                (c.size != 0 ? "[" + std::to_string(c.size) + "]" : "") + ";");
  }
}

void TaPrinter::channel_priorities() {
  if (model_.channel_priority.empty()) return;
  std::vector<int32_t> levels = model_.channel_priority;
  levels.push_back(0);
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::string s;
  for (const int32_t level : levels) {
    std::string same = level == 0 ? "default" : "";
    for (size_t i = 0; i < model_.channels.size(); ++i) {
      if (level != 0 && model_.channel_priority[i] == level) {
        same += (same.empty() ? "" : ", ") + used(model_.channels[i].name);
      }
    }
    s += (s.empty() ? "" : " < ") + same;
  }
  line(0, "chan priority " + s + ";");
}

void TaPrinter::declare(const TaFunction& f, int indent) {
  std::string head = f.returns_value ? (f.bounded ? range_text(f.lo, f.hi) : "int") : "void";
  head += " " + f.name + "(";
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const TaSlot& slot = model_.slots[f.parameters[i]];
    head += (i ? ", " : "") + type_of(slot) + (slot.reference ? " &" : " ") + slot.name;
  }
  declared(f.name);
  open();
  for (const size_t slot : f.parameters) declared(model_.slots[slot].name);
  line(indent, head + ") {");
  declare(f.locals, indent + 2);
  print_body(f.body, indent + 2);
  close();
  line(indent, "}");
}

void TaPrinter::declare(const std::vector<TaLocal>& locals, int indent) {
  for (const TaLocal& local : locals) {
    const TaSlot& slot = model_.slots[local.slot];
    const std::string type = type_of(slot);
    const std::string initial = text(*local.initial);
    line(indent, type + " " + declared(slot.name) + " = " + initial + ";");
  }
}

void TaPrinter::print_body(const std::vector<TaStatement>& body, int indent) {
  for (const TaStatement& s : body) print(s, indent);
}

void TaPrinter::print(const TaStatement& s, int indent) {
  switch (s.kind) {
    case TaStatement::Kind::Expression: line(indent, text(*s.expr) + ";"); break;
    case TaStatement::Kind::Return: line(indent, s.expr ? "return " + text(*s.expr) + ";" : "return;"); break;
    case TaStatement::Kind::Reset: {
      const std::string clock = name_of(s.clock, true);
      line(indent, clock + " = " + text(*s.expr) + ";");
      break;
    }
    case TaStatement::Kind::If:
      line(indent, "if (" + text(*s.expr) + ") {");
      print_body(s.body, indent + 2);
      if (!s.otherwise.empty()) {
        line(indent, "} else {");
        print_body(s.otherwise, indent + 2);
      }
      line(indent, "}");
      break;
    case TaStatement::Kind::While:
      line(indent, "while (" + text(*s.expr) + ") {");
      print_body(s.body, indent + 2);
      line(indent, "}");
      break;
    case TaStatement::Kind::ForRange: {
      const TaSlot& slot = model_.slots[s.slot];
      const std::string type = type_of(slot);
      open();
      line(indent, "for (" + declared(slot.name) + " : " + type + ") {");
      print_body(s.body, indent + 2);
      close();
      line(indent, "}");
      break;
    }
    case TaStatement::Kind::ForLoop: {
      const std::string name = used(model_.slots[s.slot].name);
      line(indent, "for (" + name + " = 0; " + name + " <= " + std::to_string(s.last) + "; " + name + "++) {");
      print_body(s.body, indent + 2);
      line(indent, "}");
      break;
    }
    case TaStatement::Kind::Block:
      open();
      line(indent, "{");
      declare(s.locals, indent + 2);
      print_body(s.body, indent + 2);
      line(indent, "}");
      close();
      break;
  }
}

// ---- templates and the system ----

std::string TaPrinter::parameters(const TaTemplate& of) {
  std::string head;
  for (size_t i = 0; i < of.parameters.size(); ++i) {
    const TaParameter& p = of.parameters[i];
    head += i ? ", " : "";
    switch (p.kind) {
      case TaParameter::Kind::Value: head += "const " + range_text(p.lo, p.hi) + " "; break;
      case TaParameter::Kind::Variable: head += range_text(p.lo, p.hi) + " &"; break;
      case TaParameter::Kind::Clock: head += "clock &"; break;
    }
    head += declared(p.name);
  }
  return head;
}

void TaPrinter::print(const TaTemplate& of) {
  of_ = &of;
  open();
  line(0, "process " + of.name + "(" + parameters(of) + ") {");
  declarations(of, 2);
  std::string states;
  for (const TaLocation& l : of.locations) {
    states += (states.empty() ? "" : ", ") + l.name;
    if (!l.invariant.empty()) states += " { " + text(l.invariant) + " }";
    // A location is known behind its invariant.
    declared(l.name);
  }
  line(2, "state " + states + ";");
  list_kind(of, TaLocationKind::Committed, "commit");
  list_kind(of, TaLocationKind::Urgent, "urgent");
  line(2, "init " + of.locations[of.initial].name + ";");
  if (!of.edges.empty()) line(2, "trans");
  for (size_t i = 0; i < of.edges.size(); ++i) print(of, i);
  line(0, "}");
  close();
}

void TaPrinter::list_kind(const TaTemplate& of, TaLocationKind kind, const std::string& keyword) {
  std::string names;
  for (const TaLocation& l : of.locations) {
    if (l.kind == kind) names += (names.empty() ? "" : ", ") + l.name;
  }
  if (!names.empty()) line(2, keyword + " " + names + ";");
}

void TaPrinter::print(const TaTemplate& of, size_t number) {
  const TaEdge& e = of.edges[number];
  // A transition with the source of the one before may leave it out; every other one does.
  const bool same_source = number % 2 == 1 && of.edges[number - 1].source == e.source;
  std::string s = (same_source ? "" : of.locations[e.source].name + " ") + "-> " + of.locations[e.target].name + " { ";
  open();
  if (!e.selects.empty()) {
    s += "select ";
    for (size_t i = 0; i < e.selects.size(); ++i) {
      const TaSlot& slot = model_.slots[e.selects[i]];
      const std::string type = type_of(slot);
      s += (i ? ", " : "") + declared(slot.name) + " : " + type;
    }
    s += "; ";
  }
  if (!e.guard.empty()) s += "guard " + text(e.guard) + "; ";
  if (e.sync) {
    s += "sync " + used(model_.channels[e.sync->channel].name);
    if (e.sync->index) s += "[" + text(*e.sync->index) + "]";
    s += e.sync->send ? "!; " : "?; ";
  }
  if (!e.updates.empty()) {
    s += "assign ";
    for (size_t i = 0; i < e.updates.size(); ++i) {
      const TaUpdate& u = e.updates[i];
      s += i ? ", " : "";
      if (u.clock) s += name_of(*u.clock, true) + " = ";
      s += text(*u.expr);
    }
    s += "; ";
  }
  close();
  line(4, s + (number + 1 < of.edges.size() ? "}," : "};"));
}

void TaPrinter::instantiate(const TaInstance& instance) {
  const TaTemplate& of = model_.templates[instance.of];
  if (of.instantiated_by_range) return;
  std::string s = instance.name + " = " + of.name + "(";
  for (size_t i = 0; i < of.parameters.size(); ++i) {
    s += i ? ", " : "";
    const size_t index = static_cast<size_t>(instance.arguments[i]);
    switch (of.parameters[i].kind) {
      case TaParameter::Kind::Value: s += std::to_string(instance.arguments[i]); break;
      case TaParameter::Kind::Variable: s += used(model_.variables[index].name); break;
      case TaParameter::Kind::Clock: s += used(model_.clocks[index]); break;
    }
  }
  line(0, s + ");");
}

void TaPrinter::system_line() {
  std::string s;
  const TaInstance* before = nullptr;
  for (const TaInstance& instance : model_.instances) {
    const TaTemplate& of = model_.templates[instance.of];
    if (of.instantiated_by_range && before != nullptr && before->of == instance.of) continue;
    if (before != nullptr) s += before->priority < instance.priority ? " < " : ", ";
    s += of.instantiated_by_range ? of.name : instance.name;
    before = &instance;
  }
  line(0, "system " + s + ";");
}

std::string to_xta(const TaModel& model) { return TaPrinter(model).system(); }

std::vector<TaNameEvent> name_events(const TaModel& model) {
  std::vector<TaNameEvent> events{{TaNameEvent::Kind::Open, nullptr}};
  TaPrinter printer(model, &events);
  printer.system();
  for (const TaQuery& query : model.queries) printer.query(query);
  events.push_back({TaNameEvent::Kind::Close, nullptr});
  return events;
}

}  // namespace harrier::testing_support
