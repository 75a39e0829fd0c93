// The library's own name for the public exception family.
#pragma once

#include "harrier/error.h"
