// The smaller commands: validate, show, polish, print, generate.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/model_options.h"
#include "cli/option_binding.h"
#include "cli/output.h"
#include "cli/selection.h"
#include "families/families.h"
#include "harrier/harrier.h"

namespace harrier::cli {

namespace {

// A file that is made of a model comes after it, which may be in two files.
struct FilesOfModel {
  std::string model;
  std::vector<std::string> behind;

  void add_to(CLI::App& command, const std::string& name, const std::string& help) {
    reads_files(command.add_option("MODEL", model, "model file; -: standard input"))->required();
    reads_files(command.add_option(name, behind, help + "; before it, of a model in two files, the other one"))
        ->required()
        ->expected(1, 2);
  }
  std::string second_file() const { return behind.size() == 2 ? behind.front() : ""; }
  const std::string& file() const { return behind.back(); }
};

// "valid: the property is satisfied, in 3 steps".
std::string to_text(const Validation& v) {
  std::string text = fmt::format("property: {}{}\n", v.property,
                                 v.of_model ? "" : "  (not one of the model's, only the trace names it)");
  if (!v.problem.empty()) return text + "invalid: " + v.problem + "\n";
  if (v.run) return text + fmt::format("valid: a run of the model, in {} step{}\n", v.length, v.length == 1 ? "" : "s");
  return text + fmt::format("valid: {}, {} {} step{}{}\n",
                            v.holds ? *v.holds ? "the property is satisfied" : "the property is violated"
                                    : "the model fails: " + v.failure,
                            v.holds ? "in" : "after", v.length, v.length == 1 ? "" : "s",
                            v.plan_cost ? fmt::format(", cost {}", *v.plan_cost) : "");
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  struct Arguments {
    FilesOfModel files;
    ModelOptions model_options;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("validate", "Replay a trace, or a plan, in an independent interpreter");
  a->files.add_to(*command, "TRACE",
                  "trace file (.json) written by check --trace or simulate, or plan of a planning task");
  add_model_options(*command, a->model_options);
  command->callback([a, command, &exit_code] {
    const Model model = load_model(a->files.model, a->files.second_file(), a->model_options, *command);
    CheckOptions limits;
    a->model_options.limits.bind(limits, model.load_seconds());
    const std::string& trace = a->files.file();
    const Validation v = model.validate(read_file(trace, a->model_options.load_options()), trace, limits);
    write_result(to_text(v));
    exit_code = v.problem.empty() ? kProved : kBadInput;
  });
}

void add_show(CLI::App& app, int& exit_code) {
  struct Arguments {
    FilesOfModel files;
    std::string page, chart;
    ModelOptions model_options;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("show", "Show a trace as text, as a page for browsers or as a chart");
  a->files.add_to(*command, "TRACE", "trace file (.json) written by check --trace");
  add_model_options(*command, a->model_options);
  bind_option(*command, "--html", a->page);
  bind_option(*command, "--chart", a->chart);
  command->callback([a, command, &exit_code] {
    const Model model = load_model(a->files.model, a->files.second_file(), a->model_options, *command);
    const std::string& file = a->files.file();
    const std::string text = read_file(file, a->model_options.load_options());
    std::vector<std::string> inputs = model.files();
    inputs.push_back(file);
    std::vector<OutputFile> outputs;
    if (!a->page.empty()) outputs.push_back({"--html", a->page});
    if (!a->chart.empty()) outputs.push_back({"--chart", a->chart});
    check_outputs(outputs, inputs);
    const auto loaded = std::chrono::steady_clock::now();
    const auto limits = [&] {
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - loaded;
      CheckOptions out;
      a->model_options.limits.bind(out, model.load_seconds() + since.count());
      return out;
    };
    // Only what is true is shown.
    const Validation valid = model.validate(text, file, limits());
    if (!valid.problem.empty()) throw Error(ErrorKind::Input, file + ": not a valid trace: " + valid.problem);
    const Trace trace = model.read_trace(text, file, limits());
    if (!a->page.empty()) write_file(a->page, to_page(trace, limits()));
    if (!a->chart.empty()) write_file(a->chart, to_chart(trace, chart_form(a->chart)));
    if (outputs.empty()) write_result(to_text(trace));
    exit_code = kProved;
  });
}

void add_polish(CLI::App& app, int& exit_code) {
  struct Arguments {
    FilesOfModel files;
    std::string output;
    ModelOptions model_options;
    uint64_t effort = 200'000;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("polish", "Look for a shorter path to the error of a trace, with fewer context switches");
  a->files.add_to(*command, "TRACE", "trace file (.json) written by check --trace");
  add_model_options(*command, a->model_options);
  command->add_option("--trace", a->output, "write the result as JSON")->type_name("FILE.json");
  command->add_option("--effort", a->effort, "states to look at, at most")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 40))
      ->capture_default_str();
  command->callback([a, command, &exit_code] {
    const Model model = load_model(a->files.model, a->files.second_file(), a->model_options, *command);
    CheckOptions options;
    a->model_options.limits.bind(options, model.load_seconds());
    const std::string& trace = a->files.file();
    std::vector<std::string> inputs = model.files();
    inputs.push_back(trace);
    if (!a->output.empty()) check_outputs({{"--trace", a->output}}, inputs);
    const CheckResult result =
        model.polish(read_file(trace, a->model_options.load_options()), trace, options, a->effort);
    write_result(fmt::format("{} step{}{}\n\n{}", *result.witness_length, *result.witness_length == 1 ? "" : "s",
                             result.shortest ? ", proved to be shortest" : "", result.trace_text));
    if (!a->output.empty()) write_file(a->output, result.trace_json);
    exit_code = kWitness;
  });
}

void add_print(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string model, second_file;
    ModelOptions model_options;
    bool sas = false;
    bool simplified = false;
    std::vector<std::string> selected;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("print", "Show the model inside: variables, processes, edges");
  reads_files(command->add_option("MODEL", a->model, "model file; -: standard input"))->required();
  reads_files(command->add_option("SECOND", a->second_file, "of a model in two files the other one"));
  command->add_flag("--sas", a->sas, "of a planning task: as a SAS+ task, version 3 of the format");
  CLI::Option* simplified =
      command->add_flag("--simplified", a->simplified, "as searches simplify it, which depends on the property");
  bind_option(*command, "--select", a->selected)->needs(simplified);
  add_model_options(*command, a->model_options);
  command->callback([a, command, &exit_code] {
    const Model model = load_model(a->model, a->second_file, a->model_options, *command);
    if (a->simplified) {
      for (const size_t property : selected_properties(model, a->selected)) {
        write_result(fmt::format("{}\n{}", model.property_text(property),
                                 model.print_simplified(property, a->model_options.load_options())));
      }
    } else {
      write_result(a->sas ? model.sas(a->model_options.load_options()) : model.print());
    }
    exit_code = kProved;
  });
}

void add_generate(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string family, language;
    uint32_t n = 0;
    bool query = false;
  };
  auto a = std::make_shared<Arguments>();
  std::string help = "Print one of our own scalable models:";
  std::vector<std::string> languages;
  for (const families::Language& language : families::languages()) {
    languages.emplace_back(language.name);
    help += fmt::format("\n in {}", language.name);
    for (const families::Family& f : language.families) help += fmt::format("\n  {:<14}{}", f.name, f.help);
  }
  CLI::App* command = app.add_subcommand("generate", help);
  command->add_option("FAMILY", a->family, "name of the family")->required();
  command->add_option("N", a->n, "size")->required();
  command->add_option("--language", a->language, "language of the model (default: the first that has the family)");
  command->add_flag("--query", a->query, "print the query that goes with the model instead");
  command->callback([a, languages, &exit_code] {
    if (!a->language.empty() && std::ranges::find(languages, a->language) == languages.end()) {
      throw Error(ErrorKind::Usage, "unknown language: " + not_one_of(a->language, languages));
    }
    const families::Family* family = families::find_family(a->family, a->language);
    if (family == nullptr) {
      std::vector<std::string> known;
      for (const families::Language& language : families::languages()) {
        for (const families::Family& f : language.families) {
          if (families::find_family(f.name, a->language) == &f) known.emplace_back(f.name);
        }
      }
      throw Error(ErrorKind::Usage, "unknown family: " + not_one_of(a->family, known));
    }
    if (a->n < family->min_n || a->n > family->max_n) {
      throw Error(ErrorKind::Usage,
                  fmt::format("{} takes a size from {} to {}", family->name, family->min_n, family->max_n));
    }
    const families::Generated generated = family->generate(a->n);
    if (a->query && generated.query.empty()) {
      throw Error(ErrorKind::Usage, fmt::format("--query: the property of {} is part of the model", family->name));
    }
    write_result(a->query ? generated.query + "\n" : generated.model);
    exit_code = kProved;
  });
}

}  // namespace harrier::cli
