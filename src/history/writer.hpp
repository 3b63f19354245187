// Writes a history file, chunk by chunk. A chunk is one write(2): after append() has returned, its records survive
// the death of this process. Nothing is kept in memory.
//
// Not thread-safe: a parallel recorder collects the streams' blocks in one place.
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

// Appends bytes to the file; returns an empty string, or the problem.
using Sink = std::function<std::string(std::span<const u8>)>;
// To the file descriptor, which the caller owns.
Sink descriptor_sink(int descriptor);
// A new file, which replaces an old one when its first chunk is written. "-" is the standard output.
Result<Sink> file_sink(const std::string& path);

// Takes the records of many streams, each stream's in order.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // The next records of a stream.
  virtual void append(u32 stream, std::span<const Record> records) = 0;
};

class Writer : public RecordSink {
 public:
  // Preferred number of records in a chunk: 1 MiB. Larger ones compress no better, and a reader holds one for each
  // stream.
  static constexpr usize kChunkRecords = 65536;

  // Writes the header.
  explicit Writer(Sink sink);
  ~Writer() override;

  void append(u32 stream, std::span<const Record> records) override;
  // Lines of JSON, each with its newline: the run and its modules, as in docs/raw-log.md.
  void text(std::string_view lines);
  // Why the recording ended, in words. Nothing may follow.
  void end(std::string_view why);

  // Empty, or the first problem; after that nothing is written.
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
