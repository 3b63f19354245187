#include "history/reader.hpp"

#include <zstd.h>

#include <algorithm>
#include <functional>
#include <new>

#include "base/check.hpp"
#include "history/checksum.hpp"
#include "history/codec.hpp"
#include "history/columns.hpp"

namespace heddle::history {
namespace {

// Some hundred thousand modules: a few bytes of a file can decompress to megabytes, and must not exhaust the memory.
constexpr usize kMaxText = 64u << 20;

}  // namespace

void Reader::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Result<std::unique_ptr<Reader>> Reader::open(std::unique_ptr<Input> input) {
  u8 header[FileHeader::kSize];
  usize got = input->read(0, header);
  if (auto problem = check_file_header({header, got})) return Error{*problem};
  std::unique_ptr<Reader> reader(new Reader(std::move(input)));
  reader->scan();
  return reader;
}

Result<std::unique_ptr<Reader>> Reader::open(const std::string& path) {
  auto input = open_file(path);
  if (!input) return Error{input.error()};
  auto reader = open(std::move(*input));
  if (!reader) return Error{"'" + path + "': " + reader.error()};
  return reader;
}

Reader::Reader(std::unique_ptr<Input> input) : input_(std::move(input)), decompressor_(ZSTD_createDCtx()) {
  if (!decompressor_) throw std::bad_alloc();
}

Reader::~Reader() = default;

// Reads the headers of all chunks; the payloads of text are read now, those of records when they are needed.
void Reader::scan() {
  u64 offset = FileHeader::kSize;
  auto at = [&] { return " (byte " + std::to_string(offset) + " of the file)"; };
  while (true) {
    u8 bytes[ChunkHeader::kSize];
    usize got = input_->read(offset, bytes);
    if (got == 0) {
      if (!has_end_) scan_problem_ = "the recording is incomplete" + at();
      break;
    }
    if (has_end_) {
      scan_problem_ = "there is more after the end of the history" + at();
      break;
    }
    if (got < ChunkHeader::kSize) {
      scan_problem_ = "the file is cut off within the header of a chunk" + at();
      break;
    }
    auto header = get_chunk_header(bytes);
    if (!header) {
      scan_problem_ = "the header of a chunk is damaged" + at();
      break;
    }
    u64 after = offset + ChunkHeader::kSize + header->stored;
    u8 last;
    if (header->stored == 0 || input_->read(after - 1, {&last, 1}) == 0) {
      scan_problem_ = "the file is cut off within a chunk" + at();
      break;
    }
    if (header->kind == ChunkKind::kRecords) {
      note(*header, offset);
    } else {
      Chunk chunk{offset, header->stored, header->plain, header->checksum};
      if (!load(chunk)) {
        scan_problem_ = std::exchange(problem_, {});
        break;
      }
      if (text_.size() + plain_.size() > kMaxText) {
        scan_problem_ = "there is more text than a program can have" + at();
        break;
      }
      std::string& into = header->kind == ChunkKind::kText ? text_ : end_;
      into.append(plain_.begin(), plain_.end());
      has_end_ = header->kind == ChunkKind::kEnd;
    }
    offset = after;
  }
  bytes_ = offset;
  numbers_ = number_limit(records_);
  for (u32 i = 0; i < streams_.size(); ++i)
    if (streams_[i].first_ticket)
      not_begun_.emplace(*streams_[i].first_ticket, i);
    else
      without_tickets_.push_back(i);
}

void Reader::note(const ChunkHeader& header, u64 offset) {
  auto [found, is_new] = stream_of_.try_emplace(header.stream, static_cast<u32>(streams_.size()));
  if (is_new) {
    streams_.emplace_back();
    streams_.back().number = header.stream;
  }
  Stream& stream = streams_[found->second];
  u32 index = static_cast<u32>(chunks_.size());
  chunks_.push_back({offset, header.stored, header.plain, header.checksum});
  if (stream.first_chunk == kNone)
    stream.first_chunk = stream.next_chunk = index;
  else
    chunks_[stream.last_chunk].next = index;
  stream.last_chunk = index;
  if (!stream.first_ticket) stream.first_ticket = header.first_ticket;
  records_ += header.plain / sizeof(Record);
}

bool Reader::load(const Chunk& chunk) {
  auto damaged = [&](const char* how) {
    problem_ = std::string(how) + " (the chunk at byte " + std::to_string(chunk.offset) + " of the file)";
    return false;
  };
  // A hostile length must not cost more memory than the file has.
  if (chunk.stored > ZSTD_compressBound(kMaxPlain)) return damaged("a chunk is too large");
  stored_.resize(chunk.stored);
  if (input_->read(chunk.offset + ChunkHeader::kSize, stored_) != chunk.stored)
    return damaged("the file is cut off within a chunk");
  if (checksum(stored_) != chunk.checksum) return damaged("the bytes of a chunk are damaged");
  plain_.resize(chunk.plain);
  usize got =
      ZSTD_decompressDCtx(decompressor_.get(), plain_.data(), plain_.size(), stored_.data(), stored_.size());
  if (ZSTD_isError(got) || got != chunk.plain) return damaged("a chunk cannot be decompressed");
  return true;
}

std::string Reader::place(const Stream& stream) const {
  return " (stream " + std::to_string(stream.number) + ", after ticket " + std::to_string(ticket_) + ")";
}

bool Reader::stop(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  over_ = true;
  return false;
}

bool Reader::fill(Stream& stream) {
  while (stream.at == stream.records.size()) {
    if (stream.next_chunk == kNone) {
      std::vector<Record>().swap(stream.records);
      stream.at = 0;
      return false;
    }
    const Chunk& chunk = chunks_[stream.next_chunk];
    if (!load(chunk)) return false;
    stream.records.resize(chunk.plain / sizeof(Record));
    from_columns(plain_, stream.records);
    stream.at = 0;
    stream.next_chunk = chunk.next;
  }
  return true;
}

bool Reader::choose() {
  // Streams without tickets have no position: they come first.
  if (!without_tickets_.empty()) {
    current_ = without_tickets_.back();
    without_tickets_.pop_back();
    return true;
  }
  if (!waiting_.empty() && waiting_.front().ticket == ticket_) {
    current_ = waiting_.front().stream;
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
    return true;
  }
  if (auto found = not_begun_.find(static_cast<u32>(ticket_)); found != not_begun_.end()) {
    current_ = found->second;
    not_begun_.erase(found);
    return true;
  }
  if (waiting_.empty() && not_begun_.empty()) return stop(scan_problem_);
  return stop("the record with ticket " + std::to_string(ticket_) + " is missing" +
              (scan_problem_.empty() ? "" : ", as " + scan_problem_));
}

bool Reader::take(Stream& stream) {
  const Record record = stream.records[stream.at++];
  ++ticket_;
  ++read_;
  if (record.op == Op::kOrder) return false;
  event_ = decode(record, stream.task);
  u32 depends = depends_of(record);
  if (depends == 0) return true;
  auto* spawn = std::get_if<event::Spawn>(&event_);
  auto& clauses = spawn ? spawn->depends : std::get<event::WaitDepend>(event_).depends;
  for (u32 i = 0; i < depends; ++i) {
    if (!fill(stream) || stream.records[stream.at].op != Op::kDepend ||
        !is_valid(stream.records[stream.at], numbers_))
      return stop("depend clauses are missing" + place(stream));
    clauses.push_back(decode_depend(stream.records[stream.at++]));
    ++read_;
  }
  return true;
}

bool Reader::next(Batch& batch) {
  batch = {};
  while (!over_) {
    if (current_ == kNone && !choose()) return false;
    Stream& stream = streams_[current_];
    if (!fill(stream)) {
      if (!problem_.empty()) return stop({});
      current_ = kNone;
      continue;
    }
    // A run of memory records, in place.
    const Record* const first = &stream.records[stream.at];
    const Record* const last = stream.records.data() + stream.records.size();
    const Record* at = first;
    while (at != last && is_memory(at->op) && is_valid_memory(*at)) ++at;
    if (at != first) {
      batch.task = stream.task;
      batch.memory = {first, at};
      stream.at += batch.memory.size();
      read_ += batch.memory.size();
      if (at == last) return true;
    }
    const Record& record = *at;
    if (!is_valid(record, numbers_))
      return batch.memory.empty() ? stop("a record is invalid" + place(stream)) : true;
    if (has_ticket(record.op)) {
      // Tickets grow, so this is its distance from the one that is due.
      u64 ticket = ticket_ + static_cast<u32>(record.ticket - static_cast<u32>(ticket_));
      if (ticket != ticket_) {
        waiting_.push_back({ticket, current_});
        std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
        current_ = kNone;
      } else if (depends_of(record) != 0 && !batch.memory.empty()) {
        return true;  // its clauses may be in the next chunk, where the memory records are not
      } else if (take(stream)) {
        batch.event = &event_;
        return true;
      }
    } else if (!batch.memory.empty()) {
      return true;
    } else {
      ++stream.at;
      ++read_;
      if (record.op == Op::kTask) {
        stream.task = record.a;
      } else if (record.op == Op::kSite) {
        stream.site = record.a;
        stream.caller = record.b;
      } else if (record.op == Op::kSitePc) {
        sites_[stream.site] = {stream.caller, record.address};
      } else {
        return stop("a depend clause belongs to nothing" + place(stream));
      }
    }
    if (!batch.memory.empty()) return true;
  }
  return false;
}

std::optional<Site> Reader::site(u32 number) const {
  auto found = sites_.find(number);
  return found == sites_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace heddle::history
