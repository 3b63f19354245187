// Marks the code of oneTBB's headers in a binary that has just been linked, for the runtime (src/base/code_class.hpp).
//
// Why here: what an access means depends on the chain of inlined functions around it, which only debug information
// knows. The program itself has no reader of it, and should not need one at every start; the wrapper is there when the
// binary is made, and a shared object brings its table along however it is loaded.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/code_class.hpp"
#include "support/result.hpp"

namespace heddle::wrapper {

// What a function is by the header that declares it, and its name.
CodeClass class_of_function(std::string_view file, std::string_view name);

// Adds the table, if the binary has code of oneTBB's headers.
Result<bool> add_code_table(const std::filesystem::path& binary);

}  // namespace heddle::wrapper
