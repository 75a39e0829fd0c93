// The `harrier` program: the command line, and exit codes for whatever happens.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <sstream>

#include "base/suggest.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/result_json.h"
#include "cli/version.h"

namespace {

using namespace harrier;
using namespace harrier::cli;

std::string with_suggestion(const std::string& problem, const std::string& wrong,
                            const std::vector<std::string>& known) {
  const std::string hint = suggestion(wrong, known);
  return hint.empty() ? problem : problem + "; " + hint;
}

// What is wrong with the arguments, as CLI11 found it.
std::string problem_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || commands.empty()) return error.what();
  const CLI::App& command = *commands[0];
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& extra : app.remaining(true)) {
    if (!extra.starts_with('-')) return "unexpected argument '" + extra + "'";
    const std::string name = extra.substr(0, extra.find('='));
    return with_suggestion("unknown option '" + name + "' of 'harrier " + command.get_name() + "'", name, known);
  }
  return error.what();
}

int run(int argc, char** argv) {
  int exit_code = kProved;
  CLI::App app("Harrier: finds error states in concurrent and real-time systems");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text());
  app.footer(kExitCodes);
  add_check(app, exit_code);
  add_analyse(app, exit_code);
  add_validate(app, exit_code);
  add_show(app, exit_code);
  add_polish(app, exit_code);
  add_print(app, exit_code);
  add_list(app, exit_code);
  add_explain(app, exit_code);
  add_simulate(app, exit_code);
  add_generate(app, exit_code);
  add_completions(app, exit_code);
  add_man(app, exit_code);
  if (argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(command->get_name());
    }
    if (std::find(known.begin(), known.end(), argv[1]) == known.end()) {
      throw Error(ErrorKind::Usage, with_suggestion(std::string("unknown command '") + argv[1] + "'", argv[1], known) +
                                        "; try harrier --help");
    }
  }
  if (std::count(argv, argv + argc, std::string("-")) > 1) {
    throw Error(ErrorKind::Usage, "only one of the files can be standard input ('-')");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream help;
    std::ostringstream unused;
    if (app.exit(e, help, unused) != 0) throw Error(ErrorKind::Usage, problem_text(app, e));
    write_result(help.str());
  }
  return exit_code;
}

// Programs that read JSON get a document whatever happens.
void report(int argc, char** argv, const Failure& failure, int exit_code) {
  note(failure.complaint() + "\n");
  if (std::find(argv, argv + argc, std::string("--json")) == argv + argc) return;
  try {
    write_result(error_document(argv[1][0] == '-' ? "" : argv[1], failure, exit_code));
  } catch (const Error&) {
    // That standard output fails may be what is to be told.
  }
}

}  // namespace

int main(int argc, char** argv) {
  guard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error like any other
  try {
    return run(argc, argv);
  } catch (...) {
    const Failure failure = current_failure();
    const int exit_code = exit_code_of(failure.kind);
    report(argc, argv, failure, exit_code);
    return exit_code;
  }
}
