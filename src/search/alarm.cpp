#include "search/alarm.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>

namespace harrier::search {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(5);

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

Alarm::Alarm(const Watch& run) : run_(run) {
  looker_ = std::jthread([this](const std::stop_token& over) {
    std::condition_variable_any wait;
    std::unique_lock lock(mutex_);
    while (!wait.wait_for(lock, over, kLookEvery, [&] { return over.stop_requested(); })) look();
  });
}

void Alarm::look() {
  if (ring_ != nullptr && (seconds_of(clock_) >= end_ || run_.over())) *ring_ = true;
}

Alarm::Turn::Turn(Alarm& alarm, double seconds, std::atomic<bool>& ring) : alarm_(alarm) {
  const std::lock_guard lock(alarm.mutex_);
  pthread_getcpuclockid(pthread_self(), &alarm.clock_);
  alarm.end_ = cpu_seconds() + seconds;
  alarm.ring_ = &ring;
}

Alarm::Turn::~Turn() {
  const std::lock_guard lock(alarm_.mutex_);
  alarm_.ring_ = nullptr;
}

}  // namespace harrier::search
