# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
# cmake -DOUT=… -DFILE=… -P: writes a C++ source with the text of the published points. A compiler need not
# accept a literal above 64 KiB, so the text is cut into adjacent pieces.
file(READ "${FILE}" text)
string(LENGTH "${text}" length)
set(offset 0)
set(literal "")
while(offset LESS length)
    string(SUBSTRING "${text}" ${offset} 8000 piece)
    string(APPEND literal "\n        R\"rows(${piece})rows\"")
    math(EXPR offset "${offset} + 8000")
endwhile()
file(WRITE "${OUT}" "// Generated from resources/published_points.tsv; edit that file.
#include \"core/analysis/published_rows.h\"

namespace fivefold::analysis {

std::string_view publishedRows() {
    return${literal};
}

} // namespace fivefold::analysis
")
