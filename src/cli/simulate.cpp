// The command `simulate`: a dialogue at a terminal, or a script.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.h"
#include "cli/command_lines.h"
#include "cli/commands.h"
#include "cli/dialogue.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/model_options.h"
#include "cli/option_binding.h"
#include "cli/output.h"

namespace harrier::cli {

namespace {

struct Arguments {
  Subject subject;
  std::string script;
  std::string trace;
  uint64_t seed = 1;
};

// Does what can fail without an end of the dialogue, at a terminal: what was wrong is told there. In a script it ends
// the program, with the place in front.
template <class Work>
bool attempt(const CommandLines& lines, const Work& work) {
  try {
    return work();
  } catch (const Error& e) {
    if (!lines.on_terminal()) throw Error(e.kind(), lines.place() + ": " + e.what());
    if (e.kind() == ErrorKind::Internal) throw;
    note((e.kind() == ErrorKind::Usage ? "error: " : "") + std::string(e.what()) + "\n");
    return true;
  }
}

void talk(Dialogue& dialogue, CommandLines& lines) {
  for (;;) {
    await_interrupt();
    const std::optional<std::string> line = lines.next(dialogue.prompt());
    if (!line || !attempt(lines, [&] { return dialogue.obey(*line); })) return;
  }
}

void simulate(const Arguments& a, const CLI::App& command) {
  const LoadOptions options = a.subject.model_options.load_options();
  // A script that cannot be read is found out before a large model is loaded.
  std::optional<CommandLines> lines;
  if (a.script.empty() && (a.subject.model == kStandardInput || a.subject.second_file == kStandardInput)) {
    throw Error(ErrorKind::Usage, "the model is standard input: give the commands by --script");
  }
  if (a.script.empty()) {
    lines.emplace();
  } else {
    lines.emplace(a.script, read_file(a.script, options));
  }
  const Model model = load_for_command(a.subject, false, command);
  Dialogue dialogue(model, {options.time_limit_s, options.memory_limit_bytes, options.stop, {}}, a.seed);
  if (!a.trace.empty()) dialogue.load(a.trace);
  dialogue.show_place();
  talk(dialogue, *lines);
}

}  // namespace

void add_simulate(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("simulate", "Step through a model by hand, in a dialogue or by a script");
  add_subject(*command, a->subject);
  command->add_option("--script", a->script, "take the commands from a file, not from standard input")
      ->type_name("FILE");
  command->add_option("--load", a->trace, "begin at the end of a trace")->type_name("FILE.json");
  command->add_option("--seed", a->seed, "of random steps")->type_name("N")->capture_default_str();
  command->footer(
      "The command help tells what can be said. Limits bind each command. A command that fails ends a script with the "
      "exit code of what went wrong; run … until that does not get there is one, with 20.");
  command->callback([a, command, &exit_code] {
    simulate(*a, *command);
    exit_code = kProved;
  });
}

}  // namespace harrier::cli
