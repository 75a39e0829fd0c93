// Options: what the table says is what happens, and what does not apply is refused by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

class EveryOption : public testing::TestWithParam<const char*> {
 protected:
  EveryOption() {
    files_["uppaal with clocks"] =
        here_.write("timed.xta",
                    "clock x;\nprocess P() { state A, B; init A; trans A -> B { guard x >= 1; }; }\n"
                    "system P;\n");
    files_["uppaal"] = here_.write(
        "untimed.xta", "int n;\nprocess P() { state A, B; init A; trans A -> B { assign n = 1; }; }\nsystem P;\n");
    files_["promela"] = here_.write("m.pml", "byte n;\nactive proctype P() { n = 1; assert(n == 0) }\n");
    table_ = harrier({"list", "--options", "--json"}).json();
  }

  // It refuses clocks, whatever the options are.
  static bool is_symbolic(const std::string& search) {
    return search == "sbfs" || search == "schain" || search == "sgmc" || search == "swalk";
  }

  bool is_row(const std::string& option) const {
    return std::any_of(table_.begin(), table_.end(), [&](const auto& r) { return r["name"] == option; });
  }

  bool accepts(const std::string& option, const std::string& search, const std::string& model) const {
    const auto row = std::find_if(table_.begin(), table_.end(), [&](const auto& r) { return r["name"] == option; });
    EXPECT_NE(row, table_.end()) << option;
    const auto& models = (*row)["accepts"][search];
    return std::find(models.begin(), models.end(), model) != models.end();
  }

  // The example of an option, without the other options that do not apply.
  std::vector<std::string> example(const nlohmann::json& row, const std::string& search,
                                   const std::string& model) const {
    const std::string own = row["name"].get<std::string>();
    const auto words = row["example"].get<std::vector<std::string>>();
    std::vector<std::string> out;
    bool keep = true;
    for (size_t i = 0; i < words.size(); ++i) {
      std::string word = words[i];
      if (word.rfind("--", 0) == 0) {
        const std::string with_value = i + 1 < words.size() ? word + " " + words[i + 1] : word;
        keep = word == own.substr(0, own.find(' ')) || accepts(is_row(with_value) ? with_value : word, search, model);
      }
      if (word == "FILE") word = here_.path("output");
      if (word == "SIBLING") word = files_.at(model);
      if (word == "VARIABLE") word = model == "promela" ? "P(0)" : "P";
      if (keep) out.push_back(word);
    }
    return out;
  }

  Workspace here_;
  std::map<std::string, std::string> files_;
  nlohmann::json table_;
};

TEST_P(EveryOption, HasAnEffectOrIsRefusedAsTheTableSays) {
  const std::string search = GetParam();
  for (const auto& row : table_) {
    const std::string name = row["name"];
    if (row["example"].empty()) continue;
    for (const std::string model : {"uppaal with clocks", "uppaal", "promela"}) {
      if (is_symbolic(search) && model == "uppaal with clocks") continue;
      std::vector<std::string> arguments = {"check", files_[model], "--search", search};
      const std::vector<std::string> own = example(row, search, model);
      arguments.insert(arguments.end(), own.begin(), own.end());
      if (model != "promela") arguments.insert(arguments.end(), {"--query", "E<> P.B"});
      // Walks need not end where there is nothing to be found.
      if (search.ends_with("walk") && name != "--walks") arguments.insert(arguments.end(), {"--walks", "3"});
      const Outcome run = harrier(arguments);
      std::string line;
      for (const std::string& a : arguments) line += a + " ";
      if (accepts(name, search, model)) {
        EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 10 || run.exit_code == 20) << line << run.exit_code << "\n"
                                                                                      << run.err;
      } else {
        EXPECT_EQ(run.exit_code, 2) << line;
        EXPECT_EQ(run.err.rfind("error: " + name.substr(0, name.find(' ')) + " ", 0), 0u) << line << run.err;
        EXPECT_EQ(run.out, "") << line;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Searches, EveryOption,
                         testing::Values("auto", "bfs", "dfs", "rdfs", "astar", "wastar", "greedy", "anytime",
                                         "ib-process", "ib-interference", "walk", "sbfs", "schain", "sgmc", "swalk"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Options, TheManualPageIsUpToDate) {
  EXPECT_EQ(read_all(HARRIER_SOURCE_DIR "/docs/options.md"), harrier({"list", "--options", "--markdown"}).out)
      << "make it anew: harrier list --options --markdown > docs/options.md";
}

TEST(Options, NeedTheirConditions) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string promela = here.write("m.pml", "byte n;\nactive proctype P() { n = 1 }\n");
  struct Case {
    std::vector<std::string> options;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"--search", "greedy", "--heuristic", "dL", "--prefer", "preferred"}, "--prefer preferred needs a heuristic"},
      {{"--search", "walk", "--bias", "linear"}, "--bias needs --heuristic"},
      {{"--search", "walk", "--restart", "best"}, "--restart best needs --heuristic"},
      {{"--search", "walk", "--heuristic", "hU", "--bias", "linear", "--temperature", "1"}, "--temperature needs"},
      {{"--search", "walk", "--heuristic", "h0", "--bias", "steps", "--temperature", "1"}, "--temperature needs"},
      {{"--search", "walk", "--heuristic", "hU", "--bias", "steps"}, "--bias steps needs --heuristic h0 or h1"},
      {{"--search", "walk", "--delta", "0.1"}, "--delta needs --epsilon"},
      {{"--search", "walk", "--epsilon", "0.1"}, "--epsilon needs --delta"},
      {{"--search", "greedy", "--guide-from", model}, "--guide-from needs"},
      {{"--search", "greedy", "--queues", "alternating"}, "--queues needs --prefer preferred"},
      {{"--search", "ib-process", "--within", "bfs", "--heuristic", "hU"}, "--heuristic needs --within greedy"},
      {{"--search", "bfs", "--cost", "real"}, "--cost has no effect with --search bfs"},
      {{"--search", "astar", "--heuristic", "dL", "--cost", "plus-one"}, "--cost needs a heuristic that counts costs"},
      {{"--search", "greedy", "--evaluation", "lazy", "--prefer", "useless"}, "--evaluation needs --prefer preferred"},
      {{"--json-witness"}, "--json-witness needs --json"},
      {{"--quiet", "--progress", "1"}, "--progress needs"},
      {{"--search", "bfs", "--reduction", "on", "--prefer", "contexts"}, "--reduction on needs"},
      {{"--heuristic", "hU"}, "--heuristic has no effect with --search auto"},
      {{"--weight", "3"}, "--weight has no effect with --search auto: it is for wastar"},
      {{"--cache", "9", "--search", "bfs"}, "--cache has no effect with --search bfs"},
      {{"--goal", "true"}, "--goal is for Promela models; '"},
      {{"--define", "N=1"}, "--define is for Promela models; '"},
      {{"--trail", here.path("t")}, "--trail is for Promela models; '"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments = {"check", model, "--query", "E<> n == 2"};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const Outcome run = harrier(arguments);
    EXPECT_EQ(run.exit_code, 2) << c.message;
    EXPECT_EQ(run.err.rfind(std::string("error: ") + c.message, 0), 0u) << run.err;
  }
  EXPECT_EQ(harrier({"check", promela, "--fairness"}).exit_code, 2) << "there is no property about infinite paths";
  EXPECT_EQ(harrier({"check", promela, "--fairness", "--non-progress"}).exit_code, 0);
  EXPECT_EQ(harrier({"check", promela, here.write("q.q", "E<> true\n")}).exit_code, 2);
  EXPECT_EQ(harrier({"check", promela, "--deadlock", "--goal", "true"}).exit_code, 2);
  for (const char* command : {"analyse", "print"}) {
    EXPECT_EQ(harrier({command, model, "--no-assert"}).exit_code, 2) << command;
  }
}

TEST(Options, AreSuggested) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const auto err = [&](std::vector<std::string> arguments) {
    const Outcome run = harrier(std::move(arguments));
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(err({"check", model, "--serach", "bfs"}),
            "error: unknown option '--serach' of 'harrier check'; did you mean '--search'?\n");
  EXPECT_EQ(err({"chekc", model}), "error: unknown command 'chekc'; did you mean 'check'?; try harrier --help\n");
  EXPECT_NE(err({"check", model, "--search", "gredy"}).find("did you mean 'greedy'?"), std::string::npos);
  EXPECT_NE(err({"check", model, "--heuristic", "hLL"}).find("did you mean 'hL'?"), std::string::npos)
      << "before anything else, also under auto";
  EXPECT_NE(err({"check", model, "--prefer", "usless"}).find("did you mean 'useless'?"), std::string::npos);
  EXPECT_NE(err({"explain", "gredy"}).find("did you mean 'greedy'?"), std::string::npos);
  EXPECT_NE(err({"generate", "hanio", "3"}).find("did you mean 'hanoi'?"), std::string::npos);
}

TEST(Options, AreExplained) {
  for (const char* name : {"--weight", "weight", "--prefer", "greedy", "hU", "--prefer useless"}) {
    const Outcome run = harrier({"explain", name});
    EXPECT_EQ(run.exit_code, 0) << name << run.err;
    EXPECT_NE(run.out, "") << name;
  }
  EXPECT_EQ(harrier({"explain", "--weight"}).out,
            "--weight W: weight of the estimate in wastar\n\nmodels: all\nsearches: wastar\ndefault: 5\n"
            "values: 1 to 1000\n");
}

}  // namespace
}  // namespace harrier
