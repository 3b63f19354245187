// Marks the code of oneTBB's headers in a binary that has just been linked, for the runtime (src/base/code_class.hpp).
//
// Why here: the meaning of an access depends on the chain of inlined functions around it, which only debug
// information has. The program itself has no reader for it, and should not need one at every start. The wrapper runs
// when the binary is linked, and a shared object carries its table however it is loaded.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/code_class.hpp"
#include "support/result.hpp"

namespace heddle::wrapper {

// The class of a function, by its header and its name.
CodeClass class_of_function(std::string_view file, std::string_view name);

// Adds the table, if the binary has code of oneTBB's headers.
Result<bool> add_code_table(const std::filesystem::path& binary);

}  // namespace heddle::wrapper
