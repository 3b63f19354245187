#include "explore/model/program.hpp"

namespace heddle::explore::model {
namespace {

const char* name(Kind kind) {
  switch (kind) {
    case Kind::kRead:
      return "kRead";
    case Kind::kWrite:
      return "kWrite";
    case Kind::kAtomicRead:
      return "kAtomicRead";
    case Kind::kAtomicWrite:
      return "kAtomicWrite";
    case Kind::kAtomicAdd:
      return "kAtomicAdd";
    case Kind::kLock:
      return "kLock";
    case Kind::kTryLock:
      return "kTryLock";
    case Kind::kUnlock:
      return "kUnlock";
    case Kind::kSpawn:
      return "kSpawn";
    case Kind::kJoin:
      return "kJoin";
    case Kind::kPost:
      return "kPost";
    case Kind::kWait:
      return "kWait";
    case Kind::kTimedWait:
      return "kTimedWait";
    case Kind::kPause:
      return "kPause";
    case Kind::kJumpUnless:
      return "kJumpUnless";
  }
  __builtin_unreachable();
}

}  // namespace

std::string to_code(const Program& program) {
  std::string code = "Program{{\n";
  for (const Body& body : program.bodies) {
    code += "    {";
    for (const Instruction& i : body) {
      code += std::string(&i == &body.front() ? "" : ", ") + "{Kind::" + name(i.kind) + ", " +
              std::to_string(i.index);
      if (i.value != 0 || !i.write) code += ", " + std::to_string(i.value);
      if (!i.write) code += ", false";
      code += "}";
    }
    code += "},\n";
  }
  return code + "}}";
}

}  // namespace heddle::explore::model
