// The commands that tell about the command line: completions, man.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/completions.h"
#include "cli/exit_codes.h"
#include "cli/man_page.h"
#include "cli/output.h"
#include "harrier/error.h"

namespace harrier::cli {

namespace {

const CommandPage& page_of(const std::vector<CommandPage>& pages, const std::string& name) {
  std::vector<std::string> known;
  for (const CommandPage& page : pages) {
    if (page.name == name) return page;
    known.push_back(page.name);
  }
  throw Error(ErrorKind::Usage, "unknown command: " + not_one_of(name, known));
}

void write_all(const std::vector<CommandPage>& pages, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ErrorKind::Input, "cannot make '" + folder + "': " + error.message());
  for (const CommandPage& page : pages) {
    write_file(folder + "/" + man_page_name(page) + ".1", man_page(page, pages));
  }
}

}  // namespace

void add_completions(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completions", "Print a script with which a shell completes what is typed");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  command->callback([shell, &app, &exit_code] {
    const std::vector<CommandPage> pages = command_pages(app);
    const std::vector<std::string> known{"bash", "zsh", "fish"};
    if (*shell == "bash") {
      write_result(bash_completions(pages));
    } else if (*shell == "zsh") {
      write_result(zsh_completions(pages));
    } else if (*shell == "fish") {
      write_result(fish_completions(pages));
    } else {
      throw Error(ErrorKind::Usage, "unknown shell: " + not_one_of(*shell, known));
    }
    exit_code = kProved;
  });
}

void add_man(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string name = "harrier";
    std::string folder;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("man", "Print a man page: harrier man | man -l -");
  CLI::Option* name = command->add_option("COMMAND", a->name, "of a command, not of the program");
  command->add_option("--all", a->folder, "write all of them to a folder")->type_name("DIR")->excludes(name);
  command->callback([a, &app, &exit_code] {
    const std::vector<CommandPage> pages = command_pages(app);
    if (a->folder.empty()) {
      write_result(man_page(page_of(pages, a->name), pages));
    } else {
      write_all(pages, a->folder);
    }
    exit_code = kProved;
  });
}

}  // namespace harrier::cli
