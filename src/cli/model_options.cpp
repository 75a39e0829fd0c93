#include "cli/model_options.h"

#include <filesystem>
#include <map>

#include "cli/option_binding.h"
#include "cli/output.h"
#include "model/system.h"

namespace harrier::cli {

namespace {

const std::map<std::string, Language> kLanguages = {
    {"auto", Language::Auto}, {"uppaal", Language::Uppaal}, {"promela", Language::Promela}};

}  // namespace

LoadOptions ModelOptions::load_options() const {
  LoadOptions out;
  out.language = kLanguages.at(language);
  out.goals = goals;
  if (deadlock || no_deadlock) out.end_states = deadlock;
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
  bind_option(command, "--language", options.language);
  bind_option(command, "--define", options.defines);
  CLI::Option* goal = bind_option(command, "--goal", options.goals);
  CLI::Option* deadlock = bind_option(command, "--deadlock", options.deadlock);
  bind_option(command, "--no-deadlock", options.no_deadlock)->excludes(deadlock);
  bind_option(command, "--no-assert", options.no_assert);
  CLI::Option* ltl = bind_option(command, "--ltl", options.ltl)->excludes(goal);
  bind_option(command, "--no-claim", options.no_claim)->excludes(ltl);
  CLI::Option* non_progress =
      bind_option(command, "--non-progress", options.non_progress)->excludes(ltl)->excludes(goal);
  bind_option(command, "--acceptance", options.acceptance)->excludes(non_progress)->excludes(goal);
  bind_option(command, "--fairness", options.fairness)->excludes(goal);
  add_limit_options(command, options.limits);
}

void add_subject(CLI::App& command, Subject& subject) {
  command.add_option("MODEL", subject.model, "model file (.xta, .ta, .xml; .pml, .pm, .prom, .pr, .p)")->required();
  command.add_option("QUERIES", subject.query_file,
                     "query file (.q), added to the queries inside the model; without any query: MODEL's name with .q");
  add_model_options(command, subject.model_options);
  bind_option(command, "--query", subject.queries);
  bind_option(command, "--select", subject.selected);
}

Models kind_of(const Model& model) {
  if (model.language() == Language::Promela) return kPromela;
  return model.system().clocks.size() > 1 ? kTimed : kUntimed;
}

void refuse_for(const Model& model, const std::string& file, const std::set<std::string>& given) {
  const std::string problem = refusal_by_model(given, kind_of(model), file);
  if (!problem.empty()) throw Error(ErrorKind::Usage, problem);
  bool infinite = given.contains("--ltl") || given.contains("--acceptance") || given.contains("--non-progress");
  for (size_t i = 0; i < model.property_count(); ++i) infinite = infinite || model.property(i).infinite;
  if (given.contains("--fairness") && !infinite) {
    throw Error(ErrorKind::Usage, std::string("--fairness needs ") + option_entry("--fairness").needs);
  }
}

Model load_model(const std::string& file, const ModelOptions& options, const CLI::App& command) {
  Model model = Model::load_file(file, options.load_options());
  refuse_for(model, file, given_options(command));
  return model;
}

Model load_with_queries(const Subject& subject, bool quiet) {
  const LoadOptions options = subject.model_options.load_options();
  Model model = Model::load_file(subject.model, options);
  if (model.language() == Language::Promela && !subject.query_file.empty()) {
    throw Error(ErrorKind::Usage, "QUERIES '" + subject.query_file + "' is for UPPAAL models; '" + subject.model +
                                      "' is a Promela model, which takes --goal and --ltl");
  }
  if (model.language() == Language::Promela && !subject.queries.empty()) {
    throw Error(ErrorKind::Usage, refusal_by_model({"--query"}, kPromela, subject.model));
  }
  if (!subject.query_file.empty()) model.add_query_file(subject.query_file, options);
  for (const std::string& query : subject.queries) model.add_query(query, options);
  if (model.property_count() != 0 || !subject.query_file.empty()) return model;
  // UPPAAL keeps the queries of a text model beside it, under the same name.
  const std::string beside = std::filesystem::path(subject.model).replace_extension(".q").string();
  if (!std::filesystem::is_regular_file(beside)) return model;
  if (!quiet) note("queries from " + beside + "\n");
  model.add_query_file(beside, options);
  return model;
}

Model load_subject(const Subject& subject, bool quiet, const CLI::App& command) {
  Model model = load_with_queries(subject, quiet);
  note(model.warnings());
  refuse_for(model, subject.model, given_options(command));
  if (model.property_count() == 0) {
    throw Error(ErrorKind::Usage, "'" + subject.model + "' has no queries: give a QUERIES.q file or --query 'E<> …'");
  }
  return model;
}

}  // namespace harrier::cli
