#include "trace/sequence_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/message_flow.h"
#include "trace/values.h"

namespace harrier::trace {

namespace {

using model::System;

constexpr size_t kLongestText = 200;
// Mermaid refuses texts of more than 50,000 characters; PlantUML cannot draw them.
constexpr size_t kMostCharacters = 45'000;

enum class Arrow : uint8_t { Synchronise, Put, Take };  // a message into a queue, or out of it

struct Line {
  enum class Kind : uint8_t { Arrow, Note, NoteOverAll };
  Kind kind = Kind::Arrow;
  size_t left = 0;  // lanes
  size_t right = 0;
  Arrow arrow = Arrow::Synchronise;
  std::string text;
};

// How a language writes things down; the formats take lanes by number, and text.
struct Dialect {
  const char* begin;
  const char* lane;
  const char* arrows[3];
  const char* note;
  const char* wide_note;
  const char* comment;
  const char* loop;
  const char* loop_end;
  const char* end;
  std::string (*text)(const std::string&);
};
constexpr Dialect kMermaid = {"sequenceDiagram\n",
                              "  participant p{} as {}\n",
                              {"  p{}->>p{}: {}\n", "  p{}-)p{}: {}\n", "  p{}-->>p{}: {}\n"},
                              "  Note over p{}: {}\n",
                              "  Note over p{},p{}: {}\n",
                              "  %% {}\n",
                              "  loop for ever\n",
                              "  end\n",
                              "",
                              mermaid_text};
constexpr Dialect kPlantUml = {"@startuml\n",
                               "  participant \"{1}\" as p{0}\n",
                               {"  p{} -> p{} : {}\n", "  p{} ->> p{} : {}\n", "  p{} -->> p{} : {}\n"},
                               "  note over p{} : {}\n",
                               "  note over p{}, p{} : {}\n",
                               "  ' {}\n",
                               "  loop for ever\n",
                               "  end\n",
                               "@enduml\n",
                               plantuml_text};

class Chart {
 public:
  Chart(const System& system, const Trace& trace, const Dialect& dialect, const Watch& watch)
      : system_(system),
        trace_(trace),
        dialect_(dialect),
        watch_(watch),
        statements_(system.telling == model::Telling::Statements || system.telling == model::Telling::Actions),
        messages_(system) {}

  std::string text() {
    const Values* before = &trace_.initial.values;
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      watch_.poll();
      blocks_.emplace_back();
      if (!is_watching(system_, trace_.steps[i])) step(++shown_, trace_.steps[i], *before);
      numbers_.push_back(shown_);
      before = &trace_.steps[i].state.values;
    }
    end();
    return written();
  }

 private:
  std::string time(int64_t t) const { return time_text(t, trace_.denominator); }

  // Lanes stand in the order in which they first take part.
  size_t lane(const std::string& name) {
    const auto [at, fresh] = lanes_.emplace(name, names_.size());
    if (fresh) names_.push_back(name);
    return at->second;
  }

  void add(Line line) { blocks_.back().push_back(std::move(line)); }
  void arrow(const std::string& from, Arrow kind, const std::string& to, std::string text) {
    const size_t left = lane(from);
    add({Line::Kind::Arrow, left, lane(to), kind, std::move(text)});
  }
  void note_over_all(std::string text) { add({Line::Kind::NoteOverAll, 0, 0, {}, std::move(text)}); }
  void note(const std::vector<const FiredEdge*>& edges, std::string text) {
    Line line{Line::Kind::Note, SIZE_MAX, 0, {}, std::move(text)};
    for (const FiredEdge* edge : edges) {
      line.left = std::min(line.left, lane(edge->process));
      line.right = std::max(line.right, lane(edge->process));
    }
    add(std::move(line));
  }

  void step(size_t number, const TraceStep& step, const Values& before) {
    std::vector<const FiredEdge*> edges;
    for (const FiredEdge& edge : step.edges) edges.push_back(&edge);
    for (const FiredEdge* edge : edges) lane(edge->process);
    if (step.time != noted_) {
      noted_ = step.time;
      note_over_all("time " + time(step.time));
    }
    const size_t arrows = blocks_.back().size();
    if (edges.size() > 1) synchronisation(number, edges, step);
    queues(number, *edges.front(), step, before);
    const bool talks = blocks_.back().size() > arrows;
    std::vector<std::string> items = talks && statements_ ? std::vector<std::string>() : moves(edges);
    for (std::string& change : changes(edges, step, talks)) items.push_back(std::move(change));
    if (items.empty() && !talks) items.emplace_back("nothing changes");
    if (!talks) {
      note(edges, fmt::format("{}. {}", number, fmt::join(items, ", ")));
    } else if (!items.empty()) {
      note(edges, fmt::format("{}", fmt::join(items, ", ")));
    }
  }

  // What the edges are: a statement or an action, or a way from a location to another.
  std::vector<std::string> moves(const std::vector<const FiredEdge*>& edges) const {
    std::vector<std::string> out;
    if (system_.telling == model::Telling::States) return out;
    for (const FiredEdge* edge : edges) {
      if (statements_) {
        out.push_back(edge->label);
        continue;
      }
      std::string text = edge->source + " -> " + edge->target;
      if (edges.size() == 1 && edge->direction == model::Direction::Send) text += " " + edge->channel + "!";
      if (!edge->label.empty()) text += " (" + edge->label + ")";
      out.push_back(std::move(text));
    }
    return out;
  }

  // The variables that a step changes, unless an arrow or a statement says so already.
  std::vector<std::string> changes(const std::vector<const FiredEdge*>& edges, const TraceStep& step,
                                   bool talks) const {
    std::vector<std::string> out;
    const bool ends = ends_process(system_, id_of(*edges.front()));
    for (const uint32_t changed : step.changed) {
      const model::VarId v(changed);
      const model::Variable& variable = system_.variable(v);
      if (variable.kind == model::VarKind::Location || variable.internal) continue;
      std::string name = variable.name;
      bool told = false;
      for (const FiredEdge* edge : edges) {
        told = told || (belongs_to(name, edge->process) && (ends || (talks && statements_ && edges.size() > 1)));
        name = edges.size() == 1 ? local_name(name, edge->process) : name;
      }
      const std::string value = value_text(system_, v, step.state.values);
      std::string item = fmt::format("{} = {}", name, value);
      if (!told && value != variable.name && item != edges.front()->label) out.push_back(std::move(item));
    }
    return out;
  }

  void synchronisation(size_t number, const std::vector<const FiredEdge*>& edges, const TraceStep& step) {
    const FiredEdge& sender = *edges.front();
    for (size_t i = 1; i < edges.size(); ++i) {
      const FiredEdge& receiver = *edges[i];
      std::string text = sender.channel;
      if (statements_) {
        std::vector<std::string> received;
        for (const uint32_t changed : step.changed) {
          const model::VarId v(changed);
          const std::string& name = system_.variable(v).name;
          if (system_.variable(v).kind == model::VarKind::Location || !belongs_to(name, receiver.process)) continue;
          received.push_back(local_name(name, receiver.process) + " = " + value_text(system_, v, step.state.values));
        }
        text = sender.label;
        if (!received.empty()) text += fmt::format(" ({})", fmt::join(received, ", "));
      }
      arrow(sender.process, Arrow::Synchronise, receiver.process, fmt::format("{}. {}", number, text));
    }
  }

  // Messages that are put into queues and taken out.
  void queues(size_t number, const FiredEdge& edge, const TraceStep& step, const Values& before) {
    for (const Transfer& transfer : messages_.step(number, edge, before, step.state.values)) {
      const std::string& queue = system_.queues[transfer.queue].name;
      std::string text = fmt::format("{}. {}", number, transfer.text);
      if (transfer.sent_in != 0) text += fmt::format(", sent in step {}", transfer.sent_in);
      if (transfer.kind == Transfer::Kind::Taken) {
        arrow(queue, Arrow::Take, edge.process, std::move(text));
      } else {
        arrow(edge.process, Arrow::Put, queue, std::move(text));
      }
    }
  }

  void end() {
    blocks_.emplace_back();
    if (trace_.end_time() != noted_) note_over_all("time " + time(trace_.end_time()));
    if (trace_.failure) {
      for (const FiredEdge& edge : trace_.failure->edges) {
        note({&edge}, statements_ ? edge.label : edge.source + " -> " + edge.target);
      }
      note_over_all("the model fails: " + failure_text(*trace_.failure));
    } else if (!trace_.loop_start) {
      const char* verb = trace_.kind == model::PropertyKind::Reachable ? "reached: " : "violated: ";
      note_over_all(trace_.reason.empty() ? verb + trace_.property : trace_.reason);
    }
  }

  std::string written(const Line& line) const {
    std::string text = line.text;
    if (text.size() > kLongestText) {
      size_t length = kLongestText;
      while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;  // whole characters
      text = text.substr(0, length) + " ...";
    }
    text = dialect_.text(text);
    if (line.kind == Line::Kind::Arrow) {
      const char* form = dialect_.arrows[static_cast<size_t>(line.arrow)];
      return fmt::format(fmt::runtime(form), line.left, line.right, text);
    }
    if (names_.empty()) return fmt::format(fmt::runtime(dialect_.comment), text);
    const bool all = line.kind == Line::Kind::NoteOverAll;
    const size_t left = all ? 0 : line.left;
    const size_t right = all ? names_.size() - 1 : line.right;
    if (left == right) return fmt::format(fmt::runtime(dialect_.note), left, text);
    return fmt::format(fmt::runtime(dialect_.wide_note), left, right, text);
  }

  std::string written() const {
    std::string out = dialect_.begin;
    for (size_t i = 0; i < names_.size(); ++i) {
      out += fmt::format(fmt::runtime(dialect_.lane), i, dialect_.text(names_[i]));
    }
    std::vector<std::string> steps;
    size_t total = 0;
    for (const auto& block : blocks_) {
      steps.emplace_back();
      for (const Line& line : block) steps.back() += written(line);
      total += steps.back().size();
    }
    // Of a path that is too long, what is nearest to its start and to its end.
    size_t cut_from = steps.size();
    size_t cut_to = steps.size();
    if (total > kMostCharacters) {
      size_t room = kMostCharacters / 2;
      for (cut_from = 0; steps[cut_from].size() <= room; ++cut_from) room -= steps[cut_from].size();
      room = kMostCharacters / 2;
      for (; cut_to > cut_from + 1 && steps[cut_to - 1].size() <= room; --cut_to) room -= steps[cut_to - 1].size();
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      if (i == cut_from) {
        out += written(Line{Line::Kind::NoteOverAll,
                            0,
                            0,
                            {},
                            fmt::format("left out: steps {} to {} of {}", numbers_[cut_from],
                                        numbers_[std::min(cut_to, trace_.steps.size()) - 1], shown_)});
      }
      if (i == trace_.loop_start) out += dialect_.loop;
      if (i < cut_from || i >= cut_to) out += steps[i];
    }
    if (trace_.loop_start) out += dialect_.loop_end;
    return out + dialect_.end;
  }

  const System& system_;
  const Trace& trace_;
  const Dialect& dialect_;
  const Watch& watch_;
  bool statements_;  // the steps are
  std::map<std::string, size_t> lanes_;
  std::vector<std::string> names_;         // of the lanes
  std::vector<std::vector<Line>> blocks_;  // by step, and the end
  MessageFlow messages_;
  std::vector<size_t> numbers_;  // by step, as the reader counts: the steps of a claim are not shown
  size_t shown_ = 0;
  int64_t noted_ = 0;  // the last time that was told
};

}  // namespace

std::string mermaid_text(const std::string& text) {
  constexpr std::string_view kHarmless = " _.,()[]=+-*/!?|'^~";
  // Words that Mermaid looks for in any text, before it parses it or while it does.
  constexpr std::string_view kWords[] = {"end", "style", "classDef"};
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool starts_word = i == 0 || !is_word(text[i - 1]);
    const bool keyword = std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
      return text.compare(i, word.size(), word) == 0 &&
             (word != "end" || (starts_word && !is_word(text.c_str()[i + word.size()])));
    });
    if (c < 0x20 || c == 0x7F) {
      out += ' ';
    } else if (!keyword && (c >= 0x80 || is_word(text[i]) || kHarmless.find(text[i]) != std::string_view::npos)) {
      out += text[i];
    } else {
      out += fmt::format("#{};", c);
    }
  }
  return out;
}

std::string plantuml_text(const std::string& text) {
  constexpr std::string_view kHarmless = " .,+?";
  std::string out;
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    if (c < 0x20 || c == 0x7F) {
      out += ' ';
    } else if (c >= 0x80 || std::isalnum(c) != 0 || kHarmless.find(each) != std::string_view::npos) {
      out += each;
    } else {
      out += fmt::format("<U+{:04X}>", c);
    }
  }
  return out;
}

std::string to_sequence_chart(const System& system, const Trace& trace, ChartForm form, const Watch& watch) {
  return Chart(system, trace, form == ChartForm::PlantUml ? kPlantUml : kMermaid, watch).text();
}

}  // namespace harrier::trace
