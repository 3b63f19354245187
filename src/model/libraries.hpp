// The libraries that run the tasks of the programming models, by how their file names begin.
#pragma once

namespace heddle::model {

inline constexpr const char* kLibraries[] = {
#define HEDDLE_LIBRARY(prefix) prefix,
#include "model/models.inc"
};

// Histories have no events for what their tasks do.
struct NotRecorded {
  const char *library, *model;
};
inline constexpr NotRecorded kNotRecorded[] = {
#define HEDDLE_NOT_RECORDED(prefix, name) {prefix, name},
#include "model/models.inc"
};

}  // namespace heddle::model
