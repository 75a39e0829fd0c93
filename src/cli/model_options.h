// The options that tell how a model is read, within which limits, and which properties of it are meant; shared by the
// commands that read one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/limit_options.h"
#include "harrier/harrier.h"

namespace CLI {
class App;
}

namespace harrier::cli {

struct ModelOptions {
  std::string language = "auto";
  std::map<std::string, std::vector<std::string>> values;  // of options of languages
  std::map<std::string, bool> flags;
  LimitOptions limits;

  LoadOptions load_options() const;
  // Takes the place of an earlier `--define` of the same name.
  void redefine(const std::string& define);
};

// `options` has to live as long as the command.
void add_model_options(CLI::App& command, ModelOptions& options);

// A model and the properties to look at.
struct Subject {
  std::string model;
  ModelOptions model_options;
  std::string second_file;  // a part of the model, or queries
  std::vector<std::string> queries;
  std::vector<std::string> selected;
};

// MODEL, QUERIES, --query, --select and the options of the model. `subject` has to live as long as the command.
void add_subject(CLI::App& command, Subject& subject);

// Loads a model, of two files if the second one is not empty. Options of the command that do not apply to it are
// refused.
Model load_model(const std::string& file, const std::string& second_file, const ModelOptions& options,
                 const CLI::App& command);
// Loads the model with its queries, or those of the .q file beside it.
Model load_with_queries(const Subject& subject, bool quiet);
// The same; what does not apply is refused. Warnings go to standard error.
Model load_for_command(const Subject& subject, bool quiet, const CLI::App& command);
// The same; there must be at least one query.
Model load_subject(const Subject& subject, bool quiet, const CLI::App& command);

}  // namespace harrier::cli
