#include "history/writer.hpp"

#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "history/checksum.hpp"
#include "history/columns.hpp"
#include "output/output_file.hpp"
#include "support/files.hpp"

namespace heddle::history {

Sink descriptor_sink(int descriptor) {
  return [descriptor](std::span<const u8> bytes) -> std::string {
    const int error = write_all(descriptor, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return error ? std::strerror(error) : "";
  };
}

Result<Sink> file_sink(const std::string& path) {
  if (path == "-") return descriptor_sink(STDOUT_FILENO);
  auto opened = output::OutputFile::create(path);
  if (!opened) return Error{opened.error()};
  auto file = std::make_shared<output::OutputFile>(std::move(*opened));
  return Sink([file](std::span<const u8> bytes) {
    std::string problem = file->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    // A header alone is useless; from the first chunk on a kill must not lose anything.
    if (problem.empty() && bytes.size() > FileHeader::kSize) problem = file->publish();
    return problem;
  });
}

void Writer::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Writer::Writer(Sink sink) : sink_(std::move(sink)), compressor_(ZSTD_createCCtx()) {
  if (!compressor_) throw std::bad_alloc();
  // The columns are runs and noise: higher levels take several times as long for a few percent.
  ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, 1);
  u8 header[FileHeader::kSize];
  put_file_header(header);
  put(header);
}

Writer::~Writer() = default;

void Writer::put(std::span<const u8> bytes) {
  if (!problem_.empty()) return;
  problem_ = sink_(bytes);
  bytes_ += bytes.size();
}

void Writer::write(ChunkHeader header, std::span<const u8> plain) {
  chunk_.resize(ChunkHeader::kSize + ZSTD_compressBound(plain.size()));
  usize stored = ZSTD_compress2(compressor_.get(), chunk_.data() + ChunkHeader::kSize,
                                chunk_.size() - ChunkHeader::kSize, plain.data(), plain.size());
  if (ZSTD_isError(stored)) throw std::bad_alloc();  // the one thing that can be missing: its tables
  chunk_.resize(ChunkHeader::kSize + stored);
  header.stored = static_cast<u32>(stored);
  header.plain = static_cast<u32>(plain.size());
  header.checksum = checksum(std::span<const u8>(chunk_).subspan(ChunkHeader::kSize));
  put_chunk_header(header, std::span<u8>(chunk_).first<ChunkHeader::kSize>());
  put(chunk_);
}

void Writer::append(u32 stream, std::span<const Record> records) {
  constexpr usize kMost = kMaxPlain / sizeof(Record);
  for (; !records.empty(); records = records.subspan(std::min(records.size(), kMost))) {
    auto part = records.first(std::min(records.size(), kMost));
    ChunkHeader header{.kind = ChunkKind::kRecords, .stream = stream};
    auto first = std::find_if(part.begin(), part.end(), [](const Record& r) { return has_ticket(r.op); });
    if (first != part.end()) header.first_ticket = first->ticket;
    columns_.resize(part.size_bytes());
    to_columns(part, columns_);
    write(header, columns_);
  }
}

void Writer::text(std::string_view lines) {
  std::span<const u8> bytes(reinterpret_cast<const u8*>(lines.data()), lines.size());
  // A line may cross the boundary of two chunks.
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<usize>(bytes.size(), kMaxPlain)))
    write({.kind = ChunkKind::kText}, bytes.first(std::min<usize>(bytes.size(), kMaxPlain)));
}

void Writer::end(std::string_view why) {
  write({.kind = ChunkKind::kEnd},
        {reinterpret_cast<const u8*>(why.data()), std::min<usize>(why.size(), kMaxPlain)});
}

void EventWriter::flush() {
  writer_.append(0, records_);
  records_.clear();
}

}  // namespace heddle::history
