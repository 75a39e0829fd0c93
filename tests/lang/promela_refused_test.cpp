// Claims and goals of a Promela model that cannot be used: the others are answered.
#include <gtest/gtest.h>

#include "harrier/harrier.h"

namespace harrier {
namespace {

constexpr const char* kCounter = "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> break od }\n";

std::string answer(const Model& model, size_t property) {
  try {
    switch (model.check(property, {}).verdict) {
      case Verdict::Reachable: return "witness";
      case Verdict::Unreachable: return "none";
      default: return "?";
    }
  } catch (const Error& e) {
    return e.kind() == ErrorKind::Unsupported ? "unsupported" : "bad";
  }
}

std::vector<std::string> answers(const std::string& text, const LoadOptions& options = {}) {
  const Model model = Model::load_text(text, "m.pml", options);
  std::vector<std::string> out;
  for (size_t i = 0; i < model.property_count(); ++i) out.push_back(answer(model, i));
  return out;
}

using Answers = std::vector<std::string>;

TEST(PromelaRefused, AnUnusableClaimLeavesTheOthers) {
  const std::string broken =
      std::string(kCounter) + "ltl a { [] (x < 3) }\nltl b { [] (y < 3) }\nltl c { <> (x == 3) }\n";
  EXPECT_EQ(answers(broken), (Answers{"witness", "bad", "none"}));
  const std::string unsupported = std::string(kCounter) + "ltl a { [] !timeout }\nltl c { [] (x < 3) }\n";
  EXPECT_EQ(answers(unsupported), (Answers{"unsupported", "witness"}));
  const std::string first = std::string(kCounter) + "never { do :: x = 1 od }\nltl c { [] (x < 3) }\n";
  EXPECT_EQ(answers(first), (Answers{"unsupported", "witness"}));
}

TEST(PromelaRefused, ARefusedClaimKeepsItsNameAndSaysWhere) {
  const Model model = Model::load_text(std::string(kCounter) + "ltl b { [] (y < 3) }\n", "m.pml", {});
  EXPECT_EQ(model.property(0).name, "b");
  try {
    model.check(0, {});
    FAIL() << "should be refused";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("m.pml:2:13"), std::string::npos) << e.what();
  }
}

TEST(PromelaRefused, GoalsAndFormulasOfTheCommandLineToo) {
  const LoadOptions goals{
      .options = {{"--goal", "x == 2"}, {"--goal", "x =="}, {"--goal", "y == 1"}, {"--goal", "x == 9"}}};
  EXPECT_EQ(answers(kCounter, goals), (Answers{"witness", "bad", "bad", "none"}));
  const LoadOptions formulas{.options = {{"--ltl", "[] (x <"}, {"--ltl", "[] (x < 3)"}, {"--ltl", "[] (y < 3)"}}};
  EXPECT_EQ(answers(kCounter, formulas), (Answers{"bad", "witness", "bad"}));
}

TEST(PromelaRefused, AModelWithErrorsHasNoAnswers) {
  EXPECT_THROW(Model::load_text("active proctype P() { y = 1 }\nltl a { [] true }\n", "m.pml", {}), Error);
  EXPECT_THROW(Model::load_text("active proctype P() { y = 1 }\n", "m.pml", {.options = {{"--goal", "("}}}), Error);
}

}  // namespace
}  // namespace harrier
