// The processes of one message-passing job, numbered from 0: the interface to MPI that `mpirun heddle prove` needs.
// Between two of them there are *lanes*, each with messages in order.
//
// The tool loads an implementation when it runs in such a job (explore/mpi); it is linked with none. Thread safety:
// any thread may call anything, but only one thread receives on a lane.
#pragma once

#include <string>
#include <string_view>

#include "base/types.hpp"
#include "explore/remote/channel.hpp"

namespace heddle::explore {

class Ranks {
 public:
  // Leaves the job together with all other ranks.
  virtual ~Ranks() = default;
  virtual u32 rank() const = 0;
  virtual u32 size() const = 0;
  virtual u32 on_this_machine() const = 0;

  virtual void send(u32 to, u32 lane, std::string_view message) = 0;
  virtual bool ready(u32 from, u32 lane, int milliseconds) = 0;
  // Blocks.
  virtual std::string receive(u32 from, u32 lane) = 0;
};

// The function that the library exports: joins the job. Null if it cannot; `problem` then says why.
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
