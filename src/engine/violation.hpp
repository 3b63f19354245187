// Atomicity violations: two accesses of one step, and one of a parallel step that can be interleaved so that no
// serial order of the two steps has the same conflicts. A violation is a triple of sites; the same triple at many
// addresses is one violation with a count.
//
//   pattern    the intruder writes: R-W-R, R-W-W, W-W-R, W-W-W; or it reads between two writes: W-R-W. The other
//              three are serialisable.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "base/types.hpp"

namespace heddle::engine {

struct Side {
  u32 site = 0;
  bool write = false, atomic = false;
};

struct Violation {
  Side first, intruder, last;
  u64 address = 0;    // of the first location
  u64 locations = 1;  // how often this triple of sites was found
};

class ViolationLog {
 public:
  // Bytes `address + i` for each bit i of `bytes`.
  void add(const Side& first, const Side& intruder, const Side& last, u64 address, u64 bytes);

  const std::vector<Violation>& violations() const { return violations_; }
  bool empty() const { return violations_.empty(); }
  // Called for each report before it is merged with others; for tests.
  std::function<void(const Side&, const Side&, const Side&, u64 address, u64 bytes)> observer;

 private:
  std::vector<Violation> violations_;
  std::map<std::tuple<u32, u32, u32, u64>, usize> known_;  // by sites; without sites, by address
};

}  // namespace heddle::engine
