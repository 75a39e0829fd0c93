#include "cli/model_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace harrier::cli {

namespace {

const std::map<std::string, Language> kLanguages = {
    {"auto", Language::Auto}, {"uppaal", Language::Uppaal}, {"promela", Language::Promela}};

}  // namespace

LoadOptions ModelOptions::load_options() const {
  LoadOptions out;
  out.language = kLanguages.at(language);
  out.goals = goals;
  out.end_states = deadlock;
  out.assertions = !no_assert;
  out.ltl = ltl;
  out.claims = !no_claim;
  out.non_progress = non_progress;
  out.acceptance = acceptance;
  out.fairness = fairness;
  for (const std::string& define : defines) {
    const size_t sign = define.find('=');
    out.defines.emplace_back(define.substr(0, sign), sign == std::string::npos ? "1" : define.substr(sign + 1));
  }
  limits.bind(out);
  return out;
}

void ModelOptions::redefine(const std::string& define) {
  const auto name = [](const std::string& d) { return d.substr(0, d.find('=')); };
  std::erase_if(defines, [&](const std::string& d) { return name(d) == name(define); });
  defines.push_back(define);
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("--language", options.language, "of the model; auto: told from its suffix and content")
      ->check(CLI::IsMember(kLanguages))
      ->type_name("NAME")
      ->capture_default_str();
  CLI::Option* goal =
      command
          .add_option("--goal", options.goals, "Promela: an expression to reach, e.g. 'P@CS && x > 1'; may be repeated")
          ->type_name("EXPR");
  command.add_option("--define", options.defines, "Promela: a macro, NAME or NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE");
  command.add_flag(
      "--deadlock,!--no-deadlock", [&options](int64_t count) { options.deadlock = count > 0; },
      "Promela: look for invalid end states (without --goal and claims the default)");
  command.add_flag("--no-assert", options.no_assert, "Promela: let assertions fail");
  CLI::Option* ltl =
      command
          .add_option(
              "--ltl", options.ltl,
              "Promela: an ltl formula that all paths have to satisfy, or the name of a claim in the model; may "
              "be repeated; without it and --goal: all claims of the model")
          ->type_name("NAME|FORMULA")
          ->excludes(goal);
  command.add_flag("--no-claim", options.no_claim, "Promela: ignore the claims of the model")->excludes(ltl);
  CLI::Option* non_progress =
      command.add_flag("--non-progress", options.non_progress, "Promela: look for cycles without a progress label");
  non_progress->excludes(ltl)->excludes(goal);
  command.add_flag("--acceptance", options.acceptance, "Promela: look for cycles through accept labels of processes")
      ->excludes(non_progress)
      ->excludes(goal);
  command.add_flag("--fairness", options.fairness, "Promela: only cycles that starve no process count")->excludes(goal);
  add_limit_options(command, options.limits);
}

void add_subject(CLI::App& command, Subject& subject) {
  command.add_option("MODEL", subject.model, "model file (.xta, .ta, .xml; .pml, .pm, .prom, .pr, .p)")->required();
  add_model_options(command, subject.model_options);
  command.add_option("QUERIES", subject.query_file,
                     "query file (.q), added to the queries inside the model; without any query: MODEL's name with .q");
  command.add_option("--query", subject.queries, "a query, e.g. 'E<> P.cs'; may be repeated")->type_name("Q");
}

Model load_with_queries(const Subject& subject, bool quiet) {
  Model model = Model::load_file(subject.model, subject.model_options.load_options());
  const LoadOptions limits = subject.model_options.load_options();
  if (!subject.query_file.empty()) model.add_query_file(subject.query_file, limits);
  for (const std::string& query : subject.queries) model.add_query(query, limits);
  if (model.property_count() != 0 || !subject.query_file.empty()) return model;
  // UPPAAL keeps the queries of a text model beside it, under the same name.
  const std::string beside = std::filesystem::path(subject.model).replace_extension(".q").string();
  if (!std::filesystem::is_regular_file(beside)) return model;
  if (!quiet) fmt::print(stderr, "queries from {}\n", beside);
  model.add_query_file(beside, limits);
  return model;
}

Model load_subject(const Subject& subject, bool quiet) {
  Model model = load_with_queries(subject, quiet);
  fmt::print(stderr, "{}", model.warnings());
  if (model.property_count() == 0) {
    throw Error(ErrorKind::Usage, "'" + subject.model + "' has no queries: give a QUERIES.q file or --query 'E<> …'");
  }
  return model;
}

}  // namespace harrier::cli
