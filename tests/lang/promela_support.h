// Helpers of the Promela tests: parsing texts, and the syntax tree as S-expressions.
//
//   expressions   (+ a (* b 2))   a[i].b   (-> c x y)   (@ P 2 L)   (q ?? [x 1])
//   statements    (= x 1)   (! q a b)   (do ((x) (break)) …)   L:(goto M)
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "lang/promela/parser.h"
#include "model/printer.h"

namespace harrier::testing {

namespace pml = promela;

inline std::string dump(const pml::ExprPtr& expr);

inline std::string dump(const std::vector<pml::ExprPtr>& all) {
  std::string out;
  for (const auto& one : all) out += " " + dump(one);
  return out;
}

inline std::string dump(const std::vector<pml::RefPart>& parts, size_t first = 0) {
  std::string out;
  for (size_t i = first; i < parts.size(); ++i) {
    if (i > first) out += ".";
    out += parts[i].name;
    if (parts[i].index) out += "[" + dump(parts[i].index) + "]";
  }
  return out;
}

inline std::string dump(const pml::ExprPtr& expr) {
  using enum pml::ExprKind;
  static const char* const kTemporal[] = {"->", "<->", "[]", "<>", "X", "U", "W", "V"};
  if (!expr) return "_";
  const pml::ExprNode& e = *expr;
  const std::string op = e.kind == Temporal ? kTemporal[static_cast<size_t>(e.temporal)] : model::symbol(e.op);
  const auto call = [&](const std::string& name) { return "(" + name + " " + dump(e.a) + ")"; };
  switch (e.kind) {
    case Number: return std::to_string(e.value);
    case Ref: return dump(e.parts);
    case Unary: return call(op);
    case Binary: return "(" + op + " " + dump(e.a) + " " + dump(e.b) + ")";
    case Temporal: return e.b ? "(" + op + " " + dump(e.a) + " " + dump(e.b) + ")" : call(op);
    case Conditional: return "(-> " + dump(e.a) + " " + dump(e.b) + " " + dump(e.c) + ")";
    case Run: return "(run " + e.parts[0].name + dump(e.arguments) + (e.a ? " priority " + dump(e.a) : "") + ")";
    case Len: return call("len");
    case Full: return call("full");
    case Empty: return call("empty");
    case Nfull: return call("nfull");
    case Nempty: return call("nempty");
    case Poll: return "(" + dump(e.a) + (e.random ? " ?? [" : " ? [") + dump(e.arguments).substr(1) + "])";
    case Timeout: return "timeout";
    case NonProgress: return "np_";
    case Enabled: return call("enabled");
    case PcValue: return call("pc_value");
    case GetPriority: return call("get_priority");
    case SetPriority: return "(set_priority " + dump(e.a) + " " + dump(e.b) + ")";
    case RemoteLabel: return "(@ " + e.parts[0].name + " " + dump(e.a) + " " + e.parts[1].name + ")";
    case RemoteRef: return "(: " + e.parts[0].name + " " + dump(e.a) + " " + dump(e.parts, 1) + ")";
    case Eval: return call("eval");
    case LastIndex: return call("last");
  }
  return "?";
}

inline std::string dump(const pml::DeclNode& d) {
  static const char* const kTypes[] = {"bit", "byte", "short", "int", "unsigned", "mtype", "chan", "pid", ""};
  static const char* const kVisible[] = {"", "hidden ", "show ", "local "};
  std::string out = std::string("(") + kVisible[static_cast<size_t>(d.visibility)] +
                    kTypes[static_cast<size_t>(d.type)] + d.struct_name;
  if (!d.mtype_name.empty()) out += ":" + d.mtype_name;
  out += " " + d.name;
  if (d.bits != 0) out += ":" + std::to_string(d.bits);
  if (d.array_size) out += "[" + dump(d.array_size) + "]";
  if (d.init) out += " " + dump(d.init);
  if (!d.init_list.empty()) out += " {" + dump(d.init_list).substr(1) + "}";
  if (d.channel) {
    out += " [" + dump(d.channel->capacity) + "]";
    for (const auto& field : d.channel->fields) {
      out += std::string(" ") + kTypes[static_cast<size_t>(field.type)] + field.struct_name;
      if (!field.mtype_name.empty()) out += ":" + field.mtype_name;
    }
  }
  return out + ")";
}

inline std::string dump(const std::vector<pml::DeclNode>& all) {
  std::string out;
  for (const auto& one : all) out += (out.empty() ? "" : " ") + dump(one);
  return out;
}

inline std::string dump(const pml::Sequence& sequence);

inline std::string dump(const pml::StmtNode& s) {
  using enum pml::StmtKind;
  std::string out;
  for (const auto& label : s.labels) out += label.name + ":";
  const auto options = [&](const std::string& word) {
    std::string all = "(" + word;
    for (const auto& option : s.options) all += " (" + dump(option) + ")";
    return all + ")";
  };
  switch (s.kind) {
    case Expr: return out + dump(s.expr);
    case Else: return out + "else";
    case Assign: return out + "(= " + dump(s.target) + " " + dump(s.expr) + ")";
    case Send: return out + (s.sorted ? "(!! " : "(! ") + dump(s.target) + dump(s.arguments) + ")";
    case Receive:
      return out + (s.random ? "(??" : "(?") + (s.keep ? "< " : " ") + dump(s.target) + dump(s.arguments) + ")";
    case Assert: return out + "(assert " + dump(s.expr) + ")";
    case Print: return out + "(print '" + s.text + "'" + dump(s.arguments) + ")";
    case Declare: return out + dump(s.declarations);
    case Exclusive: return out + "(exclusive" + dump(s.arguments) + ")";
    case If: return out + options("if");
    case Do: return out + options("do");
    case Atomic: return out + "(atomic " + dump(s.body) + ")";
    case DStep: return out + "(d_step " + dump(s.body) + ")";
    case Block: return out + "{" + dump(s.body) + "}";
    case Unless: return out + "(unless (" + dump(s.body) + ") (" + dump(s.escape) + "))";
    case Goto: return out + "(goto " + s.text + ")";
    case Break: return out + "break";
  }
  return "?";
}

inline std::string dump(const pml::Sequence& sequence) {
  std::string out;
  for (const auto& one : sequence.statements) out += (out.empty() ? "" : " ") + dump(*one);
  return out;
}

// A text that was parsed, with or without errors.
struct PromelaText {
  Sources sources;
  Diagnostics diagnostics;
  pml::Parsed parsed;

  explicit PromelaText(const std::string& text, const pml::Defines& defines = {}, const std::string& name = "m.pml") {
    parsed = pml::parse_model(sources, sources.add_file(name, text), defines, diagnostics);
  }
  std::string errors() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += format_diagnostic(sources, d);
    return out;
  }
  const pml::ModelNode& model() const {
    EXPECT_FALSE(diagnostics.has_errors()) << errors();
    return parsed.model;
  }
  pml::ExprPtr expression(const std::string& text, bool formula = false) {
    const uint32_t file = sources.add_file("goal", text);
    return formula ? pml::parse_formula(sources, file, *parsed.macros, diagnostics)
                   : pml::parse_expression(sources, file, *parsed.macros, diagnostics);
  }
};

// The statements of `init { text }`, after some declarations.
inline std::string statements(const std::string& text, const std::string& before = "") {
  const PromelaText model(before + "\ninit { " + text + " }");
  const auto& proctypes = model.model().proctypes;
  return proctypes.empty() ? "" : dump(proctypes.back().body);
}

inline std::string expression(const std::string& text, bool formula = false, const std::string& model = "") {
  PromelaText all(model);
  const pml::ExprPtr result = all.expression(text, formula);
  EXPECT_TRUE(result) << all.errors();
  return dump(result);
}

}  // namespace harrier::testing
