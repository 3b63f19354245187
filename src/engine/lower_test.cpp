// Engines on the core, on borderline legal histories.
#include "engine/lower.hpp"

#include <gtest/gtest.h>

#include "engine/oracle/oracle.hpp"

namespace heddle::engine {
namespace {

using namespace event;

// A thread's stack is new memory after the thread's end, and the event may come after its join.
TEST(Lowering, TakesNewMemoryOfATaskThatHasBeenJoined) {
  const History history{Spawn{0, 1, SpawnKind::kThread},
                        Begin{1, 2},
                        event::Access{1, 64, 8, true},
                        End{1},
                        JoinThread{0, 1},
                        NewMemory{1, 64, 8},
                        event::Access{0, 64, 8, true}};
  for (const EngineKind& kind : engines()) {
    if (kind.finds != EngineKind::kRaces) continue;
    EXPECT_TRUE(Found(kind, {}, history).racy.empty()) << kind.name;
  }
}

}  // namespace
}  // namespace heddle::engine
