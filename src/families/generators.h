// The generators behind the table in families.cpp: one function a family, one file a protocol.
#pragma once

#include <cstdint>

#include "families/families.h"

namespace harrier::families {

Generated fischer(uint32_t n);
Generated fischer_a(uint32_t n);
Generated fischer_b(uint32_t n);
Generated fischer_c(uint32_t n);
Generated csma(uint32_t n);
Generated train_gate(uint32_t n);
Generated arbiter(uint32_t n);
Generated hanoi(uint32_t n);
Generated philosophers(uint32_t n);
Generated dining(uint32_t n);

namespace smv {
Generated philosophers(uint32_t n);
Generated leader(uint32_t n);
Generated send_receive(uint32_t n);
Generated mutex(uint32_t n);
Generated peterson(uint32_t n);
Generated peterson_low(uint32_t n);
}  // namespace smv

}  // namespace harrier::families
