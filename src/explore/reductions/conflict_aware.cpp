// Ours: two critical sections of one lock need both orders only if their accesses conflict, or if one of them spans
// several steps (then the other cannot run inside it). Lock-aware and conflict-aware.
#include "explore/reduction.hpp"

namespace heddle::explore {
namespace {

class ConflictAware : public Reduction {
 public:
  std::string_view name() const override { return "ours"; }
  Footprint footprint(const Step& step) const override {
    Footprint footprint;
    add_object_keys(step, Pulses::kPulse, footprint);
    add_touches(step, footprint);
    settle(footprint);
    return footprint;
  }
};

}  // namespace

const Reduction& conflict_aware() {
  static const ConflictAware reduction;
  return reduction;
}

}  // namespace heddle::explore
