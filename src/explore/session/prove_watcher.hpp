// What is heard of an exploration while it goes on: progress for the user, lines for the certificate, bugs with their
// schedules.
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
  // `so_far`: what the certificate begins with, of a part that was explored before; empty: the head.
  ProveWatcher(const ActorNames& names, bool keep_going, bool shows_progress, CertificateFile certificate,
               CertificateHead head, const std::string& so_far);

  bool explored(const Explored& one) override;
  bool stops() override { return interrupted; }
  void problem(const std::string& text) override;
  void restarted() override;

  void clear_line();
  // The proof is complete. Empty, or why the certificate could not be written.
  std::string finish_certificate(u64 executions, const std::vector<std::string>& assumptions);
  // The proof goes on later: what the certificate has so far. Empty: none is made.
  std::string certificate_so_far() const { return certificate_.text(); }

  const std::vector<Bug>& bugs() const { return bugs_; }
  const std::string& problem() const { return problem_; }
  // Of the first execution that did not end.
  const std::vector<ScheduledStep>& endless() const { return endless_; }
  const OrderBound& bound() const { return bound_; }

  // To be set by a signal handler: the exploration stops soon.
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
