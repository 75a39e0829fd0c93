// Ends the turn of a search that does not come to a pause by itself, as one that makes a heuristic for minutes.
//
// A search with a watch of its own is interrupted through that watch's request to stop, which the alarm makes when the
// thread has used its time, or when the watch over the whole run has seen enough.
#pragma once

#include <time.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "base/watch.h"

namespace harrier::search {

class Alarm {
 public:
  // `run` must outlive the alarm.
  explicit Alarm(const Watch& run);

  // A turn of the calling thread: while it lasts, `ring` becomes true after so many seconds of processor time.
  class Turn {
   public:
    Turn(Alarm& alarm, double seconds, std::atomic<bool>& ring);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Alarm& alarm_;
  };

 private:
  void look();

  const Watch& run_;
  std::mutex mutex_;
  std::atomic<bool>* ring_ = nullptr;  // of the turn, if there is one
  clockid_t clock_ = CLOCK_MONOTONIC;
  double end_ = 0;
  std::jthread looker_;
};

// Of the calling thread, so that other programs do not count.
double cpu_seconds();

}  // namespace harrier::search
