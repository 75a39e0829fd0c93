// Malformed Promela gives these diagnostics, at these places.
#include "lang/promela_support.h"

namespace harrier::testing {
namespace {

struct Case {
  const char* text;
  const char* diagnostics;  // "line:column message", one a line
};

constexpr Case kCases[] = {
    {"init { }", "1:8 expected a statement, but found '}'"},
    {"byte x; proctype P(byte a;) { skip } init { run P(1) }",
     "1:27 expected the declaration of a parameter, but found ')'"},
    {"byte i; init { select (i : 3 .. 1) }", "1:16 the range of this 'select' is empty"},
    {"byte x : 3; init { x++ }", "1:10 only an unsigned variable has a width"},
    {"unsigned x; init { x++ }", "1:11 expected ':' and the width of the unsigned variable x, but found ';'"},
    {"chan c = [1] of { unsigned:3 }; init { c!1 }", "1:19 an unsigned cannot be a field of a channel"},
    {"byte x; inline f() { return 3 } init { f() }",
     "1:22 'return' in an inline whose result is not assigned to a variable"},
    {"init { L: byte x; x++ }", "1:8 the label L stands before a declaration, not before a statement"},
    {"byte x; init { (x) = 3 }", "1:20 expected ';' between statements, but found '='"},
    {"byte x; init { if :: x && else -> skip fi }",
     "1:27 'else' is a statement of its own, not a part of an expression"},
    {"proctype P(byte a, int b) { skip } init { run P(1,2) }", "1:20 expected the name of a variable, but found 'int'"},
    {"inline f() { f() } init { f() }", "1:14 the inline f calls itself"},
    {"inline f() { skip } inline f() { skip } init { f() }", "1:28 the inline f is defined twice"},
    {"init { inline f() { skip }; f() }",
     "1:8 'inline' belongs to the top of the model: is a '}' missing above?\n1:29 expected a declaration or a "
     "proctype, but found 'f'"},
    {"init { typedef T { byte x }; skip }",
     "1:8 'typedef' belongs to the top of the model: is a '}' missing above?\n1:30 expected a declaration or a "
     "proctype, but found 'skip'"},
    {"byte x; init { x = x -> 1 : 2}", "1:27 expected ';' between statements, but found ':'"},
    {"chan q = [1] of {byte}; byte x; init { q?1(x),2 }", "1:46 expected ';' between statements, but found ','"},
    {"chan q = [1] of {byte,byte,byte}; byte x; init { q!x,1(2) }",
     "1:55 expected ';' between statements, but found '('"},
    {"init { d_step { } atomic { skip } }", "1:17 expected a statement, but found '}'"},
    {"init { break }", "1:8 'break' outside of a loop"},
    {"byte x; init { x++ unless x-- unless skip }", "1:31 a second 'unless' needs braces around the first one"},
    {"byte x; init { printf(\"hi %d\\n\", x); printf(\"no\"); printm(x); printf() }",
     "1:70 expected a string as the format, but found ')'"},
    {"byte x; init { x = 1 y = 2 }", "1:22 expected ';' between statements, but found 'y'"},
    {"byte x; init { if fi }", "1:19 expected '::' after 'if', but found 'fi'"},
    {"byte x; init { if skip fi }", "1:19 expected '::' after 'if', but found 'skip'"},
    {"byte x; init { do :: od }", "1:22 expected a statement, but found 'od'"},
    {"byte x; init { goto 3 }", "1:21 expected a label after 'goto', but found '3'"},
    {"byte x; init { x = }", "1:20 expected an expression, but found '}'"},
    {"byte x; init { x + }", "1:20 expected an expression, but found '}'"},
    {"byte x; init { x = 0x10 }", "1:20 malformed number '0x10': numbers are decimal here"},
    {"byte x; init { x = 1 +* 2 }", "1:23 expected an expression, but found '*'"},
    {"byte x; init { !!x }", "1:16 '!!' is the sorted send; write '! !' for two negations"},
    {"byte x; init { x = x++ }", "1:21 expected ';' between statements, but found '++'"},
    {"byte x; init { x += 1 }", "1:19 expected an expression, but found '='"},
    {"byte x; init { x = x ? 1 : 2 }", "1:22 expected ';' between statements, but found '?'"},
    {"active P() { skip }", "1:8 expected 'proctype' after 'active', but found 'P'"},
    {"proctype P { skip }", "1:12 expected '(' before the parameters of P, but found '{'"},
    {"proctype P() skip", "1:14 expected '{' before the body of P, but found 'skip'"},
    {"xr q; init { skip }", "1:1 expected a declaration or a proctype, but found 'xr'"},
    {"byte x; init { x++ } ltl p { }", "1:30 expected an expression, but found '}'"},
    {"byte x; init { x++ } ltl p { [] }", "1:33 expected an expression, but found '}'"},
    {"inline f(a) { a = 1 } byte x; init { f() }", "1:38 the inline f has 1 parameter(s), but 0 argument(s) are given"},
    {"inline f(a) { a = 1 } byte x; init { f(x, x) }",
     "1:38 the inline f has 1 parameter(s), but 2 argument(s) are given"},
    {"inline f(3) { skip } init { skip }", "1:10 expected the name of a parameter or ')', but found '3'"},
    {"#define F(x) x\ninit { F(1,2) }", "2:8 the macro 'F' has 1 parameter(s), but 2 argument(s) are given"},
    {"#ifdef A\ninit { skip }", "1:2 this condition is not closed: #endif is missing"},
    {"#endif\ninit { skip }", "1:2 #endif without #if"},
    {"#else\ninit { skip }", "1:2 #else without #if"},
    {"#error no\ninit { skip }", "1:1 #error no"},
    {"#foo\ninit { skip }", "1:2 unknown preprocessor directive '#foo'"},
    {"#include \"nofile.h\"\ninit { skip }", "1:10 cannot read the file 'nofile.h'"},
    {"byte x; init { x = 1 /* c",
     "1:22 this comment is not closed: '*/' is missing\n1:26 expected '}' at the end of :init:, but found the end of "
     "the text"},
    {"byte x; init { printf(\"abc }", "1:23 this string is not closed: '\"' is missing"},
    {"byte x; init { x = 'a }", "1:20 malformed character constant: one character and a closing ' are expected"},
    {"byte x; init { x = 1 $ 2 }", "1:22 unexpected character '$'"},
    {"int x = 99999999999; init { x = 1 }", "1:9 the number '99999999999' is too large: it must fit into 32 bits"},
    {"byte x y; init { x = 1 }", "1:8 expected ';' after the declaration, but found 'y'"},
    {"byte x[; init { skip }", "1:8 expected an expression, but found ';'"},
    {"byte x[3; init { skip }", "1:9 expected ']' after the size of the array x, but found ';'"},
    {"byte 3x; init { skip }", "1:6 malformed number '3x': numbers are decimal here"},
    {"int = 3; init { skip }", "1:5 expected the name of a variable, but found '='"},
    {"foo x; init { skip }", "1:1 unknown type 'foo': no typedef of it stands above"},
    {"chan q = [2] of byte; init { skip }", "1:17 expected '{' before the fields of the channel, but found 'byte'"},
    {"chan q = [2] { byte }; init { skip }", "1:14 expected 'of' after the capacity of the channel, but found '{'"},
    {"chan q = 2 of { byte }; init { skip }", "1:12 expected ';' after the declaration, but found 'of'"},
    {"byte q = [2] of { byte }; init { skip }", "1:10 only a chan is initialised with [capacity] of { … }"},
    {"chan q = [2] of { }; init { skip }", "1:19 expected the type of a field, but found '}'"},
    {"mtype = { 1 }; init { skip }", "1:11 expected the name of an mtype constant or '}', but found '1'"},
    {"mtype = { }; init { skip }", "1:11 expected the name of an mtype constant, but found '}'"},
    {"init { mtype = { a }; skip }", "1:8 the names of an mtype are declared at the top of the model, not here"},
    {"typedef T { }; init { skip }", "1:13 expected the declaration of a field, but found '}'"},
    {"typedef { byte x }; init { skip }", "1:9 expected the name of the type after 'typedef', but found '{'"},
    {"typedef T { byte x init { skip }", "1:20 expected ';' between the fields of T, but found 'init'"},
    {"init { skip", "1:12 expected '}' at the end of :init:, but found the end of the text"},
    {"init skip", "1:6 expected '{' before the body of :init:, but found 'skip'"},
    {"init { skip } }", "1:15 expected a declaration or a proctype, but found '}'"},
    {"init { do :: skip fi }", "1:19 'fi' closes this, but it began with 'do'"},
    {"init { if :: skip od }", "1:19 'od' closes this, but it began with 'if'"},
    {"init { skip od }", "1:13 'od' without an 'if' or 'do' that is open"},
    {"init { { skip }", "1:16 expected '}' at the end of :init:, but found the end of the text"},
    {"init { (skip }", "1:14 expected ')' or an operator, but found '}'"},
    {"init { a(b) }", "1:9 expected ';' between statements, but found '('"},
    {"init { run }", "1:12 expected the name of a proctype after 'run', but found '}'"},
    {"init { run P }", "1:14 expected '(' before the arguments of P, but found '}'"},
    {"init { run P( }", "1:15 expected an expression, but found '}'"},
    {"proctype P() { skip } init { run P() run P() }", "1:38 expected ';' between statements, but found 'run'"},
    {"byte x; proctype P() provided x { skip } init { skip }", "1:31 expected '(' after 'provided', but found 'x'"},
    {"byte x; proctype P() priority x { skip } init { skip }",
     "1:31 expected a number after 'priority', but found 'x'"},
    {"byte x; init { len x }", "1:20 expected '(' after 'len', but found 'x'"},
    {"byte x; init { len(3) }", "1:20 expected the name of a variable, but found '3'"},
    {"byte x; init { eval(x) == 1 }", "1:16 'eval' is for the arguments of a receive"},
    {"chan q = [1] of {byte}; init { q? }",
     "1:35 expected a variable, a constant or eval(…) to receive into, but found '}'"},
    {"chan q = [1] of {byte}; init { q! }", "1:35 expected an expression, but found '}'"},
    {"chan q = [1] of {byte}; init { q?1+2 }", "1:35 expected ';' between statements, but found '+'"},
    {"chan q = [1] of {byte}; init { q?<1 }", "1:37 expected '>' after the fields of the message, but found '}'"},
    {"chan q = [1] of {byte}; init { q?[1 }", "1:37 expected ']' after the fields of the message, but found '}'"},
    {"byte i; init { for (i : 1) { skip } }", "1:26 expected '..' between the bounds of 'for', but found ')'"},
    {"byte i; init { for (i 1 .. 2) { skip } }",
     "1:23 expected ':' or 'in' after the variable of 'for', but found '1'"},
    {"byte i; init { for (i : 1 .. 2) skip }", "1:33 expected '{' before the body of 'for', but found 'skip'"},
    {"byte i; init { for i : 1 .. 2 { skip } }", "1:20 expected '(' after 'for', but found 'i'"},
    {"byte i; init { select (i : 1 .. ) }", "1:33 expected an expression, but found ')'"},
    {"byte i; init { select i : 1 .. 2 }", "1:23 expected '(' after 'select', but found 'i'"},
    {"init { atomic skip }", "1:15 expected '{' after 'atomic', but found 'skip'"},
    {"init { unless skip }", "1:8 expected an expression, but found 'unless'"},
    {"init { goto }", "1:13 expected a label after 'goto', but found '}'"},
    {"init { assert }", "1:15 expected an expression, but found '}'"},
    {"init { printf }", "1:15 expected '(' after 'printf', but found '}'"},
    {"init { printf(\"a\" 3) }", "1:19 expected ')' after the arguments of 'printf', but found '3'"},
    {"init { return 3 }", "1:8 'return' outside of an inline"},
    {"trace do :: skip od init { skip }", "1:7 expected '{' before the body of :trace:, but found 'do'"},
    {"c_decl { int x; } init { c_code { x = 1; }; c_expr { x } }",
     "1:1 unsupported: embedded C code ('c_decl')\n1:26 unsupported: embedded C code ('c_code')\n1:45 unsupported: "
     "embedded C code ('c_expr')"},
    {"#define\ninit { skip }", "1:2 expected the name of a macro after #define"},
    {"#define F(x\ninit { skip }", "1:9 malformed parameters of the macro 'F': names and commas are expected"},
    {"#define F(1) 2\ninit { skip }", "1:11 malformed parameters of the macro 'F': names and commas are expected"},
    {"#define F(x) x\ninit { F(1 }",
     "2:8 the arguments of the macro 'F' are not closed\n2:13 expected '}' at the end of :init:, but found the end of "
     "the text"},
    {"#define F(a) a##+\ninit { F(x) }", "2:8 '##' makes 'x+', which is no token"},
    {"#define A ##\ninit { skip }", "1:9 '##' at the end of the macro 'A' has nothing to paste"},
    {"#undef\ninit { skip }", "1:2 expected the name of a macro after #undef"},
    {"#ifdef\n#endif\ninit { skip }", "1:2 expected the name of a macro after #ifdef"},
    {"#if\n#endif\ninit { skip }", "1:2 the condition of #if is not complete"},
    {"#if 1 +\n#endif\ninit { skip }", "1:2 the condition of #if is not complete"},
    {"#if (1\n#endif\ninit { skip }", "1:2 expected ')' in the condition of #if"},
    {"#if 1 / 0\n#endif\ninit { skip }", "1:7 division by zero in the condition of #if"},
    {"#if 1 2\n#endif\ninit { skip }", "1:7 unexpected '2' in the condition of #if"},
    {"#if defined(\n#endif\ninit { skip }", "1:5 expected the name of a macro after 'defined'"},
    {"#if 1 ? 2\n#endif\ninit { skip }", "1:2 expected ':' in the condition of #if"},
    {"#if 1\n#else\n#else\n#endif\ninit { skip }", "3:2 #else after #else"},
    {"#include x\ninit { skip }", "1:10 expected \"file\" after #include"},
    {"byte x; init { x = 1 }  ltl p { [] x == 1 }",
     "1:33 a temporal operator binds tighter than this one: put its operand into parentheses"},
    {"ltl p { a U }\ninit { skip }", "1:13 expected an expression, but found '}'"},
    {"ltl p { a b }\ninit { skip }", "1:11 expected '}' after the formula, but found 'b'"},
    {"ltl p { (a -> b }\ninit { skip }", "1:17 expected ')' or an operator, but found '}'"},
    {"ltl p { a", "1:10 expected '}' after the formula, but found the end of the text"},
    {"inline f( { skip }\ninit { skip }", "1:11 expected the name of a parameter or ')', but found '{'"},
    {"inline f() { skip", "1:8 the inline f is not closed: '}' is missing"},
    {"inline f(a) { skip } init { f(,) }", "1:29 the inline f has 1 parameter(s), but 2 argument(s) are given"},
    {"init { f(1 }  inline g() { skip }", "1:9 expected ';' between statements, but found '('"},
    {"init { x = 1 + ; y = ( ; z = 3 }",
     "1:16 expected an expression, but found ';'\n1:24 expected an expression, but found ';'"},
    {"unsigned x : 99; init { skip }", "1:14 the width of a variable is from 1 to 32 bits"},
    {"byte x = [; init { skip }", "1:10 only a chan is initialised with [capacity] of { … }"},
    {"byte x = { 1 }; init { skip }", "1:10 only an array is initialised with { … }"},
    {"proctype P(byte a = 1) { skip }", "1:17 a parameter cannot be initialised"},
    {"init { P@3 }", "1:10 expected a label after '@', but found '3'"},
    {"init { a.3 }", "1:10 expected the name of a field after '.', but found '3'"},
    {"init { do :: x; od; }; foo", "1:24 expected a declaration or a proctype, but found 'foo'"},
    {"init { if :: x -> y :: else }", "1:29 expected 'fi' or '::', but found '}'"},
    {"init { x = 2147483648 }", "1:12 the number '2147483648' is too large: it must fit into 32 bits"},
    {"init { set_priority(1) }", "1:22 expected ',' between the arguments of 'set_priority', but found ')'"},
    {"init { c_code { \"}\" x } ; skip }", "1:8 unsupported: embedded C code ('c_code')"},
    {"c_state \"int x\" \"Global\"\ninit { skip }", "1:1 unsupported: embedded C code ('c_state')"},
    {"chan q = [1] of { byte }; trace { q!1 } notrace { q!1 } init { skip }", "1:41 a second 'trace' or 'notrace'"},
};

std::string shown(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    out += (out.empty() ? "" : "\n") + std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " " +
           (d.severity == Severity::Unsupported ? "unsupported: " : "") + d.message;
  }
  return out;
}

TEST(PromelaMalformed, EveryInputGivesItsDiagnostics) {
  EXPECT_GE(std::size(kCases), 60u);
  for (const Case& one : kCases) {
    const PromelaText text(one.text);
    EXPECT_EQ(shown(text.diagnostics), one.diagnostics) << one.text;
  }
}

std::string repeated(const std::string& piece, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += piece;
  return out;
}

TEST(PromelaMalformed, NestingIsLimited) {
  constexpr size_t kMany = 100'000;
  const std::pair<std::string, const char*> cases[] = {
      {"init { x = " + repeated("(", kMany), "expression is nested too deeply"},
      {"init { x = " + repeated("! ", kMany), "expression is nested too deeply"},
      {"init { x = 1" + repeated(" + 1", kMany) + " }", "this expression is too long"},
      {"init { a" + repeated("[x", kMany), "expression is nested too deeply"},
      {"init " + repeated("{", kMany), "blocks are nested too deeply"},
      {"init { " + repeated("if :: ", kMany), "blocks are nested too deeply"},
      {"#if " + repeated("(", kMany), "the condition of #if is nested too deeply"},
      {"#define f(x) x\ninit { " + repeated("f(", kMany) + repeated(")", kMany), "macros"},
  };
  for (const auto& [input, message] : cases) {
    const PromelaText text(input);
    EXPECT_NE(text.errors().find(message), std::string::npos) << input.substr(0, 20) << "\n" << text.errors();
  }
}

TEST(PromelaMalformed, ExpansionIsLimited) {
  std::string macros = "#define a0 x;\n", calls = "#define b0(x) x\n", inlines = "inline c0() { skip }\n";
  for (int i = 1; i < 60; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    macros += "#define a" + now + " a" + before + " a" + before + "\n";
    calls += "#define b" + now + "(x) b" + before + "(x x)\n";
    inlines += "inline c" + now + "() { c" + before + "(); c" + before + "() }\n";
  }
  EXPECT_EQ(shown(PromelaText(macros + "init { a59 }").diagnostics),
            "61:8 the macros of this model expand to too many tokens");
  EXPECT_EQ(shown(PromelaText(calls + "init { b59(;x) }").diagnostics),
            "61:8 the macros of this model expand to too many tokens");
  EXPECT_NE(shown(PromelaText(inlines + "init { c59() }").diagnostics).find("expand to too many tokens"),
            std::string::npos);
}

TEST(PromelaMalformed, AnyBytesGiveADiagnosticAndStopSoon) {
  std::string noise;
  uint32_t seed = 1;
  for (int i = 0; i < 2'000'000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    noise += static_cast<char>(seed >> 24);
  }
  for (const std::string& input : {noise, std::string(1'000'000, '\0'), repeated("}", 1'000'000)}) {
    const PromelaText text(input);
    EXPECT_TRUE(text.diagnostics.has_errors());
    EXPECT_LE(text.diagnostics.all().size(), Diagnostics::kMaxErrors);
  }
}

TEST(PromelaMalformed, EveryPrefixOfAModelIsReadWithoutACrash) {
  const std::string model =
      "#define N 2\n#if N > 1\nmtype = { a, b };\n#endif\ntypedef T { byte x; bool y[N] }\nchan q = [N] of { mtype, "
      "byte };\ninline f(z) { z = (z -> 1 : 2); q!a(z) }\nactive [N] proctype P(byte c) provided (true) { T t; L: "
      "f(c); "
      "do :: q?a,eval(c) -> break :: timeout -> goto L od unless { skip };\nfor (c : 1 .. 3) { printf(\"%d\", 'x') } "
      "}\n"
      "ltl p { [] (P[0]@L -> <> (len(q) == 0)) }\n";
  for (size_t length = 0; length <= model.size(); ++length) PromelaText text(model.substr(0, length));
  for (size_t place = 0; place < model.size(); ++place) {
    for (const char c : {'(', '}', '"', '#', ':', '\0'}) {
      std::string changed = model;
      changed[place] = c;
      PromelaText text(changed);
    }
  }
  EXPECT_FALSE(PromelaText(model).diagnostics.has_errors());
}

}  // namespace
}  // namespace harrier::testing
