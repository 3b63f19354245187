// The computation-graph model checker (Nakade, Mercer, Aldous, McCarthy): every order of the critical sections of one
// lock, whether they conflict or not. Atomic operations and other objects as in ours: the paper has neither.
#include "explore/reduction.hpp"

namespace heddle::explore {
namespace {

class EverySection : public Reduction {
 public:
  std::string_view name() const override { return "cg"; }
  Footprint footprint(const Step& step) const override {
    Footprint footprint;
    add_object_keys(step, Pulses::kChange, footprint);
    add_touches(step, footprint);
    // Accesses under locks are ordered by the locks.
    std::erase_if(footprint.touches, [](const Touch& touch) { return !touch.atomic; });
    settle(footprint);
    return footprint;
  }
};

}  // namespace

const Reduction& every_section() {
  static const EverySection reduction;
  return reduction;
}

}  // namespace heddle::explore
