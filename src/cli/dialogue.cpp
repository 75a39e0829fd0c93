#include "cli/dialogue.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/suggest.h"
#include "cli/colours.h"
#include "cli/output.h"

namespace harrier::cli {

namespace {

using Value = Simulation::Value;

constexpr size_t kWidth = 100;
constexpr size_t kFewValues = 60;         // that are shown all after each step
constexpr size_t kFewTransitions = 30;    // likewise
constexpr uint64_t kMostSteps = 100'000;  // of `run`, unless it says otherwise

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorKind::Usage, text); }

// Words between blanks; blanks between quotation marks are part of one.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> out;
  for (size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    std::string& word = out.emplace_back();
    bool quoted = false;
    for (; i < line.size() && (quoted || (line[i] != ' ' && line[i] != '\t')); ++i) {
      if (line[i] == '"') {
        quoted = !quoted;
      } else {
        word += line[i];
      }
    }
    if (quoted) refuse("there is no second '\"'");
  }
  return out;
}

uint64_t number(const std::string& text, uint64_t most = uint64_t{1} << 40) {
  uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out > most) {
    refuse(fmt::format("'{}' is not a number from 0 to {}", text, most));
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// A number that may be left out.
uint64_t count(const std::vector<std::string>& words, uint64_t otherwise) {
  return words.empty() ? otherwise : number(words.front());
}

bool matches(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    if (pattern.find_first_of("*?[") == std::string::npos) return name.find(pattern) != std::string::npos;
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

std::string plural(uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A list behind a head, on as many lines as it needs; the marks for a terminal take no room.
class WrappedList {
 public:
  explicit WrappedList(std::string head) : line_(std::move(head)), width_(line_.size()) {}

  void add(const std::string& text, bool changed, bool colours) {
    const std::string shown = changed && !colours ? "*" + text : text;
    if (width_ + shown.size() + 2 > kWidth && !first_) {
      out_ += line_ + ",\n";
      line_ = "      ";
      width_ = line_.size();
      first_ = true;
    }
    line_ += (first_ ? "" : ", ") + bold(shown, changed && colours);
    width_ += shown.size() + (first_ ? 0 : 2);
    first_ = false;
    empty_ = false;
  }
  std::string text() const { return empty_ ? "" : out_ + line_ + "\n"; }

 private:
  std::string out_;
  std::string line_;
  size_t width_;
  bool first_ = true;
  bool empty_ = true;
};

}  // namespace

const std::vector<Dialogue::Command>& Dialogue::commands() {
  static const std::vector<Command> all{
      {"help", "[COMMAND]", "these commands, or one of them", &Dialogue::help, 1},
      {"show", "[all | NAME …]",
       "the state; all of it, or the processes, variables and clocks whose name has NAME in it (or matches it, with * "
       "and ?)",
       &Dialogue::show, SIZE_MAX},
      {"list", "[TEXT]", "all that can happen, or what has TEXT in its line", &Dialogue::list, SIZE_MAX},
      {"take", "N …", "take the transition of this number, then the next; the number alone does it, too",
       &Dialogue::take, SIZE_MAX},
      {"wait", "D | any", "let exactly D time units pass before the next step, or as many as it needs", &Dialogue::wait,
       1},
      {"undo", "[N]", "take back the last step, or N of them", &Dialogue::undo, 1},
      {"redo", "[N]", "do again what was taken back", &Dialogue::redo, 1},
      {"go", "K", "to the state after K steps, before or behind this one", &Dialogue::go, 1},
      {"random", "[N]", "take a random step, or N of them", &Dialogue::random, 1},
      {"seed", "N", "begin another sequence of random numbers", &Dialogue::seed, 1},
      {"run", "[N] until CONDITION",
       "take random steps, at most N (100000), to a state in which an expression of the model's language holds",
       &Dialogue::run, SIZE_MAX},
      {"trace", "", "all steps so far, with exact times", &Dialogue::trace, 0},
      {"save", "FILE [PROPERTY]",
       "write the steps so far as a trace (JSON), which harrier validate reads; of a state that violates a property or "
       "reaches its goal, as a witness for it, by its number",
       &Dialogue::save, 2},
      {"load", "FILE [K]", "go on from the end of a trace (JSON), or from its state after K steps",
       &Dialogue::load_trace, 2},
      {"quit", "", "leave; so does the end of input", &Dialogue::quit, 0},
  };
  return all;
}

// A beginning of its name will do, if it is that of one only.
const Dialogue::Command& Dialogue::find(const std::string& name) {
  std::vector<std::string> known;
  const Command* found = nullptr;
  size_t several = 0;
  for (const Command& command : commands()) {
    known.emplace_back(command.name);
    if (command.name == name) return command;
    if (!known.back().starts_with(name)) continue;
    found = &command;
    ++several;
  }
  if (several == 1) return *found;
  const std::string hint = suggestion(name, known);
  refuse(fmt::format("{} command '{}'{}; try help", several == 0 ? "unknown" : "ambiguous", name,
                     hint.empty() ? "" : "; " + hint));
}

Dialogue::Dialogue(const Model& model, const SimulationLimits& limits, uint64_t seed)
    : model_(model), limits_(limits), simulation_(model, limits), colours_(has_colours()) {
  simulation_.seed(seed);
}

std::string Dialogue::prompt() const {
  return simulation_.begun() ? fmt::format("{}> ", simulation_.position()) : "> ";
}

bool Dialogue::obey(const std::string& line) {
  Words words = words_of(line);
  if (words.empty() || words.front().starts_with('#')) return true;
  const std::string name = words.front();
  if (name.find_first_not_of("0123456789") == std::string::npos) {
    take(words, line);
    return true;
  }
  const Command& command = find(name);
  words.erase(words.begin());
  if (words.size() > command.most_words) refuse(fmt::format("too many words: {} {}", command.name, command.arguments));
  const size_t behind = line.find(name) + name.size();
  (this->*command.obey)(words, line.substr(behind));
  return !over_;
}

void Dialogue::help(const Words& words, const std::string&) {
  std::string out;
  for (const Command& command : commands()) {
    if (!words.empty() && &find(words.front()) != &command) continue;
    std::string line = fmt::format("{:<25}", fmt::format("{} {}", command.name, command.arguments));
    for (const std::string& word : words_of(command.help)) {
      if (line.size() + 1 + word.size() > kWidth) {
        out += line + '\n';
        line = std::string(25, ' ');
      }
      line += ' ' + word;
    }
    out += line + '\n';
  }
  if (words.empty()) out += "A command may be shortened, as long as it is clear which one is meant.\n";
  write_result(out);
}

std::string Dialogue::values_text(const std::vector<Value>& values) const {
  WrappedList places("  at  ");
  WrappedList others("      ");
  for (const Value& value : values) {
    if (value.kind == Value::Kind::Location) {
      places.add(value.name + "." + value.value, value.changed, colours_);
    } else {
      others.add(value.name.empty() ? value.value : value.name + " = " + value.value, value.changed, colours_);
    }
  }
  return places.text() + others.text();
}

std::string Dialogue::state_text() {
  if (!simulation_.begun()) return "no state yet: take an initial state\n";
  const std::string step = simulation_.last_step();
  std::string out = fmt::format("step {}{}\n", simulation_.position(), step.empty() ? "" : "  " + step);
  std::vector<Value> values = simulation_.values();
  const size_t all = values.size();
  if (all > kFewValues) std::erase_if(values, [](const Value& value) { return !value.changed; });
  out += values_text(values);
  if (values.size() < all) out += fmt::format("      … {} in all: show all\n", plural(all, "value"));
  WrappedList zone("      zone: ");
  for (const std::string& constraint : simulation_.zone(limits_)) zone.add(constraint, false, false);
  out += zone.text();
  if (simulation_.waited()) out += fmt::format("      waited {} since this step\n", *simulation_.waited());
  for (const Simulation::Standing& standing : simulation_.standings(limits_)) {
    out += fmt::format("  {} (property {})\n", bold(standing.text, colours_), standing.property + 1);
  }
  return out;
}

std::string Dialogue::transitions_text(const std::string& wanted, size_t most) {
  const Simulation::Transitions& transitions = simulation_.transitions(limits_);
  std::string out;
  size_t shown = 0;
  size_t found = 0;
  for (size_t i = 0; i < transitions.all.size(); ++i) {
    if (transitions.all[i].text.find(wanted) == std::string::npos) continue;
    ++found;
    if (shown == most) continue;
    ++shown;
    out += fmt::format("{:4}  {}\n", i + 1, transitions.all[i].text);
  }
  if (shown < found) out += fmt::format("      … {} in all: list\n", found);
  if (transitions.more) out += "      … and more than these\n";
  if (!transitions.failure.empty()) out += "  the model fails in a step from here: " + transitions.failure + "\n";
  if (out.empty())
    out = wanted.empty() ? "  nothing can happen here\n" : "  nothing of what can happen has this in it\n";
  return out;
}

void Dialogue::show_place() { write_result(state_text() + transitions_text("", kFewTransitions)); }

void Dialogue::show(const Words& words, const std::string&) {
  if (words.empty()) return show_place();
  std::vector<Value> values = simulation_.values();
  std::vector<std::string> zone = simulation_.zone(limits_);
  if (words != Words{"all"}) {
    std::erase_if(values, [&](const Value& v) { return !matches(v.name.empty() ? v.value : v.name, words); });
    std::erase_if(zone, [&](const std::string& constraint) {
      const Words parts = words_of(constraint);
      return std::none_of(parts.begin(), parts.end(), [&](const std::string& part) { return matches(part, words); });
    });
  }
  WrappedList constraints("      zone: ");
  for (const std::string& constraint : zone) constraints.add(constraint, false, false);
  const std::string out = values_text(values) + constraints.text();
  if (out.empty()) refuse("nothing has such a name");
  write_result(out);
}

void Dialogue::list(const Words&, const std::string& rest) { write_result(transitions_text(trimmed(rest), SIZE_MAX)); }

void Dialogue::take(const Words& words, const std::string&) {
  if (words.empty()) refuse("take which one? its number is missing");
  for (const std::string& word : words) {
    const uint64_t wanted = number(word);
    if (wanted == 0) refuse("transitions are numbered from 1");
    simulation_.take(wanted - 1, limits_);
  }
  show_place();
}

void Dialogue::wait(const Words& words, const std::string&) {
  if (words.empty()) refuse("wait how long?");
  if (words.front() == "any") {
    simulation_.wait(std::nullopt, limits_);
  } else {
    simulation_.wait(static_cast<int32_t>(number(words.front(), INT32_MAX)), limits_);
  }
  show_place();
}

void Dialogue::undo(const Words& words, const std::string&) {
  const uint64_t steps = count(words, 1);
  if (steps > simulation_.position()) refuse(fmt::format("there are only {}", plural(simulation_.position(), "step")));
  simulation_.go_to(simulation_.position() - steps);
  show_place();
}

void Dialogue::redo(const Words& words, const std::string&) {
  const uint64_t steps = count(words, 1);
  const size_t left = simulation_.known_steps() - simulation_.position();
  if (steps > left) refuse(fmt::format("{} can be done again", left == 0 ? "nothing" : "only " + plural(left, "step")));
  simulation_.go_to(simulation_.position() + steps);
  show_place();
}

void Dialogue::go(const Words& words, const std::string&) {
  if (words.empty()) refuse("go where? the number of a step is missing");
  simulation_.go_to(number(words.front()));
  show_place();
}

void Dialogue::random(const Words& words, const std::string&) {
  const uint64_t wanted = count(words, 1);
  const uint64_t done = simulation_.random(wanted, limits_);
  if (done < wanted) write_result(fmt::format("ends after {}\n", plural(done, "step")));
  show_place();
}

void Dialogue::seed(const Words& words, const std::string&) {
  if (words.empty()) refuse("seed with which number?");
  simulation_.seed(number(words.front()));
}

void Dialogue::run(const Words& words, const std::string& rest) {
  const bool counted = !words.empty() && words.front() != "until";
  if (words.size() < (counted ? 3u : 2u) || words[counted ? 1 : 0] != "until") refuse("run [N] until CONDITION");
  const uint64_t most = counted ? number(words.front()) : kMostSteps;
  const size_t before = simulation_.begun() ? simulation_.position() : 0;
  const bool reached = simulation_.run_until(trimmed(rest.substr(rest.find("until") + 5)), most, limits_);
  show_place();
  if (reached) return;
  throw Error(ErrorKind::Limit, fmt::format("not reached in {}", plural(simulation_.position() - before, "step")));
}

void Dialogue::trace(const Words&, const std::string&) { write_result(to_text(simulation_.trace({}, limits_))); }

void Dialogue::save(const Words& words, const std::string&) {
  if (words.empty()) refuse("save where? the name of a file is missing");
  std::optional<size_t> property;
  if (words.size() == 2) {
    const uint64_t wanted = number(words[1]);
    if (wanted < 1 || wanted > model_.property_count()) refuse(fmt::format("there is no property {}", words[1]));
    property = wanted - 1;
  }
  check_outputs({{"save", words.front()}}, model_.files());
  const Trace trace = simulation_.trace(property, limits_);
  write_file(words.front(), to_json(trace));
  write_result(fmt::format("{} to {}\n", plural(trace.steps.size(), "step"), words.front()));
}

void Dialogue::load(const std::string& file) {
  LoadOptions reading;
  reading.stop = limits_.stop;
  reading.memory_limit_bytes = limits_.memory_limit_bytes;
  simulation_.load(read_file(file, reading), file, limits_);
}

void Dialogue::load_trace(const Words& words, const std::string&) {
  if (words.empty()) refuse("load which trace? the name of a file is missing");
  load(words.front());
  if (words.size() == 2) simulation_.go_to(number(words[1]));
  show_place();
}

void Dialogue::quit(const Words&, const std::string&) { over_ = true; }

}  // namespace harrier::cli
