// The command line as data, for what is made of it: completions for shells (completions.h) and man pages (man_page.h).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace harrier::cli {

struct OptionPage {
  std::string name;       // "--search"
  std::string shorthand;  // "-h", or empty
  std::string value;      // what it takes, or empty
  std::string summary;
  std::string help;  // more, from the table of options
  std::string fallback;
  std::string section;
  std::vector<std::string> choices;  // words that it takes, if these are known
  bool file = false;                 // it takes the name of a file
};

struct ArgumentPage {
  std::string name;
  std::string summary;
  bool required = false;
  std::vector<std::string> choices;  // as above
  bool file = false;
};

struct CommandPage {
  std::string name;
  std::string summary;
  std::string footer;
  std::vector<ArgumentPage> arguments;
  std::vector<OptionPage> options;
};

// The program first, with the options that stand before a command; then each command.
std::vector<CommandPage> command_pages(const CLI::App& app);

}  // namespace harrier::cli
