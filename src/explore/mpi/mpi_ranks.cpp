// Ranks over MPI: a library that the tool loads when mpirun started it, so that only MPI jobs need MPI.
//
// MPI's blocking calls spin, and executions need the processors. So everything here polls and sleeps in between,
// longer the longer nothing arrives. One thread at a time makes calls (MPI_THREAD_SERIALIZED), which every MPI
// offers.
#include <mpi.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "explore/remote/ranks.hpp"

namespace heddle::explore {
namespace {

using Clock = std::chrono::steady_clock;

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<u32>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<u32>(number);
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &number);
    here_ = static_cast<u32>(number);
    MPI_Comm_free(&here);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  u32 rank() const override { return rank_; }
  u32 size() const override { return size_; }
  u32 on_this_machine() const override { return here_; }

  void send(u32 to, u32 lane, std::string_view message) override {
    // An execution of many millions of steps exceeds MPI's counts, so it is sent in parts; the last part is shorter.
    for (;;) {
      const std::string_view part = message.substr(0, kPart);
      send_part(to, lane, part);
      if (part.size() < kPart) return;
      message.remove_prefix(kPart);
    }
  }

  bool ready(u32 from, u32 lane, int milliseconds) override {
    const auto until = Clock::now() + std::chrono::milliseconds(milliseconds);
    for (Backoff backoff;; backoff.wait()) {
      int flag = 0;
      {
        std::lock_guard guard(mutex_);
        MPI_Iprobe(static_cast<int>(from), static_cast<int>(lane), MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      }
      if (flag) return true;
      if (Clock::now() >= until) return false;
    }
  }

  std::string receive(u32 from, u32 lane) override {
    std::string message;
    for (;;) {
      constexpr int kLong = 1000;
      while (!ready(from, lane, kLong)) {
      }
      std::lock_guard guard(mutex_);
      MPI_Status status;
      int size = 0;
      MPI_Probe(static_cast<int>(from), static_cast<int>(lane), MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_CHAR, &size);
      const usize before = message.size();
      message.resize(before + static_cast<usize>(size));
      MPI_Recv(message.data() + before, size, MPI_CHAR, static_cast<int>(from), static_cast<int>(lane),
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (static_cast<usize>(size) < kPart) return message;
    }
  }

 private:
  static constexpr usize kPart = usize{1} << 30;

  // Polls a few times at once, then sleeps in between, for up to a millisecond.
  class Backoff {
   public:
    void wait() {
      constexpr u32 kAtOnce = 20;
      constexpr std::chrono::microseconds kLongest{1000};
      if (++looks_ <= kAtOnce) {
        std::this_thread::yield();
        return;
      }
      std::this_thread::sleep_for(pause_);
      pause_ = std::min(kLongest, pause_ + pause_ / 8 + std::chrono::microseconds(1));
    }

   private:
    u32 looks_ = 0;
    std::chrono::microseconds pause_{20};
  };

  void send_part(u32 to, u32 lane, std::string_view part) {
    MPI_Request request;
    {
      std::lock_guard guard(mutex_);
      MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_CHAR, static_cast<int>(to),
                static_cast<int>(lane), MPI_COMM_WORLD, &request);
    }
    for (Backoff backoff;; backoff.wait()) {
      std::lock_guard guard(mutex_);
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) return;
    }
  }

  std::mutex mutex_;
  u32 rank_ = 0, size_ = 1, here_ = 1;
};

}  // namespace
}  // namespace heddle::explore

extern "C" __attribute__((visibility("default"))) heddle::explore::Ranks* heddle_join_ranks(
    std::string& problem) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) {
    problem = "MPI does not start";
    return nullptr;
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    problem = "this MPI does not allow several threads";
    MPI_Finalize();
    return nullptr;
  }
  return std::make_unique<heddle::explore::MpiRanks>().release();
}
