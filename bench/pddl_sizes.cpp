// Prints for every problem of a folder of planning domains how much can be reached, as CSV:
//
//     pddl_sizes DIRECTORY > docs/results/pddl-sizes.csv
//
// A problem's domain is `domain.pddl`, `domain_NAME` or `pNN-domain.pddl` beside it. Times are of the processor, for
// grounding alone.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "lang/pddl/grounding.h"
#include "lang/pddl/parser.h"

using namespace harrier;
namespace fs = std::filesystem;

namespace {

fs::path domain_of(const fs::path& problem) {
  const std::string name = problem.filename().string();
  for (const std::string& domain : {std::string("domain.pddl"), "domain_" + name, name.substr(0, 3) + "-domain.pddl"}) {
    if (fs::exists(problem.parent_path() / domain)) return problem.parent_path() / domain;
  }
  return {};
}

void measure(const fs::path& problem) {
  const fs::path domain = domain_of(problem);
  Sources sources;
  Diagnostics diagnostics;
  const uint32_t domain_file = sources.add_file(domain.string(), read_whole(domain.string(), Watch::none()));
  const uint32_t problem_file = sources.add_file(problem.string(), read_whole(problem.string(), Watch::none()));
  const pddl::Task task = pddl::parse(sources, domain_file, problem_file, diagnostics);
  if (diagnostics.has_errors()) throw to_error(sources, diagnostics);
  const std::clock_t start = std::clock();
  const pddl::GroundTask ground = pddl::ground(task, diagnostics);
  const double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{},{},{},{},{},{:.1f}\n", problem.parent_path().filename().string(), problem.filename().string(),
             ground.reachable.atoms, ground.reachable.operators, ground.reachable.axioms, ms);
}

std::vector<fs::path> problems(const fs::path& directory) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".pddl" && name.find("domain") == std::string::npos) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: pddl_sizes DIRECTORY\n");
    return 2;
  }
  try {
    fmt::print("domain,problem,atoms,operators,axioms,time_ms\n");
    for (const fs::path& problem : problems(argv[1])) measure(problem);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
