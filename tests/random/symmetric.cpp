#include "random/symmetric.h"

#include <exception>
#include <vector>

#include "base/error.h"
#include "lang/uppaal/uppaal.h"
#include "random/rng.h"
#include "support/options.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

namespace {

using std::to_string;

constexpr uint64_t kMostStates = 20'000;
constexpr uint64_t kMostDepth = 30;  // of a search without symmetry

class Writer {
 public:
  explicit Writer(uint64_t seed)
      : rng_(seed),
        processes_(rng_.between(2, 4)),
        first_(rng_.between(0, 1)),
        locations_(rng_.between(2, 4)),
        timed_(rng_.chance(60)),
        odd_(rng_.chance(25)),
        urgent_(rng_.chance(30)) {}

  std::string model() {
    const std::string last = to_string(first_ + processes_ - 1);
    std::string out = "typedef int[" + to_string(first_) + "," + last + "] id_t;\n";
    out += "int[" + nobody() + "," + last + "] id = " + nobody() + ";\nint[" + nobody() + "," + last +
           "] other = " + nobody() + ";\n";
    out += "bool flag[id_t];\nint[0,2] count[id_t];\nbool knows[id_t][id_t];\nint[0,3] shared = 0;\n";
    out += "chan to[id_t], any;\n";
    out += std::string(urgent_ ? "urgent " : "") + "broadcast chan all;\n";
    if (rng_.chance(15)) out += "chan priority any < default;\n";
    out += "void mark(id_t i) { flag[i] = !flag[i]; id = i; }\nbool known(id_t i) { return flag[i] && id == i; }\n";
    out += "process P(const id_t pid)\n{\n  int[" + nobody() + "," + last + "] peer = " + nobody() + ";\n";
    if (timed_) out += "  clock x;\n";
    out += "  state ";
    for (int32_t l = 0; l < locations_; ++l) {
      out += (l > 0 ? ", s" : "s") + to_string(l) +
             (timed_ && l > 0 && rng_.chance(40) ? " { x <= " + constant() + " }" : "");
    }
    out += ";\n" + kind_of_location() + "  init s0;\n  trans\n";
    const int32_t edges = rng_.between(locations_, 2 * locations_ + 1);
    for (int32_t e = 0; e < edges; ++e)
      out += edge(e < locations_ ? e : rng_.between(0, locations_ - 1), e + 1 == edges);
    out += "}\n";
    out += "process Server()\n{\n  id_t guest" + std::string(rng_.chance(50) ? "" : " = " + last) +
           ";\n  state a, b;\n  init a;\n  trans\n" + server_edges() + "}\n";
    const bool served = rng_.chance(60);
    return out + "system P" + (served ? rng_.chance(20) ? " < Server" : ", Server" : "") + ";\n";
  }

  std::string queries() {
    std::string out;
    const int32_t count = rng_.between(1, 4);
    for (int32_t i = 0; i < count; ++i) out += query() + "\n";
    return out;
  }

 private:
  std::string nobody() const { return to_string(first_ - 1); }
  std::string constant() { return to_string(rng_.between(1, 4)); }
  std::string location() { return "s" + to_string(rng_.between(0, locations_ - 1)); }
  std::string some() { return to_string(rng_.between(first_, first_ + processes_ - 1)); }
  std::string either(std::initializer_list<std::string> choices) {
    return *(choices.begin() + rng_.below(choices.size()));
  }
  // A name of a process that can be seen in an edge; `index`: surely one.
  std::string name(bool index) {
    if (selects_ && rng_.chance(50)) return "j";
    if (!index && rng_.chance(40)) return either({"id", "other", "peer", nobody()});
    return "pid";
  }

  std::string kind_of_location() {
    const int32_t kind = rng_.between(0, 9);
    if (kind > 1 || locations_ < 3) return "";
    return std::string(kind == 0 ? "  commit" : "  urgent") + " s" + to_string(locations_ - 1) + ";\n";
  }

  std::string condition() {
    if (odd_ && rng_.chance(12))
      return either({"pid < " + some(), "pid == " + some(), "id > " + nobody(), "flag[" + some() + "]"});
    const std::string i = name(true);
    switch (rng_.between(0, 10)) {
      case 0: return "id == " + name(false);
      case 1: return "other != " + name(false);
      case 2: return (rng_.chance(50) ? "!flag[" : "flag[") + i + "]";
      case 3: return "count[" + i + "] < 2";
      case 4: return "shared " + either({"==", "<", "!="}) + " " + constant();
      case 5: return "!knows[" + i + "][" + name(true) + "]";
      case 6:
        return "(forall (k : id_t) " + either({"!flag[k]", "count[k] < 2", "k != id || flag[k]", "knows[k][pid]"}) +
               ")";
      case 7:
        return "(exists (k : id_t) " +
               either({"flag[k] && k != pid", "count[k] == 1", "knows[pid][k]", "id == k && knows[k][k]"}) + ")";
      case 8: return "(sum (k : id_t) count[k]) < " + constant();
      case 9: return "(id != " + nobody() + " && flag[id])";
      default: return either({"known(" + i + ")", "peer == " + name(false), "peer != other"});
    }
  }

  std::string update() {
    if (odd_ && rng_.chance(12)) return either({"id = " + some(), "count[" + some() + "] = 1", "shared = pid % 2"});
    const std::string i = name(true);
    switch (rng_.between(0, 8)) {
      case 0: return "id = " + name(false);
      case 1: return "other = " + name(false);
      case 2: return "flag[" + i + "] = " + either({"true", "false", "!flag[" + i + "]"});
      case 3: return "count[" + i + "] = " + either({"0", "1", "count[" + i + "] < 2 ? count[" + i + "] + 1 : 0"});
      case 4: return either({"shared = (shared + 1) % 4", "shared = 0", "shared = " + to_string(rng_.between(0, 3))});
      case 5: return "knows[" + i + "][" + name(true) + "] = " + either({"true", "false"});
      case 6: return "peer = " + name(false);
      case 7: return "mark(" + i + ")";
      default: return timed_ ? "x = 0" : "id = pid";
    }
  }

  std::string edge(int32_t from, bool last) {
    const int32_t to = rng_.chance(60) ? (from + 1) % locations_ : rng_.between(0, locations_ - 1);
    std::string out = "    s" + to_string(from) + " -> s" + to_string(to) + " { ";
    selects_ = rng_.chance(25);
    if (selects_) out += "select j : id_t; ";
    std::string guard;
    const int32_t conditions = rng_.between(0, 2);
    for (int32_t i = 0; i < conditions; ++i) guard += (i > 0 ? " && " : "") + condition();
    if (selects_ && rng_.chance(40)) guard += std::string(guard.empty() ? "" : " && ") + "j != pid";
    const std::string sync =
        rng_.chance(45) ? either({"to[" + name(true) + "]!", "to[" + name(true) + "]?", "any!", "any?", "all!", "all?"})
                        : "";
    if (timed_ && rng_.chance(45) && (!urgent_ || !sync.starts_with("all"))) {
      guard += std::string(guard.empty() ? "" : " && ") + "x " + either({"<=", ">=", ">", "<"}) + " " + constant();
    }
    if (!guard.empty()) out += "guard " + guard + "; ";
    if (!sync.empty()) out += "sync " + sync + "; ";
    std::string effect;
    const int32_t updates = rng_.between(0, 2) + (rng_.chance(20) ? 1 : 0);
    for (int32_t i = 0; i < updates; ++i) effect += (i > 0 ? ", " : "") + update();
    if (timed_ && rng_.chance(40)) effect += std::string(effect.empty() ? "" : ", ") + "x = 0";
    if (!effect.empty()) out += "assign " + effect + "; ";
    return out + (last ? "};\n" : "},\n");
  }

  std::string server_edges() {
    std::string out;
    out += "    a -> b { select j : id_t; " + either({"", "guard !flag[j]; "}) + "sync " +
           either({"to[j]?", "to[j]!"}) +
           either({"", "; assign guest = j", "; assign id = j", "; assign count[j] = 0"}) + "; },\n";
    out += "    b -> a { " + either({"sync any!", "sync all!", "sync all?", "guard flag[guest]", "guard shared > 0"}) +
           either({"", "; assign id = " + nobody(), "; assign shared = 0", "; assign guest = guest"}) + "; };\n";
    return out;
  }

  std::string query() {
    const std::string l = location();
    switch (rng_.between(0, 9)) {
      case 0: return "A[] forall (i : id_t) forall (j : id_t) P(i)." + l + " && P(j)." + l + " imply i == j";
      case 1: return "E<> P(" + some() + ")." + l + " && P(" + some() + ")." + location();
      case 2: return "E<> exists (i : id_t) P(i)." + l + " && " + either({"flag[i]", "id == i", "count[i] == 2"});
      case 3: return "E<> deadlock";
      case 4: return "E<> forall (i : id_t) " + either({"flag[i]", "P(i)." + l, "knows[i][i]"});
      case 5: return "E<> id == " + some() + " && shared == " + to_string(rng_.between(0, 3));
      case 6: return "A[] forall (i : id_t) not (P(i)." + l + " && P(i).peer == i)";
      case 7: return timed_ ? "E<> exists (i : id_t) P(i)." + l + " && P(i).x > " + constant() : "A[] shared < 3";
      case 8: return "E<> (sum (i : id_t) count[i]) >= " + to_string(rng_.between(1, 2 * processes_));
      default: return "E<> deadlock and P(" + some() + ")." + l;
    }
  }

  Rng rng_;
  int32_t processes_;
  int32_t first_;
  int32_t locations_;
  bool timed_;
  bool odd_;     // something may tell processes apart
  bool urgent_;  // the broadcast
  bool selects_ = false;
};

struct Run {
  std::string name;
  CheckOptions options;
  bool shortest = false;
};

std::vector<Run> runs(bool timed, uint64_t seed) {
  std::vector<Run> out;
  const auto add = [&](const std::string& name, Search search, const std::string& heuristic, bool shortest) {
    CheckOptions options;
    options.search = search;
    options.heuristic = heuristic;
    options.seed = seed;
    out.push_back({name, options, shortest});
    return &out.back().options;
  };
  add("bfs", Search::BreadthFirst, "", true);
  add("dfs", Search::DepthFirst, "", false);
  add("rdfs", Search::RandomDepthFirst, "", false);
  add("auto", Search::Auto, "", false);
  add("A* hmax", Search::AStar, "hmax", true);
  add("greedy hU", Search::Greedy, "hU", false)->prefer = {"useless"};
  add("greedy hadd", Search::Greedy, "hadd", false)->prefer = {"preferred"};
  add("wA* hL", Search::WeightedAStar, "hL", false)->lazy = seed % 2 == 0;
  add("greedy lmcount", Search::Greedy, "lmcount", false);
  if (timed) return out;
  add("bfs reduced", Search::BreadthFirst, "", false)->reduction = true;
  add("dfs reduced", Search::DepthFirst, "", false)->reduction = true;
  return out;
}

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Reachable: return "reachable";
    case Verdict::Unreachable: return "unreachable";
    case Verdict::Failed: return "a failure";
    default: return "unknown";
  }
}

std::string described(const search::Result& result) {
  return std::string(word_of(result.verdict)) + (result.path ? " in " + to_string(result.path->steps.size()) : "") +
         (result.reason.empty() ? "" : ": " + result.reason);
}

std::string wrong(const Run& run, const search::Result& expected, const model::System& system,
                  const model::Property& property, size_t& symmetric) {
  const search::Result result = search::run(system, property, run.options);
  if (run.name == "bfs" && result.statistics.interchangeable > 0) ++symmetric;
  std::string both = "expected " + described(expected) + ", found " + described(result);
  const auto fails = [](const search::Result& r) { return r.verdict == Verdict::Failed; };
  if (fails(expected) || fails(result)) {
    // What comes first depends on the order.
    if (expected.verdict == Verdict::Unreachable || result.verdict == Verdict::Unreachable) return both;
    if (fails(result) && (!result.path || !trace::failure_trace(system, property, *result.path)))
      return "failure: " + both;
  } else if (result.verdict != expected.verdict) {
    return both;
  }
  if (result.verdict != Verdict::Reachable) return "";
  const size_t length = result.path->steps.size();
  if (!fails(expected)) {
    const size_t shortest = expected.path->steps.size();
    if (length < shortest || (length > shortest && (run.shortest || result.shortest))) return both;
  }
  const trace::ValidationReport report =
      trace::validate(system, property, trace::build_trace(system, property, *result.path));
  return report.valid ? "" : "not valid: " + report.text();
}

}  // namespace

std::pair<std::string, std::string> symmetric_model(uint64_t seed) {
  Writer writer(seed);
  std::string model = writer.model();
  return {std::move(model), writer.queries()};
}

SymmetricOutcome check_symmetric(uint64_t seed) {
  SymmetricOutcome out;
  const std::pair<std::string, std::string> model = symmetric_model(seed);
  const std::string& text = model.first;
  const std::string& queries = model.second;
  const auto problem = [&](const std::string& where, const std::string& what) {
    out.problem = {where, what + "\n" + text + queries};
    return out;
  };
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(text, "random.xta", diagnostics);
  if (diagnostics.has_errors()) return problem("load", diagnostics.all().front().message);
  const auto properties = uppaal::parse_queries(loaded, queries, "random.q", diagnostics);
  if (diagnostics.has_errors()) return problem("queries", diagnostics.all().front().message);
  const model::System& system = *loaded.system;
  for (const model::Property& property : properties) {
    CheckOptions plain;
    plain.search = Search::BreadthFirst;
    plain.symmetry = false;
    plain.depth_limit = kMostDepth;
    search::Result expected;
    try {
      expected = search::run(system, property, plain);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::Unsupported) continue;
      return problem("bfs without symmetry", e.what());
    }
    if (expected.verdict == Verdict::Unknown || expected.statistics.stored > kMostStates) continue;
    ++out.queries;
    if (expected.verdict == Verdict::Reachable) ++out.reachable;
    for (const Run& run : runs(system.clocks.size() > 1, seed)) {
      try {
        const std::string what = wrong(run, expected, system, property, out.symmetric);
        if (!what.empty()) return problem(run.name, property.text + ": " + what);
      } catch (const std::exception& e) {
        return problem(run.name + " exception", property.text + ": " + e.what());
      }
    }
  }
  return out;
}

}  // namespace harrier::testing_support
