#include "lang/promela/frontend.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lang/promela/promela.h"
#include "lang/promela/trail.h"

namespace harrier::promela {

namespace {

Options to_options(const LanguageOptions& given) {
  Options out;
  for (const std::string& define : lang::values_of(given, "--define")) {
    const size_t sign = define.find('=');
    out.defines.emplace_back(define.substr(0, sign), sign == std::string::npos ? "1" : define.substr(sign + 1));
  }
  out.goals = lang::values_of(given, "--goal");
  if (lang::is_given(given, "--deadlock")) out.end_states = true;
  if (lang::is_given(given, "--no-deadlock")) out.end_states = false;
  out.assertions = !lang::is_given(given, "--no-assert");
  out.ltl = lang::values_of(given, "--ltl");
  out.claims = !lang::is_given(given, "--no-claim");
  out.non_progress = lang::is_given(given, "--non-progress");
  out.acceptance = lang::is_given(given, "--acceptance");
  out.fairness = lang::is_given(given, "--fairness");
  return out;
}

// A system with room for the processes that are known to be needed; more of them may start.
class Program : public lang::Instance {
 public:
  static std::shared_ptr<const Instance> make(Source source, const Watch& watch) {
    Diagnostics diagnostics(watch);
    source.lower(diagnostics);
    lang::settle(source.system()->sources, diagnostics);
    return std::make_shared<Program>(std::move(source));
  }
  explicit Program(Source source) : Instance(source.system(), source.properties()), source_(std::move(source)) {}

  std::shared_ptr<const Instance> refined(std::span<const int32_t> values, const Watch& watch) const override {
    Source more = source_;
    more.make_room(values);
    return make(std::move(more), watch);
  }
  // Edges are numbered as the processes ask for that there is room for.
  std::shared_ptr<const Instance> with_processes(const std::vector<std::string>& names,
                                                 const Watch& watch) const override {
    Source these = source_;
    these.make_room_for(names);
    return make(std::move(these), watch);
  }
  bool may_be_incomplete() const override { return source_.may_lack_room(); }
  std::string trail(const model::Path& path) const override { return to_trail(system(), source_.trail(), path); }
  const Source& source() const { return source_; }

 private:
  Source source_;
};

class ProgramText : public lang::Document {
 public:
  ProgramText(std::vector<Source> sources, std::string warnings)
      : Document(std::move(warnings)), sources_(std::move(sources)) {}

  size_t instances() const override { return sources_.size(); }
  std::shared_ptr<const lang::Instance> instance(size_t number, const lang::Instance* known,
                                                 const Watch& watch) const override {
    Source source = sources_[number];
    if (known != nullptr) source.make_room_as(dynamic_cast<const Program&>(*known).source());
    return Program::make(std::move(source), watch);
  }
  std::shared_ptr<const lang::Instance> with_condition(const lang::Instance& instance, std::string text,
                                                       const Watch& watch) const override {
    Diagnostics diagnostics(watch);
    Source source = dynamic_cast<const Program&>(instance).source().with_goal(text, diagnostics);
    lang::settle(source.system()->sources, diagnostics);
    auto made = Program::make(std::move(source), watch);
    if (!same_edges(instance.system(), made->system())) {
      throw Error(ErrorKind::Unsupported, "unsupported: '" + text +
                                              "' names a label on a jump, which is a state only where the model or "
                                              "--goal names it; start with --goal");
    }
    return made;
  }

 private:
  // Whether two systems of a program move alike.
  static bool same_edges(const model::System& a, const model::System& b) {
    return std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(),
                      [](const model::Edge& one, const model::Edge& other) {
                        return one.process == other.process && one.source == other.source &&
                               one.target == other.target && one.label == other.label;
                      });
  }

  std::vector<Source> sources_;
};

std::shared_ptr<const lang::Document> load(lang::Input input, const Watch& watch) {
  Diagnostics diagnostics(watch);
  std::vector<Source> sources;
  sources.emplace_back(std::move(input.text), input.name, to_options(input.options), diagnostics);
  std::string warnings = lang::settle(sources.front().system()->sources, diagnostics);
  for (Source& other : sources.front().others(diagnostics)) sources.push_back(std::move(other));
  lang::settle(sources.front().system()->sources, diagnostics);
  return std::make_shared<ProgramText>(std::move(sources), std::move(warnings));
}

std::vector<LanguageOption> options() {
  using enum LanguageOption::Cycles;
  return {
      {.name = "--define",
       .value = "NAME[=VALUE]",
       .summary = "a macro; may be repeated",
       .help = "As a line '#define NAME VALUE' before the model; without a value it is 1.",
       .reading = true,
       .repeated = true,
       .example = {"--define", "N=2"}},
      {.name = "--goal",
       .value = "EXPR",
       .summary = "an expression to reach, e.g. 'P@CS && x > 1'; may be repeated",
       .repeated = true,
       .example = {"--goal", "true"}},
      {.name = "--deadlock",
       .summary = "look for invalid end states (the default without --goal and claims)",
       .excludes = {"--goal"},
       .needs = "a search without --goal, which asks for one state only",
       .example = {"--deadlock"}},
      {.name = "--no-deadlock",
       .summary = "let processes end anywhere",
       .excludes = {"--deadlock"},
       .example = {"--no-deadlock"}},
      {.name = "--no-assert", .summary = "let assertions fail", .example = {"--no-assert"}},
      {.name = "--ltl",
       .value = "NAME|FORMULA",
       .summary = "an ltl formula that all paths have to satisfy, or the name of a claim; may be repeated",
       .help = "Without it and --goal all claims of the model are checked.",
       .repeated = true,
       .excludes = {"--goal"},
       .cycles = Asks,
       .example = {"--ltl", "[] true"}},
      {.name = "--no-claim",
       .summary = "ignore the claims of the model",
       .excludes = {"--ltl"},
       .example = {"--no-claim"}},
      {.name = "--non-progress",
       .summary = "look for cycles without a progress label",
       .excludes = {"--ltl", "--goal"},
       .cycles = Asks,
       .example = {"--non-progress"}},
      {.name = "--acceptance",
       .summary = "look for cycles through accept labels of processes",
       .excludes = {"--non-progress", "--goal"},
       .cycles = Asks,
       .example = {"--acceptance"}},
      {.name = "--fairness",
       .summary = "only cycles that starve no process count",
       .help = "Weak fairness: a process that can always move in the cycle does so.",
       .excludes = {"--goal"},
       .cycles = Needs,
       .needs = "a property about infinite paths (a claim, --ltl, --acceptance or --non-progress)",
       .example = {"--fairness", "--acceptance"}},
  };
}

}  // namespace

lang::Frontend frontend() {
  return {.info = {.name = "promela",
                   .title = "Promela",
                   .summary = "models for Spin, as Spin 6 reads them",
                   .suffixes = {".pml", ".pm", ".prom", ".pr", ".p", ".promela"},
                   .properties = "--goal and --ltl",
                   .trail = true,
                   .options = options()},
          .signs = {.line = "#",  // for the preprocessor
                    .words = {"D_proctype", "active", "bit", "byte", "hidden", "inline", "ltl", "mtype", "never", "pid",
                              "proctype", "short", "show", "notrace", "trace", "unsigned"},
                    .openings = {"init"}},  // in UPPAAL `init` stands only inside of a process
          .load = load};
}

}  // namespace harrier::promela
