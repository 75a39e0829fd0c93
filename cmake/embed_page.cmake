# Makes a C++ source of the page of traces: its style and its scripts go into the HTML, with their hashes, by which the
# page tells browsers that nothing else may run.
#
#     cmake -DFOLDER=src/trace/page -DSTYLES=a.css,b.css -DSCRIPTS=a.js,b.js -DOUTPUT=page_text.cpp -P embed_page.cmake
cmake_minimum_required(VERSION 3.25)

# The SHA-256 of a text in base 64.
function(hash_of text out)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hex "${text}")
  set(result)
  # Three bytes are six digits there and four here; of the last three one is missing.
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}00" ${at} 6 six)
    math(EXPR number "0x${six}")
    foreach(shift 18 12 6 0)
      math(EXPR digit "(${number} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 character)
      string(APPEND result "${character}")
    endforeach()
  endforeach()
  string(SUBSTRING "${result}" 0 43 result)
  set(${out} "${result}=" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html page)
# All of them, one after the other.
function(read_all names out)
  set(result)
  string(REPLACE "," ";" names "${names}")
  foreach(name ${names})
    file(READ ${FOLDER}/${name} text)
    string(APPEND result "${text}")
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

read_all("${STYLES}" style)
read_all("${SCRIPTS}" script)
set(script "\"use strict\";\n(() => {\n${script}})();\n")
hash_of("${style}" style_hash)
hash_of("${script}" script_hash)
string(REPLACE "{{style}}" "${style}" page "${page}")
string(REPLACE "{{style-hash}}" "${style_hash}" page "${page}")
string(REPLACE "{{script-hash}}" "${script_hash}" page "${page}")
string(REPLACE "{{script}}" "${script}" page "${page}")
string(FIND "${page}" "{{data}}" at)
string(SUBSTRING "${page}" 0 ${at} before)
math(EXPR at "${at} + 8")
string(SUBSTRING "${page}" ${at} -1 behind)
file(WRITE ${OUTPUT} "// Made by the build of the files in src/trace/page.
#include \"trace/page_text.h\"

namespace harrier::trace {

const std::string_view kPageBeforeData = R\"~page~(${before})~page~\";
const std::string_view kPageBehindData = R\"~page~(${behind})~page~\";

}  // namespace harrier::trace
")
