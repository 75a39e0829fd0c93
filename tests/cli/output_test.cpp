// Where results go: no verdict is lost, no input is overwritten, and programs get a document whatever happens.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_harrier.h"
#include "support/json_schema.h"

namespace harrier {
namespace {

using namespace testing_support;

TEST(StandardError, MayBeClosedOrFull) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string trace = here.path("t.json");
  here.write("m.q", "E<> n == 2\nE<> m\n");
  for (const char* where : {"2>&-", "2>/dev/full"}) {
    const Outcome run = shell("$harrier check " + model + " --search rdfs --quiet " + where);
    EXPECT_EQ(run.exit_code, 2) << where;
    EXPECT_NE(run.out.find("E<> n == 2\n  holds: a witness of "), std::string::npos) << where << run.out;
    EXPECT_NE(run.out.find("E<> m\n  not answered: "), std::string::npos) << where << run.out;
    const Outcome traced =
        shell("$harrier check " + model + " --select 1 --search rdfs --trace " + trace + " " + where);
    EXPECT_EQ(traced.exit_code, 10) << where;
    EXPECT_EQ(shell("$harrier validate " + model + " " + trace).exit_code, 0)
        << where << ": nothing but the trace is in the file";
    EXPECT_EQ(shell("$harrier check " + model + " --nonsense " + where).exit_code, 2) << where;
  }
}

TEST(StandardOutput, ThatFailsIsAnError) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string trace = here.path("t.json");
  for (const char* where : {">&-", ">/dev/full"}) {
    for (const char* options : {"--quiet", "--json", ""}) {
      const Outcome run = shell("$harrier check " + model + " --query 'E<> n == 2' " + options + " " + where);
      EXPECT_EQ(run.exit_code, 2) << where << options;
      EXPECT_NE(run.err.find("cannot write to standard output"), std::string::npos) << where << options << run.err;
    }
  }
}

TEST(OutputFiles, AreTriedBeforeTheSearch) {
  const Workspace here;
  // A search on it would take for ever.
  const std::string model = here.write("m.pml", "int n;\nactive proctype P() { do :: n++ :: n = n * 3 od }\n");
  std::filesystem::create_directory(here.path("folder"));
  for (const char* option : {"--trace", "--trail", "--chart"}) {
    for (const std::string& path : {here.path("missing/file"), here.path("folder"), std::string("/dev/null/x")}) {
      const Outcome run = harrier({"check", model, option, path});
      EXPECT_EQ(run.exit_code, 2) << option << path;
      EXPECT_EQ(run.out, "");
      EXPECT_NE(run.err.find("cannot write '" + path + "'"), std::string::npos) << run.err;
    }
  }
  if (geteuid() != 0) {  // nothing is read-only to the superuser
    const std::string path = here.write("readonly", "");
    chmod(path.c_str(), 0400);
    EXPECT_EQ(harrier({"check", model, "--trace", path}).exit_code, 2);
  }
}

TEST(OutputFiles, AreNeverInputs) {
  const Workspace here;
  const std::string included = here.write("part.h", "byte n;\n");
  const std::string model = here.write("m.pml", "#include \"part.h\"\nactive proctype P() { assert(n == 1) }\n");
  const std::string timed = here.write("m.xta", kCounter);
  const std::string queries = here.write("m.q", "E<> n == 2\n");
  const std::string link = here.path("link");
  std::filesystem::create_symlink(model, link);
  std::filesystem::create_hard_link(timed, here.path("hard"));
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome run = harrier(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("would overwrite the input"), std::string::npos) << run.err;
  };
  refused({"check", model, "--trace", model});
  refused({"check", model, "--trail", link});
  refused({"check", model, "--chart", included});
  refused({"check", timed, "--trace", here.path("hard")});
  refused({"check", timed, "--trace", here.path("./m.xta")});
  refused({"check", timed, "--trace", queries});
  const std::string trace = here.path("t.json");
  EXPECT_EQ(harrier({"check", timed, "--trace", trace}).exit_code, 10);
  refused({"polish", timed, trace, "--trace", trace});
  EXPECT_EQ(read_all(timed), kCounter);
  const Outcome same = harrier({"check", model, "--trace", trace, "--chart", here.path("./t.json")});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_NE(same.err.find("--trace and --chart name the same file"), std::string::npos) << same.err;
  EXPECT_EQ(harrier({"check", model, "--trace", "/dev/null", "--chart", "/dev/null"}).exit_code, 10);
}

class Json : public testing::Test {
 protected:
  // The document of a run, which has to follow the schema.
  nlohmann::json document(const std::vector<std::string>& arguments, int exit_code) {
    std::vector<std::string> all = arguments;
    all.push_back("--json");
    const Outcome run = harrier(all);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    std::string line;
    for (const std::string& a : all) line += a + " ";
    nlohmann::json out;
    EXPECT_NO_THROW(out = run.json()) << line << run.out;
    EXPECT_EQ(schema_.problem(out), "") << line << run.out;
    EXPECT_EQ(out["exit_code"], exit_code) << line;
    return out;
  }

  Workspace here_;
  std::string model_ = here_.write("m.xta", kCounter);
  JsonSchema schema_{nlohmann::json::parse(read_all(HARRIER_SOURCE_DIR "/docs/result.schema.json"))};
};

TEST_F(Json, DescribesAnswers) {
  for (const char* search :
       {"auto", "bfs", "dfs", "rdfs", "astar", "wastar", "greedy", "anytime", "ib-process", "walk"}) {
    const auto out = document({"check", model_, "--query", "E<> n == 2", "--search", search}, 10);
    EXPECT_EQ(out["options"]["--search"], search);
    EXPECT_EQ(out["options"]["--json"], true);
    EXPECT_NE(out["results"][0]["search"], "") << search;
  }
  const auto out = document({"check", model_, "--query", "E<> n == 2", "--query", "A[] n < 3", "--search", "rdfs",
                             "--seed", "9", "--json-witness", "--expect", "holds"},
                            0);
  EXPECT_EQ(out["seed"], 9);
  EXPECT_EQ(out["options"]["--query"].size(), 2u);
  EXPECT_EQ(out["results"][0]["witness"]["steps"].size(), out["results"][0]["witness_length"]);
  EXPECT_FALSE(out["results"][1].contains("witness"));
  document({"check", model_, "--query", "E<> n == 2", "--search", "bfs", "--depth", "1"}, 20);
  const std::string lasso = here_.write("l.pml", "active proctype P() { do :: skip od }\n");
  EXPECT_TRUE(document({"check", lasso, "--non-progress"}, 10)["results"][0].contains("loop_start"));
}

TEST_F(Json, DescribesErrors) {
  const auto kind = [&](const std::vector<std::string>& arguments, int exit_code) {
    return document(arguments, exit_code)["error"]["kind"];
  };
  EXPECT_EQ(kind({"check"}, 2), "usage");
  EXPECT_EQ(kind({"check", model_, "--nonsense"}, 2), "usage");
  EXPECT_EQ(kind({"chekc", model_}, 2), "usage");
  EXPECT_EQ(kind({}, 2), "usage");
  EXPECT_EQ(kind({"check", model_, "--heuristic", "nosuch"}, 2), "usage");
  EXPECT_EQ(kind({"check", model_, "--query", "E<> n == 2", "--weight", "3"}, 2), "usage");
  EXPECT_EQ(kind({"check", model_}, 2), "usage") << "no queries";
  EXPECT_EQ(kind({"check", here_.path("missing")}, 2), "input");
  EXPECT_EQ(kind({"check", here_.write("bad.xta", "int n\nsystem P;\n")}, 2), "input");
  EXPECT_EQ(kind({"check", here_.write("real.xta", "double x;\nprocess P() { state s; init s; }\nsystem P;\n")}, 3),
            "unsupported");
  EXPECT_EQ(kind({"check", model_, "--query", "E<> n == 2", "--trace", here_.path("missing/t")}, 2), "input");
  const auto out =
      document({"check", model_, "--query", "E<> n == 1", "--query", "E<> zz", "--query", "Pr[<=1](<> P.busy)"}, 2);
  EXPECT_EQ(out["results"][0]["holds"], true);
  EXPECT_EQ(out["results"][1]["error"]["kind"], "input");
  EXPECT_EQ(out["results"][2]["error"]["kind"], "unsupported");
}

TEST_F(Json, OfAnalysesHasErrorsToo) {
  const Outcome run = harrier({"analyse", model_, "--json", "--query", "E<> zz", "--query", "E<> n == 1"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.json()["results"][0]["error"]["kind"], "input");
  EXPECT_EQ(run.json()["results"][1]["processes"], 1);
  EXPECT_EQ(harrier({"analyse", here_.path("missing"), "--json"}).json()["error"]["kind"], "input");
}

// A counter that takes a while.
constexpr const char* kSlow = R"(int[0,1000000] n; int[0,1000000] m;
process P() { state s; init s; trans s -> s { guard n < 1000000; assign n = n + 1; }, s -> s { guard m < 1000000; assign m = m + 1; }; }
system P;
)";

TEST(Progress, IsPrintedIntoLogs) {
  const Workspace here;
  const std::string model = here.write("m.xta", kSlow);
  const Outcome run = harrier(
      {"check", model, "--query", "A[] n + m >= 0", "--search", "bfs", "--time-limit", "1.5", "--progress", "0.2"});
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_NE(run.err.find("progress: 1/1 A[] n + m >= 0: bfs  "), std::string::npos) << run.err;
  for (const char* part : {"  depth ", "  queue ", "/s  ", " MB\n"}) {
    EXPECT_NE(run.err.find(part), std::string::npos) << part << run.err;
  }
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << "no control codes in a log";
  EXPECT_EQ(harrier({"check", model, "--query", "A[] n + m >= 0", "--search", "bfs", "--time-limit", "1"}).err, "");
}

// What a terminal of so many columns gets to see.
std::string on_terminal(unsigned short columns, std::vector<std::string> arguments) {
  winsize size = {};
  size.ws_col = columns;
  size.ws_row = 24;
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    arguments.insert(arguments.begin(), HARRIER_BINARY);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    execv(HARRIER_BINARY, argv.data());
    _exit(127);
  }
  EXPECT_GT(pid, 0);
  std::string out;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<size_t>(n));
  waitpid(pid, nullptr, 0);
  close(terminal);
  return out;
}

TEST(Progress, FitsTheTerminal) {
  const Workspace here;
  const std::string model = here.write("m.xta", kSlow);
  for (const unsigned short columns : std::initializer_list<unsigned short>{40, 200}) {
    const std::string out =
        on_terminal(columns, {"check", model, "--query", "A[] n + m >= 0", "--search", "bfs", "--time-limit", "1.5"});
    size_t lines = 0;
    for (size_t begin = out.find('\r'); begin != std::string::npos;) {
      const size_t end = out.find("\x1b[K", begin);
      if (end == std::string::npos) break;
      EXPECT_LT(end - begin - 1, columns) << out;
      lines += end > begin + 1 ? 1 : 0;
      begin = out.find('\r', end);
    }
    EXPECT_GE(lines, 1u) << out;  // how many depends on the machine
    EXPECT_NE(out.find("1/1 A[] n + m >= 0  bfs  "), std::string::npos) << out;
    EXPECT_EQ(out.find("  queue ") != std::string::npos, columns == 200) << out;
  }
}

}  // namespace
}  // namespace harrier
