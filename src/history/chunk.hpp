// The frame of a history file, byte by byte in docs/history-format.md: a header, then chunks, each with its own
// header and checksums. Written chunks stay readable, whatever happens to the rest.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/types.hpp"

namespace heddle::history {

enum class ChunkKind : u8 {
  kRecords = 1,  // of one stream
  kText = 2,     // lines of JSON about the program, as in the raw log
  kEnd = 3,      // why the recording ended, in words
};

struct FileHeader {
  static constexpr usize kSize = 16;
  static constexpr u32 kVersion = 1;
};

struct ChunkHeader {
  static constexpr usize kSize = 32;

  ChunkKind kind = ChunkKind::kRecords;
  u32 stream = 0;
  u32 stored = 0;                        // bytes of the payload in the file
  u32 plain = 0;                         // ... and decompressed
  std::optional<u32> first_ticket = {};  // of the records with a ticket, if there are any
  u32 checksum = 0;                      // of the payload in the file
};

// The largest payload: a reader holds one chunk for each stream, and a corrupt length must not make it allocate more.
inline constexpr u32 kMaxPlain = 4u << 20;

void put_file_header(std::span<u8, FileHeader::kSize> bytes);
bool begins_like_a_history(std::span<const u8> bytes);
// The problem, or nothing.
std::optional<std::string> check_file_header(std::span<const u8> bytes);

void put_chunk_header(const ChunkHeader& header, std::span<u8, ChunkHeader::kSize> bytes);
// Nothing if it is not intact.
std::optional<ChunkHeader> get_chunk_header(std::span<const u8, ChunkHeader::kSize> bytes);

}  // namespace heddle::history
