#include "history/chunk.hpp"

#include <cstring>

#include "history/channel/record.hpp"
#include "history/checksum.hpp"

namespace heddle::history {
namespace {

constexpr char kFileMagic[8] = {'H', 'E', 'D',  'D',
                                'L', 'E', '\r', '\n'};  // shows the damage of a text mode transfer
constexpr u32 kChunkMagic = 0x4b4e4843;                 // "CHNK"
constexpr u8 kHasTicket = 1;

u32 get(const u8* at) {
  u32 value;
  std::memcpy(&value, at, 4);
  return value;
}
void put(u8* at, u32 value) { std::memcpy(at, &value, 4); }

}  // namespace

void put_file_header(std::span<u8, FileHeader::kSize> bytes) {
  std::memcpy(bytes.data(), kFileMagic, 8);
  put(&bytes[8], FileHeader::kVersion);
  put(&bytes[12], 0);
}

bool begins_like_a_history(std::span<const u8> bytes) {
  return bytes.size() >= 8 && std::memcmp(bytes.data(), kFileMagic, 8) == 0;
}

std::optional<std::string> check_file_header(std::span<const u8> bytes) {
  if (!begins_like_a_history(bytes)) return "this is not a history of Heddle: its first bytes are others";
  if (bytes.size() < FileHeader::kSize) return "the history is cut off within its header";
  if (u32 version = get(&bytes[8]); version != FileHeader::kVersion)
    return "the history has version " + std::to_string(version) +
           " of the format; this tool supports version " + std::to_string(FileHeader::kVersion);
  if (get(&bytes[12]) != 0) return "the history needs features that this tool does not have";
  return std::nullopt;
}

void put_chunk_header(const ChunkHeader& header, std::span<u8, ChunkHeader::kSize> bytes) {
  put(&bytes[0], kChunkMagic);
  bytes[4] = static_cast<u8>(header.kind);
  bytes[5] = header.first_ticket ? kHasTicket : 0;
  bytes[6] = bytes[7] = 0;
  put(&bytes[8], header.stream);
  put(&bytes[12], header.stored);
  put(&bytes[16], header.plain);
  put(&bytes[20], header.first_ticket.value_or(0));
  put(&bytes[24], header.checksum);
  put(&bytes[28], checksum(bytes.first(28)));
}

std::optional<ChunkHeader> get_chunk_header(std::span<const u8, ChunkHeader::kSize> bytes) {
  if (get(&bytes[0]) != kChunkMagic || get(&bytes[28]) != checksum(bytes.first(28))) return std::nullopt;
  ChunkHeader header;
  header.kind = static_cast<ChunkKind>(bytes[4]);
  header.stream = get(&bytes[8]);
  header.stored = get(&bytes[12]);
  header.plain = get(&bytes[16]);
  if (bytes[5] & kHasTicket) header.first_ticket = get(&bytes[20]);
  header.checksum = get(&bytes[24]);
  // Intact bytes that no writer produces are as bad as damaged ones.
  if (bytes[4] < 1 || bytes[4] > 3 || bytes[5] > 1 || bytes[6] || bytes[7] || header.plain > kMaxPlain)
    return std::nullopt;
  if (header.kind == ChunkKind::kRecords && header.plain % sizeof(Record) != 0) return std::nullopt;
  return header;
}

}  // namespace heddle::history
