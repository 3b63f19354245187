// Reads a history file: merges the streams by their tickets and yields their events, in an order in which they can
// have happened.
//
//   stream 0:  write x | ticket 0: spawn 1 | ticket 3: join
//   stream 1:  ticket 1: begin | write y | ticket 2: end
//   yields     write x, spawn 1, begin, write y, end, join
//
// Records without a ticket come directly after the previous ticket of their stream. So only one record of each stream
// is needed at a time, and memory holds one chunk for each stream that has begun and not ended, and 24 bytes for each
// chunk of the file.
//
// Any bytes are a valid argument. Where the file is no longer readable, the history ends, and problem() says why.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "history/chunk.hpp"
#include "history/input.hpp"
#include "history/source.hpp"
#include "support/result.hpp"

struct ZSTD_DCtx_s;

namespace heddle::history {

class Reader : public EventSource {
 public:
  // An error if this is no history at all; a damaged one is read up to the damage.
  static Result<std::unique_ptr<Reader>> open(std::unique_ptr<Input> input);
  static Result<std::unique_ptr<Reader>> open(const std::string& path);
  ~Reader() override;

  bool next(Batch& batch) override;
  std::optional<Site> site(u32 number) const override;
  const std::unordered_map<u32, Site>& sites() const { return sites_; }

  // The lines of JSON about the program.
  const std::string& text() const { return text_; }
  // Why the recording ended, in the recorder's words; empty if the file does not say.
  const std::string& end() const { return end_; }

  u32 streams() const { return static_cast<u32>(streams_.size()); }
  u64 chunks() const { return chunks_.size(); }
  u64 records() const { return records_; }    // in the file
  u64 bytes() const { return bytes_; }        // of the file, as far as it is intact
  u64 read_records() const { return read_; }  // decoded so far

 private:
  static constexpr u32 kNone = ~u32{0};
  struct Chunk {
    u64 offset;
    u32 stored, plain, checksum;
    u32 next = kNone;  // of the same stream
  };
  struct Stream {
    u32 number = 0;
    u32 first_chunk = kNone, last_chunk = kNone;
    std::optional<u32> first_ticket;
    std::vector<Record> records;  // the chunk that is being read
    usize at = 0;
    u32 next_chunk = kNone;
    u32 task = 0;
    u32 site = 0, caller = 0;  // a kSite that waits for its pc
  };
  // A stream that has arrived at a record with a ticket that is not yet due.
  struct Waiting {
    u64 ticket;
    u32 stream;
    bool operator>(const Waiting& other) const { return ticket > other.ticket; }
  };

  explicit Reader(std::unique_ptr<Input> input);
  void scan();
  void note(const ChunkHeader& header, u64 offset);
  // The decompressed payload, in plain_; false, and a problem, if it is damaged.
  bool load(const Chunk& chunk);
  // Ensures that there is a current record.
  bool fill(Stream& stream);
  // The stream with the next ticket.
  bool choose();
  // Takes the current stream's record with the ticket that is due. True if there is an event.
  bool take(Stream& stream);
  bool stop(std::string problem);
  std::string place(const Stream& stream) const;

  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<Input> input_;
  std::unique_ptr<ZSTD_DCtx_s, Free> decompressor_;
  std::vector<Chunk> chunks_;
  std::vector<Stream> streams_;
  std::unordered_map<u32, u32> stream_of_;       // number -> index
  std::unordered_multimap<u32, u32> not_begun_;  // first ticket -> index
  std::vector<u32> without_tickets_;
  std::vector<Waiting> waiting_;  // a heap
  u32 current_ = kNone;
  u64 ticket_ = 0;  // that is due
  bool over_ = false;
  event::Event event_;
  std::vector<u8> stored_, plain_;
  std::unordered_map<u32, Site> sites_;
  std::string text_, end_;
  std::string scan_problem_;
  bool has_end_ = false;
  u64 records_ = 0, read_ = 0, bytes_ = 0, numbers_ = 0;
};

}  // namespace heddle::history
