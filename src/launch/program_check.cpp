#include "launch/program_check.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "model/libraries.hpp"

namespace heddle::launch {
namespace {

constexpr std::string_view kMarker = "__heddle_runtime_version";

bool needs_library(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, std::string_view prefix) {
  Elf_Data* data = elf_getdata(section, nullptr);
  GElf_Dyn entry;
  for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; ++i) {
    if (entry.d_tag != DT_NEEDED) continue;
    const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (name && std::string_view(name).starts_with(prefix)) return true;
  }
  return false;
}

bool defines_marker(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  GElf_Sym symbol;
  for (int i = 0; data && gelf_getsym(data, i, &symbol); ++i) {
    if (symbol.st_shndx == SHN_UNDEF) continue;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name && name == kMarker) return true;
  }
  return false;
}

// The dynamic sections are small and come first; the full symbol table is read only if they do not suffice.
bool has_runtime(Elf* elf) {
  for (const GElf_Word wanted : {SHT_DYNAMIC, SHT_DYNSYM, SHT_SYMTAB}) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section))) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != wanted) continue;
      if (wanted == SHT_DYNAMIC ? needs_library(elf, section, header, "libheddle.so")
                                : defines_marker(elf, section, header))
        return true;
    }
  }
  return false;
}

bool calls_clang_openmp(Elf* elf) {
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); ++i) {
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      // Programs built with Heddle define those that the runtime wraps.
      if (symbol.st_shndx == SHN_UNDEF && name && std::string_view(name).starts_with("__kmpc_")) return true;
    }
  }
  return false;
}

// The result of `ask` for the file; `otherwise` if it may not be read, or is no ELF file.
template <class T, class Ask>
T ask_elf(const std::string& path, T otherwise, Ask ask) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return otherwise;
  if (fd < 0) throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
  elf_version(EV_CURRENT);
  Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  // Also of a file that is none; what fails is reading, or memory.
  if (!elf) {
    close(fd);
    throw std::runtime_error("cannot read '" + path + "': " + elf_errmsg(-1));
  }
  T answer = elf_kind(elf) == ELF_K_ELF ? ask(elf) : otherwise;
  elf_end(elf);
  close(fd);
  return answer;
}

}  // namespace

ProgramKind check_program(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return ProgramKind::Missing;
  if (access(path.c_str(), X_OK) != 0 || std::filesystem::is_directory(path, ignored))
    return ProgramKind::NotExecutable;
  const int readable = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // Executable but not readable: run it anyway.
  if (readable < 0 && errno != EACCES) return ProgramKind::Unreadable;
  if (readable >= 0) close(readable);
  return ask_elf(path, ProgramKind::Other,
                 [](Elf* elf) { return has_runtime(elf) ? ProgramKind::Heddle : ProgramKind::OtherElf; });
}

const char* unrecorded_model(const std::string& path) {
  const char* const none = nullptr;
  return ask_elf(path, none, [](Elf* elf) -> const char* {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section))) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC) continue;
      for (const auto& [library, model] : model::kNotRecorded)
        if (needs_library(elf, section, header, library)) return model;
    }
    return nullptr;
  });
}

bool has_clang_openmp(const std::string& path) { return ask_elf(path, false, calls_clang_openmp); }

}  // namespace heddle::launch
