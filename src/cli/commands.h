// The commands of the `harrier` program. Each adds itself to the command line and is run when chosen.
#pragma once

namespace CLI {
class App;
}

namespace harrier::cli {

// Sets `exit_code` when its command is run.
void add_check(CLI::App& app, int& exit_code);
void add_analyse(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_polish(CLI::App& app, int& exit_code);
void add_print(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_simulate(CLI::App& app, int& exit_code);
void add_generate(CLI::App& app, int& exit_code);
// These tell about all commands, when they are run.
void add_completions(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);

}  // namespace harrier::cli
