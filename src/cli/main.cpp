// The `harrier` program: the command line, and exit codes for whatever happens.
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>

#include "cli/commands.h"
#include "harrier/error.h"

namespace {

using namespace harrier;
using namespace harrier::cli;

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage:
    case ErrorKind::Input:
    case ErrorKind::Runtime: return kBadInput;
    case ErrorKind::Unsupported: return kUnsupported;
    case ErrorKind::Limit: return kInconclusive;
    case ErrorKind::Internal: break;
  }
  return kInternal;
}

int run(int argc, char** argv) {
  int exit_code = kProved;
  CLI::App app("Harrier: finds error states in concurrent and real-time systems");
  app.require_subcommand(1);
  app.set_version_flag("--version", "harrier " HARRIER_VERSION);
  app.footer(
      "Exit codes: 0 proved, 10 witness found, 20 inconclusive, 2 bad usage or input, 3 unsupported, 70 internal "
      "error.");
  add_check(app, exit_code);
  add_analyse(app, exit_code);
  add_validate(app, exit_code);
  add_polish(app, exit_code);
  add_print(app, exit_code);
  add_list(app, exit_code);
  add_explain(app, exit_code);
  add_generate(app, exit_code);
  const auto is_meant = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_meant).empty()) {
    throw Error(ErrorKind::Usage, std::string("unknown command '") + argv[1] + "'; try harrier --help");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream help;
    std::ostringstream problem;
    const bool wanted = app.exit(e, help, problem) == 0;
    write_result(help.str());
    std::fputs(problem.str().c_str(), stderr);
    return wanted ? kProved : kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error like any other
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s%s\n",
                 e.kind() == ErrorKind::Usage      ? "error: "
                 : e.kind() == ErrorKind::Internal ? "internal error: "
                                                   : "",
                 e.what());
    return exit_code_of(e.kind());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: out of memory\n");
    return kInconclusive;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "internal error: %s\n", e.what());
    return kInternal;
  }
}
