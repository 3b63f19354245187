// Writes a history file, chunk by chunk. A chunk is one write(2): what append() has returned from survives the death
// of this process. Nothing is kept in memory.
//
// Not thread-safe: whoever records in parallel collects the streams' blocks in one place.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.hpp"
#include "history/channel/record.hpp"
#include "history/chunk.hpp"
#include "history/codec.hpp"
#include "support/result.hpp"

struct ZSTD_CCtx_s;

namespace heddle::history {

// Takes bytes to the end of the file; returns an empty string, or why it could not.
using Sink = std::function<std::string(std::span<const u8>)>;
// To the file descriptor, which stays the caller's.
Sink descriptor_sink(int descriptor);
// A new file, which takes the place of an old one when its first chunk is written. "-" is the standard output.
Result<Sink> file_sink(const std::string& path);

// Who takes the records of many streams, each stream's in their order.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // The next records of a stream.
  virtual void append(u32 stream, std::span<const Record> records) = 0;
};

class Writer : public RecordSink {
 public:
  // Records in a chunk for those who can choose: 1 MiB. Larger ones compress no better, and a reader holds one for
  // each stream.
  static constexpr usize kChunkRecords = 65536;

  // Writes the header.
  explicit Writer(Sink sink);
  ~Writer() override;

  void append(u32 stream, std::span<const Record> records) override;
  // Lines of JSON, each with its newline: what docs/raw-log.md says about the run and its modules.
  void text(std::string_view lines);
  // Why the recording ended, in words. Nothing may follow.
  void end(std::string_view why);

  // Empty, or the first thing that went wrong; after that nothing is written.
  const std::string& problem() const { return problem_; }
  u64 bytes() const { return bytes_; }

 private:
  void write(ChunkHeader header, std::span<const u8> plain);
  void put(std::span<const u8> bytes);

  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  Sink sink_;
  std::unique_ptr<ZSTD_CCtx_s, Free> compressor_;
  std::vector<u8> columns_, chunk_;
  std::string problem_;
  u64 bytes_ = 0;
};

// Events as a history of one stream.
class EventWriter {
 public:
  explicit EventWriter(Writer& writer) : writer_(writer) {}

  template <class E>
  void add(const E& event) {
    encoder_.add(event, records_);
    if (records_.size() >= Writer::kChunkRecords) flush();
  }
  void flush();

 private:
  Writer& writer_;
  Encoder encoder_;
  std::vector<Record> records_;
};

}  // namespace heddle::history
