// Compiles a model in the background and lets its program use the result, while others already work with it.
//
//     const Compilation compilation(semantics, Compilation::kDelay);   // … or compilation.wait(watch)
//     … search …
//     compilation.report()
//
// What it makes is in use until it is destroyed; nobody may work with the semantics then. A compiler that still runs is
// ended, and no file is left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/watch.h"
#include "native/library.h"
#include "step/semantics.h"

namespace harrier::native {

class Compilation {
 public:
  // How long a search has to go on before compiling pays: it takes half a second of a processor's time, which a search
  // that becomes faster by a tenth gets back in five seconds.
  static constexpr std::chrono::milliseconds kDelay{3000};

  // It begins after the delay. The semantics must outlive it.
  Compilation(const step::Semantics& semantics, std::chrono::milliseconds delay);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // Until there is native code, or a reason why there is none. Throws Error(Limit) as the watch does.
  void wait(const Watch& watch) const;

  struct Report {
    bool used = false;
    double seconds = 0;   // that compiling took, if it came to an end
    std::string problem;  // why there is no native code; empty also if there was no time for it
  };
  Report report() const;

 private:
  void work(const std::stop_token& stop, std::chrono::milliseconds delay);
  void compile(const std::stop_token& stop);

  const step::Semantics& semantics_;
  mutable std::mutex mutex_;  // of all below
  mutable std::condition_variable_any changed_;
  bool over_ = false;
  Report report_;
  std::unique_ptr<Library> library_;
  std::jthread worker_;
};

}  // namespace harrier::native
