// Well-formed Promela gives the expected tree.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lang/promela_support.h"
#include "support/shared_models.h"

namespace harrier::testing {
namespace {

namespace fs = std::filesystem;

TEST(PromelaExpressions, PrecedenceIsThatOfC) {
  EXPECT_EQ(expression("a + b * 2 - c"), "(- (+ a (* b 2)) c)");
  EXPECT_EQ(expression("a || b && c | d ^ e & f == g < h << i + j"),
            "(|| a (&& b (| c (^ d (& e (== f (< g (<< h (+ i j)))))))))");
  EXPECT_EQ(expression("!a == b"), "(== (! a) b)");
  EXPECT_EQ(expression("-a * ~b"), "(* (- a) (~ b))");
  EXPECT_EQ(expression("a - b - c >= d % 2"), "(>= (- (- a b) c) (% d 2))");
  EXPECT_EQ(expression("(a + b) * c"), "(* (+ a b) c)");
}

TEST(PromelaExpressions, EveryPrimary) {
  EXPECT_EQ(expression("true + false + skip + 'a' + '\\n'"), "(+ (+ (+ (+ 1 0) 1) 97) 10)");
  EXPECT_EQ(expression("-2147483648"), "-2147483648");
  EXPECT_EQ(expression("a[i + 1].b.c[2]"), "a[(+ i 1)].b.c[2]");
  EXPECT_EQ(expression("(a -> b : c)"), "(-> a b c)");
  EXPECT_EQ(expression("len(q[1]) + full(q) + empty(q) + nfull(q) + nempty(q)"),
            "(+ (+ (+ (+ (len q[1]) (full q)) (empty q)) (nfull q)) (nempty q))");
  EXPECT_EQ(expression("q?[a, 1, eval(x)] && q??[_]"), "(&& (q ? [a 1 (eval x)]) (q ?? [_]))");
  EXPECT_EQ(expression("enabled(1) || pc_value(_pid) == get_priority(2)"),
            "(|| (enabled 1) (== (pc_value _pid) (get_priority 2)))");
  EXPECT_EQ(expression("timeout || np_"), "(|| timeout np_)");
}

TEST(PromelaExpressions, RemoteReferences) {
  EXPECT_EQ(expression("(P_0@CS + P_1@CS > 1)"), "(> (+ (@ P_0 _ CS) (@ P_1 _ CS)) 1)");
  EXPECT_EQ(expression("P[2]@L && proc:v == 3 && P[1]:a[2].b"),
            "(&& (&& (@ P 2 L) (== (: proc _ v) 3)) (: P 1 a[2].b))");
  EXPECT_EQ(statements("x = (x -> P:y : z)", "proctype P() { byte y; y++ } byte x, z;"), "(= x (-> x (: P _ y) z))");
  EXPECT_EQ(statements("x = (x -> y : z)"), "(= x (-> x y z))");
}

TEST(PromelaExpressions, GoalsMayUseTheMacrosOfTheModel) {
  EXPECT_EQ(expression("FULL(2)", false, "#define N 3\n#define FULL(i) (count[i] == N)\n"), "(== count[2] 3)");
}

TEST(PromelaFormulas, OperatorsAndTheirPrecedence) {
  EXPECT_EQ(expression("[] (a -> <> b)", true), "([] (-> a (<> b)))");
  EXPECT_EQ(expression("[]p && <>q || r -> s <-> t", true), "(<-> (-> (|| (&& ([] p) (<> q)) r) s) t)");
  EXPECT_EQ(expression("a U b && c W d V e", true), "(&& (U a b) (V (W c d) e))");
  EXPECT_EQ(expression("a == 1 U b + 1 > 2", true), "(U (== a 1) (> (+ b 1) 2))");
  EXPECT_EQ(expression("always p implies eventually next q equivalent r until s", true),
            "(<-> (-> ([] p) (<> (X q))) (U r s))");
  EXPECT_EQ(expression("a weakuntil b release c stronguntil d", true), "(U (V (W a b) c) d)");
  EXPECT_EQ(expression("a /\\ b \\/ !c", true), "(|| (&& a b) (! c))");
  EXPECT_EQ(expression("[]<>P@L", true), "([] (<> (@ P _ L)))");
}

TEST(PromelaFormulas, BlocksAreReadAfterTheProctypes) {
  const PromelaText text("ltl p { [] (P:x == 1) }\nltl { <> done }\nproctype P() { byte x; x++ }");
  const auto& all = text.model().ltl;
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name + " " + dump(all[0].formula), "p ([] (== (: P _ x) 1))");
  EXPECT_EQ(all[1].name + " " + dump(all[1].formula), "ltl_1 (<> done)");
}

TEST(PromelaDeclarations, Variables) {
  const PromelaText text(
      "typedef T { byte a; int b[3] }\nhidden byte x = 3, y[4] = { 1, 2 };\nunsigned u : 5 = 7;\nshow T t[2]; local "
      "bool "
      "z\nmtype:fruit f = apple; pid p;\nchan q[2] = [N + 1] of { mtype:fruit, byte, T, chan }, r;");
  EXPECT_EQ(
      dump(text.model().globals),
      "(hidden byte x 3) (hidden byte y[4] {1 2}) (unsigned u:5 7) (show T t[2]) (local bit z) (mtype:fruit f apple) "
      "(pid p) (chan q[2] [(+ N 1)] mtype:fruit byte T chan) (chan r)");
  ASSERT_EQ(text.model().structs.size(), 1u);
  EXPECT_EQ(dump(text.model().structs[0].fields), "(byte a) (int b[3])");
}

TEST(PromelaDeclarations, Mtypes) {
  const PromelaText text("mtype = { a, b c, }; mtype { d }\nmtype:fruit = { apple }");
  const auto& all = text.model().mtypes;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].names.size(), 3u);
  EXPECT_EQ(all[0].names[2].name, "c");
  EXPECT_EQ(all[1].names[0].name, "d");
  EXPECT_EQ(all[2].subtype, "fruit");
}

TEST(PromelaDeclarations, Proctypes) {
  const PromelaText text(
      "active [N] proctype P(byte a, b; chan c) priority 3 provided (x > 1) { skip }\nD_proctype D() { skip }\n"
      "init priority 2 { run P(1, 2, q) priority 4 }\nnever { skip }\nnever named { skip }");
  const auto& all = text.model().proctypes;
  ASSERT_EQ(all.size(), 5u);
  EXPECT_TRUE(all[0].active);
  EXPECT_EQ(dump(all[0].active_count), "N");
  EXPECT_EQ(dump(all[0].parameters), "(byte a) (byte b) (chan c)");
  EXPECT_EQ(dump(all[0].priority) + dump(all[0].provided), "3(> x 1)");
  EXPECT_EQ(all[0].end.column, 77u);
  EXPECT_EQ(all[1].kind, pml::ProctypeNode::Kind::DProctype);
  EXPECT_EQ(all[2].name, ":init:");
  EXPECT_EQ(dump(all[2].body), "(run P 1 2 q priority 4)");
  EXPECT_EQ(all[3].name, ":never:");
  EXPECT_EQ(all[4].name, "named");
}

TEST(PromelaStatements, Simple) {
  EXPECT_EQ(statements("x = 1; x++; a[i]--; x == 2; assert(x); goto L; skip"),
            "(= x 1) (= x (+ x 1)) (= a[i] (- a[i] 1)) (== x 2) (assert x) (goto L) 1");
  EXPECT_EQ(statements("q!a(b,c); q!a,b,c; q!!x; q[1].c!(a)"), "(! q a b c) (! q a b c) (!! q x) (! q[1].c a)");
  EXPECT_EQ(statements("q?a(b,-1); q?a,eval(b),_; q?(a,b); q??a; q?<a,b>; q?"
                       "?<a>; q?[a]"),
            "(? q a b (- 1)) (? q a (eval b) _) (? q a b) (?? q a) (?< q a b) (?"
            "?< q a) (q ? [a])");
  EXPECT_EQ(statements("printf(\"%d\\n\", x); printm(a); xr q; xs q, r[1]"),
            "(print '%d\\n' x) (print '' a) (exclusive q) (exclusive q r[1])");
  EXPECT_EQ(statements("byte x = 1, y; set_priority(_pid, 2)"), "(byte x 1) (byte y) (set_priority _pid 2)");
}

TEST(PromelaStatements, Compound) {
  EXPECT_EQ(statements("if :: x -> y = 1 :: else fi; do :: x -> break :: else -> skip; od"),
            "(if (x (= y 1)) (else)) (do (x break) (else 1))");
  EXPECT_EQ(statements("atomic { x; y } d_step { z } { x }"), "(atomic x y) (d_step z) {x}");
  // Spin puts the unless into the block that the label stands at.
  EXPECT_EQ(statements("x unless { y; z }; L: { x } unless y"), "(unless (x) (y z)) L:{(unless (x) (y))}");
}

TEST(PromelaStatements, Labels) {
  EXPECT_EQ(statements("L: M: x; do :: x; end: od; N: ; O:"), "L:M:x (do (x end:1)) N:1 O:1");
}

TEST(PromelaStatements, SeparatorsAreAlike) {
  EXPECT_EQ(statements("x -> y;; z -> ; ; v;"), "x y z v");
  EXPECT_EQ(statements("x\ny = z\n{ v } w\nif\n:: else x\n:: a\n && b\n-> c\nfi\nfor (i : 1 .. 2)\n{ x }\n"),
            "x (= y z) {v} w (if (else x) ((&& a b) c)) (= i 1) (do ((<= i 2) {x} (= i (+ i 1))) (else break))");
  EXPECT_EQ(statements("x = y\n- z; x = (y\n- z)"), "(= x y) (- z) (= x (- y z))");
}

TEST(PromelaStatements, ForIsWrittenOut) {
  EXPECT_EQ(statements("for (i : 1 .. N) { x = i; break }"),
            "(= i 1) (do ((<= i N) {(= x i) break} (= i (+ i 1))) (else break))");
  EXPECT_EQ(statements("for (i in s.a) { skip }"), "(= i 0) (do ((<= i (last s.a)) {1} (= i (+ i 1))) (else break))");
  // As in Spin, the label belongs to the loop: a jump to it does not start again.
  EXPECT_EQ(statements("L: for (i : 1 .. 2) { skip }"), "(= i 1) L:(do ((<= i 2) {1} (= i (+ i 1))) (else break))");
}

TEST(PromelaStatements, SelectIsWrittenOut) {
  EXPECT_EQ(statements("select (i : 1 .. n)"), "(= i 1) (do ((< i n) (= i (+ i 1))) (break))");
  EXPECT_EQ(statements("L: select (i : 1 .. 3)"), "L:(if ((= i 1)) ((= i 2)) ((= i 3)))");
  EXPECT_EQ(statements("select (i_ : 1 .. 3)"), "(= i_ 1) (do ((< i_ 3) (= i_ (+ i_ 1))) (break))");
  EXPECT_EQ(statements("select (i : 0 .. 33)"), "(= i 0) (do ((< i 33) (= i (+ i 1))) (break))");
  EXPECT_EQ(statements("f()", "inline f() { select (i : 1 .. 3) }"), "{(= i 1) (do ((< i 3) (= i (+ i 1))) (break))}");
}

TEST(PromelaInlines, ArgumentsTakeThePlaceOfParameters) {
  EXPECT_EQ(statements("f(a[1], b + 2); f(c, d)", "inline f(x, y) { x = y * y; x++ }"),
            "{(= a[1] (+ (+ b (* 2 b)) 2)) (= a[1] (+ a[1] 1))} {(= c (* d d)) (= c (+ c 1))}");
  EXPECT_EQ(statements("g(z)", "inline f(x) { x = 1 } inline g(x) { f(x); L: f(x) }"), "{{(= z 1)} L:{(= z 1)}}");
  EXPECT_EQ(statements("x = f(2) ; y", "inline f(a) { if :: a -> return a + 1 :: else -> skip fi }"),
            "{(if (2 (= x (+ 2 1))) (else 1))} y");
}

TEST(PromelaStatements, TextOnOneLine) {
  const PromelaText text(
      "#define N 3\nbyte x; init { x=x+N*-1; q ! one ( x ) ; q?<x , y>; q??[x]; a [ i ] . b++; (x->1:2); !x&&y; run "
      "P ( 1 ); assert( x ==\n N); goto L; printf(\"a b\",x); chan c=[N] of {byte}; M: x=1; P@L }");
  std::string all;
  for (const auto& s : text.model().proctypes[0].body.statements) all += s->source + "\n";
  EXPECT_EQ(all,
            "x = x + 3 * -1\nq!one(x)\nq?<x, y>\nq??[x]\na[i].b++\n(x -> 1:2)\n!x && y\nrun P(1)\nassert(x == 3)\ngoto "
            "L\nprintf(\"a b\", x)\nchan c = [3] of {byte}\nx = 1\nP@L\n");
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PromelaModels, AllSharedOnesParse) {
  HARRIER_NEEDS_SHARED("promela");
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(testing_support::shared_model(""))) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".pm" && extension != ".pml" && extension != ".pr") continue;
    const PromelaText text(read(entry.path()), {}, entry.path().string());
    EXPECT_TRUE(!text.diagnostics.has_errors() || text.diagnostics.only_unsupported()) << text.errors();
    ++count;
  }
  EXPECT_GT(count, 100u);
}

TEST(PromelaModels, AllSharedGoalsParse) {
  HARRIER_NEEDS_SHARED("promela/beem/goals.csv");
  const fs::path folder = testing_support::shared_model("promela/beem");
  std::ifstream in(folder / "goals.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const size_t first = line.find(','), second = line.find(',', first + 1), third = line.find(',', second + 1);
    PromelaText text(read(folder / line.substr(0, first)));
    EXPECT_TRUE(text.expression(line.substr(second + 1, third - second - 1))) << line << "\n" << text.errors();
  }
}

}  // namespace
}  // namespace harrier::testing
