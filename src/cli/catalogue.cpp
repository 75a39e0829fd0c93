// `harrier list` and `harrier explain`: the heuristics, searches, preferences, languages and options that there are,
// from their tables; and the page docs/options.md, which is made of them.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/known_names.h"
#include "cli/option_binding.h"
#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/result_json.h"

namespace harrier::cli {

namespace {

const char* yes_no(bool value) { return value ? "yes" : "no"; }

// The models to which an option applies, with a search or with any.
Models models_with(const OptionEntry& e, Search search) { return e.searches & set_of(search) ? e.models : Models{0}; }

// The column of a table is narrow.
std::string cell_text(Models models) {
  if (models == kAnyModel) return "✓";
  if (models == with_clocks()) return "T";
  if (models == without_clocks()) return "D";
  return models_text(models);
}

std::string searches_text(Searches searches) {
  std::vector<std::string> names;
  for (const SearchInfo& e : known_searches()) {
    if (searches & set_of(e.search)) names.emplace_back(e.name);
  }
  return names.size() == known_searches().size() ? "all" : fmt::format("{}", fmt::join(names, ", "));
}

std::string range_text(const OptionEntry& e) {
  if (!e.choices.empty()) return fmt::format("{}", fmt::join(e.choices, ", "));
  if (!e.range) return "";
  if (e.range->second >= 1e18) return fmt::format("from {:.15g}", e.range->first);
  return fmt::format("{:.15g} to {:.15g}", e.range->first, e.range->second);
}

std::string with_value(const OptionEntry& e) {
  const std::string name = e.name;
  return *e.value == '\0' || name.find(' ') != std::string::npos ? name : name + " " + e.value;
}

std::string list_text() {
  std::string text = fmt::format("{:<9} {:<11} {:<5} {}\n", "heuristic", "admissible", "safe", "");
  for (const HeuristicInfo& h : heuristics()) {
    text += fmt::format("{:<9} {:<11} {:<5} {}\n", h.name, yes_no(h.admissible), yes_no(h.safe), h.summary);
  }
  text += "\nsearch\n";
  for (const SearchInfo& s : known_searches()) text += fmt::format("{:<16} {}\n", s.name, s.summary);
  text += "\npreference (--prefer)\n";
  for (const PreferenceInfo& p : known_preferences()) text += fmt::format("{:<16} {}\n", p.name, p.summary);
  text += "\nlanguage\n";
  for (const LanguageInfo& l : known_languages()) text += fmt::format("{:<16} {}\n", l.name, l.summary);
  return text + "\n'harrier list --options' lists the options of 'harrier check', 'harrier explain NAME' tells more.\n";
}

std::string options_text() {
  std::string text;
  const char* section = "";
  for (const OptionEntry& e : option_table()) {
    if (section != std::string(section_name(e.section)))
      text += fmt::format("{}{}\n", *section ? "\n" : "", section_name(e.section));
    section = section_name(e.section);
    text += fmt::format("  {:<32} {}\n", with_value(e), e.summary);
  }
  return text;
}

Json options_json() {
  Json out = Json::array();
  for (const OptionEntry& e : option_table()) {
    Json accepts = Json::object();
    for (const SearchInfo& s : known_searches()) {
      Json models = Json::array();
      for (const ModelKind& kind : model_kinds()) {
        if (models_with(e, s.search) & kind.bit) models.push_back(kind.name);
      }
      accepts[s.name] = models;
    }
    out.push_back({{"name", e.name},
                   {"value", e.value},
                   {"default", e.fallback},
                   {"range", range_text(e)},
                   {"summary", e.summary},
                   {"help", e.help},
                   {"needs", e.needs},
                   {"accepts", accepts},
                   {"example", e.example}});
  }
  return out;
}

// A pipe ends a cell.
std::string escaped(std::string text) {
  for (size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

std::string options_markdown() {
  std::string text =
      "# The options of `harrier check`\n\n"
      "This page is made by `harrier list --options --markdown`; a test checks that it is up to date, and another "
      "that\n"
      "every option does with every search and kind of model what the last table says. `harrier explain OPTION` prints "
      "one\n"
      "entry. `--language` and the options of languages (`harrier explain LANGUAGE` has them) are also taken by "
      "`analyse`,\n"
      "`validate`, `show`, `polish`, `print` and `simulate`.\n\n"
      "An option that does not apply is refused by name, with exit code 2; none is passed over.\n";
  const char* section = "";
  for (const OptionEntry& e : option_table()) {
    if (section != std::string(section_name(e.section))) {
      text += fmt::format("\n## {}\n\n| option | default | values | |\n|---|---|---|---|\n", section_name(e.section));
    }
    section = section_name(e.section);
    std::string what = e.summary;
    if (*e.help != '\0') what += fmt::format(". {}", e.help);
    if (what.back() == '.') what.pop_back();
    if (*e.needs != '\0') what += fmt::format(". Needs {}", e.needs);
    text += fmt::format("| `{}` | {} | {} | {} |\n", escaped(with_value(e)), e.fallback, escaped(range_text(e)),
                        escaped(what));
  }
  text +=
      "\n## Option × language × search: effect or refusal\n\n"
      "✓: has an effect; –: refused. A language: models of this language only; T: models with clocks only; D: models\n"
      "without clocks only. On other models the option is refused.\n\n| option |";
  for (const SearchInfo& s : known_searches()) text += fmt::format(" {} |", s.name);
  text += "\n|---|";
  for (size_t i = 0; i < known_searches().size(); ++i) text += "---|";
  text += "\n";
  for (const OptionEntry& e : option_table()) {
    if (e.example.empty()) continue;
    text += fmt::format("| `{}` |", e.name);
    for (const SearchInfo& s : known_searches()) text += fmt::format(" {} |", cell_text(models_with(e, s.search)));
    text += "\n";
  }
  return text +
         "\nProperties about infinite paths (`--ltl`, claims, `--acceptance`, `--non-progress`) are looked for by "
         "`auto`, `dfs`,\n"
         "`sbfs` and `walk`; with other searches, `--safe-abstraction` or `--prefer` such a property is not answered "
         "(exit "
         "code 3),\n"
         "which keeps no other property from being answered.\n";
}

// The options about abstractions that a heuristic heeds, with the names that they take.
std::string abstractions_of(const HeuristicInfo& h) {
  std::string text;
  for (const OptionEntry& e : option_table()) {
    if (e.section != Section::Abstractions) continue;
    const bool always = e.satisfied({Search::AStar, h, {}});
    if (!always && !e.satisfied({Search::AStar, h, {"--heuristic-clocks"}})) continue;
    const char* when = always ? "" : " (with --heuristic-clocks)";
    text += fmt::format("  {:<32} {}{}\n", with_value(e), e.summary, when);
  }
  return text.empty() ? "" : "\noptions of its abstraction\n" + text;
}

std::string explained(const HeuristicInfo& h) {
  return fmt::format(
      "{}: {}\n\n{}\n\nadmissible (never exceeds the true distance): {}\n"
      "safe (its dead ends are proved): {}\ntakes clocks into account: {}\ncounts what steps cost: {}\nprefers "
      "transitions: {}\nfollows a smaller sibling: {}\nmodels with clocks: {}\nmodels with choices or several initial "
      "states: {}\ndefined in: {}\n{}",
      h.name, h.summary, h.help, yes_no(h.admissible), yes_no(h.safe), h.clocks ? "with --heuristic-clocks" : "no",
      h.costs ? "with --cost" : "no, steps alone", h.preferred ? "with --prefer preferred" : "no",
      h.sibling ? "with --guide-from" : "no", yes_no(h.timed), yes_no(h.choices), h.citation, abstractions_of(h));
}

std::string explained(const OptionEntry& e) {
  std::string text = fmt::format("{}: {}\n", with_value(e), e.summary);
  if (*e.help != '\0') text += fmt::format("\n{}\n", e.help);
  text += fmt::format("\nmodels: {}\nsearches: {}\n", models_text(e.models), searches_text(e.searches));
  if (*e.fallback != '\0') text += fmt::format("default: {}\n", e.fallback);
  if (const std::string range = range_text(e); !range.empty()) text += fmt::format("values: {}\n", range);
  if (*e.needs != '\0') text += fmt::format("needs {}\n", e.needs);
  return text;
}

// The options that apply to this search, but not to all.
std::string options_of(Search search) {
  std::string text;
  for (const OptionEntry& e : option_table()) {
    if (e.searches == kAnySearch || !(e.searches & set_of(search))) continue;
    text += fmt::format("  {:<32} {}\n", with_value(e), e.summary);
  }
  return text.empty() ? "" : "\noptions that not every search has\n" + text;
}

std::string explained(const SearchInfo& s) {
  return fmt::format("{}: {}\n\n{}\n{}", s.name, s.summary, s.help, options_of(s.search));
}

std::string explained(const PreferenceInfo& p) {
  const OptionEntry& option = option_entry("--prefer " + p.name);
  return fmt::format("{}: {}\n\n{}\n\nsearches: {}\nneeds {}\ndefined in: {}\n", p.name, p.summary, p.help,
                     searches_text(option.searches),
                     *option.needs != '\0' ? option.needs
                     : p.guided            ? "a heuristic"
                                           : "nothing else",
                     p.citation);
}

std::string explained(const LanguageInfo& l) {
  std::string text =
      fmt::format("{}: {}\n\nsuffixes: {}\nqueries: {}\nclocks: {}\ntrails (--trail): {}\n", l.name, l.summary,
                  fmt::join(l.suffixes, ", "), yes_no(l.queries), yes_no(l.clocks), yes_no(l.trail));
  if (!l.options.empty()) text += "\noptions\n";
  for (const LanguageOption& o : l.options)
    text += fmt::format("  {:<32} {}\n", o.name + (o.value.empty() ? "" : " ") + o.value, o.summary);
  return text;
}

std::string explained(const std::string& name) {
  std::vector<std::string> known;
  for (const LanguageInfo& l : known_languages()) {
    if (l.name == name) return explained(l);
    known.push_back(l.name);
  }
  for (const HeuristicInfo& h : heuristics()) {
    if (h.name == name) return explained(h);
    known.push_back(h.name);
  }
  for (const SearchInfo& s : known_searches()) {
    if (s.name == name) return explained(s);
    known.push_back(s.name);
  }
  for (const PreferenceInfo& p : known_preferences()) {
    if (p.name == name) return explained(p);
    known.push_back(p.name);
  }
  std::string text;
  for (const OptionEntry& e : option_table()) {
    const std::string option = e.name;
    const std::string base = option.substr(0, option.find(' '));
    if (option == name || base == name || base == "--" + name) text += (text.empty() ? "" : "\n") + explained(e);
    known.push_back(option);
  }
  if (!text.empty()) return text;
  const std::string hint = suggestion(name, known);
  throw Error(ErrorKind::Usage,
              "unknown name '" + name + "'" + (hint.empty() ? "" : "; " + hint) +
                  " ('harrier list' has all names but those of options, 'harrier list --options' has these)");
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  struct Arguments {
    bool options = false;
    bool markdown = false;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("list", "List heuristics, searches, preferences and languages, or the options of check");
  CLI::Option* options = command->add_flag("--options", a->options, "the options of 'harrier check'");
  CLI::Option* markdown =
      command->add_flag("--markdown", a->markdown, "as the page docs/options.md, with a table of what applies where");
  command->add_flag("--json", a->json, "as JSON")->needs(options)->excludes(markdown);
  markdown->needs(options);
  command->callback([a, &exit_code] {
    write_result(!a->options   ? list_text()
                 : a->markdown ? options_markdown()
                 : a->json     ? printed(options_json())
                               : options_text());
    exit_code = kProved;
  });
}

void add_explain(CLI::App& app, int& exit_code) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain a heuristic, search, preference, language or option of check");
  command->add_option("NAME", *name, "a name of 'harrier list' or 'harrier list --options'");
  command->allow_extras();  // options, which are not those of this command
  command->callback([name, command, &exit_code] {
    std::vector<std::string> names = command->remaining();
    if (!name->empty()) names.insert(names.begin(), *name);
    if (names.size() != 1) throw Error(ErrorKind::Usage, "'harrier explain' takes one name");
    write_result(explained(names[0]));
    exit_code = kProved;
  });
}

}  // namespace harrier::cli
