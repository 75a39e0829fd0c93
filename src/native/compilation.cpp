#include "native/compilation.h"

#include <exception>
#include <utility>
#include <vector>

#include "native/compiler.h"
#include "native/private_directory.h"
#include "native/source.h"

namespace harrier::native {

Compilation::Compilation(const step::Semantics& semantics, std::chrono::milliseconds delay)
    : semantics_(semantics), worker_([this, delay](const std::stop_token& stop) { work(stop, delay); }) {}

Compilation::~Compilation() {
  worker_.request_stop();
  worker_.join();
  semantics_.network().program().use(nullptr);
}

void Compilation::wait(const Watch& watch) const {
  constexpr auto kPollEvery = std::chrono::milliseconds(2);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kPollEvery, [&] { return over_; })) watch.poll();
}

Compilation::Report Compilation::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void Compilation::work(const std::stop_token& stop, std::chrono::milliseconds delay) {
  {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, stop, delay, [&] { return stop.stop_requested(); })) return;
  }
  std::string problem;
  try {
    compile(stop);
  } catch (const std::exception& e) {
    problem = e.what();
  }
  const std::lock_guard lock(mutex_);
  report_.problem = std::move(problem);
  over_ = true;
  changed_.notify_all();
}

void Compilation::compile(const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<step::Code> questions;
  const auto ask = [&](const std::vector<step::CompiledClause>& clauses) {
    for (const step::CompiledClause& clause : clauses) questions.push_back(clause.conditions);
  };
  ask(semantics_.goal());
  ask(semantics_.premise());
  for (const auto& set : semantics_.accepting()) ask(set);
  const Source source = source_of(semantics_.network(), semantics_.layout(), questions);
  std::unique_ptr<Library> library;
  {
    const PrivateDirectory directory;
    const std::string object = native::compile(source.text, directory, stop);
    if (object.empty()) return;
    library = std::make_unique<Library>(object, source, semantics_.network());
  }
  const std::lock_guard lock(mutex_);
  library_ = std::move(library);
  report_.used = true;
  report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  semantics_.network().program().use(&library_->code());
}

}  // namespace harrier::native
