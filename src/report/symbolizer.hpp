// Program counters to frames, addresses to variables. Opens a module only when an address in it is asked for,
// once, and remembers every answer: races repeat the same few pcs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "report/finding.hpp"
#include "report/object_file.hpp"
#include "report/variables.hpp"

namespace heddle::report {

class Symbolizer {
 public:
  // Paths under `directory` are shown relative to it.
  explicit Symbolizer(std::string directory) : directory_(std::move(directory)) {}

  // The frames of one return address, innermost (most inlined) first; always at least one.
  const std::vector<Frame>& frames(const Module*, Address return_address);

  std::optional<VariableName> global(const Module&, Address, std::uint64_t size,
                                     const std::vector<Address>& nearby);
  std::optional<VariableName> local(const Module&, Address pc, Address frame_pointer, Address,
                                    std::uint64_t size);

  std::string shown_path(const std::string& path) const;

 private:
  ObjectFile* open(const Module&);
  std::vector<Frame> resolve(const Module*, Address return_address);

  std::string directory_;
  std::unordered_map<std::string, std::unique_ptr<ObjectFile>> files_;
  std::map<std::pair<std::string, Address>, std::vector<Frame>> frames_;
  std::map<std::tuple<std::string, Address, std::uint64_t>, std::optional<VariableName>> globals_;
};

// Libraries whose frames are never the user's: the OpenMP runtime, the C and C++ libraries, our own.
bool is_runtime_module(const std::string& path);

}  // namespace heddle::report
