// harrier_random: checks random models until one disagrees.
//
//     harrier_random --profile strict --from 1 --count 1000
//     harrier_random --all --count 10000
//     harrier_random --all --databases                       databases and landmarks, and the searches with them, alone
//     harrier_random --all --costs                           searches by costs alone
//     harrier_random --all --simplified                      a few searches, on the model as written and simplified
//     harrier_random --all --native                          a few searches, by bytecode and by native code
//     harrier_random --symmetric --count 10000               models of interchangeable processes
//     harrier_random --profile strict --from 17 --print      shows the model and does not check it
//     harrier_random --names                                 the profiles, one a line
//
// A disagreement is printed with its seed, the model and a reduced model; the exit code is then 1.
#include <malloc.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "random/differential.h"
#include "random/generator.h"
#include "random/reducer.h"
#include "random/symmetric.h"

namespace {

using namespace harrier::testing_support;

struct Arguments {
  std::vector<Profile> profiles;
  uint64_t from = 1;
  uint64_t count = 100;
  uint64_t max_failures = 1;
  bool print = false;
  bool names = false;
  bool reduce = true;
  bool symmetric = false;
  Scope scope = Scope::Everything;
};

int usage() {
  std::string names;
  for (const Profile& p : profiles()) names += " " + p.name;
  std::fprintf(stderr,
               "usage: harrier_random (--all | --profile NAME)... [--from SEED] [--count N] [--max-failures N]\n"
               "                      [--databases | --costs | --simplified | --native] [--no-reduce] [--print]\n"
               "       harrier_random --symmetric [--from SEED] [--count N] [--print]\n"
               "       harrier_random --names\nprofiles:%s\n",
               names.c_str());
  return 2;
}

bool parse(const std::vector<std::string>& words, Arguments& out) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto number = [&](uint64_t& into) {
      if (i + 1 == words.size() || words[i + 1].find_first_not_of("0123456789") != std::string::npos) return false;
      into = std::strtoull(words[++i].c_str(), nullptr, 10);
      return true;
    };
    if (word == "--all") {
      out.profiles = profiles();
    } else if (word == "--profile" && i + 1 < words.size()) {
      const size_t before = out.profiles.size();
      for (const Profile& p : profiles()) {
        if (p.name == words[i + 1]) out.profiles.push_back(p);
      }
      if (out.profiles.size() == before) return false;
      ++i;
    } else if (word == "--print") {
      out.print = true;
    } else if (word == "--names") {
      out.names = true;
    } else if (word == "--databases") {
      out.scope = Scope::Databases;
    } else if (word == "--costs") {
      out.scope = Scope::Costs;
    } else if (word == "--simplified") {
      out.scope = Scope::Simplified;
    } else if (word == "--native") {
      out.scope = Scope::Native;
    } else if (word == "--symmetric") {
      out.symmetric = true;
    } else if (word == "--no-reduce") {
      out.reduce = false;
    } else if (!(word == "--from" && number(out.from)) && !(word == "--count" && number(out.count)) &&
               !(word == "--max-failures" && number(out.max_failures))) {
      return false;
    }
  }
  return out.names || out.symmetric || !out.profiles.empty();
}

void show(const char* title, const TaModel& model) {
  std::printf("---- %s\n%s---- queries\n%s", title, to_xta(model).c_str(), queries_text(model).c_str());
}

void report(const Profile& profile, uint64_t seed, const TaModel& model, const Outcome& outcome,
            const Arguments& arguments) {
  std::printf("DISAGREEMENT with --profile %s --from %llu: %s\n%s\n", profile.name.c_str(),
              static_cast<unsigned long long>(seed), outcome.stage.c_str(), outcome.problem.c_str());
  if (!arguments.reduce) {
    show("model", model);
    return;
  }
  const TaModel small = reduce(model, [&](const TaModel& candidate) {
    const Outcome now = check(candidate, profile, seed, arguments.scope);
    return now.kind == Outcome::Kind::Disagreed && now.stage == outcome.stage;
  });
  show("reduced model", small);
  std::printf("---- its problem\n%s\n", check(small, profile, seed, arguments.scope).problem.c_str());
}

int run_symmetric(const Arguments& arguments) {
  SymmetricOutcome sum;
  for (uint64_t seed = arguments.from; seed < arguments.from + arguments.count; ++seed) {
    if (arguments.print) {
      const auto [model, queries] = symmetric_model(seed);
      std::printf("%s---- queries\n%s", model.c_str(), queries.c_str());
      return 0;
    }
    const SymmetricOutcome outcome = check_symmetric(seed);
    sum.queries += outcome.queries;
    sum.reachable += outcome.reachable;
    sum.symmetric += outcome.symmetric;
    if (!outcome.problem) continue;
    std::printf("DISAGREEMENT with --symmetric --from %llu: %s\n%s\n", static_cast<unsigned long long>(seed),
                outcome.problem->first.c_str(), outcome.problem->second.c_str());
    return 1;
  }
  std::printf("symmetric        %llu models, %zu queries, %zu reachable, %zu with interchangeable processes\n",
              static_cast<unsigned long long>(arguments.count), sum.queries, sum.reachable, sum.symmetric);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse({argv + 1, argv + argc}, arguments)) return usage();
  if (arguments.symmetric) return run_symmetric(arguments);
  if (arguments.names) {
    for (const Profile& p : profiles()) std::printf("%s\n", p.name.c_str());
    return 0;
  }
  // A search on a small model takes memory for a moment only. Giving it back to the system each time would cost as much
  // as the searches.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  uint64_t failures = 0;
  for (const Profile& profile : arguments.profiles) {
    size_t queries = 0;
    size_t reachable = 0;
    size_t failing = 0;
    std::map<std::string, size_t> skipped;
    for (uint64_t seed = arguments.from; seed < arguments.from + arguments.count; ++seed) {
      const TaModel model = generate(profile, seed);
      if (arguments.print) {
        show("model", model);
        break;
      }
      const Outcome outcome = check(model, profile, seed, arguments.scope);
      queries += outcome.queries;
      reachable += outcome.reachable;
      failing += outcome.failing;
      if (outcome.kind == Outcome::Kind::Skipped) ++skipped[outcome.problem];
      if (outcome.kind != Outcome::Kind::Disagreed) continue;
      report(profile, seed, model, outcome, arguments);
      if (++failures >= arguments.max_failures) return 1;
    }
    if (arguments.print) continue;
    std::printf("%-16s %llu models, %zu queries, %zu reachable, %zu failing", profile.name.c_str(),
                static_cast<unsigned long long>(arguments.count), queries, reachable, failing);
    for (const auto& [reason, count] : skipped) std::printf("; %zu skipped: %s", count, reason.c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}
