// The certificate of a proof: the executions that were explored, for an independent check (certificate_check.hpp).
//
//   heddle-certificate 1
//   program ./app
//   program-hash 3f...                 the caller's: of the program's file
//   argument 4
//   input-hash 9a...                   the caller's: of what the program read
//   reduction ours
//   split-acquisitions no
//   order 0c1e... finished 0 0 0x3 0.1    one a class: its digest, how it ended, how many steps it shares with the
//                                         one before, the rest
//   ...
//   executions 12
//   assume no function without instrumentation was called
//   end
//
// Written line by line during the exploration, so that it needs no memory: head, lines, tail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explore/digest.hpp"
#include "explore/explorer.hpp"
#include "support/result.hpp"

namespace heddle::explore {

struct CertificateHead {
  std::string program, program_hash;
  std::vector<std::string> arguments;
  std::string input_hash;
  std::string reduction = "ours";
  Stepping stepping;
};

struct CertifiedOrder {
  Digest digest;
  End end = End::kFinished;
  std::vector<ActorNumber> actors;  // of all steps
};

struct Certificate {
  CertificateHead head;
  std::vector<CertifiedOrder> orders;
  std::vector<std::string> assumptions;
};

std::string certificate_head(const CertificateHead& head);
// One line for each explored execution, in any order.
class CertificateLines {
 public:
  std::string line(const CertifiedOrder& order, const ActorNames& names);
  std::string line(const Explored& explored, const ActorNames& names);

 private:
  std::vector<ActorNumber> previous_;
};
std::string certificate_tail(u64 executions, const std::vector<std::string>& assumptions);

std::string to_text(const Certificate& certificate, const ActorNames& names);
Result<Certificate> parse_certificate(std::string_view text, ActorNames& names);

}  // namespace heddle::explore
