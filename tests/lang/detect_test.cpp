// Telling the language of a model from its name and content, and which options it takes.
#include <gtest/gtest.h>

#include "harrier/harrier.h"
#include "lang/table.h"

namespace harrier {
namespace {

TEST(Detect, Promela) {
  for (const char* text : {"active proctype P() { skip }", "init { skip }", "init\n{ skip }", "#define N 3\nint x;",
                           "/* a process */ int state; proctype P() { skip }", "// system\nmtype = { a };",
                           "bool clock; chan c = [1 << 2] of { int }; init { skip }", "\357\273\277byte x;",
                           "typedef T { int process };\nT t;\nltl p { [] (t.process < 2) }"}) {
    EXPECT_EQ(lang::find_frontend("auto", text, "model").info.name, "promela") << text;
  }
}

TEST(Detect, Uppaal) {
  for (const char* text :
       {"", "process P() { state s; init s; } system P;", "int byte; clock x;", "bool active;\nconst int N = 2;",
        "\n <?xml version='1.0'?><nta><template>proctype</template></nta>", "\xef\xbb\xbf<nta/>",
        "// proctype\nchan a;\nsystem P;", "urgent chan mtype;"}) {
    EXPECT_EQ(lang::find_frontend("auto", text, "model").info.name, "uppaal") << text;
  }
}

TEST(Detect, ASuffixTellsMoreThanTheContent) {
  EXPECT_EQ(lang::find_frontend("auto", "clock x;", "m.pml").info.name, "promela");
  EXPECT_EQ(lang::find_frontend("auto", "init { skip }", "dir.pml/m.xta").info.name, "uppaal");
  EXPECT_EQ(lang::find_frontend("uppaal", "init { skip }", "m.pml").info.name, "uppaal");
}

TEST(Detect, ALanguageThatThereIsNotIsRefused) {
  try {
    Model::load_text("", "m", {.language = "promella"});
    FAIL() << "should be refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Usage);
    EXPECT_EQ(std::string(e.what()), "unknown language 'promella'; did you mean 'promela'?");
  }
}

TEST(Detect, OptionsThatALanguageDoesNotHaveAreRefused) {
  const auto refusal = [](const char* name, const LanguageOptions& options) -> std::string {
    try {
      Model::load_text("", name, {.options = options});
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Usage);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("m.xta", {{"--goal", "x"}}), "--goal is for Promela models; 'm.xta' is one of UPPAAL");
  EXPECT_EQ(refusal("m.pml", {{"--gaol", "x"}}), "Promela models have no option '--gaol'");
  EXPECT_EQ(refusal("m.pml", {{"--goal", "x"}, {"--ltl", "p"}}), "--ltl excludes --goal");
  EXPECT_EQ(refusal("m.pml", {{"--goal", "x"}, {"--deadlock", ""}}),
            "--deadlock needs a search without --goal, which asks for one state only");
}

TEST(Detect, LanguagesAreListed) {
  const std::vector<LanguageInfo> all = languages();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_TRUE(all[0].queries && all[0].clocks && !all[0].trail);
  EXPECT_TRUE(!all[1].queries && !all[1].clocks && all[1].trail);
  for (size_t i = 2; i < all.size(); ++i) EXPECT_TRUE(!all[i].queries && !all[i].clocks && !all[i].trail);
  EXPECT_THROW(Model::load_text("active proctype P() { skip }", "m.pml").add_query("E<> true"), Error);
}

TEST(Detect, AByteOrderMarkIsSkipped) {
  const std::string mark = "\xef\xbb\xbf";
  const Model promela = Model::load_text(mark + "byte x; active proctype P() { x = 1 }", "model");
  EXPECT_EQ(promela.language().name, "promela");
  Model uppaal = Model::load_text(mark + "process P() { state s; init s; } system P;", "model");
  EXPECT_EQ(uppaal.language().name, "uppaal");
  uppaal.add_query(mark + "E<> P.s");
  const CheckResult result = uppaal.check(0, {});
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(uppaal.validate(mark + result.trace_json, "trace").problem, "");
}

}  // namespace
}  // namespace harrier
