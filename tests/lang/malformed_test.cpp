// Every malformed input of the corpus gives exactly the diagnostics that stand beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const fs::path kFolder = fs::path(HARRIER_SOURCE_DIR) / "tests" / "lang" / "malformed";

TEST(Malformed, EveryInputGivesItsDiagnostics) {
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const auto extension = entry.path().extension();
    if (extension != ".expected" && entry.path().filename() != "base.xta") inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  EXPECT_GE(inputs.size(), 60u);
  for (const fs::path& input : inputs) {
    SCOPED_TRACE(input.filename().string());
    Diagnostics diagnostics;
    uppaal::Loaded loaded;
    if (input.extension() == ".q") {
      Diagnostics base;
      loaded = uppaal::load(read(kFolder / "base.xta"), "base.xta", base);
      ASSERT_FALSE(base.has_errors());
      uppaal::parse_queries(loaded, read(input), input.filename().string(), diagnostics);
    } else {
      loaded = uppaal::load(read(input), input.filename().string(), diagnostics);
    }
    EXPECT_TRUE(diagnostics.has_errors());
    fs::path expected = input;
    expected.replace_extension(".expected");
    EXPECT_EQ(all_diagnostics(loaded, diagnostics), read(expected));
  }
}

TEST(Malformed, AnyBytesGiveADiagnosticAndStopSoon) {
  std::string noise;
  uint32_t seed = 1;
  for (int i = 0; i < 2'000'000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    noise += static_cast<char>(seed >> 24);
  }
  Diagnostics diagnostics;
  uppaal::load(noise, "noise", diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_LE(diagnostics.all().size(), Diagnostics::kMaxErrors);
}

TEST(Malformed, EveryPrefixOfAModelIsReadWithoutACrash) {
  const std::string text =
      "const int N = 2; typedef struct { int a[N]; bool b; } s_t; s_t s = { { 1, 2 }, true };\n"
      "chan c[N]; clock x; int f(int &a[N], int i) { for (k : int[0,N-1]) a[k] += i; return a[0]; }\n"
      "process P(const int[0,1] i) { clock y; state A { y <= 3 && x < 5 }, B; urgent B; init A;\n"
      "trans A -> B { select k : int[0,1]; guard y > 1, s.a[k] == 1; sync c[i]!; assign s.a[i] = f(s.a, k), y = 0; }; "
      "}\n"
      "Q(const int[0,1] j) = P(j);\nsystem Q;\n";
  for (size_t length = 0; length <= text.size(); ++length) {
    Diagnostics diagnostics;
    uppaal::load(text.substr(0, length), "prefix.xta", diagnostics);
    EXPECT_EQ(diagnostics.has_errors(), length < text.size() - 1) << length;
  }
}

TEST(Malformed, EveryBytePutOutOfPlaceIsReadWithoutACrash) {
  const std::string text =
      "<nta><declaration>int a; clock x; chan c;</declaration><template><name>P</name><location id='i'><name>L</name>"
      "<label kind='invariant'>x &lt;= 3</label></location><init ref='i'/><transition><source ref='i'/><target "
      "ref='i'/>"
      "<label kind='guard'>a &lt; 3</label><label kind='synchronisation'>c!</label><label kind='assignment'>a = "
      "1</label>"
      "</transition></template><system>system P;</system><queries><query><formula>E&lt;&gt; P.L</formula></query>"
      "</queries></nta>";
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '<', '&', ';', '(', '}', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      Diagnostics diagnostics;
      uppaal::load(changed, "changed.xml", diagnostics);
    }
  }
}

TEST(Malformed, ErrorsAreCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "int a" + std::to_string(i) + " = unknown" + std::to_string(i) + ";\n";
  Diagnostics diagnostics;
  uppaal::load(text + "process P() { state A; init A; } system P;", "many.xta", diagnostics);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_TRUE(diagnostics.full());
}

}  // namespace
}  // namespace harrier::testing
