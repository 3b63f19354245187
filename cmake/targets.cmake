# Helpers that make every folder's CMakeLists.txt a few lines long.

add_compile_options(-Wall -Wextra -Wshadow -Wno-unused-parameter)
# GCC 12 sees overlapping copies in `"text" + std::string` (its PR 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()

if(HEDDLE_SANITIZE)
  # All code, including in-target code: the unit tests cover it here, and no program can be built with it.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEDDLE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

if(HEDDLE_PRECOMPILE)
  # Otherwise no two builds have the same precompiled headers, and ccache finds nothing that uses them.
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# Parsing googletest's headers takes most of the time of compiling a test. Once is enough for all tests that are built
# alike; each includes them itself, so no other include can be forgotten. With HEDDLE_PRECOMPILE=ALL, the tool's code
# shares those of the standard library, too: only where another preset finds the forgotten ones. In-target code includes
# neither.
function(heddle_precompile target kind)
  if(NOT HEDDLE_PRECOMPILE OR (kind MATCHES "^tool" AND NOT HEDDLE_PRECOMPILE STREQUAL ALL))
    return()
  endif()
  get_property(first GLOBAL PROPERTY HEDDLE_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set_property(GLOBAL PROPERTY HEDDLE_PRECOMPILED_${kind} ${target})
  if(kind MATCHES "^tool")
    target_precompile_headers(${target} PRIVATE <algorithm> <filesystem> <functional> <map> <memory> <optional> <set> <span>
      <string> <string_view> <unordered_map> <variant> <vector>)
  else()
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h>)
  endif()
endfunction()

# In-target code is linked into the user's program: C programs too, so it may not need libstdc++, and it may not throw.
# Each folder is an OBJECT library; src/frontend/CMakeLists.txt packs them into libheddle.a and libheddle.so, except
# OWN_LIBRARY: that is loaded beside the program.
function(heddle_in_target name)
  cmake_parse_arguments(ARG "OWN_LIBRARY" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(${name} PRIVATE -fno-exceptions -fvisibility=hidden -fno-stack-protector
                         $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics> -ftls-model=initial-exec -g1 -fno-omit-frame-pointer
                         $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> -include ${PROJECT_SOURCE_DIR}/src/base/own_calls.hpp)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  if(NOT ARG_OWN_LIBRARY)
    set_property(GLOBAL APPEND PROPERTY HEDDLE_IN_TARGET ${name})
  endif()
endfunction()

# Tool code: the command line, reports. Ordinary C++. COLD: no oracle test runs it. With sanitizers it is not optimised,
# as that takes longer than the tests that run it.
function(heddle_tool_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_definitions(${name} PUBLIC $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  if(ARG_COLD AND HEDDLE_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
    heddle_precompile(${name} tool_cold)  # precompiled headers are of use only with the options that they have
  else()
    heddle_precompile(${name} tool)
  endif()
endfunction()

# The tests that a build with sanitizers can run: no program can be built with its archive.
add_custom_target(unit_tests)

# foo_test.cpp beside foo.cpp. OBJECT libraries do not link transitively, so a test names all that it uses.
# OPTIONS are for the compiler. UNSANITIZED: not all of its tests can run with sanitizers (the test preset `sanitize`
# leaves those out), so it is built without HEDDLE_UNIT_TESTS, too.
function(heddle_unit_test name)
  cmake_parse_arguments(ARG "UNSANITIZED" "" "SOURCES;USES;OPTIONS" ${ARGN})
  if(NOT HEDDLE_TESTS OR NOT (HEDDLE_UNIT_TESTS OR ARG_UNSANITIZED OR name MATCHES oracle))
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PRIVATE ${ARG_USES} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_dependencies(unit_tests ${name})
  set(label unit)
  set(cost 0)
  if(name MATCHES oracle)
    set(label oracle)
    set(cost 10)  # random programs by the hundred thousand: see tests/CMakeLists.txt
  else()
    # Its own code runs once. What it tests has the build's optimisation: unoptimised, sanitized code is far slower.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1> $<$<BOOL:${HEDDLE_SANITIZE}>:-O0>)
  endif()
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  if(ARG_OPTIONS)
    heddle_precompile(${name} ${name})  # precompiled headers are of use only with the options that they have
  else()
    heddle_precompile(${name} ${label})
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} COST ${cost})
endfunction()
