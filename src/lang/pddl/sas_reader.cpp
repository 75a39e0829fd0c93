#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_set>

#include "lang/pddl/lexer.h"
#include "lang/pddl/sas.h"

namespace harrier::pddl {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

struct Word {
  std::string_view text;
  size_t at = 0;
};

// Reads from the front to the end, and stops at the first error: after it, no number means what it seems to.
class SasReader {
 public:
  SasReader(const Sources& sources, uint32_t file, Diagnostics& diagnostics)
      : sources_(sources), file_(file), diagnostics_(diagnostics), text_(sources.text(file)) {}

  FiniteTask run() {
    try {
      version();
      metric();
      for (size_t left = count("variables", kSmallestVariable); left > 0; --left) variable();
      for (size_t left = count("mutex groups", kSmallestGroup); left > 0; --left) mutex_group();
      initial();
      goal();
      for (size_t left = count("operators", kSmallestOperator); left > 0; --left) add_operator();
      head_values_.assign(task_.variables.size(), kNoValue);
      for (size_t left = count("axioms", kSmallestAxiom); left > 0; --left) axiom();
      const Word end = word();
      if (!end.text.empty()) fail(end.at, "expected the end of the file, but found " + describe(end));
    } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): it was reported
    }
    return std::move(task_);
  }

 private:
  struct Failure {};
  static constexpr uint32_t kNoValue = UINT32_MAX;
  // So many bytes each takes at least: what is said to be there can be compared with what is.
  static constexpr size_t kSmallestVariable = std::string_view("begin_variable v 0 1 a end_variable").size();
  static constexpr size_t kSmallestGroup = std::string_view("begin_mutex_group 0 end_mutex_group").size();
  static constexpr size_t kSmallestOperator = std::string_view("begin_operator o 0 0 0 end_operator").size();
  static constexpr size_t kSmallestAxiom = std::string_view("begin_rule 0 0 0 1 end_rule").size();
  static constexpr size_t kSmallestName = 2;
  static constexpr size_t kSmallestFact = 4;
  static constexpr size_t kSmallestEffect = 8;

  // Words, lines, numbers.
  Word word();
  Word line(std::string_view what);
  void expect(std::string_view keyword);
  int64_t number(std::string_view what, int64_t lowest, int64_t highest, const FiniteVariable* of = nullptr);
  size_t count(std::string_view what, size_t smallest);
  [[noreturn]] void fail(size_t at, std::string message);
  [[noreturn]] void refuse(size_t at, std::string message);
  static std::string describe(const Word& word);
  size_t next_place();

  // Sections.
  void version();
  void metric();
  void variable();
  void mutex_group();
  void initial();
  void goal();
  void add_operator();
  void effect(Operator& op);
  void axiom();
  void check_body(const FiniteAxiom& axiom, const std::vector<size_t>& places);
  uint32_t variable_number();
  uint32_t value_of(uint32_t variable);
  Fact fact();
  std::vector<Fact> facts(std::string_view what, std::vector<size_t>* places = nullptr);
  void normalise(std::vector<Fact>& facts, size_t at, std::string_view what);
  bool is_derived(uint32_t variable) const { return task_.variables[variable].layer >= 0; }

  const Sources& sources_;
  uint32_t file_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  size_t place_ = 0;
  FiniteTask task_;
  std::unordered_set<std::string> names_;
  std::vector<uint32_t> head_values_;  // by variable: what its axioms give it
};

size_t SasReader::next_place() {
  place_ = std::min(text_.find_first_not_of(kBlanks, place_), text_.size());
  return place_;
}

Word SasReader::word() {
  const size_t begin = next_place();
  place_ = std::min(text_.find_first_of(kBlanks, begin), text_.size());
  return {text_.substr(begin, place_ - begin), begin};
}

// A name: the rest of the line.
Word SasReader::line(std::string_view what) {
  const size_t begin = next_place();
  place_ = std::min(text_.find('\n', begin), text_.size());
  std::string_view text = text_.substr(begin, place_ - begin);
  if (text.empty()) fail(begin, "expected " + std::string(what) + ", but found the end of the file");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r'; };
  const auto* const bad = std::find_if(text.begin(), text.end(), is_control);
  if (bad != text.end()) {
    fail(begin + static_cast<size_t>(bad - text.begin()), "a control character in " + std::string(what));
  }
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  return {text, begin};
}

void SasReader::expect(std::string_view keyword) {
  diagnostics_.poll();
  const Word found = word();
  if (found.text != keyword) fail(found.at, "expected '" + std::string(keyword) + "', but found " + describe(found));
}

int64_t SasReader::number(std::string_view what, int64_t lowest, int64_t highest, const FiniteVariable* of) {
  const Word found = word();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(found.text.data(), found.text.data() + found.text.size(), value);
  const bool whole = end == found.text.data() + found.text.size();
  if (error == std::errc() && whole && value >= lowest && value <= highest) return value;
  const std::string named = std::string(what) + (of != nullptr ? " of " + quoted(of->name) : "");
  if (error == std::errc::invalid_argument || !whole) {
    fail(found.at, "expected " + named + ", but found " + describe(found));
  }
  fail(found.at, named + " is a number from " + std::to_string(lowest) + " to " + std::to_string(highest) + ", not " +
                     describe(found));
}

size_t SasReader::count(std::string_view what, size_t smallest) {
  diagnostics_.poll();
  const size_t at = next_place();
  const auto wanted =
      static_cast<size_t>(number("the number of " + std::string(what), 0, std::numeric_limits<int32_t>::max()));
  if (wanted > (text_.size() - place_) / smallest) {
    fail(at, "there are not so many " + std::string(what) + " in the rest of the file");
  }
  return wanted;
}

void SasReader::fail(size_t at, std::string message) {
  diagnostics_.error(sources_.ref_at(file_, at), std::move(message));
  throw Failure();
}

void SasReader::refuse(size_t at, std::string message) {
  diagnostics_.unsupported(sources_.ref_at(file_, at), std::move(message));
  throw Failure();
}

std::string SasReader::describe(const Word& word) {
  return word.text.empty() ? "the end of the file" : quoted(word.text);
}

// The first versions did not say which one they are.
void SasReader::version() {
  const size_t at = next_place();
  const std::string_view rest = text_.substr(at);
  if (rest.starts_with("begin_metric") || rest.starts_with("begin_variables")) {
    refuse(at, "a SAS+ file of version 1 or 2: only version 3 is read");
  }
  expect("begin_version");
  const size_t number_at = next_place();
  const int64_t version = number("the version", 0, std::numeric_limits<int32_t>::max());
  if (version != 3) {
    refuse(number_at, "a SAS+ file of version " + std::to_string(version) + ": only version 3 is read");
  }
  expect("end_version");
}

void SasReader::metric() {
  expect("begin_metric");
  task_.costs = number("the metric", 0, 1) == 1;
  expect("end_metric");
}

void SasReader::variable() {
  expect("begin_variable");
  FiniteVariable variable;
  const Word name = line("the name of a variable");
  variable.name = name.text;
  if (!names_.insert(variable.name).second) fail(name.at, "a second variable " + quoted(variable.name));
  variable.layer = static_cast<int32_t>(number("the axiom layer", -1, std::numeric_limits<int32_t>::max()));
  const size_t at = next_place();
  const size_t values = count("values", kSmallestName);
  if (values == 0) fail(at, "a variable has at least one value");
  variable.values.reserve(values);
  for (size_t i = 0; i < values; ++i) variable.values.emplace_back(line("the name of a value").text);
  expect("end_variable");
  task_.variables.push_back(std::move(variable));
}

uint32_t SasReader::variable_number() {
  const size_t at = next_place();
  const int64_t number = this->number("a variable", 0, std::numeric_limits<int32_t>::max());
  if (static_cast<size_t>(number) >= task_.variables.size()) {
    fail(at, "there is no variable " + std::to_string(number) + ", only " + std::to_string(task_.variables.size()) +
                 " of them, counted from 0");
  }
  return static_cast<uint32_t>(number);
}

uint32_t SasReader::value_of(uint32_t variable) {
  const FiniteVariable& v = task_.variables[variable];
  return static_cast<uint32_t>(number("a value", 0, static_cast<int64_t>(v.values.size()) - 1, &v));
}

Fact SasReader::fact() {
  const uint32_t variable = variable_number();
  return {variable, value_of(variable)};
}

std::vector<Fact> SasReader::facts(std::string_view what, std::vector<size_t>* places) {
  std::vector<Fact> out;
  const size_t size = count(what, kSmallestFact);
  out.reserve(size);
  for (size_t i = 0; i < size; ++i) {
    if (places != nullptr) places->push_back(next_place());
    out.push_back(fact());
  }
  return out;
}

// Sorted; a variable has one value.
void SasReader::normalise(std::vector<Fact>& facts, size_t at, std::string_view what) {
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  const auto contradict = [](Fact a, Fact b) { return a.variable == b.variable; };
  const auto bad = std::adjacent_find(facts.begin(), facts.end(), contradict);
  if (bad != facts.end()) {
    fail(at, std::string(what) + " wants two values of " + quoted(task_.variables[bad->variable].name));
  }
}

void SasReader::mutex_group() {
  expect("begin_mutex_group");
  task_.mutexes.push_back(facts("facts", nullptr));
  expect("end_mutex_group");
}

void SasReader::initial() {
  expect("begin_state");
  task_.initial.reserve(task_.variables.size());
  for (uint32_t v = 0; v < task_.variables.size(); ++v) task_.initial.push_back(value_of(v));
  expect("end_state");
}

void SasReader::goal() {
  expect("begin_goal");
  const size_t at = next_place();
  task_.goal = facts("facts");
  normalise(task_.goal, at, "the goal");
  expect("end_goal");
}

void SasReader::add_operator() {
  expect("begin_operator");
  Operator op;
  const Word name = line("the name of an operator");
  op.name.append("(").append(name.text).append(")");
  op.preconditions = facts("conditions");
  const size_t effects = count("effects", kSmallestEffect);
  op.effects.reserve(effects);
  for (size_t i = 0; i < effects; ++i) effect(op);
  normalise(op.preconditions, name.at, "this operator");
  const auto cost = static_cast<uint32_t>(number("a cost", 0, std::numeric_limits<int32_t>::max()));
  op.cost = task_.costs ? cost : 1;
  expect("end_operator");
  task_.operators.push_back(std::move(op));
}

// The value before is one that the operator needs, whether or not the effect has conditions of its own.
void SasReader::effect(Operator& op) {
  FiniteEffect effect;
  const size_t at = next_place();
  effect.conditions = facts("conditions");
  normalise(effect.conditions, at, "this effect");
  const size_t variable_at = next_place();
  effect.fact.variable = variable_number();
  const FiniteVariable& variable = task_.variables[effect.fact.variable];
  if (is_derived(effect.fact.variable)) {
    fail(variable_at, "an operator changes " + quoted(variable.name) + ", which axioms compute");
  }
  const int64_t before = number("a value", -1, static_cast<int64_t>(variable.values.size()) - 1, &variable);
  if (before >= 0) op.preconditions.push_back({effect.fact.variable, static_cast<uint32_t>(before)});
  effect.fact.value = value_of(effect.fact.variable);
  op.effects.push_back(std::move(effect));
}

void SasReader::axiom() {
  expect("begin_rule");
  FiniteAxiom axiom;
  std::vector<size_t> places;
  axiom.body = facts("conditions", &places);
  const size_t at = next_place();
  axiom.head.variable = variable_number();
  const FiniteVariable& head = task_.variables[axiom.head.variable];
  if (!is_derived(axiom.head.variable)) fail(at, "an axiom for " + quoted(head.name) + ", which has no layer");
  const int64_t highest = static_cast<int64_t>(head.values.size()) - 1;
  const size_t before_at = next_place();
  const int64_t before = number("a value", -1, highest, &head);
  const uint32_t initial = task_.initial[axiom.head.variable];
  if (before >= 0 && before != initial) {
    fail(before_at,
         "an axiom starts from the value that its variable has at first: here from " + std::to_string(initial));
  }
  const size_t value_at = next_place();
  axiom.head.value = value_of(axiom.head.variable);
  if (axiom.head.value == initial) fail(value_at, "an axiom gives its variable another value than it has at first");
  uint32_t& known = head_values_[axiom.head.variable];
  if (known != kNoValue && known != axiom.head.value) {
    fail(value_at, "all axioms of " + quoted(head.name) + " give it the same value");
  }
  known = axiom.head.value;
  check_body(axiom, places);
  std::sort(axiom.body.begin(), axiom.body.end());
  axiom.body.erase(std::unique(axiom.body.begin(), axiom.body.end()), axiom.body.end());
  expect("end_rule");
  task_.axioms.push_back(std::move(axiom));
}

// What a layer computes depends on no later one, and on itself only such that the order of its axioms does not matter.
void SasReader::check_body(const FiniteAxiom& axiom, const std::vector<size_t>& places) {
  const int32_t layer = task_.variables[axiom.head.variable].layer;
  for (size_t i = 0; i < axiom.body.size(); ++i) {
    const Fact fact = axiom.body[i];
    const FiniteVariable& read = task_.variables[fact.variable];
    if (read.layer > layer) fail(places[i], quoted(read.name) + " is of a later layer than what the axiom computes");
    if (read.layer == layer && fact.value == task_.initial[fact.variable]) {
      fail(places[i], quoted(read.name) + " is of the same layer, and may not be read as not computed");
    }
  }
}

}  // namespace

FiniteTask parse_sas(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  return SasReader(sources, file, diagnostics).run();
}

}  // namespace harrier::pddl
