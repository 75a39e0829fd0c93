// Telling the language of a model from its content.
#include "lang/detect.h"

#include <gtest/gtest.h>

#include "harrier/harrier.h"

namespace harrier {
namespace {

TEST(Detect, Promela) {
  for (const char* text : {"active proctype P() { skip }", "init { skip }", "init\n{ skip }", "#define N 3\nint x;",
                           "/* a process */ int state; proctype P() { skip }", "// system\nmtype = { a };",
                           "bool clock; chan c = [1 << 2] of { int }; init { skip }",
                           "\xef\xbb\xbf"
                           "byte x;",
                           "typedef T { int process };\nT t;\nltl p { [] (t.process < 2) }"}) {
    EXPECT_TRUE(looks_like_promela(text)) << text;
  }
}

TEST(Detect, Uppaal) {
  for (const char* text :
       {"", "process P() { state s; init s; } system P;", "int byte; clock x;", "bool active;\nconst int N = 2;",
        "\n <?xml version='1.0'?><nta><template>proctype</template></nta>", "\xef\xbb\xbf<nta/>",
        "// proctype\nchan a;\nsystem P;", "urgent chan mtype;"}) {
    EXPECT_FALSE(looks_like_promela(text)) << text;
  }
}

TEST(Detect, AByteOrderMarkIsSkipped) {
  const std::string mark = "\xef\xbb\xbf";
  const Model promela = Model::load_text(mark + "byte x; active proctype P() { x = 1 }", "model");
  EXPECT_EQ(promela.language(), Language::Promela);
  Model uppaal = Model::load_text(mark + "process P() { state s; init s; } system P;", "model");
  EXPECT_EQ(uppaal.language(), Language::Uppaal);
  uppaal.add_query(mark + "E<> P.s");
  const CheckResult result = uppaal.check(0, {});
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(uppaal.validate(mark + result.trace_json, "trace").problem, "");
}

}  // namespace
}  // namespace harrier
