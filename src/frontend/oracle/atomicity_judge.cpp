#include <algorithm>
#include <set>

#include "engine/oracle/all_triples.hpp"
#include "frontend/oracle/annotation.hpp"
#include "frontend/oracle/judge.hpp"
#include "frontend/oracle/variation.hpp"

namespace heddle::oracle {
namespace {

using engine::AllTriples;
using engine::EventTriple;
using event::Access;
using event::History;

class Judgement {
 public:
  Judgement(const History& history, const Observed& observed)
      : history_(history), observed_(observed), truth_(history, annotated_in(history), observed.steps) {}

  std::optional<std::string> first_fault() const {
    std::set<u64> reported;
    for (const Violation& violation : observed_.violations)
      for (u32 i = 0; i < 8; ++i) {
        if (!(violation.first.bytes() >> i & 1)) continue;
        if (!is_true(violation, violation.granule + i))
          return "a violation that is none: " + words(violation.first) + ", " + words(violation.intruder) +
                 ", " + words(violation.last) + " in byte " + std::to_string(violation.granule + i);
        reported.insert(violation.granule + i);
      }
    for (const auto& [triple, bytes] : truth_.triples)
      if (!std::includes(reported.begin(), reported.end(), bytes.begin(), bytes.end()))
        return "no violation found where there is one: events " + std::to_string(triple[0]) + ", " +
               std::to_string(triple[1]) + ", " + std::to_string(triple[2]);
    return std::nullopt;
  }

 private:
  // Of a pair, the strand of the last of the two is remembered.
  bool is(u32 event, const race::Access& reported) const {
    const Access& made = std::get<Access>(history_[event]);
    return observed_.steps[event] >> 32 == reported.task() && made.write == reported.write() &&
           made.atomic == reported.atomic() && call_of(made.site) == call_of_stack(reported.site());
  }
  // Which of the pair came first is the runtime's to say where both are made in one go.
  bool is_true(const Violation& violation, u64 byte) const {
    return std::any_of(truth_.triples.begin(), truth_.triples.end(), [&](const auto& entry) {
      const auto& [triple, bytes] = entry;
      if (!bytes.contains(byte) || !is(triple[1], violation.intruder)) return false;
      return (is(triple[0], violation.first) && is(triple[2], violation.last)) ||
             (is(triple[2], violation.first) && is(triple[0], violation.last));
    });
  }
  static std::string words(const race::Access& access) {
    return std::string(access.write() ? "write" : "read") + " of task " + std::to_string(access.task()) +
           " of the order from call " + std::to_string(call_of_stack(access.site()));
  }

  const History& history_;
  const Observed& observed_;
  const AllTriples truth_;
};

}  // namespace

std::optional<std::string> atomicity_disagreement(const History& history, const Observed& observed) {
  return Judgement(history, observed).first_fault();
}

}  // namespace heddle::oracle
