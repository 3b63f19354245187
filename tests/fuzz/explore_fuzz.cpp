// Any bytes as a schedule, a certificate or a frontier: what is parsed equals itself after writing and parsing again,
// and what is not has an error.
#include "explore/certificate.hpp"
#include "explore/frontier.hpp"
#include "explore/model/machine.hpp"
#include "explore/schedule.hpp"
#include "fuzz.hpp"

using namespace heddle;
using namespace heddle::explore;

namespace {

// Two actors and two conflicting sections: the corpus has frontiers of it.
model::Program program() {
  using model::Kind;
  model::Body section{{Kind::kLock, 0}, {Kind::kRead, 0}, {Kind::kWrite, 0, 1}, {Kind::kUnlock, 0}};
  model::Body first{{Kind::kSpawn, 1}, {Kind::kSpawn, 1}};
  return {{first, section}};
}

void try_schedule(std::string_view text) {
  auto schedule = parse_schedule(text);
  fuzz::require(schedule || !schedule.error().empty(), "an error has words");
  if (!schedule) return;
  auto again = parse_schedule(to_text(*schedule));
  fuzz::require(again && *again == *schedule, "a schedule survives its text", to_text(*schedule));
}

void try_certificate(std::string_view text) {
  ActorNames names;
  auto certificate = parse_certificate(text, names);
  fuzz::require(certificate || !certificate.error().empty(), "an error has words");
  if (!certificate) return;
  std::string written = to_text(*certificate, names);
  auto again = parse_certificate(written, names);
  fuzz::require(again && to_text(*again, names) == written, "a certificate survives its text", written);
}

void try_frontier(std::string_view text) {
  model::ModelExecutor executor(program());
  Tree tree;
  auto head = Frontier::parse(text, executor, conflict_aware(), tree);
  fuzz::require(head || !head.error().empty(), "an error has words");
  if (!head) return;
  std::string written = Frontier::to_text(tree, *head, *executor.names);
  Tree other;
  auto again = Frontier::parse(written, executor, conflict_aware(), other);
  fuzz::require(static_cast<bool>(again), "a frontier survives its text", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  try_schedule(text);
  try_certificate(text);
  try_frontier(text);
  return 0;
}
