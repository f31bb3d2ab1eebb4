# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
# cmake -DOUT=… -DFILES=a;b -P: writes a C++ source with the text of each file. A compiler need not accept a
# literal above 64 KiB, so texts are cut into adjacent pieces.
set(content "// Generated from resources/machines; edit those files.\n")
string(APPEND content "#include \"core/machines/bundled_data.h\"\n\n")
string(APPEND content "namespace fivefold::machines {\n\nconst std::vector<BundledText>& bundledTexts() {\n")
string(APPEND content "    static const std::vector<BundledText> texts {\n")
foreach(path IN LISTS FILES)
    get_filename_component(name "${path}" NAME)
    file(READ "${path}" text)
    string(LENGTH "${text}" length)
    set(offset 0)
    set(literal "")
    while(offset LESS length)
        string(SUBSTRING "${text}" ${offset} 8000 piece)
        string(APPEND literal "\n        R\"machine(${piece})machine\"")
        math(EXPR offset "${offset} + 8000")
    endwhile()
    string(APPEND content "        {\"${name}\",${literal}},\n")
endforeach()
string(APPEND content "    };\n    return texts;\n}\n\n} // namespace fivefold::machines\n")
file(WRITE "${OUT}" "${content}")
