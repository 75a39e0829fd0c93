// The commands of the `harrier` program. Each adds itself to the command line and is run when chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace harrier::cli {

// Exit codes, stable.
enum ExitCode : int {
  kProved = 0,         // every property was decided and no witness was found
  kBadInput = 2,       // bad usage or input, or the model fails at run time
  kUnsupported = 3,    // a feature that is understood but refused
  kWitness = 10,       // a witness was found
  kInconclusive = 20,  // no witness, and a limit was hit or the search is incomplete
  kInternal = 70,      // a bug in Harrier
};

// Sets `exit_code` when its command is run.
void add_check(CLI::App& app, int& exit_code);
void add_analyse(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_polish(CLI::App& app, int& exit_code);
void add_print(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);

// Writes a result to standard output. Throws Error(Input) if that fails (a full disk, a closed pipe).
void write_result(const std::string& text);
// Writes a file as a whole; a failure leaves no half-written file behind under its name.
void write_file(const std::string& path, const std::string& text);

}  // namespace harrier::cli
