// What a model is inside: the document that the front end read, and its systems.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harrier/harrier.h"
#include "lang/frontend.h"

namespace harrier::api {

using InstancePtr = std::shared_ptr<const lang::Instance>;

// One of a model's systems, as complete as it is known to have to be. A check that finds it incomplete works on with
// the refined one, and leaves it here for those that come later; whoever began before keeps what it has.
class Part {
 public:
  explicit Part(InstancePtr instance) : instance_(std::move(instance)) {}

  InstancePtr now() const {
    const std::lock_guard lock(mutex_);
    return instance_;
  }
  // Takes a refinement of `from`, unless another one was faster.
  void refine(const InstancePtr& from, const InstancePtr& to) const {
    const std::lock_guard lock(mutex_);
    if (instance_ == from) instance_ = to;
  }

 private:
  mutable std::mutex mutex_;
  mutable InstancePtr instance_;  // all that differs is what is not known before a search
};

// Where a property is.
struct PropertyPlace {
  const Part* part = nullptr;
  size_t number = 0;  // in the part
};

struct Data {
  const lang::Frontend* frontend = nullptr;
  std::shared_ptr<const lang::Document> document;
  std::vector<std::shared_ptr<const Part>> parts;
  std::vector<PropertyPlace> places;  // by property
  std::vector<PropertyInfo> properties;
  std::vector<std::string> files;
  std::string warnings;
  Translation translation;
  double load_seconds = 0;
  uint64_t bytes_before = 0;  // resident before the model was loaded

  // Throws std::out_of_range if there is none of this number.
  const PropertyPlace& place(size_t property) const { return places.at(property); }
  // The property in an instance of its part. Throws what keeps it from being checked, if anything does.
  const model::Property& usable(const lang::Instance& instance, size_t property) const;
};

// The way from a model to what is inside it, for this room and for tests.
struct Inside {
  static const Data& of(const Model& model) { return *model.data_; }
  // The first of the model's systems.
  static InstancePtr first(const Model& model) { return of(model).parts.front()->now(); }
};

}  // namespace harrier::api
