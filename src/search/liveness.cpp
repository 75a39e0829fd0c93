#include "search/liveness.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/chunked.h"
#include "base/error.h"
#include "search/marked_space.h"

namespace harrier::search {

namespace {

class LivenessTask : public Task {
 public:
  LivenessTask(const step::Semantics& semantics, std::optional<uint64_t> depth_limit, Budget& budget)
      : depth_limit_(depth_limit),
        space_(semantics, budget),
        numbers_(budget, 1),
        live_(budget, 1),
        components_(budget, 1),
        frames_(budget, 1),
        successors_(budget, 1) {}

  Status advance(uint64_t expansions) override {
    try {
      if (status_ == Status::Running && expanded_ == 0) start();
      const uint64_t until = expanded_ + expansions;
      while (status_ == Status::Running && expanded_ < until) step();
    } catch (const model::EvalFailure& failure) {
      space_.states().recover();
      model::Path path;
      if (frames_.size() > 0) path = path_from_root();
      if (frames_.size() > 1) path.steps = walk(root(), {.state = frames_[frames_.size() - 1]->id}).steps;
      throw ModelFailure(failure, std::move(path));
    }
    return status_;
  }

  uint64_t work() const override { return generated_; }
  bool for_each_state(const std::function<bool(const int32_t*)>& visit) const override {
    std::vector<int32_t> values(space_.states().variable_count());
    for (uint64_t i = 0; i < space_.states().discrete_states(); ++i) {
      space_.states().read_discrete(i, values.data());
      if (!visit(values.data())) break;
    }
    return true;
  }
  std::vector<step::Machine::Violation> violations() const override { return space_.states().violations(); }
  model::Path path() override;

  Statistics statistics() const override {
    Statistics s;
    s.expanded = expanded_;
    s.generated = generated_;
    s.stored = space_.states().stored();
    s.transient = space_.states().transient();
    return s;
  }

 private:
  static constexpr uint32_t kNew = 0;
  static constexpr uint32_t kDone = UINT32_MAX;

  struct Successor {
    uint64_t id = 0;
    Marks marks = 0;  // of the transition to it
  };
  // A part of a component that is known to be strongly connected: all live states from a number on, up to the next one.
  struct Component {
    uint32_t first = 0;
    Marks entered = 0;  // of the transition that leads into it from the one before
    Marks marks = 0;    // inside
  };
  // A state on the path of the search; its successors that are still to be visited lie from `first` on.
  struct Frame {
    uint64_t id = 0;
    uint64_t first = 0;
  };

  void start();
  void enter_next_root();
  void step();
  void enter(uint64_t id, Marks entered);
  void close(uint32_t number, Marks marks);
  void leave(uint64_t id);

  uint32_t& number(uint64_t id) { return *numbers_[id]; }
  bool is_live(uint64_t id) { return number(id) != kNew && number(id) != kDone; }
  bool in_cycle(uint64_t id) { return is_live(id) && number(id) >= cycle_from_; }

  // A shortest way from a state to the first that fulfils one of the wishes, through live states.
  struct Wishes {
    std::optional<uint64_t> state;  // to come to this state, with at least one step
    Marks marks = 0;                // to see one of these
    bool enter_cycle = false;       // to come to where the cycle may start, with any number of steps
    bool inside = false;            // through states of the cycle only
  };
  struct Leg {
    std::vector<model::PathStep> steps;
    uint64_t end = 0;
    Marks marks = 0;  // of the transitions, and of the last state
    Marks last = 0;   // of the last state
  };
  Leg walk(uint64_t from, const Wishes& wishes);
  // The initial state from which the search goes on now, and a path that begins there.
  uint64_t root() { return frames_[0]->id; }
  model::Path path_from_root() {
    model::Path path;
    path.beginning = space_.states().path_to(root(), 0).beginning;
    return path;
  }
  // The steps that a way consists of, last one first.
  Leg leg_of(std::vector<store::Origin> back, uint64_t end);

  std::optional<uint64_t> depth_limit_;
  MarkedSpace space_;
  std::vector<uint64_t> initial_;   // states that are still to be searched from
  ChunkedArray<uint32_t> numbers_;  // by state, in the order of discovery
  ChunkedArray<uint64_t> live_;     // states by number whose components are not finished
  ChunkedArray<Component> components_;
  ChunkedArray<Frame> frames_;
  ChunkedArray<Successor> successors_;
  uint32_t last_number_ = 0;
  Status status_ = Status::Running;
  bool cut_ = false;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
  // With Status::Found, one of them:
  uint32_t cycle_from_ = kDone;  // states of this number or a larger one make the cycle
  std::optional<std::pair<uint64_t, size_t>> goal_;
};

template <class T>
T& top(ChunkedArray<T>& stack) {
  return *stack[stack.size() - 1];
}

void LivenessTask::start() {
  DiscreteSpace& states = space_.states();
  states.for_each_initial([&] {
    const store::Admission a = states.admit(store::Origin::kNoParent, 0);
    if (!a.fresh) return true;
    *numbers_.append() = kNew;
    initial_.push_back(a.id);
    return true;
  });
  std::reverse(initial_.begin(), initial_.end());
  enter_next_root();
}

void LivenessTask::enter_next_root() {
  while (!initial_.empty()) {
    const uint64_t id = initial_.back();
    initial_.pop_back();
    if (number(id) != kNew) continue;
    enter(id, 0);
    return;
  }
  status_ = cut_ ? Status::Cut : Status::Exhausted;
}

void LivenessTask::enter(uint64_t id, Marks entered) {
  if (last_number_ == kDone - 1) throw Error(ErrorKind::Unsupported, "unsupported: more than 4,294,967,293 states");
  number(id) = ++last_number_;
  *live_.append() = id;
  *frames_.append() = {id, successors_.size()};
  ++expanded_;
  space_.states().recall(id);
  if (const auto clause = space_.states().goal()) {
    goal_ = {id, *clause};
    status_ = Status::Found;
    return;
  }
  if (depth_limit_ && frames_.size() > *depth_limit_) {
    cut_ = true;
    *components_.append() = {last_number_, entered, 0};
    return;
  }
  const Marks marks = space_.expand(id, [&](uint64_t target, Marks moved) {
    ++generated_;
    while (numbers_.size() <= target) *numbers_.append() = kNew;
    *successors_.append() = {target, moved};
    return true;
  });
  *components_.append() = {last_number_, entered, marks};
}

void LivenessTask::step() {
  const Frame frame = top(frames_);
  if (successors_.size() == frame.first) {
    leave(frame.id);
    return;
  }
  const Successor next = top(successors_);
  successors_.remove_last();
  if (number(next.id) == kNew) {
    enter(next.id, next.marks);
  } else if (number(next.id) != kDone) {
    close(number(next.id), next.marks);
  }
}

// A transition leads back to a live state: all components from there on are one.
void LivenessTask::close(uint32_t number, Marks marks) {
  while (top(components_).first > number) {
    marks |= top(components_).marks | top(components_).entered;
    components_.remove_last();
  }
  Component& component = top(components_);
  component.marks |= marks;
  if (component.marks != space_.wanted()) return;
  cycle_from_ = component.first;
  status_ = Status::Found;
}

void LivenessTask::leave(uint64_t id) {
  frames_.remove_last();
  if (top(components_).first == number(id)) {
    components_.remove_last();
    for (bool all = false; !all;) {
      const uint64_t done = top(live_);
      live_.remove_last();
      number(done) = kDone;
      all = done == id;
    }
  }
  if (frames_.size() == 0) enter_next_root();
}

LivenessTask::Leg LivenessTask::leg_of(std::vector<store::Origin> back, uint64_t end) {
  Leg leg;
  leg.end = end;
  for (size_t i = back.size(); i-- > 0;) {
    MarkedSpace::Step taken = space_.step_of(back[i]);
    leg.steps.push_back(std::move(taken.step));
    leg.marks |= taken.marks;
  }
  return leg;
}

LivenessTask::Leg LivenessTask::walk(uint64_t from, const Wishes& wishes) {
  std::unordered_map<uint64_t, store::Origin> reached{{from, {}}};
  std::deque<uint64_t> open{from};
  while (!open.empty()) {
    const uint64_t at = open.front();
    open.pop_front();
    std::optional<store::Origin> last;
    uint64_t end = at;
    const Marks marks = space_.expand(at, [&](uint64_t target, Marks moved) {
      if (!(wishes.inside ? in_cycle(target) : is_live(target))) return true;
      const store::Origin origin = space_.states().origin(at);
      if (reached.emplace(target, origin).second) open.push_back(target);
      if (!last && (target == wishes.state || (moved & wishes.marks) != 0)) {
        last = origin;
        end = target;
      }
      return true;
    });
    const bool here =
        (marks & wishes.marks) != 0 || (wishes.enter_cycle && in_cycle(at) && space_.may_start_cycle(marks));
    if (!here && !last) continue;
    std::vector<store::Origin> back;
    if (!here) back.push_back(*last);
    for (uint64_t s = at; s != from; s = back.back().parent()) back.push_back(reached.at(s));
    Leg leg = leg_of(std::move(back), here ? at : end);
    if (here) leg.marks |= leg.last = marks;
    return leg;
  }
  throw Error(ErrorKind::Internal, "a cycle was found, but no way along it");
}

model::Path LivenessTask::path() {
  model::Path path = path_from_root();
  const auto append = [&](Leg leg) { std::move(leg.steps.begin(), leg.steps.end(), std::back_inserter(path.steps)); };
  if (goal_) {
    path.goal_clause = goal_->second;
    if (goal_->first != root()) append(walk(root(), {.state = goal_->first}));
    return path;
  }
  const Leg stem = walk(root(), {.enter_cycle = true});
  append(stem);
  path.loop_start = path.steps.size();
  uint64_t at = stem.end;
  for (Marks missing = space_.wanted() & ~stem.last; missing != 0;) {
    const Leg leg = walk(at, {.marks = missing, .inside = true});
    append(leg);
    at = leg.end;
    missing &= ~leg.marks;
  }
  if (at != stem.end || path.steps.size() == *path.loop_start) {
    append(walk(at, {.state = stem.end, .inside = true}));
  }
  return path;
}

}  // namespace

std::unique_ptr<Task> make_liveness_task(const step::Semantics& semantics, std::optional<uint64_t> depth_limit,
                                         Budget& budget) {
  return std::make_unique<LivenessTask>(semantics, depth_limit, budget);
}

}  // namespace harrier::search
