#include "cli/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace harrier::cli {

namespace {

std::span<const CommandPage> commands_of(const std::vector<CommandPage>& pages) { return std::span(pages).subspan(1); }

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// What a line of help says first, short enough to stand beside a name.
std::string brief(const std::string& text) {
  constexpr size_t kLongest = 70;
  std::string out = text.substr(0, text.find_first_of(";:\n"));
  if (out.size() <= kLongest) return out;
  out.resize(out.rfind(' ', kLongest));
  return out;
}

std::string replaced(const std::string& text, const std::vector<std::pair<char, std::string>>& signs) {
  std::string out;
  for (const char c : text) {
    const auto sign = std::find_if(signs.begin(), signs.end(), [&](const auto& s) { return s.first == c; });
    out += sign == signs.end() ? std::string(1, c) : sign->second;
  }
  return out;
}

// Between single quotation marks.
std::string quoted(const std::string& text) { return "'" + replaced(text, {{'\'', "'\\''"}}) + "'"; }

std::vector<std::string> option_names(const CommandPage& page) {
  std::vector<std::string> out;
  for (const OptionPage& option : page.options) out.push_back(option.name);
  return out;
}

std::vector<std::string> command_names(const std::vector<CommandPage>& pages) {
  std::vector<std::string> out;
  for (const CommandPage& page : commands_of(pages)) out.push_back(page.name);
  return out;
}

// The words that the first argument can be.
std::vector<std::string> first_words(const CommandPage& page) {
  return page.arguments.empty() ? std::vector<std::string>() : page.arguments.front().choices;
}

bool takes_files(const CommandPage& page) {
  return std::any_of(page.arguments.begin(), page.arguments.end(), [](const ArgumentPage& a) { return a.file; });
}

}  // namespace

std::string bash_completions(const std::vector<CommandPage>& pages) {
  std::string out =
      "# Completions of harrier for bash, made by 'harrier completions bash'.\n"
      "_harrier() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n";
  std::vector<std::string> first = command_names(pages);
  for (const std::string& name : option_names(pages.front())) first.push_back(name);
  out += fmt::format("    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n    return\n  fi\n", joined(first));
  out += "  case ${COMP_WORDS[1]}:$before in\n";
  for (const CommandPage& page : commands_of(pages)) {
    std::vector<std::string> files;
    std::vector<std::string> other;
    for (const OptionPage& option : page.options) {
      const std::string pattern = page.name + ":" + option.name;
      if (!option.choices.empty()) {
        out += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", pattern,
                           joined(option.choices));
      } else if (!option.value.empty()) {
        (option.file ? files : other).push_back(pattern);
      }
    }
    if (!files.empty()) out += fmt::format("    {}) compopt -o default; return ;;\n", fmt::join(files, "|"));
    if (!other.empty()) out += fmt::format("    {}) return ;;\n", fmt::join(other, "|"));
  }
  out += "  esac\n  case ${COMP_WORDS[1]}:$word in\n";
  for (const CommandPage& page : commands_of(pages)) {
    out += fmt::format("    {}:-*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", page.name,
                       joined(option_names(page)));
    const std::vector<std::string> words = first_words(page);
    if (!words.empty()) {
      out += fmt::format("    {}:*) ((COMP_CWORD == 2)) && COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", page.name,
                         joined(words));
    } else if (takes_files(page)) {
      out += fmt::format("    {}:*) compopt -o default ;;\n", page.name);
    }
  }
  return out + "  esac\n}\ncomplete -F _harrier harrier\n";
}

std::string zsh_completions(const std::vector<CommandPage>& pages) {
  // Of a specification of _arguments: its parts are between brackets and colons.
  const auto text = [](const std::string& t) {
    return replaced(brief(t), {{'[', "("}, {']', ")"}, {':', " "}, {'\\', "\\\\"}});
  };
  const auto action = [](const std::vector<std::string>& choices, bool file) {
    return !choices.empty() ? "(" + joined(choices) + ")" : file ? "_files" : "";
  };
  std::string out =
      "#compdef harrier\n# Completions of harrier for zsh, made by 'harrier completions zsh'.\n"
      "_harrier() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n";
  for (const CommandPage& page : commands_of(pages)) {
    out += fmt::format("      {}\n", quoted(page.name + ":" + text(page.summary)));
  }
  out += fmt::format("    )\n    _describe command commands\n    compadd -- {}\n    return\n  fi\n",
                     joined(option_names(pages.front())));
  out += "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CommandPage& page : commands_of(pages)) {
    out += fmt::format("    {})\n      _arguments \\\n", page.name);
    for (const OptionPage& option : page.options) {
      std::string spec = fmt::format("*{}[{}]", option.name, text(option.summary));
      if (!option.value.empty()) {
        spec += fmt::format(":{}:{}", text(option.value), action(option.choices, option.file));
      }
      out += fmt::format("        {} \\\n", quoted(spec));
    }
    for (size_t i = 0; i < page.arguments.size(); ++i) {
      const ArgumentPage& argument = page.arguments[i];
      out += fmt::format("        {} \\\n",
                         quoted(fmt::format("{}:{}{}:{}", i + 1, argument.required ? "" : ":", text(argument.name),
                                            action(argument.choices, argument.file))));
    }
    out += "        ;;\n";
  }
  return out + "  esac\n}\n_harrier \"$@\"\n";
}

std::string fish_completions(const std::vector<CommandPage>& pages) {
  std::string out =
      "# Completions of harrier for fish, made by 'harrier completions fish'.\n"
      "complete -c harrier -f\n";
  const auto text = [](const std::string& t) {
    return "'" + replaced(brief(t), {{'\\', "\\\\"}, {'\'', "\\'"}}) + "'";
  };
  for (const OptionPage& option : pages.front().options) {
    out += fmt::format("complete -c harrier -n __fish_use_subcommand -l {} -d {}\n", option.name.substr(2),
                       text(option.summary));
  }
  for (const CommandPage& page : commands_of(pages)) {
    out += fmt::format("complete -c harrier -n __fish_use_subcommand -a {} -d {}\n", page.name, text(page.summary));
    const std::string here = fmt::format("complete -c harrier -n '__fish_seen_subcommand_from {}'", page.name);
    const std::vector<std::string> words = first_words(page);
    if (!words.empty()) out += fmt::format("{} -a '{}'\n", here, joined(words));
    if (takes_files(page)) out += here + " -F\n";
    for (const OptionPage& option : page.options) {
      out += fmt::format("{} -l {} -d {}", here, option.name.substr(2), text(option.summary));
      if (!option.choices.empty()) {
        out += fmt::format(" -x -a '{}'", joined(option.choices));
      } else if (!option.value.empty()) {
        out += option.file ? " -r -F" : " -x";
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace harrier::cli
