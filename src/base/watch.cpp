#include "base/watch.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <mutex>

#include "base/sanitized.h"

namespace harrier {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(5);

}  // namespace

uint64_t resident_bytes() {
  if (kSanitized) return 0;  // most of it would be the sanitizer's
  // "size resident shared …", in pages. Nothing is allocated here.
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 128> text{};
  const ssize_t length = read(file, text.data(), text.size());
  close(file);
  const char* at = text.data();
  const char* const end = at + std::max<ssize_t>(length, 0);
  std::array<uint64_t, 3> pages{};
  for (uint64_t& count : pages) {
    at = std::from_chars(at, end, count).ptr;
    if (at != end) ++at;
  }
  const auto [size, resident, shared] = pages;
  return (resident - std::min(resident, shared)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

const Watch& Watch::none() {
  static const Watch unbound;
  return unbound;
}

Watch::Watch(const Bounds& bounds) : bounds_(bounds) {
  if (bounds_.polls) {
    reached_ = Reached::Counting;
    return;
  }
  if (!bounds_.seconds && !bounds_.bytes && bounds_.stop == nullptr) return;
  reached_ = look();
  looker_ = std::jthread([this](const std::stop_token& over) {
    std::mutex mutex;
    std::condition_variable_any wait;
    std::unique_lock lock(mutex);
    while (!wait.wait_for(lock, over, kLookEvery, [&] { return over.stop_requested(); })) {
      if (const Reached now = look(); now != Reached::Nothing) reached_.store(now, std::memory_order_relaxed);
    }
  });
}

uint64_t Watch::bytes() const {
  const uint64_t all = resident_bytes();
  const uint64_t own = all - std::min(all, bounds_.bytes_before);
  uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (own > peak && !peak_bytes_.compare_exchange_weak(peak, own, std::memory_order_relaxed)) {
  }
  return own;
}

Watch::Reached Watch::look() const {
  if (bounds_.stop != nullptr && bounds_.stop->load(std::memory_order_relaxed)) return Reached::Stop;
  if (bounds_.seconds && seconds() >= *bounds_.seconds) return Reached::Time;
  if (!bounds_.bytes || bytes() <= *bounds_.bytes) return Reached::Nothing;
  malloc_trim(0);  // what was freed need not have been given back to the system
  return bytes() <= *bounds_.bytes ? Reached::Nothing : Reached::Memory;
}

bool Watch::over() const {
  const Reached reached = reached_.load(std::memory_order_relaxed);
  if (reached == Reached::Counting) return polls_.fetch_add(1, std::memory_order_relaxed) >= *bounds_.polls;
  if (reached != Reached::Memory) return reached != Reached::Nothing;
  // Memory may have been freed since.
  const Reached now = look();
  reached_.store(now, std::memory_order_relaxed);
  return now != Reached::Nothing;
}

void Watch::end() const {
  if (!over()) return;
  switch (reached_.load(std::memory_order_relaxed)) {
    case Reached::Time: throw Error(ErrorKind::Limit, "time limit");
    case Reached::Memory: throw MemoryLimitReached();
    case Reached::Nothing:  // freed in the last moment
    case Reached::Counting:
    case Reached::Stop: break;
  }
  throw Error(ErrorKind::Limit, "interrupted");
}

uint64_t Watch::peak_bytes() const {
  bytes();
  return peak_bytes_.load(std::memory_order_relaxed);
}

}  // namespace harrier
