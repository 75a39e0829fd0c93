#include "search/crew.h"

#include <utility>

namespace harrier::search {

Crew::~Crew() {
  over_ = true;
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  threads_.clear();  // waits for them
}

void Crew::attempt(uint32_t who) {
  try {
    call_(what_, who);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!exception_) exception_ = std::current_exception();
  }
}

void Crew::serve(uint32_t who) {
  for (uint32_t seen = 0;; ++seen) {
    turn_.wait(seen, std::memory_order_acquire);
    if (over_) return;
    attempt(who);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void Crew::run(Call call, const void* what) {
  call_ = call;
  what_ = what;
  busy_.store(size_ - 1, std::memory_order_relaxed);
  if (threads_.empty()) {
    for (uint32_t who = 1; who < size_; ++who) threads_.emplace_back([this, who] { serve(who); });
  }
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
  attempt(0);
  for (uint32_t busy = busy_.load(std::memory_order_acquire); busy != 0; busy = busy_.load(std::memory_order_acquire)) {
    busy_.wait(busy, std::memory_order_acquire);
  }
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

}  // namespace harrier::search
