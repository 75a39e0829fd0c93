// Malformed and unsupported SMV gives these diagnostics, at these places; nothing hangs.
#include "lang/smv_support.h"

namespace harrier::testing {
namespace {

struct Case {
  const char* text;
  const char* said;  // "line:column message", one a line; '-' for what is not supported
};

constexpr Case kCases[] = {
    {"", "1:1 there is no module 'main'"},
    {"VAR x : boolean;", "1:1 expected 'MODULE', but found 'VAR'"},
    {"MODULE m VAR x : boolean;", "1:8 there is no module 'main'"},
    {"MODULE main(a) VAR x : boolean;", "1:13 the module 'main' cannot have parameters"},
    {"MODULE main VAR x : boolean", "1:28 expected ';' after it, but found the end of the text"},
    {"MODULE main VAR x boolean;", "1:19 expected ':' after the name of a variable, but found 'boolean'"},
    {"MODULE main VAR x : {};", "1:21 an enumeration needs a value"},
    {"MODULE main VAR x : {a, a};", "1:21 'a' occurs twice in this enumeration"},
    {"MODULE main VAR x : {TRUE, a};", "1:22 a value of an enumeration is a symbol or a number"},
    {"MODULE main VAR x : 3..1;", "1:21 this range is empty"},
    {"MODULE main VAR x : 0..y; y : boolean;", "1:24 'y' is not declared"},
    {"MODULE main VAR x : 0..2147483648;", "1:24 - a number of more than 32 bits"},
    {"MODULE main VAR x : boolean; x : boolean;", "1:30 'x' is declared twice"},
    {"MODULE main VAR x : integer;", "1:21 - the type 'integer'"},
    {"MODULE main VAR x : real;", "1:21 - the type 'real'"},
    {"MODULE main VAR x : word[1000];", "1:21 - a word of more than 30 bits"},
    {"MODULE main VAR x : word[0];", "1:21 a word has at least one bit"},
    {"MODULE main VAR x : array 2..1 of boolean;", "1:21 this array is empty"},
    {"MODULE main VAR x : array 0..9999999 of boolean;", "1:21 - an array of so many elements"},
    {"MODULE main VAR x : foo;", "1:21 there is no module 'foo'"},
    {"MODULE main VAR x : m; MODULE m VAR y : m;", "1:41 the module 'm' has an instance of itself"},
    {"MODULE main VAR x : m; MODULE m VAR y : n; MODULE n VAR z : m;", "1:61 the module 'm' has an instance of itself"},
    {"MODULE main VAR x : m(1); MODULE m VAR y : boolean;", "1:21 the module 'm' has 0 parameters, but 1 are given"},
    {"MODULE main VAR x : m; MODULE m VAR y : boolean; MODULE m VAR z : boolean;", "1:57 there are two modules 'm'"},
    {"MODULE main VAR x : boolean; DEFINE x := TRUE;", "1:17 'x' is declared twice"},
    {"MODULE main VAR x : boolean; DEFINE d := e; e := d;", "1:37 the definition of 'd' depends on itself"},
    {"MODULE main VAR x : boolean; y : boolean; ASSIGN x := y; y := x;",
     "1:58 the assignments are cyclic: 'y' depends on itself"},
    {"MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); next(y) := next(x);",
     "1:70 the assignments are cyclic: 'y' depends on itself"},
    {"MODULE main VAR x : boolean; ASSIGN x := TRUE; init(x) := TRUE;", "1:48 'x' is assigned to twice"},
    {"MODULE main VAR x : boolean; ASSIGN next(x) := TRUE; next(x) := TRUE;", "1:54 'x' is assigned to twice"},
    {"MODULE main VAR counter : boolean; INIT countr", "1:41 'countr' is not declared; did you mean 'counter'?"},
    {"MODULE main VAR p : m; INIT p.y MODULE m VAR x : boolean;", "1:31 'p.y' is not declared"},
    {"MODULE main VAR x : 0..3; ASSIGN next(x) := 7;", "1:34 'x' cannot have the value 7"},
    {"MODULE main VAR x : 0..3; ASSIGN next(x) := {1, 7};", "1:34 'x' cannot have the value 7"},
    {"MODULE main VAR x : {a, b}; y : {c}; ASSIGN next(x) := y;", "1:45 'x' cannot have this value"},
    {"MODULE main VAR x : 0..3; INIT x", "1:32 expected a boolean, but this is an integer"},
    {"MODULE main VAR x : 0..3; INIT x & TRUE", "1:34 expected a boolean, but this is an integer"},
    {"MODULE main VAR x : {a, b}; INIT x < b", "1:36 symbols have no order: '<' compares numbers"},
    {"MODULE main VAR x : {a, b}; INIT x + 1 = 2", "1:36 expected an integer, but this is a symbol"},
    {"MODULE main VAR x : word[8]; INIT x = 3", "1:37 an unsigned word[8] and an integer cannot be compared"},
    {"MODULE main VAR x : word[8]; y : signed word[8]; INIT x = y",
     "1:57 an unsigned word[8] and a signed word[8] cannot be compared"},
    {"MODULE main VAR x : word[8]; INIT x[9:0] = x", "1:36 an unsigned word[8] has no bits 9:0"},
    {"MODULE main VAR x : word[8]; INIT x = 0ud4_99", "1:39 the number does not fit an unsigned word[4]"},
    {"MODULE main VAR x : boolean; INIT x = {TRUE, FALSE}",
     "1:37 - a set as an operand: only assignments, 'in', 'union', 'case' and '?' take sets"},
    {"MODULE main VAR x : boolean; INIT next(x)", "1:35 'next' is not allowed in INIT"},
    {"MODULE main VAR x : boolean; INVAR next(x)", "1:36 'next' is not allowed in INVAR"},
    {"MODULE main VAR x : boolean; TRANS next(next(x))", "1:36 'next' is not allowed in 'next'"},
    {"MODULE main VAR x : boolean; IVAR i : boolean; INIT i", "1:53 input variables are not allowed in INIT"},
    {"MODULE main VAR x : boolean; IVAR i : boolean; TRANS next(i)", "1:54 input variables are not allowed in 'next'"},
    {"MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN next(i) := TRUE;",
     "1:55 an input variable cannot be assigned to"},
    {"MODULE main VAR x : boolean; FROZENVAR f : boolean; ASSIGN next(f) := TRUE;",
     "1:60 a frozen variable has only an initial value"},
    {"MODULE main VAR a : array 0..2 of boolean; INIT a[3]", "1:50 the array has no element 3"},
    {"MODULE main VAR a : array 0..2 of boolean; INIT a", "1:49 - a whole array as a value"},
    {"MODULE main VAR p : process m; MODULE m VAR x : boolean; ASSIGN x := TRUE;",
     "1:65 - an assignment to a current value inside a process"},
    {"MODULE main VAR x : boolean; INIT case x : TRUE; esac & ",
     "1:57 expected an expression, but found the end of the text"},
    {"MODULE main VAR x : boolean; INIT case esac", "1:35 this case has no branches"},
    {"MODULE main VAR x : boolean; INIT foo(x)", "1:35 'foo' is no function"},
    {"MODULE main VAR x : boolean; INIT floor(x)", "1:35 - the function 'floor'"},
    {"MODULE main VAR x : boolean; INIT 1.5 > 1", "1:35 - the real number '1.5'"},
    {"MODULE main VAR x : boolean; INIT x $ x", "1:37 no token of SMV begins with '$'"},
    {"MODULE main VAR x : boolean; /-- never closed", "1:30 this comment has no end"},
    {"MODULE main VAR x : boolean; PRED p := x;", "1:30 - PRED"},
    {"MODULE main VAR x : boolean; TRANS AG x", "1:39 expected ';' or a section, but found 'x'"},
    {"MODULE main VAR x : boolean; SPEC AG (x + 1)", "1:41 expected a boolean, but this is an integer"},
    {"MODULE main ISA foo", "1:17 there is no module 'foo'"},
    {"MODULE main ISA main VAR x : boolean;", "1:8 the module 'main' is taken over twice by 'main'"},
};

TEST(SmvMalformed, IsReportedWithItsPlace) {
  for (const Case& c : kCases) EXPECT_EQ(SmvModel(c.text).said(), c.said) << c.text;
}

// A message, and soon.
TEST(SmvMalformed, LargeInputs) {
  const auto said = [](const std::string& text) {
    const std::string all = SmvModel(text).said();
    return all.substr(0, all.find('\n'));
  };
  std::string variables = "MODULE main VAR\n";
  for (int i = 0; i < 110'000; ++i) variables += "v" + std::to_string(i) + " : boolean;\n";
  EXPECT_EQ(said(variables), "100002:1 - a model with more than 100000 variables");

  std::string doubling = "MODULE main VAR a : m0;\n";
  for (int i = 0; i < 40; ++i) {
    const std::string next = "m" + std::to_string(i + 1);
    doubling += "MODULE m" + std::to_string(i) + " VAR a : " + next + "; b : " + next + ";\n";
  }
  doubling += "MODULE m40 VAR x : boolean;";
  EXPECT_NE(said(doubling).find("- a model with more than 100000 instances of modules"), std::string::npos);

  std::string chain = "MODULE main VAR x : boolean; y : boolean; DEFINE d0 := x;\n";
  for (int i = 1; i <= 5'000; ++i) {
    const std::string last = "d" + std::to_string(i - 1);
    chain += "d" + std::to_string(i) + " := (" + last + " xor y) <-> (" + last + " & y);\n";
  }
  EXPECT_EQ(said(chain + "ASSIGN next(x) := d5000;"), "");
  EXPECT_EQ(said(chain + "e := d5000 & f; f := e;"), "5002:1 the definition of 'e' depends on itself");

  const std::string deep(100'000, '(');
  EXPECT_NE(said("MODULE main VAR x : boolean; INIT " + deep).find("expression nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace harrier::testing
