// The listener of an exploration: shows progress, writes the certificate, collects bugs with their schedules.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "explore/certificate.hpp"
#include "explore/explorer.hpp"
#include "explore/order_bound.hpp"
#include "explore/schedule.hpp"
#include "explore/session/certificate_file.hpp"

namespace heddle::explore {

struct Bug {
  enum class Kind { kRace, kDeadlock, kCrash } kind = Kind::kRace;
  std::string what;  // for the head of its schedule
  std::vector<ScheduledStep> steps;
};

class ProveWatcher : public Listener {
 public:
  // `so_far`: the certificate of the part that was explored before; empty: none.
  ProveWatcher(const ActorNames& names, bool keep_going, bool shows_progress, CertificateFile certificate,
               CertificateHead head, const std::string& so_far);

  bool explored(const Explored& one) override;
  bool stops() override { return interrupted; }
  void problem(const std::string& text) override;
  void restarted(const Stepping& stepping) override;

  void clear_line();
  // The proof is complete. Returns empty, or why the certificate could not be written.
  std::string finish_certificate(u64 executions, const std::vector<std::string>& assumptions);
  const std::string& certificate_problem() const { return certificate_.problem(); }
  // For a proof that will be resumed: the certificate so far. Empty: none is written.
  std::string certificate_so_far() { return certificate_.text(); }

  const std::vector<Bug>& bugs() const { return bugs_; }
  const std::string& problem() const { return problem_; }
  // Of the first execution that did not terminate.
  const std::vector<ScheduledStep>& endless() const { return endless_; }
  const OrderBound& bound() const { return bound_; }

  // Set by a signal handler: the exploration stops soon.
  static volatile int interrupted;

 private:
  void note_bugs(const Explored& one);
  void progress();

  const ActorNames& names_;
  const bool keep_going_, shows_progress_;
  CertificateHead head_;
  CertificateLines lines_;
  CertificateFile certificate_;
  std::vector<Bug> bugs_;
  std::vector<ScheduledStep> endless_;
  OrderBound bound_;
  std::set<std::pair<u32, u32>> known_;  // pairs of sites that race
  std::string problem_;
  u64 executions_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

// "lock 1", "atomic 2": numbered in the order of their first use.
class ObjectNames {
 public:
  std::string operator()(const Step& step);

 private:
  std::vector<std::pair<Op, u64>> known_;
};

}  // namespace heddle::explore
