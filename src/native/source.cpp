#include "native/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "native/piece_writer.h"
#include "step/native_code.h"

namespace harrier::native {

using Kind = PieceWriter::Kind;
using step::Code;
using step::Network;

namespace {

// A compiler takes a second for some 100 kB.
constexpr size_t kLongestText = size_t{1} << 20;
// One by one they would take long to compile.
constexpr size_t kMostUnpacked = 4096;

constexpr const char* kPreamble = R"(typedef int int32_t; typedef long long int64_t;
typedef unsigned uint32_t; typedef unsigned long uint64_t;
typedef struct { uint32_t variable; int32_t old; } E;
#define W(i) { j[*n].variable = (i); j[*n].old = v[i]; ++*n; }
)";

class Writer {
 public:
  Writer(const step::Network& network, const step::Layout& layout, std::span<const Code> questions)
      : network_(network), layout_(layout), pieces_(network.program()) {
    for (const Code question : questions) questions_.insert(question.start);
  }

  Source write() {
    write_pieces();
    network_.for_each_starts([&](const Network::Starts& starts) { write_starts(starts); });
    if (network_.fires_only_effects()) {
      for (uint32_t e = 0; e < network_.system().edges.size(); ++e) write_firing(e);
    }
    write_unpack();
    Source out = std::move(out_);
    out.text = kPreamble + pieces_.text() + text_;
    table(out, "harrier_values", "int (*const {}[])(const int32_t *, int32_t *)", 'p', out.values);
    table(out, "harrier_effects", "int (*const {}[])(int32_t *, E *, uint32_t *)", 'p', out.effects);
    table(out, "harrier_starts", "uint32_t (*const {}[])(const int32_t *, uint32_t *)", 's', out.starts);
    table(out, "harrier_firings", "int (*const {}[])(int32_t *, E *, uint32_t *)", 'e', out.firings);
    return out;
  }

 private:
  template <class... Arguments>
  void line(const char* format, const Arguments&... arguments) {
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), arguments...);
    text_ += '\n';
    limit();
  }
  void limit() const {
    if (text_.size() + pieces_.text().size() > kLongestText) {
      throw Error(ErrorKind::Unsupported, "the model is too large for native code");
    }
  }
  static void table(Source& out, const char* name, const char* type, char prefix,
                    const std::vector<uint32_t>& numbers) {
    fmt::format_to(std::back_inserter(out.text), fmt::runtime(type), name);
    out.text += " = {";
    for (const uint32_t n : numbers) fmt::format_to(std::back_inserter(out.text), "{}{}, ", prefix, n);
    out.text += "0};\n";
  }

  // All code but that of internal edges, which has its place in groups and firings.
  void write_pieces() {
    std::set<uint32_t> elsewhere;
    network_.for_each_starts([&](const Network::Starts& starts) {
      if (!has_function(starts)) return;
      for (const uint32_t e : starts.internal) elsewhere.insert(network_.edge(e).guard.start);
    });
    if (network_.fires_only_effects()) {
      for (uint32_t e = 0; e < network_.system().edges.size(); ++e) {
        if (fires_alone(e)) elsewhere.insert(network_.edge(e).effect.start);
      }
    }
    for (const Code piece : network_.program().pieces()) {
      const bool simple = !pieces_.simple_condition(piece).empty();
      if (elsewhere.contains(piece.start) || (simple && !questions_.contains(piece.start))) continue;
      const Kind kind = pieces_.add(piece);
      if (kind == Kind::Value) out_.values.push_back(piece.start);
      if (kind == Kind::Effect) out_.effects.push_back(piece.start);
      limit();
    }
  }

  // A group that a function lists: one with so few edges that they are looked at one by one, and something to look at.
  bool has_function(const Network::Starts& starts) const {
    if (!starts.index.empty()) return false;
    const auto guarded = [&](uint32_t e) { return !network_.edge(e).guard.empty(); };
    const auto conditional = [&](uint32_t e) {
      return guarded(e) && pieces_.simple_condition(network_.edge(e).guard).empty();
    };
    return std::count_if(starts.internal.begin(), starts.internal.end(), guarded) > 1 ||
           std::any_of(starts.internal.begin(), starts.internal.end(), conditional);
  }

  void write_starts(const Network::Starts& starts) {
    if (!has_function(starts)) return;
    for (const uint32_t e : starts.internal) {
      if (const Code guard = network_.edge(e).guard; !guard.empty() && pieces_.simple_condition(guard).empty()) {
        pieces_.add(guard);
      }
    }
    line("static uint32_t s{}(const int32_t *v, uint32_t *o) {{ uint32_t n = 0; int32_t r;", starts.number);
    for (const uint32_t e : starts.internal) {
      const Code guard = network_.edge(e).guard;
      const uint32_t unsure = e | step::NativeCode::kUnsure;
      if (guard.empty()) {
        line("  o[n++] = {}u;", e);
      } else if (const std::string condition = pieces_.simple_condition(guard); !condition.empty()) {
        line("  if ({}) o[n++] = {}u;", condition, e);
      } else if (pieces_.add(guard) == Kind::Value) {
        line("  if (!p{}(v, &r)) o[n++] = {}u; else if (r) o[n++] = {}u;", guard.start, unsure, e);
      } else {
        line("  o[n++] = {}u;", unsure);
      }
    }
    line("  return n; }}");
    out_.starts.push_back(starts.number);
  }

  bool fires_alone(uint32_t e) const {
    const model::System& system = network_.system();
    return system.edges[e].direction == model::Direction::Internal &&
           !(system.beginning.valid() && system.beginning.value == e);
  }

  // The function has to do what Network::write does for the edge.
  void write_firing(uint32_t e) {
    if (!fires_alone(e)) return;
    const Network::EdgeInfo& edge = network_.edge(e);
    const Kind kind = edge.effect.empty() ? Kind::None : pieces_.add(edge.effect);
    if (kind == Kind::None && !edge.effect.empty()) return;
    const model::DeadValues& dead = network_.dead_values();
    std::vector<model::DeadValues::Death> deaths;
    if (!dead.empty()) deaths = dead.deaths(model::EdgeId(e));
    if (deaths.size() + 1 > step::NativeCode::kMostWrites - PieceWriter::kMostWrites) return;
    line("static int e{}(int32_t *restrict v, E *restrict j, uint32_t *restrict n) {{", e);
    if (kind == Kind::Effect) line("  if (!p{}(v, j, n)) return 0;", edge.effect.start);
    // An effect that writes nothing may still fail, or assume something.
    if (kind == Kind::Value) line("  {{ int32_t r; if (!p{}(v, &r) || !r) return 0; }}", edge.effect.start);
    const uint32_t location = network_.location_variable(edge.process);
    line("  W({0}u) v[{0}u] = {1};", location, edge.target);
    for (const model::DeadValues::Death& death : deaths) {
      line("  if (v[{0}u] != {1}{2}) {{ W({0}u) v[{0}u] = {1}; }}", death.variable.value, number(death.value),
           lives(death));
    }
    line("  return 1; }}");
    out_.firings.push_back(e);
  }

  static std::string number(int32_t value) {
    return value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value);
  }
  // " && …": no process is where it needs the variable.
  static std::string lives(const model::DeadValues::Death& death) {
    std::string out;
    for (const auto& unless : death.unless) {
      const bool few = unless.locations.size() <= 3 || unless.locations.back() >= 64;
      uint64_t mask = 0;
      for (const uint32_t l : unless.locations) {
        if (few) out += fmt::format(" && v[{}u] != {}", unless.process.value, l);
        mask |= few ? 0 : uint64_t{1} << l;
      }
      if (!few)
        out += fmt::format(" && ((uint32_t)v[{0}u] > 63 || !({1}ul >> v[{0}u] & 1))", unless.process.value, mask);
    }
    return out;
  }

  void write_unpack() {
    const std::vector<step::Layout::Field>& fields = layout_.fields();
    if (fields.size() > kMostUnpacked) return;
    line("void harrier_unpack(const uint64_t *restrict w, int32_t *restrict v) {{");
    for (size_t i = 0; i < fields.size(); ++i) {
      const step::Layout::Field& f = fields[i];
      line("  v[{}] = (int32_t)({}u + (uint32_t)(w[{}] >> {} & {}u));", i, static_cast<uint32_t>(f.lo), f.word, f.shift,
           f.mask);
    }
    line("}}");
    out_.unpacks = true;
  }

  const Network& network_;
  const step::Layout& layout_;
  std::set<uint32_t> questions_;  // starts
  PieceWriter pieces_;
  std::string text_;
  Source out_;
};

}  // namespace

Source source_of(const step::Network& network, const step::Layout& layout, std::span<const Code> questions) {
  return Writer(network, layout, questions).write();
}

}  // namespace harrier::native
