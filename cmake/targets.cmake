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

# Tool code: the command line, reports. Ordinary C++.
function(heddle_tool_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_definitions(${name} PUBLIC $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
endfunction()

# The tests that a build with sanitizers can run: no program can be built with its archive.
add_custom_target(unit_tests)

# foo_test.cpp beside foo.cpp. OBJECT libraries do not link transitively, so a test names all that it uses.
function(heddle_unit_test name)
  if(NOT HEDDLE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
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
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} COST ${cost})
endfunction()
