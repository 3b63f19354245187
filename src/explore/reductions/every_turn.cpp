// The schedulers of Java Pathfinder, as far as executions are counted: all orders of its choice points. PRD chooses
// at every access to shared memory, GPR (gradual permission regions: Mercer, Anderson, Vrvilo, Sarkar) at the
// beginning of a region; both also at locks and other synchronisation. Deviation: no state matching, executions are
// counted.
#include "explore/reduction.hpp"

namespace heddle::explore {
namespace {

class EveryTurn : public Reduction {
 public:
  EveryTurn(std::string_view name, Cuts cuts) : name_(name), cuts_(cuts) {}
  std::string_view name() const override { return name_; }
  Cuts cuts() const override { return cuts_; }
  Footprint footprint(const Step& step) const override {
    Footprint footprint;
    add_object_keys(step, Pulses::kChange, footprint);
    if (step.op != Op::kGoOn && step.op != Op::kStart)
      footprint.keys.push_back({KeyKind::kTurn, KeyMode::kWriteChange, 0});
    settle(footprint);
    return footprint;
  }

 private:
  std::string_view name_;
  Cuts cuts_;
};

}  // namespace

const Reduction& every_region() {
  static const EveryTurn reduction("gpr", Reduction::Cuts::kRegions);
  return reduction;
}

const Reduction& every_access() {
  static const EveryTurn reduction("prd", Reduction::Cuts::kAccesses);
  return reduction;
}

}  // namespace heddle::explore
