#include "abstraction/zones/zone_database.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/budget.h"
#include "base/hash.h"
#include "model/interpreter.h"
#include "step/semantics.h"
#include "step/zone_generator.h"
#include "store/state_store.h"

namespace harrier::abstraction {

using step::ClockBounds;
using zone::Bound;

namespace {

// Transitions that are remembered for each zone that there is room for, on average.
constexpr uint64_t kMostTransitions = 64;

}  // namespace

// The zone graph, while it is made.
class ZoneDatabase::Explorer {
 public:
  Explorer(const transform::ModelProjection& projection, const Limits& limits, const Watch& watch)
      : limits_(limits),
        watch_(watch),
        budget_(std::nullopt, watch),
        semantics_(projection.system, projection.property, watch),
        generator_(std::make_unique<step::ZoneGenerator>(semantics_, watch)),
        states_(budget_, semantics_.layout().words()) {}

  void run() {
    if (!guarded([&] {
          generator_->initial([&] {
            if (const auto node = admit(0)) initial_.push_back(*node);
            return true;
          });
        })) {
      full_ = true;  // even the beginning is not known
    }
    uint32_t next = 0;
    // Goals are left, too: of what is a goal in the projection, the model may have to go on.
    for (; next < nodes_.size() && !full_ && in_time(next); ++next) {
      if (nodes_[next].into == next) expand(next);
    }
    // What was not expanded, or not to the end, is the border.
    for (; next < nodes_.size(); ++next) open(next);
    measure();
  }

  void write(ZoneDatabase& out) const {
    out.complete_ = complete_ && !full_;
    out.plain_ = !semantics_.bounds().diagonals().empty();
    out.initial_distance_ = kInfinity;
    for (const uint32_t n : initial_)
      out.initial_distance_ = std::min(out.initial_distance_, nodes_[nodes_[n].into].distance);
    if (full_ && initial_.empty()) out.initial_distance_ = 0;
    const uint32_t words = semantics_.layout().words();
    out.first_zone_.push_back(0);
    out.first_clock_.push_back(0);
    for (uint64_t s = 0; s < states_.size(); ++s) {
      watch_.poll();
      out.words_.insert(out.words_.end(), states_[s], states_[s] + words);
      const auto dim = static_cast<uint32_t>(clocks_[s].size());
      for (const ClockBounds::Entry& c : clocks_[s]) {
        out.clocks_.push_back(c.clock);
        out.lower_.push_back(c.lower);
        out.upper_.push_back(c.upper);
      }
      out.first_clock_.push_back(out.clocks_.size());
      out.first_bound_.push_back(out.bounds_.size());
      std::vector<uint32_t> here = nodes_of_[s];
      std::erase_if(here, [&](uint32_t n) { return nodes_[n].into != n; });
      std::stable_sort(here.begin(), here.end(),
                       [&](uint32_t a, uint32_t b) { return nodes_[a].distance < nodes_[b].distance; });
      for (const uint32_t n : here) {
        out.distance_.push_back(nodes_[n].distance);
        const Bound* const zone = bounds_.data() + nodes_[n].first_bound;
        out.bounds_.insert(out.bounds_.end(), zone, zone + size_t{dim} * dim);
      }
      out.first_zone_.push_back(out.distance_.size());
    }
  }

 private:
  struct Node {
    uint64_t first_bound = 0;
    uint32_t state = 0;
    uint32_t distance = kInfinity;
    uint32_t depth = 0;
    uint32_t into = 0;  // the node that stands for it: itself, or one that was found to include it
  };

  const Limits& limits_;
  const Watch& watch_;
  Budget budget_;
  step::Semantics semantics_;
  std::unique_ptr<step::ZoneGenerator> generator_;
  store::StateStore states_;
  // By state: the clocks of its zones with their bounds, and its nodes.
  std::vector<std::vector<ClockBounds::Entry>> clocks_;
  std::vector<std::vector<uint32_t>> nodes_of_;
  std::vector<Node> nodes_;
  std::vector<Bound> bounds_;
  std::vector<uint32_t> initial_;
  std::vector<std::pair<uint32_t, uint32_t>> steps_;
  bool full_ = false;
  bool complete_ = true;

  bool in_time(uint32_t step) {
    watch_.poll();
    if (step % 64 == 0 && Clock::now() > limits_.deadline) full_ = true;
    return !full_;
  }

  void open(uint32_t node) {
    nodes_[node].distance = 0;
    complete_ = false;
  }

  // False if an evaluation failed: where the guards of the model protect it, those of the projection need not. The
  // generator is made anew, since it stopped half-way.
  template <class Work>
  bool guarded(Work&& work) {
    try {
      work();
      return true;
    } catch (const model::EvalFailure&) {
      generator_ = std::make_unique<step::ZoneGenerator>(semantics_, watch_);
      return false;
    }
  }

  void expand(uint32_t from) {
    const auto leave = [&] {
      const Node node = nodes_[from];
      const size_t dim = clocks_[node.state].size();
      generator_->load(states_[node.state],
                       [&](Bound* zone) { std::copy_n(bounds_.data() + node.first_bound, dim * dim, zone); });
      const size_t first_step = steps_.size();
      generator_->successors([&](const step::Firing&) {
        const auto to = admit(node.depth + 1);
        if (!to) return false;
        const std::pair step(from, *to);
        if (std::find(steps_.begin() + static_cast<ptrdiff_t>(first_step), steps_.end(), step) == steps_.end()) {
          steps_.push_back(step);
        }
        full_ = full_ || steps_.size() > kMostTransitions * limits_.zones;
        return !full_;
      });
    };
    if (!guarded(leave) || full_) open(from);
  }

  // The node of the candidate; none if there is no room for it.
  std::optional<uint32_t> admit(uint32_t depth) {
    const uint32_t dim = generator_->dim();
    const Bound* const thresholds = generator_->thresholds();
    const auto known = states_.insert(generator_->words());
    if (known.fresh) {
      nodes_of_.emplace_back();
      auto& clocks = clocks_.emplace_back();
      for (uint32_t i = 0; i < dim; ++i) {
        clocks.push_back({generator_->clocks()[i], generator_->lower()[i], generator_->upper()[i]});
      }
    }
    std::vector<uint32_t>& here = nodes_of_[known.id];
    const auto zone_of = [&](uint32_t n) { return bounds_.data() + nodes_[n].first_bound; };
    for (const uint32_t n : here) {
      if (zone::dbm::includes(zone_of(n), thresholds, dim)) return n;
    }
    if (nodes_.size() >= limits_.zones) {
      full_ = true;
      return std::nullopt;
    }
    generator_->extrapolate();
    const Bound* const zone = generator_->bounds_of_zone();
    const auto id = static_cast<uint32_t>(nodes_.size());
    // Those found as late that lie in it, none of which has been expanded, need not be.
    for (const uint32_t n : here) {
      if (nodes_[n].depth == depth && zone::dbm::includes(zone, zone_of(n), dim)) nodes_[n].into = id;
    }
    std::erase_if(here, [&](uint32_t n) { return nodes_[n].into == id; });
    here.push_back(id);
    nodes_.push_back({bounds_.size(), static_cast<uint32_t>(known.id), 0, depth, id});
    bounds_.insert(bounds_.end(), zone, zone + size_t{dim} * dim);
    if (!generator_->goal()) nodes_[id].distance = kInfinity;  // 0 also where the goal cannot be evaluated
    return id;
  }

  // What stands for a node in the end.
  uint32_t last(uint32_t node) {
    uint32_t end = node;
    while (nodes_[end].into != end) end = nodes_[end].into;
    while (nodes_[node].into != end) node = std::exchange(nodes_[node].into, end);
    return end;
  }

  void measure() {
    for (uint32_t n = 0; n < nodes_.size(); ++n) last(n);
    for (auto& [from, to] : steps_) to = nodes_[to].into;
    std::vector<uint64_t> first(nodes_.size() + 1, 0);
    for (const auto& [from, to] : steps_) ++first[to + size_t{1}];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> before(steps_.size());
    std::vector<uint64_t> at(first.begin(), first.end() - 1);
    for (const auto& [from, to] : steps_) before[at[to]++] = from;
    std::vector<uint32_t> queue;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].into == n && nodes_[n].distance == 0) queue.push_back(n);
    }
    for (size_t i = 0; i < queue.size(); ++i) {
      watch_.poll();
      const uint32_t to = queue[i];
      for (uint64_t k = first[to]; k < first[to + size_t{1}]; ++k) {
        Node& node = nodes_[before[k]];
        if (node.distance != kInfinity) continue;
        node.distance = nodes_[to].distance + 1;
        queue.push_back(before[k]);
      }
    }
  }
};

ZoneDatabase::ZoneDatabase(const transform::ModelProjection& projection, const Limits& limits, const Watch& watch)
    : ZoneDatabase(projection) {
  Explorer explorer(projection, limits, watch);
  explorer.run();
  explorer.write(*this);
  make_table();
}

void ZoneDatabase::make_table() {
  for (uint64_t s = 0; s < states(); ++s) {
    largest_dim_ = std::max(largest_dim_, static_cast<uint32_t>(first_clock_[s + 1] - first_clock_[s]));
  }
  slots_.assign(std::bit_ceil(2 * states() + 1), 0);
  const uint32_t words = layout_.words();
  for (uint64_t s = 0; s < states(); ++s) {
    uint64_t slot = hash_words(words_.data() + s * words, words) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(s + 1);
  }
}

uint64_t ZoneDatabase::find(const uint64_t* words) const {
  const uint32_t count = layout_.words();
  uint64_t slot = hash_words(words, count) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const uint64_t s = slots_[slot] - 1;
    if (std::equal(words, words + count, words_.data() + s * count)) return s;
  }
  return kNone;
}

ZoneDatabase::Scratch ZoneDatabase::make_scratch() const {
  Scratch scratch;
  scratch.words_.resize(layout_.words());
  scratch.zone_.resize(size_t{largest_dim_} * largest_dim_);
  scratch.thresholds_.resize(scratch.zone_.size());
  return scratch;
}

void ZoneDatabase::project(const zone::ZoneView& zone, uint64_t state, Bound* out) const {
  const uint32_t* const clocks = clocks_.data() + first_clock_[state];
  const auto dim = static_cast<uint32_t>(first_clock_[state + 1] - first_clock_[state]);
  for (uint32_t i = 0; i < dim; ++i) {
    const uint32_t row = zone.local[clocks[i]];
    for (uint32_t j = 0; j < dim; ++j) {
      const uint32_t column = zone.local[clocks[j]];
      Bound& b = out[i * dim + j];
      if (i == j) {
        b = zone::kZeroLe;
      } else if (i != 0 && row == 0) {
        b = zone::kInfinity;  // a clock of which nothing is known but that it is not negative
      } else {
        b = zone.matrix[row * zone.dim + column];  // column 0 stands for such a one, too
      }
    }
  }
}

bool ZoneDatabase::may_meet(const Bound* zone, const Bound* stored, uint64_t state) const {
  const uint64_t first = first_clock_[state];
  const auto dim = static_cast<uint32_t>(first_clock_[state + 1] - first);
  for (uint32_t x = 0; x < dim; ++x) {
    const Bound largest = zone[x * dim];  // of x
    if (!plain_ && largest > zone::bound_le(upper_[first + x])) continue;
    for (uint32_t y = 0; y < dim; ++y) {
      const Bound c = stored[y * dim + x];
      if (zone::add_bounds(zone[x * dim + y], c) >= zone::kZeroLe) continue;
      if (plain_ || zone::bound_constant(largest) + zone::bound_constant(c) <= lower_[first + y]) return false;
    }
  }
  return true;
}

uint32_t ZoneDatabase::look_up(const int32_t* values, const zone::ZoneView& zone, Scratch& scratch) const {
  layout_.pack_projected(values, scratch.words_.data());
  const uint64_t state = find(scratch.words_.data());
  const uint32_t unknown = complete_ ? kInfinity : 0;
  if (state == kNone) return unknown;
  const uint64_t first = first_zone_[state];
  const uint64_t end = first_zone_[state + 1];
  if (first == end) return unknown;
  if (zone.matrix == nullptr) return complete_ ? distance_[first] : 0;
  const Bound* const projected = scratch.zone_.data();
  project(zone, state, scratch.zone_.data());
  const uint64_t clock = first_clock_[state];
  const auto dim = static_cast<uint32_t>(first_clock_[state + 1] - clock);
  const auto matrix = [&](uint64_t z) { return bounds_.data() + first_bound_[state] + (z - first) * dim * dim; };
  const Bound* thresholds = projected;
  if (!plain_) {
    thresholds = scratch.thresholds_.data();
    zone::dbm::alu_thresholds(projected, dim, lower_.data() + clock, upper_.data() + clock, scratch.thresholds_.data());
  }
  for (uint64_t z = end; z-- > first && distance_[z] > 0;) {
    if (zone::dbm::includes(matrix(z), thresholds, dim)) return distance_[z];
  }
  if (!complete_) return 0;
  for (uint64_t z = first; z < end; ++z) {
    if (may_meet(projected, matrix(z), state)) return distance_[z];
  }
  return kInfinity;
}

void ZoneDatabase::save(ArchiveWriter& out) const {
  out.list(std::vector<uint8_t>(kept_.variables.begin(), kept_.variables.end()));
  out.list(std::vector<uint8_t>(kept_.clocks.begin(), kept_.clocks.end()));
  out.number(complete_ ? 1 : 0);
  out.number(plain_ ? 1 : 0);
  out.number(initial_distance_);
  out.list(words_);
  out.list(first_zone_);
  out.list(first_clock_);
  out.list(first_bound_);
  out.list(clocks_);
  out.list(lower_);
  out.list(upper_);
  out.list(distance_);
  out.list(bounds_);
}

ZoneDatabase ZoneDatabase::load(ArchiveReader& in, const model::System& system,
                                const transform::ModelProjector& projector) {
  const std::vector<uint8_t> variables = in.list<uint8_t>(system.variables.size(), 2);
  const std::vector<uint8_t> clocks = in.list<uint8_t>(system.clocks.size(), 2);
  ZoneDatabase out(projector.project({{variables.begin(), variables.end()}, {clocks.begin(), clocks.end()}}));
  out.complete_ = in.number(1) == 1;
  out.plain_ = in.number(1) == 1;
  out.initial_distance_ = static_cast<uint32_t>(in.number(kInfinity));
  out.words_ = in.list<uint64_t>();
  out.first_zone_ = in.list<uint64_t>();
  out.first_clock_ = in.list<uint64_t>();
  out.first_bound_ = in.list<uint64_t>();
  out.clocks_ = in.list<uint32_t>();
  out.lower_ = in.list<int32_t>();
  out.upper_ = in.list<int32_t>();
  out.distance_ = in.list<uint32_t>();
  out.bounds_ = in.list<Bound>();
  if (!out.fits_together(system.clocks.size())) in.fail("its zones do not fit together");
  out.make_table();
  return out;
}

// Whether every index that a look-up follows leads somewhere.
bool ZoneDatabase::fits_together(size_t clocks) const {
  const auto is_index = [](const std::vector<uint64_t>& first, uint64_t size, uint64_t end) {
    return first.size() == size && first.front() == 0 && first.back() == end &&
           std::is_sorted(first.begin(), first.end());
  };
  const uint64_t count = words_.size() / layout_.words();
  if (words_.size() % layout_.words() != 0 || count >= UINT32_MAX || first_bound_.size() != count ||
      !is_index(first_zone_, count + 1, distance_.size()) || !is_index(first_clock_, count + 1, clocks_.size()) ||
      lower_.size() != clocks_.size() || upper_.size() != clocks_.size() ||
      std::any_of(clocks_.begin(), clocks_.end(), [&](uint32_t c) { return c >= clocks; })) {
    return false;
  }
  for (uint64_t s = 0; s < count; ++s) {
    const uint64_t dim = first_clock_[s + 1] - first_clock_[s];
    const uint64_t zones = first_zone_[s + 1] - first_zone_[s];
    if (dim == 0 || dim > clocks || clocks_[first_clock_[s]] != 0 || first_bound_[s] > bounds_.size() ||
        zones > (bounds_.size() - first_bound_[s]) / (dim * dim)) {
      return false;
    }
  }
  return true;
}

uint64_t ZoneDatabase::bytes() const {
  return sizeof(*this) + (words_.size() + first_zone_.size() + first_clock_.size() + first_bound_.size()) * 8 +
         (3 * clocks_.size() + distance_.size() + bounds_.size() + slots_.size()) * 4;
}

}  // namespace harrier::abstraction
