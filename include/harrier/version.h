// The version of Harrier. This is the only place that says it: CMake reads it here.
#pragma once

#define HARRIER_VERSION_MAJOR 0
#define HARRIER_VERSION_MINOR 1
#define HARRIER_VERSION_PATCH 0
#define HARRIER_VERSION "0.1.0"
