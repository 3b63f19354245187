// A client sends very many requests at once and awaits each answer as a future. A request writes its packet, is
// served from a table that nobody changes, checks the answer, and counts itself in isolation in the statistics of its
// server.
// expect: clean
// size: 2000 requests

#include <array>
#include <vector>

#include "async_finish.h"

namespace {

constexpr long kPacket = 32;  // words
constexpr long kServers = 16;
constexpr long kPages = 1024;

using Packet = std::array<std::uint64_t, kPacket>;

struct Statistics {
  long requests = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(const Packet& packet) {
  std::uint64_t sum = 0;
  for (std::uint64_t word : packet) sum = bench::mix(sum ^ word);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long requests = bench::size_argument(argc, argv, 2000, bench::Polynomial{1});
  std::vector<std::uint64_t> pages(kPages);
  for (long i = 0; i < kPages; ++i) pages[i] = bench::mix(i);
  std::vector<Packet> packets(requests);
  std::array<Statistics, kServers> statistics;
  std::uint64_t received = 0;
  af::root([&] {
    std::vector<af::Future<std::uint64_t>> answers;
    answers.reserve(requests);
    for (long r = 0; r < requests; ++r)
      answers.emplace_back([&, r] {
        Packet& packet = packets[r];
        for (long i = 0; i < kPacket; ++i) packet[i] = bench::mix(r * kPacket + i);
        for (std::uint64_t& word : packet) word = pages[word % kPages];
        const std::uint64_t checksum = checksum_of(packet);
        af::isolated([&] {
          Statistics& server = statistics[r % kServers];
          ++server.requests;
          server.checksum += checksum;
        });
        return checksum;
      });
    for (const auto& answer : answers) received += answer.get();
  });
  long served = 0;
  std::uint64_t sent = 0;
  for (const Statistics& server : statistics) {
    served += server.requests;
    sent += server.checksum;
  }
  bench::require(served == requests && sent == received, "the statistics");
}
