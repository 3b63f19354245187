// CRC-32C (Castagnoli), the checksum of chunks and their headers: finds every error of one to three bits, and every
// burst of up to 32.
#pragma once

#include <span>

#include "base/types.hpp"

namespace heddle::history {

u32 checksum(std::span<const u8> bytes);

}  // namespace heddle::history
