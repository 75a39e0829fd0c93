#include "model/live_variables.h"

#include "gtest/gtest.h"
#include "model/dead_values.h"
#include "model/values_in_states.h"
#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::SystemBuilder;

// x and y are written and read by P alone, by Q z, too.
struct Example {
  SystemBuilder b;
  ProcessId p = b.process("P", {"a", "b", "c"});
  ProcessId q = b.process("Q", {"a", "b"});
  VarId x = b.var("x", 0, 3);
  VarId y = b.var("y", 0, 3);
  VarId z = b.var("z", 0, 3);
  Property property;

  ExprId is(VarId v, int32_t value) { return b.eq(v, value); }
  EdgeId edge(ProcessId process, uint32_t from, uint32_t to, std::vector<ExprId> guard, std::vector<StmtId> effect) {
    const EdgeId id = b.edge(process, from, to);
    b.edge(id).guard = std::move(guard);
    b.edge(id).effect = std::move(effect);
    return id;
  }
  StmtId copy(VarId to, VarId from) { return b.run(b.store(to, b.get(from))); }

  LiveVariables live() const { return {b.system, property, values_in_states(b.system)}; }
  DeadValues dead() const { return {b.system, property, values_in_states(b.system), Watch::none()}; }
};

TEST(LiveVariables, FromTheLastWriteToTheLastCondition) {
  Example e;
  e.edge(e.p, 0, 1, {}, {e.b.set(e.x, 2)});
  e.edge(e.p, 1, 2, {e.is(e.x, 2)}, {});
  const LiveVariables live = e.live();
  EXPECT_FALSE(live.at(e.p, 0).contains(e.x.value));
  EXPECT_TRUE(live.at(e.p, 1).contains(e.x.value));
  EXPECT_FALSE(live.at(e.p, 2).contains(e.x.value));
  EXPECT_FALSE(live.never(e.x));
  EXPECT_TRUE(live.never(e.y));
}

TEST(LiveVariables, WhatGoesToNobodyIsFaint) {
  Example e;
  e.edge(e.p, 0, 0, {}, {e.copy(e.y, e.x)});
  e.edge(e.p, 0, 1, {}, {e.b.set(e.x, 1)});
  EXPECT_TRUE(e.live().never(e.x));
  EXPECT_TRUE(e.live().never(e.y));
  // As soon as somebody looks at y, both matter.
  e.property.goal = {{{e.is(e.y, 1)}, {}}};
  EXPECT_TRUE(e.live().always().contains(e.y.value));
  EXPECT_TRUE(e.live().at(e.p, 0).contains(e.x.value));
}

TEST(LiveVariables, WhatCanFailIsOfInterest) {
  Example e;
  const VarId narrow = e.b.var("narrow", 0, 2);
  e.edge(e.p, 0, 1, {}, {e.b.set(e.x, 3)});
  e.edge(e.p, 1, 2, {}, {e.copy(narrow, e.x)});  // 3 does not fit
  e.edge(e.p, 1, 2, {}, {e.copy(e.z, e.y)});     // anything does
  const LiveVariables live = e.live();
  EXPECT_TRUE(live.at(e.p, 1).contains(e.x.value));
  EXPECT_TRUE(live.never(narrow));
  EXPECT_TRUE(live.never(e.y));
}

TEST(LiveVariables, OthersKeepAVariableAlive) {
  Example e;
  const EdgeId ends = e.edge(e.p, 0, 1, {e.is(e.z, 0)}, {});
  e.edge(e.q, 0, 1, {e.is(e.z, 1)}, {});
  const auto deaths = e.dead().deaths(ends);
  ASSERT_EQ(deaths.size(), 1U);
  EXPECT_EQ(deaths[0].variable, e.z);
  ASSERT_EQ(deaths[0].unless.size(), 1U);
  EXPECT_EQ(deaths[0].unless[0].process, e.b.system.process(e.q).location);
  EXPECT_EQ(deaths[0].unless[0].locations, std::vector<uint32_t>{0});
}

TEST(LiveVariables, AWrittenElementThatIsNotKnownEndsNoLife) {
  Example e;
  const VarId array = e.b.array("array", 2, 0, 3);
  const VarId index = e.b.var("index", 0, 1);
  e.edge(e.p, 0, 0, {}, {e.b.set(index, 1)});
  e.edge(e.p, 0, 1, {}, {e.b.run(e.b.store(array, 2, e.b.get(index), e.b.num(1)))});
  e.edge(e.p, 1, 2, {e.is(array, 1)}, {});
  const LiveVariables live = e.live();
  EXPECT_TRUE(live.at(e.p, 0).contains(array.value));
  EXPECT_TRUE(live.at(e.p, 0).contains(index.value));
  EXPECT_TRUE(live.never(VarId(array.value + 1)));
}

TEST(LiveVariables, WhatIsHandedOverIsLiveInsideTheTransitionOnly) {
  Example e;
  const ChannelId channel = e.b.channel("c");
  const EdgeId send = e.b.send(e.p, 0, 1, channel);
  const EdgeId receive = e.b.receive(e.q, 0, 1, channel);
  e.b.edge(send).effect = {e.b.set(e.z, 3)};
  e.b.edge(receive).effect = {e.copy(e.x, e.z)};
  e.edge(e.q, 1, 0, {e.is(e.x, 3)}, {});
  const LiveVariables live = e.live();
  EXPECT_TRUE(live.never(e.z));
  EXPECT_TRUE(live.at(e.q, 1).contains(e.x.value));
  EXPECT_FALSE(live.at(e.q, 0).contains(e.x.value));
}

TEST(LiveVariables, WhatAReceiverReadsOfItsSenderIsLiveWhereTheSenderWaits) {
  Example e;
  const ChannelId channel = e.b.channel("c");
  e.edge(e.p, 0, 1, {}, {e.b.set(e.y, 3)});
  e.b.send(e.p, 1, 2, channel);
  const EdgeId receive = e.b.receive(e.q, 0, 0, channel);
  e.b.edge(receive).effect = {e.copy(e.x, e.y)};
  e.property.goal = {{{e.is(e.x, 3)}, {}}};
  const LiveVariables live = e.live();
  EXPECT_TRUE(live.at(e.p, 1).contains(e.y.value));
  EXPECT_FALSE(live.at(e.p, 0).contains(e.y.value));
  EXPECT_FALSE(live.somewhere(e.q).contains(e.y.value));
}

TEST(LiveVariables, AParentNeedsWhatItsChildWill) {
  Example e;
  const VarId child = e.b.system.process(e.q).location;
  e.edge(e.p, 0, 1, {}, {e.b.set(e.x, 1)});
  e.edge(e.p, 1, 2, {}, {e.b.set(child, 1)});
  e.edge(e.q, 1, 1, {e.is(e.x, 1)}, {});
  const LiveVariables live = e.live();
  EXPECT_FALSE(live.at(e.q, 0).contains(e.x.value));
  EXPECT_TRUE(live.at(e.p, 1).contains(e.x.value));
  EXPECT_FALSE(live.at(e.p, 2).contains(e.x.value));
}

}  // namespace
}  // namespace harrier::model
