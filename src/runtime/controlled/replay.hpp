// An ordinary checked run under the verification runtime that follows a schedule: `heddle replay`.
#pragma once

namespace heddle::replay {

// At start: is there a board? Then it chooses the active actor. False: there is none, or it is not for us.
bool attach();

}  // namespace heddle::replay
