// `harrier validate`, `harrier print` and `harrier generate`.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "families/families.h"
#include "harrier/harrier.h"

namespace harrier::cli {

void add_validate(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string model, trace, queries;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("validate", "Replay a trace in an independent interpreter");
  command->add_option("MODEL", a->model, "model file")->required();
  command->add_option("TRACE", a->trace, "trace file (.json) written by check --trace")->required();
  command->callback([a, &exit_code] {
    const Model model = Model::load_file(a->model);
    const std::string problem = model.validate(read_file(a->trace), a->trace);
    write_result(problem.empty() ? "valid\n" : "invalid: " + problem + "\n");
    exit_code = problem.empty() ? kProved : kBadInput;
  });
}

void add_print(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("print", "Show the model inside: variables, processes, edges");
  command->add_option("MODEL", *path, "model file")->required();
  command->callback([path, &exit_code] {
    write_result(Model::load_file(*path).print());
    exit_code = kProved;
  });
}

void add_generate(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string family;
    uint32_t n = 0;
    bool query = false;
  };
  auto a = std::make_shared<Arguments>();
  std::string help = "Print one of our own scalable models (UPPAAL text):";
  for (const families::Family& f : families::families()) help += fmt::format("\n  {:<14}{}", f.name, f.help);
  CLI::App* command = app.add_subcommand("generate", help);
  command->add_option("FAMILY", a->family, "name of the family")->required();
  command->add_option("N", a->n, "size")->required();
  command->add_flag("--query", a->query, "print the query that goes with the model instead");
  command->callback([a, &exit_code] {
    const families::Family* family = families::find_family(a->family);
    if (family == nullptr) {
      std::string known;
      for (const families::Family& f : families::families()) known += std::string(known.empty() ? "" : ", ") + f.name;
      throw Error(ErrorKind::Usage, "unknown family '" + a->family + "' (known: " + known + ")");
    }
    if (a->n < family->min_n || a->n > family->max_n) {
      throw Error(ErrorKind::Usage, fmt::format("{} takes a size from {} to {}", family->name, family->min_n, family->max_n));
    }
    const families::Generated generated = family->generate(a->n);
    write_result(a->query ? generated.query + "\n" : generated.model);
    exit_code = kProved;
  });
}

}  // namespace harrier::cli
