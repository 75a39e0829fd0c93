#include "cli/model_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/option_binding.h"
#include "cli/output.h"

namespace harrier::cli {

namespace {

// "model file (.xta, .ta, .xml; .pml, …); -: standard input".
std::string model_help() {
  std::vector<std::string> suffixes;
  for (const LanguageInfo& l : known_languages()) suffixes.push_back(fmt::format("{}", fmt::join(l.suffixes, ", ")));
  return fmt::format("model file ({}); -: standard input", fmt::join(suffixes, "; "));
}

// "PDDL: the domain or the problem".
std::string companions_help() {
  std::vector<std::string> texts;
  for (const LanguageInfo& l : known_languages()) {
    if (!l.companion.empty()) texts.push_back(l.title + ": " + l.companion);
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

LoadOptions ModelOptions::load_options() const {
  LoadOptions out;
  out.language = language;
  for (const auto& [name, given] : values) {
    for (const std::string& value : given) out.options.emplace_back(name, value);
  }
  for (const auto& [name, given] : flags) {
    if (given) out.options.emplace_back(name, "");
  }
  limits.bind(out);
  return out;
}

void ModelOptions::redefine(const std::string& define) {
  const auto name = [](const std::string& d) { return d.substr(0, d.find('=')); };
  std::vector<std::string>& defines = values["--define"];
  std::erase_if(defines, [&](const std::string& d) { return name(d) == name(define); });
  defines.push_back(define);
}

void add_model_options(CLI::App& command, ModelOptions& options) {
  bind_option(command, "--language", options.language);
  std::map<std::string, CLI::Option*> bound;
  for (const LanguageInfo& language : known_languages()) {
    for (const LanguageOption& o : language.options) {
      if (bound.contains(o.name)) continue;
      bound[o.name] = o.value.empty() ? bind_option(command, o.name, options.flags[o.name])
                                      : bind_option(command, o.name, options.values[o.name]);
      if (!o.value.empty() && !o.repeated) bound[o.name]->expected(1);
      if (!o.needs.empty()) continue;  // the table of options refuses it in its own words
      for (const std::string& other : o.excludes) bound[o.name]->excludes(bound.at(other));
    }
  }
  add_limit_options(command, options.limits);
}

void add_subject(CLI::App& command, Subject& subject) {
  reads_files(command.add_option("MODEL", subject.model, model_help()))->required();
  reads_files(command.add_option("QUERIES", subject.second_file,
                                 "query file (.q), added to the queries inside the model; without any query: MODEL's "
                                 "name with .q. Of a model in two files the other one (" +
                                     companions_help() + ")"));
  add_model_options(command, subject.model_options);
  bind_option(command, "--query", subject.queries);
  bind_option(command, "--select", subject.selected);
}

void refuse_for(const Model& model, const std::string& file, const std::set<std::string>& given) {
  const std::string problem = refusal_by_model(given, kind_of(model), file);
  if (!problem.empty()) throw Error(ErrorKind::Usage, problem);
  bool infinite = false;
  for (size_t i = 0; i < model.property_count(); ++i) infinite = infinite || model.property(i).infinite;
  for (const LanguageOption& o : model.language().options) {
    infinite = infinite || (o.cycles == LanguageOption::Cycles::Asks && given.contains(o.name));
  }
  for (const LanguageOption& o : model.language().options) {
    if (o.cycles != LanguageOption::Cycles::Needs || infinite || !given.contains(o.name)) continue;
    throw Error(ErrorKind::Usage, o.name + " needs " + o.needs);
  }
}

Model load_model(const std::string& file, const std::string& second_file, const ModelOptions& options,
                 const CLI::App& command) {
  LoadOptions load_options = options.load_options();
  load_options.second_file = second_file;
  Model model = Model::load_file(file, load_options);
  refuse_for(model, file, given_options(command));
  return model;
}

Model load_with_queries(const Subject& subject, bool quiet) {
  LoadOptions options = subject.model_options.load_options();
  options.second_file = subject.second_file;
  Model model = Model::load_file(subject.model, options);
  const LanguageInfo& language = model.language();
  if (!language.queries && !subject.queries.empty()) {
    throw Error(ErrorKind::Usage, refusal_by_model({"--query"}, kind_of(model), subject.model));
  }
  for (const std::string& query : subject.queries) model.add_query(query, options);
  if (model.property_count() != 0 || !subject.second_file.empty() || !language.queries) return model;
  // UPPAAL keeps the queries of a text model beside it, under the same name.
  const std::string beside = std::filesystem::path(subject.model).replace_extension(".q").string();
  if (!std::filesystem::is_regular_file(beside)) return model;
  if (!quiet) note("queries from " + beside + "\n");
  model.add_query_file(beside, options);
  return model;
}

Model load_for_command(const Subject& subject, bool quiet, const CLI::App& command) {
  Model model = load_with_queries(subject, quiet);
  note(model.warnings());
  refuse_for(model, subject.model, given_options(command));
  return model;
}

Model load_subject(const Subject& subject, bool quiet, const CLI::App& command) {
  Model model = load_for_command(subject, quiet, command);
  if (model.property_count() == 0) {
    throw Error(ErrorKind::Usage, "'" + subject.model + "' has no queries: give a QUERIES.q file or --query 'E<> …'");
  }
  return model;
}

}  // namespace harrier::cli
