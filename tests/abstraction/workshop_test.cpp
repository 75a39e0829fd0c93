#include "abstraction/workshop.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace harrier::abstraction {
namespace {

// A database of a few numbers.
struct Numbers {
  std::vector<uint32_t> values;

  AbstractionReport report() const {
    AbstractionReport out;
    out.states = values.size();
    return out;
  }
  void save(ArchiveWriter& out) const { out.list(values); }
  static Numbers load(ArchiveReader& in) { return {in.list<uint32_t>()}; }
};

std::shared_ptr<const Numbers> get(Workshop& workshop, const std::string& heuristic, uint64_t fingerprint,
                                   const std::vector<uint32_t>& built) {
  return workshop.get<Numbers>(
      heuristic, fingerprint, [&] { return Numbers{built}; }, [](ArchiveReader& in) { return Numbers::load(in); });
}

std::string saved() {
  Workshop workshop;
  workshop.keep();
  get(workshop, "a", 1, {1, 2, 3});
  get(workshop, "a", 2, {4});
  get(workshop, "b", 1, {});
  return workshop.kept();
}

std::string complaint(const std::string& bytes, const std::string& heuristic = "a", uint64_t fingerprint = 1) {
  Workshop workshop;
  try {
    workshop.load({bytes, "file"});
    get(workshop, heuristic, fingerprint, {});
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Input);
    return e.what();
  }
  return "";
}

TEST(Workshop, HeuristicsShareWhatIsBuiltForTheSameGoal) {
  Workshop workshop;
  const auto one = get(workshop, "a", 1, {1});
  EXPECT_EQ(get(workshop, "a", 1, {2}), one);
  EXPECT_NE(get(workshop, "a", 2, {1}), one);
  EXPECT_EQ(workshop.reports().size(), 2u);
  EXPECT_EQ(workshop.reports()[0].heuristic, "a");
  EXPECT_FALSE(workshop.reports()[0].loaded);
}

TEST(Workshop, OnlyTheLastOfWhatWasBuiltAgainIsReportedAndKept) {
  Workshop workshop;
  workshop.keep();
  get(workshop, "a", 1, {1});
  get(workshop, "b", 1, {1});
  get(workshop, "a", 1, {2, 3});
  ASSERT_EQ(workshop.reports().size(), 2u);
  EXPECT_EQ(workshop.reports()[0].heuristic, "a");
  EXPECT_EQ(workshop.reports()[0].states, 2u);
  Workshop other;
  EXPECT_FALSE(other.loads());
  other.load({workshop.kept(), "file"});
  EXPECT_TRUE(other.loads());
  EXPECT_EQ(get(other, "a", 1, {})->values, (std::vector<uint32_t>{2, 3}));
}

TEST(Workshop, WhatWasKeptIsLoaded) {
  Workshop workshop;
  workshop.load({saved(), "file"});
  EXPECT_EQ(get(workshop, "a", 1, {7})->values, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(get(workshop, "a", 2, {7})->values, (std::vector<uint32_t>{4}));
  EXPECT_TRUE(workshop.reports()[0].loaded);
}

TEST(Workshop, FilesThatDoNotFitAreRefused) {
  EXPECT_EQ(complaint(saved()), "");
  EXPECT_EQ(complaint("", "a"), "file: it is no file of abstractions (--save-abstraction)");
  EXPECT_EQ(complaint("{\"schema\": 1}", "a"), "file: it is no file of abstractions (--save-abstraction)");
  EXPECT_EQ(complaint(saved(), "a", 3), "file: its abstraction for 'a' was built for another model or property");
  EXPECT_EQ(complaint(saved(), "c"), "file: it has no abstraction for 'c', only for: a, a, b");
}

TEST(Workshop, DamagedFilesAreRefused) {
  const std::string whole = saved();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(complaint(whole.substr(0, size)), "") << size << " bytes of " << whole.size();
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string edited = whole;
    edited[i] = static_cast<char>(edited[i] ^ 4);
    EXPECT_NE(complaint(edited), "") << "byte " << i;
  }
  EXPECT_NE(complaint(whole + "x"), "");
}

}  // namespace
}  // namespace harrier::abstraction
