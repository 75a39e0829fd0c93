#include "cli/man_page.h"

#include <fmt/format.h>

#include <cstdint>

#include "cli/exit_codes.h"
#include "harrier/version.h"

namespace harrier::cli {

namespace {

// The character that begins there, in UTF-8, as roff writes it; `at` moves behind it.
std::string beyond_ascii(const std::string& text, size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  uint32_t code = first & (first >= 0xf0 ? 0x07u : first >= 0xe0 ? 0x0fu : 0x1fu);
  for (; at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u; ++at) {
    code = code << 6u | (static_cast<unsigned char>(text[at]) & 0x3fu);
  }
  return fmt::format("\\[u{:04X}]", code);
}

// What roff would take for a request or an escape stands for itself.
std::string plain(const std::string& text) {
  std::string out;
  bool begins = true;  // a line
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    if ((static_cast<unsigned char>(c) & 0x80u) != 0) {
      out += beyond_ascii(text, i);
      continue;
    }
    ++i;
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.' && text.back() != '\n') text += '.';
  return text;
}

// Lines that begin with blanks stay lines of their own.
std::string paragraphs(const std::string& text) {
  if (text.find("\n ") == std::string::npos) return plain(text) + "\n";
  return ".nf\n" + plain(text) + "\n.fi\n";
}

std::string synopsis(const CommandPage& page, bool program) {
  std::string out =
      program ? bold("harrier") + " " + italic("COMMAND") + " " + plain("…") + "\n" : bold("harrier " + page.name);
  if (program) return out;
  for (const ArgumentPage& argument : page.arguments) {
    out += argument.required ? " " + italic(argument.name) : " [" + italic(argument.name) + "]";
  }
  return out + " [" + italic("OPTION") + " " + plain("…") + "]\n";
}

std::string entry(const OptionPage& option) {
  std::string out = ".TP\n";
  if (!option.shorthand.empty()) out += bold(option.shorthand) + ", ";
  out += bold(option.name);
  if (!option.value.empty()) out += " " + italic(option.value);
  out += "\n" + plain(sentence(option.summary)) + "\n";
  if (!option.help.empty()) out += plain(sentence(option.help)) + "\n";
  if (!option.choices.empty()) out += plain(fmt::format("One of {}.", fmt::join(option.choices, ", "))) + "\n";
  if (!option.fallback.empty()) out += plain("Default: " + option.fallback + ".") + "\n";
  return out;
}

}  // namespace

std::string man_page_name(const CommandPage& page) {
  return page.name == "harrier" ? page.name : "harrier-" + page.name;
}

std::string man_page(const CommandPage& page, const std::vector<CommandPage>& pages) {
  const bool program = page.name == "harrier";
  const std::string name = man_page_name(page);
  const size_t first_line = page.summary.find('\n');
  std::string out = fmt::format(".TH {} 1 \"\" \"harrier {}\" \"Harrier\"\n.SH NAME\n{} \\- {}\n", plain(name),
                                HARRIER_VERSION, plain(name), plain(page.summary.substr(0, first_line)));
  out += ".SH SYNOPSIS\n" + synopsis(page, program);
  if (first_line != std::string::npos) out += ".SH DESCRIPTION\n" + paragraphs(page.summary.substr(first_line + 1));
  if (program) {
    out += ".SH COMMANDS\n";
    for (size_t i = 1; i < pages.size(); ++i) {
      const std::string& summary = pages[i].summary;
      out += ".TP\n" + bold(pages[i].name) + "\n" + plain(sentence(summary.substr(0, summary.find_first_of(":\n")))) +
             "\n";
    }
  }
  if (!page.arguments.empty()) out += ".SH ARGUMENTS\n";
  for (const ArgumentPage& argument : page.arguments) {
    out += ".TP\n" + italic(argument.name) + "\n" + plain(sentence(argument.summary)) + "\n";
  }
  out += ".SH OPTIONS\n";
  std::string section;
  for (const OptionPage& option : page.options) {
    if (option.section != section) out += ".SS " + plain(option.section) + "\n";
    section = option.section;
    out += entry(option);
  }
  if (!page.footer.empty() && page.footer != kExitCodes) out += ".SH NOTES\n" + paragraphs(page.footer);
  out += ".SH EXIT STATUS\n" + paragraphs(kExitCodes);
  out += ".SH SEE ALSO\n";
  for (size_t i = 0; i < pages.size(); ++i) {
    if (&pages[i] == &page || pages[i].name == page.name || (!program && i != 0)) continue;
    out += ".BR " + plain(man_page_name(pages[i])) + " (1)\n";
  }
  return out;
}

}  // namespace harrier::cli
