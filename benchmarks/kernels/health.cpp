// A country of villages: each step, every village treats its patients and refers the hard cases to the village above.
// Tasks follow the tree; sibling villages hand patients to their parent at the same time, under the parent's lock.
// Lists are kept in order of patient number, so the outcome does not depend on who took the lock first.
#include "../bench.h"

#include <omp.h>

#include <memory>
#include <vector>

namespace {

constexpr int kBranches = 4;
constexpr int kLevels = 6;
constexpr int kTaskLevel = 2;  // villages at lower levels are visited without a task of their own
constexpr int kPeople = 40;    // per village of the lowest level
constexpr int kTreatmentSteps = 5;
constexpr std::uint64_t kStandardFingerprint = 9903711849870075368u;

struct Village;

struct Patient {
  Patient* next = nullptr;
  Village* home = nullptr;
  long number = 0;
  int steps_left = 0;
  long visits = 0;
  bench::Random random{0};
};

class PatientList {
 public:
  void insert(Patient* patient) {
    Patient** place = &head_;
    while (*place && (*place)->number < patient->number) place = &(*place)->next;
    patient->next = *place;
    *place = patient;
  }
  Patient* pop() {
    Patient* first = head_;
    if (first) head_ = first->next;
    return first;
  }
  // Calls leaves(patient) for each; takes out those for which it returns true and gives them to then(patient).
  template <class Leaves, class Then>
  void extract(Leaves leaves, Then then) {
    for (Patient** place = &head_; *place;) {
      Patient* patient = *place;
      if (!leaves(*patient)) {
        place = &patient->next;
        continue;
      }
      *place = patient->next;
      then(patient);
    }
  }

 private:
  Patient* head_ = nullptr;
};

struct Village {
  Village* parent = nullptr;
  std::vector<std::unique_ptr<Village>> children;
  int level = 0;
  int free_staff = 0;
  long treated = 0;
  PatientList healthy, waiting, in_care;
  omp_lock_t lock;       // guards the two lists other villages write to
  PatientList referred;  // by the villages below
  PatientList returned;  // to their home, by the villages above

  Village() { omp_init_lock(&lock); }
  ~Village() { omp_destroy_lock(&lock); }
  Village(const Village&) = delete;

  void hand_over(PatientList Village::*list, Patient* patient) {
    omp_set_lock(&lock);
    (this->*list).insert(patient);
    omp_unset_lock(&lock);
  }
};

void discharge(Village& village, Patient* patient) {
  ++village.free_staff;
  ++village.treated;
  ++patient->visits;
  if (village.parent && patient->random.below(4) == 0)
    village.parent->hand_over(&Village::referred, patient);
  else
    patient->home->hand_over(&Village::returned, patient);
}

void visit(Village& village) {
  omp_set_lock(&village.lock);
  while (Patient* patient = village.referred.pop()) village.waiting.insert(patient);
  while (Patient* patient = village.returned.pop()) village.healthy.insert(patient);
  omp_unset_lock(&village.lock);

  village.in_care.extract([](Patient& patient) { return --patient.steps_left == 0; },
                          [&](Patient* patient) { discharge(village, patient); });
  village.healthy.extract([](Patient& patient) { return patient.random.below(16) == 0; },
                          [&](Patient* patient) { village.waiting.insert(patient); });
  while (village.free_staff > 0) {
    Patient* patient = village.waiting.pop();
    if (!patient) break;
    --village.free_staff;
    patient->steps_left = 1 + static_cast<int>(patient->random.below(kTreatmentSteps));
    village.in_care.insert(patient);
  }
}

void step(Village& village) {
  for (auto& child : village.children) {
    Village* below = child.get();
#pragma omp task if (village.level > kTaskLevel) firstprivate(below)
    step(*below);
  }
#pragma omp taskwait
  visit(village);
}

std::unique_ptr<Village> found(int level, Village* parent, std::vector<std::unique_ptr<Patient>>& people) {
  auto village = std::make_unique<Village>();
  village->parent = parent;
  village->level = level;
  village->free_staff = 2 << level;
  for (int i = 0; level == 0 && i < kPeople; ++i) {
    auto person = std::make_unique<Patient>();
    person->home = village.get();
    person->number = static_cast<long>(people.size());
    person->random = bench::Random(person->number);
    village->healthy.insert(person.get());
    people.push_back(std::move(person));
  }
  for (int i = 0; level > 0 && i < kBranches; ++i)
    village->children.push_back(found(level - 1, village.get(), people));
  return village;
}

long total_treated(const Village& village) {
  long total = village.treated;
  for (auto& child : village.children) total += total_treated(*child);
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr long kStandardSteps = 1000;
  const long steps = bench::size_argument(argc, argv, kStandardSteps, bench::Polynomial{1});
  std::vector<std::unique_ptr<Patient>> people;
  auto country = found(kLevels - 1, nullptr, people);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < steps; ++i) step(*country);

  long visits = 0;
  std::uint64_t fingerprint = 0;
  for (auto& person : people) {
    visits += person->visits;
    fingerprint += bench::mix(person->number * 1'000'003 + person->visits);
  }
  bench::require(visits == total_treated(*country), "visits of patients = treatments of villages");
  if (steps == kStandardSteps)
    bench::require(fingerprint == kStandardFingerprint, "same outcome in every schedule");
}
