// Which processes are interchangeable: found by what a model does, not by what it declares, and never claimed where
// something tells two of them apart.
#include "model/symmetry.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/subject.h"
#include "support/system_builder.h"
#include "support/watch.h"

namespace harrier::model {
namespace {

using testing_support::PromelaSubject;
using testing_support::Subject;
using testing_support::SystemBuilder;
using Groups = std::vector<std::vector<std::string>>;

Groups names_of(const System& system, const Symmetry& symmetry) {
  Groups out;
  for (const SymmetricGroup& group : symmetry.groups) {
    EXPECT_EQ(group.exchanges.size() + 1, group.members.size());
    std::vector<std::string>& names = out.emplace_back();
    for (const ProcessId p : group.members) names.push_back(system.process(p).name);
  }
  return out;
}

Groups found(const std::string& model, const std::string& query) {
  const Subject subject(model, query);
  return names_of(subject.system(), find_symmetry(subject.system(), subject.property));
}

const Groups kNone;
const Groups kThree = {{"P(1)", "P(2)", "P(3)"}};

// Three processes P(1) to P(3) with an edge of these labels, and another one back.
std::string three(const std::string& globals, const std::string& labels, const std::string& locals = "",
                  const std::string& rest = "system P;") {
  return "typedef int[1,3] id_t;\n" + globals + "\nprocess P(const id_t pid) { " + locals +
         " state A, B, C; init A; trans A -> B { " + labels + " }, B -> C { }, C -> A { }; }\n" + rest + "\n";
}

constexpr const char* kExclusion = "A[] forall (i : id_t) forall (j : id_t) P(i).B && P(j).B imply i == j";

TEST(Symmetry, OfFischersProtocol) {
  const Subject fischer("fischer", 4);
  const Symmetry symmetry = find_symmetry(fischer.system(), fischer.property);
  EXPECT_EQ(names_of(fischer.system(), symmetry), (Groups{{"P(1)", "P(2)", "P(3)", "P(4)"}}));
  EXPECT_EQ(symmetry.reason, "");
  EXPECT_EQ(symmetry.processes(), 4);
  const Exchange& exchange = symmetry.groups[0].exchanges[1];
  EXPECT_EQ(exchange.processes, (std::vector<uint32_t>{0, 2, 1, 3}));
  EXPECT_EQ(exchange.clocks, (std::vector<uint32_t>{0, 1, 3, 2, 4}));
  EXPECT_EQ(exchange.name(symmetry.kinds[0], 2), 3) << "in id";
  EXPECT_EQ(exchange.name(symmetry.kinds[0], 1), 1);
}

TEST(Symmetry, OnlyOfProcessesThatThePropertyDoesNotTellApart) {
  const std::string model = families::find_family("fischer")->generate(5).model;
  EXPECT_EQ(found(model, "A[] not (P(1).cs && P(2).cs)"), (Groups{{"P(1)", "P(2)"}, {"P(3)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "E<> P(3).cs && P(3).x > 4"), (Groups{{"P(1)", "P(2)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "E<> P(1).cs && P(2).req"), (Groups{{"P(3)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "A[] not deadlock"), (Groups{{"P(1)", "P(2)", "P(3)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "E<> id == 2"), (Groups{{"P(1)", "P(3)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "E<> id > 0"), kNone) << "names are in no order";
  EXPECT_EQ(found(model, "E<> deadlock and P(1).req"), (Groups{{"P(2)", "P(3)", "P(4)", "P(5)"}}));
  EXPECT_EQ(found(model, "P(1).req --> P(1).wait"), kNone);
}

TEST(Symmetry, NamesMayBeStoredComparedAndUsedAsIndices) {
  EXPECT_EQ(found(three("int[0,3] id; bool f[id_t];", "guard id == 0 && !f[pid]; assign id = pid, f[pid] = true;"),
                  kExclusion),
            kThree);
  EXPECT_EQ(found(three("id_t last[2]; int[0,3] id; bool f[4];", "guard f[id]; assign f[pid] = !f[id], id = pid;"),
                  kExclusion),
            kThree);
  EXPECT_EQ(
      found(three("bool m[id_t][id_t];", "select j : id_t; guard j != pid && !m[pid][j]; assign m[j][pid] = true;"),
            kExclusion),
      kThree);
  EXPECT_EQ(found(three("int[0,3] id; bool m[4][4]; int[0,3] to;",
                        "guard m[id][to]; assign m[to][id] = false, to = id, id = pid;"),
                  kExclusion),
            kThree);
  EXPECT_EQ(
      found(three("bool f[id_t];", "guard forall (k : id_t) k == pid || !f[k]; assign f[pid] = true;"), kExclusion),
      kThree);
  EXPECT_EQ(found(three("int[0,3] id; void take(id_t i) { id = i; } bool is(id_t i) { return id == i; }",
                        "guard !is(pid); assign take(pid);"),
                  kExclusion),
            kThree);
  EXPECT_EQ(found(three("int[0,3] id;", "guard peer == id; assign peer = id, id = pid;", "int[0,3] peer;"), kExclusion),
            kThree);
}

TEST(Symmetry, WhatTellsProcessesApart) {
  const auto none = [](const std::string& globals, const std::string& labels, const char* query = kExclusion) {
    return found(three(globals, labels), query) == kNone;
  };
  EXPECT_TRUE(none("int[0,3] id;", "guard id < pid; assign id = pid;")) << "an order";
  EXPECT_TRUE(none("int[0,3] id;", "assign id = (id + pid) % 4;")) << "arithmetic";
  EXPECT_TRUE(none("int[0,9] sum;", "guard sum < 5; assign sum = sum + pid;")) << "arithmetic";
  EXPECT_TRUE(none("int f[3] = {1, 2, 3};", "guard f[pid - 1] > 0;")) << "initial values";
  EXPECT_EQ(found(three("int[0,2] level[4]; int[0,3] id;", "guard level[id] == 0; assign id = pid, level[2] = 1;"),
                  kExclusion),
            (Groups{{"P(1)", "P(3)"}}));
  EXPECT_TRUE(none("int[0,3] id; int[0,1] pass[2] = {0, 1};", "guard id == 0 || pass[id > 1]; assign id = pid;"));
  // Only some of them.
  EXPECT_EQ(found(three("int[0,3] id;", "guard pid != 2; assign id = pid;"), kExclusion), (Groups{{"P(1)", "P(3)"}}));
  EXPECT_EQ(found(three("bool f[id_t] = {true, true, false};", "guard f[pid]; assign f[pid] = false;"), kExclusion),
            (Groups{{"P(1)", "P(2)"}}));
  EXPECT_EQ(found(three("int[0,3] id = 3;", "guard id == pid; assign id = pid;"), kExclusion),
            (Groups{{"P(1)", "P(2)"}}));
}

TEST(Symmetry, AnIndexThatIsComputedFromNames) {
  EXPECT_EQ(found(three("bool f[3]; int[1,3] id = 1;", "guard f[pid - 1]; assign f[pid - 1] = true;"), kExclusion),
            kThree);
  // f[id - 1] is mapped to the element of the other name; f[id] is not, where 3 is outside.
  EXPECT_EQ(found(three("bool f[3]; int[0,3] id;", "guard id != 0 && !f[id - 1]; assign f[pid - 1] = true, id = pid;"),
                  kExclusion),
            kThree);
  EXPECT_EQ(found(three("bool f[3]; int[0,3] id;", "guard f[id]; assign id = pid;"), kExclusion),
            (Groups{{"P(1)", "P(2)"}}));
  EXPECT_EQ(found(three("bool m[9]; int[0,3] id;", "guard id > 0 && m[3 * (id - 1) + pid - 1]; assign id = pid;"),
                  kExclusion),
            kNone)
      << "the guard orders names";
}

TEST(Symmetry, OtherProcessesAreExchangedWithThem) {
  const std::string with_partner =
      three("chan c[id_t]; int[0,3] id;", "sync c[pid]!; assign id = pid;", "",
            "process Q(const id_t i) { state A; init A; trans A -> A { sync c[i]?; }; }\nsystem P, Q;");
  const Subject subject(with_partner, kExclusion);
  const Symmetry symmetry = find_symmetry(subject.system(), subject.property);
  EXPECT_EQ(names_of(subject.system(), symmetry), kThree);
  EXPECT_EQ(symmetry.groups[0].exchanges[0].processes, (std::vector<uint32_t>{1, 0, 2, 4, 3, 5}));
  // One that serves all.
  EXPECT_EQ(found(three("chan c[id_t]; id_t served[1]; int[0,3] id;", "sync c[pid]!;", "",
                        "process Q() { state A; init A; trans A -> A { select i : id_t; sync c[i]?; assign id = i; }; "
                        "}\nsystem P, Q;"),
                  kExclusion),
            kThree);
  EXPECT_EQ(found(three("chan c[id_t]; int[0,3] id;", "sync c[pid]!;", "",
                        "process Q() { state A; init A; trans A -> A { sync c[2]?; }; }\nsystem P, Q;"),
                  kExclusion),
            (Groups{{"P(1)", "P(3)"}}));
}

TEST(Symmetry, ReceiversOfABroadcastUpdateInTheOrderOfTheirProcesses) {
  const auto with = [](const std::string& globals, const std::string& effect) {
    return found(three(globals + " broadcast chan b;", "sync b?; assign " + effect + ";", "clock x;",
                       "process Q() { state A; init A; trans A -> A { sync b!; }; }\nsystem P, Q;"),
                 kExclusion);
  };
  EXPECT_EQ(with("", "x = 0"), kThree);
  EXPECT_EQ(with("bool f[id_t];", "f[pid] = true, x = 0"), kThree);
  EXPECT_EQ(with("int[0,3] id;", "id = pid"), kNone) << "the last one writes it";
  EXPECT_EQ(with("int[0,3] n;", "n = n + 1"), kNone) << "it may leave its range";
}

TEST(Symmetry, PrioritiesAndKindsOfLocationsArePartOfIt) {
  EXPECT_EQ(found(three("", "", "", "A1 = P(1); A2 = P(2); A3 = P(3);\nsystem A1 < A2, A3;"), "E<> deadlock"),
            (Groups{{"A2", "A3"}}));
  SystemBuilder b;
  for (const std::string name : {"P", "Q", "R"}) {
    const auto p = b.process(name, {"idle", "busy"});
    b.edge(p, 0, 1);
  }
  const Property property{.goal = {}};
  EXPECT_EQ(names_of(b.system, find_symmetry(b.system, property)), (Groups{{"P", "Q", "R"}}));
  b.system.processes[1].locations[1].kind = LocationKind::Urgent;
  EXPECT_EQ(names_of(b.system, find_symmetry(b.system, property)), (Groups{{"P", "R"}}));
}

TEST(Symmetry, ClausesThatCanFailStayInTheirOrder) {
  const std::string model = three("int[0,3] id; int[0,3] d[id_t];", "assign id = pid, d[pid] = 1;");
  EXPECT_EQ(found(model, "E<> exists (i : id_t) P(i).B && d[i] > 1"), kThree);
  EXPECT_EQ(found(model, "E<> exists (i : id_t) P(i).B && 1 / d[i] > 1"), kNone);
}

TEST(Symmetry, OfProctypesByTheirNumbers) {
  const PromelaSubject lock(
      "byte owner = 255; bool want[3]; byte n;\n"
      "active [3] proctype P() { do :: want[_pid] = true; atomic { owner == 255 -> owner = _pid }; n++; assert(n == "
      "1); n--;\n"
      "owner = 255; want[_pid] = false od }\n");
  EXPECT_EQ(names_of(lock.system(), find_symmetry(lock.system(), lock.property())), (Groups{{"P(0)", "P(1)", "P(2)"}}));
  const PromelaSubject ordered("byte owner; active [3] proctype P() { do :: owner < _pid -> owner = _pid od }\n");
  EXPECT_EQ(names_of(ordered.system(), find_symmetry(ordered.system(), ordered.property())), kNone);
}

TEST(Symmetry, SaysWhyThereIsNone) {
  const auto reason = [](const std::string& model, const std::string& query) {
    const Subject subject(model, query);
    return find_symmetry(subject.system(), subject.property).reason;
  };
  EXPECT_EQ(reason("process P() { state A; init A; }\nsystem P;", "E<> deadlock"), "no two processes are of one type");
  EXPECT_EQ(reason(three("int[0,3] id;", "guard id < pid;"), "E<> deadlock"),
            "no two processes of a type can be shown to be interchangeable");
  EXPECT_EQ(reason(three("", ""), "A<> P(1).B"), "the property is about more than single states");
}

}  // namespace
}  // namespace harrier::model
