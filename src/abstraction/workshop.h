// Where abstractions are built for the heuristics of a run: it knows what the user asked for, hands out what was loaded
// from a file instead of building it again, lets heuristics of the same model and goal share, and keeps a record.
//
//     auto database = workshop.get<PatternDatabases>("pdb", fingerprint,
//         [&] { return PatternDatabases(factors, workshop.options(), watch); },
//         [&](ArchiveReader& in) { return PatternDatabases::load(in, factors); });
//
// A database has `AbstractionReport report() const` and `void save(ArchiveWriter&) const`.
//
// The file begins with a mark and a version and ends with a checksum. Every database in it has the name of its
// heuristic and a fingerprint of the system and the goal that it was built for: it fits nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/archive.h"
#include "harrier/abstraction.h"
#include "harrier/cost.h"
#include "model/system.h"

namespace harrier::abstraction {

// Of a system, a goal, and what steps count.
uint64_t fingerprint(const model::System& system, const std::vector<model::Clause>& goal, CostType costs);

// Databases as bytes.
class Stock {
 public:
  Stock() = default;
  // The content of a file; the name is for messages. Throws Error(Input) if it is none of ours, damaged, or of another
  // version.
  Stock(std::string_view bytes, std::string name);

  // Instead of an earlier one for the same.
  void add(const std::string& heuristic, uint64_t fingerprint, std::string bytes);
  // Throws Error(Input) if there is no such database, or it was built for something else.
  std::string_view find(const std::string& heuristic, uint64_t fingerprint) const;
  std::string to_bytes() const;
  const std::string& name() const { return name_; }

 private:
  struct Item {
    std::string heuristic;
    uint64_t fingerprint = 0;
    std::string bytes;
  };
  std::string name_;
  std::vector<Item> items_;
};

// Thread-safe; what it hands out is immutable.
class Workshop {
 public:
  explicit Workshop(AbstractionOptions options = {}) : options_(std::move(options)) {}

  // From now on databases come from there.
  void load(Stock stock) { stock_ = std::make_unique<const Stock>(std::move(stock)); }
  bool loads() const { return stock_ != nullptr; }
  // What is built from now on is kept as bytes.
  void keep() { kept_ = std::make_unique<Stock>(); }

  const AbstractionOptions& options() const { return options_; }

  template <class Database, class Build, class Load>
  std::shared_ptr<const Database> get(const std::string& heuristic, uint64_t fingerprint, Build&& build, Load&& load) {
    const std::lock_guard lock(mutex_);
    Known& known = known_[{heuristic, fingerprint}];
    if (const auto shared = known.database.lock()) return std::static_pointer_cast<const Database>(shared);
    const auto start = std::chrono::steady_clock::now();
    std::shared_ptr<const Database> database;
    if (stock_) {
      ArchiveReader in(stock_->find(heuristic, fingerprint), stock_->name());
      database = std::make_shared<const Database>(load(in));
      if (!in.at_end()) in.fail("there is more in it than belongs there");
    } else {
      database = std::make_shared<const Database>(build());
    }
    AbstractionReport report = database->report();
    report.heuristic = heuristic;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.loaded = stock_ != nullptr;
    if (known.report) {
      report.seconds += reports_[*known.report].seconds;
      reports_[*known.report] = std::move(report);
    } else {
      known.report = reports_.size();
      reports_.push_back(std::move(report));
    }
    if (kept_) {
      ArchiveWriter out;
      database->save(out);
      kept_->add(heuristic, fingerprint, out.bytes());
    }
    known.database = database;
    return database;
  }

  // Takes down what was built elsewhere, with the time of all that was built for the same heuristic.
  void record(AbstractionReport report) {
    const std::lock_guard lock(mutex_);
    for (AbstractionReport& known : reports_) {
      if (known.heuristic != report.heuristic) continue;
      report.seconds += known.seconds;
      known = std::move(report);
      return;
    }
    reports_.push_back(std::move(report));
  }

  // Of what was built again the last one, with the time of all.
  std::vector<AbstractionReport> reports() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }
  // What was kept, as the content of a file.
  std::string kept() const {
    const std::lock_guard lock(mutex_);
    return kept_ ? kept_->to_bytes() : "";
  }

 private:
  AbstractionOptions options_;
  mutable std::mutex mutex_;
  std::unique_ptr<const Stock> stock_;
  std::unique_ptr<Stock> kept_;
  struct Known {
    std::weak_ptr<const void> database;  // as long as somebody has it
    std::optional<size_t> report;
  };
  std::map<std::pair<std::string, uint64_t>, Known> known_;
  std::vector<AbstractionReport> reports_;
};

}  // namespace harrier::abstraction
