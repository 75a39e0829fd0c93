// Threads that do something together, again and again; whoever asks them is one of them.
//
//     Crew crew(2);
//     crew.each(2, [&](uint32_t who) { … });   // who: 0 is the caller, 1 another thread; returns when both are done
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace harrier::search {

class Crew {
 public:
  // The threads start when they are first needed.
  explicit Crew(uint32_t size) : size_(size) {}
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  uint32_t size() const { return size_; }

  // Calls work(who) for every `who` below `count`, which is 1 or the size, at the same time. What one of them throws is
  // thrown here when all have ended.
  template <class Work>
  void each(uint32_t count, Work&& work) {
    if (count == 1) {
      work(0u);
      return;
    }
    using Callable = std::remove_reference_t<Work>;
    run([](const void* what, uint32_t who) { (*static_cast<Callable*>(const_cast<void*>(what)))(who); }, &work);
  }

 private:
  using Call = void (*)(const void* what, uint32_t who);

  void run(Call call, const void* what);
  void serve(uint32_t who);
  void attempt(uint32_t who);

  uint32_t size_;
  std::vector<std::jthread> threads_;
  // What is to be done: set before the turn changes.
  Call call_ = nullptr;
  const void* what_ = nullptr;
  bool over_ = false;
  std::atomic<uint32_t> turn_ = 0;
  std::atomic<uint32_t> busy_ = 0;  // threads that have not done it yet
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace harrier::search
