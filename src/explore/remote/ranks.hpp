// The processes of one message-passing job, numbered from 0: what `mpirun heddle prove` needs of a message-passing
// system. Between two of them there are *lanes*, each with messages in order.
//
// An implementation is loaded when the tool finds itself in such a job (explore/mpi); the tool itself is linked with
// none. Thread safety: any thread may call anything, but only one thread receives on a lane.
#pragma once

#include <string>
#include <string_view>

#include "base/types.hpp"
#include "explore/remote/channel.hpp"

namespace heddle::explore {

class Ranks {
 public:
  // Leaves the job, when all others do.
  virtual ~Ranks() = default;
  virtual u32 rank() const = 0;
  virtual u32 size() const = 0;
  virtual u32 on_this_machine() const = 0;

  virtual void send(u32 to, u32 lane, std::string_view message) = 0;
  virtual bool ready(u32 from, u32 lane, int milliseconds) = 0;
  // Waits.
  virtual std::string receive(u32 from, u32 lane) = 0;
};

// The function that the library exports: joins the job; null if it cannot, and then `problem` says why.
using JoinRanks = Ranks*(std::string& problem);
inline constexpr char kJoinRanks[] = "heddle_join_ranks";

class RankChannel : public Channel {
 public:
  RankChannel(Ranks& ranks, u32 other, u32 lane) : ranks_(ranks), other_(other), lane_(lane) {}
  bool send(std::string_view message) override {
    ranks_.send(other_, lane_, message);
    return true;
  }
  bool ready(int milliseconds) override { return ranks_.ready(other_, lane_, milliseconds); }
  std::optional<std::string> receive() override { return ranks_.receive(other_, lane_); }

 private:
  Ranks& ranks_;
  u32 other_, lane_;
};

}  // namespace heddle::explore
