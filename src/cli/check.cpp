// `harrier check`: the properties of a model, one after the other.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/answer.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/expectation.h"
#include "cli/option_binding.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/result_json.h"
#include "cli/result_text.h"
#include "cli/selection.h"
#include "model/system.h"

namespace harrier::cli {

namespace {

// Where the witness of a property goes. With several properties the number is put before the suffix.
std::string trace_path(const std::string& file, size_t number, size_t count) {
  if (count == 1) return file;
  std::filesystem::path path(file);
  const std::string suffix = path.extension().string();
  return path.replace_extension().string() + "." + std::to_string(number) + suffix;
}

// The smaller sibling whose path guides the search; none unless asked for.
std::optional<Model> load_sibling(const CheckArguments& a) {
  if (a.guide_model.empty()) return std::nullopt;
  Subject subject = a.subject;
  subject.model = a.guide_model;
  subject.second_file.clear();
  for (const std::string& define : a.guide_defines) subject.model_options.redefine(define);
  Model sibling = load_with_queries(subject, a.quiet);
  // A query file that suits any size may serve both.
  if (sibling.property_count() == 0 && !a.subject.second_file.empty()) {
    sibling.add_query_file(a.subject.second_file, subject.model_options.load_options());
  }
  return sibling;
}

class Run {
 public:
  Run(const CheckArguments& a, const CLI::App& command, ResultDocument& document)
      : a_(a), document_(document), progress_(a.quiet, a.progress_every), options_(a.options()) {
    if (progress_.active()) options_.progress = [this](const Statistics& s) { progress_.show(s); };
    a.refuse_what_has_no_effect(command);
    a.abstraction.load(options_);
    const Expectations expectations(a.expected);
    model_.emplace(load_subject(a.subject, a.quiet, command));
    document_.warnings = model_->warnings();
    document_.translation = model_->translation();
    if (!a.json && !a.quiet) write_result(to_text(document_.translation));
    sibling_ = load_sibling(a);
    a.subject.model_options.limits.bind(options_, model_->load_seconds() + (sibling_ ? sibling_->load_seconds() : 0));
    const std::vector<size_t> selected = selected_properties(*model_, a.subject.selected);
    selected_ = selected.size();
    expectations.fit(selected_);
    std::vector<std::string> expected;
    for (size_t i = 0; i < selected.size(); ++i) {
      expected.push_back(expectations.of(i, model_->property(selected[i])));
    }
    check_files(selected);
    if (a.is_random() && !a.quiet) note(fmt::format("seed {}\n", a.seed));
    for (size_t i = 0; i < selected.size(); ++i) answer(selected[i], expected[i]);
    document_.exit_code = expectations.decide_exit_code() ? exit_code_of_expectations(document_.answers)
                                                          : worst_exit_code(document_.answers);
  }

 private:
  std::vector<OutputFile> files_of(size_t property) const {
    std::vector<OutputFile> out;
    for (const auto& [option, file] :
         {std::pair("--trace", a_.trace_file), std::pair("--trail", a_.trail_file), std::pair("--plan", a_.plan_file),
          std::pair("--chart", a_.chart_file), std::pair("--html", a_.page_file),
          std::pair("--save-abstraction", a_.abstraction.save_file())}) {
      if (!file.empty()) out.push_back({option, trace_path(file, property + 1, selected_)});
    }
    return out;
  }

  // Included files are among the inputs.
  void check_files(const std::vector<size_t>& selected) const {
    std::vector<std::string> inputs = {a_.subject.model};
    if (!a_.abstraction.load_file().empty()) inputs.push_back(a_.abstraction.load_file());
    for (const Model* model : {&*model_, sibling_ ? &*sibling_ : nullptr}) {
      if (model == nullptr) continue;
      inputs.insert(inputs.end(), model->files().begin(), model->files().end());
    }
    std::vector<OutputFile> outputs;
    for (const size_t property : selected) {
      for (OutputFile& file : files_of(property)) outputs.push_back(std::move(file));
    }
    check_outputs(outputs, inputs);
  }

  CheckResult check(size_t property) {
    if (sibling_) {
      options_.guide = model_->guide_from(*sibling_, property, options_);
      progress_.clear();
      if (!a_.quiet)
        note(fmt::format("guided by a path of {} steps of {}\n", options_.guide->steps.size(), a_.guide_model));
    }
    CheckResult result = model_->check(property, options_);
    if (result.search.empty()) result.search = a_.search;
    return result;
  }

  void answer(size_t property, const std::string& expected) {
    const PropertyInfo info = model_->property(property);
    progress_.begin(
        fmt::format("{}/{} {}", property + 1, model_->property_count(), info.name.empty() ? info.text : info.name),
        a_.search);
    Answer& answer = document_.answers.emplace_back(answer_of(property + 1, info, [&] { return check(property); }));
    progress_.clear();
    answer.expected = expected;
    answer.as_expected = expected.empty() || meets(answer, expected);
    if (!a_.json) write_result(to_text(answer, a_.quiet));
    if (answer.failure) note(answer.failure->complaint() + "\n");
    if (!answer.result) return;
    for (const OutputFile& file : files_of(property)) {
      const bool abstraction = file.option == "--save-abstraction";
      if (!abstraction && !answer.result->witness_length) continue;
      write_file(file.path, abstraction                ? answer.result->kept_abstractions
                            : file.option == "--trace" ? answer.result->trace_json
                            : file.option == "--chart" ? answer.result->trace_chart
                            : file.option == "--html"  ? answer.result->trace_page
                                                       : answer.result->trace_trail);
    }
    answer.result->kept_abstractions.clear();
    // Not needed any more, and long.
    answer.result->trace_text.clear();
    answer.result->trace_page.clear();
    if (!a_.json_witness) answer.result->trace_json.clear();
  }

  const CheckArguments& a_;
  ResultDocument& document_;
  Progress progress_;
  CheckOptions options_;
  std::optional<Model> model_;
  std::optional<Model> sibling_;
  size_t selected_ = 0;  // properties
};

int run(const CheckArguments& a, const CLI::App& command) {
  ResultDocument document;
  document.model = a.subject.model;
  document.options = given_values(command);
  document.seed = a.seed;
  document.witnesses = a.json_witness;
  if (!a.json) {
    const Run run(a, command, document);
    return document.exit_code;
  }
  try {
    const Run run(a, command, document);
  } catch (...) {
    document.failure = current_failure();
    document.exit_code = exit_code_of(document.failure->kind);
    note(document.failure->complaint() + "\n");
  }
  write_result(to_json(document));
  return document.exit_code;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Check the properties of a model");
  a->add_to(*command);
  command->footer(kExitCodes);
  command->callback([a, command, &exit_code] { exit_code = run(*a, *command); });
}

}  // namespace harrier::cli
