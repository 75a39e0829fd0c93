// The page of page.h as it is without a trace: HTML with style and script in it, cut in two where the data goes. The
// build makes it of the files in page/ (cmake/embed_page.cmake).
#pragma once

#include <string_view>

namespace harrier::trace {

extern const std::string_view kPageBeforeData;
extern const std::string_view kPageBehindData;

}  // namespace harrier::trace
