# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT

# Compiler settings shared by all targets.
macro(fivefold_global_settings)
    set(CMAKE_CXX_STANDARD 20)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    if(NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
    endif()
    find_program(FIVEFOLD_CCACHE ccache)
    if(FIVEFOLD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${FIVEFOLD_CCACHE})
    endif()
    add_compile_options(-Wall -Wextra -Wpedantic -Wno-missing-field-initializers)
    # GCC 12 reports the last two wrongly inside std::string and std::optional (GCC bugs 105651, 105562).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wshadow=local -Wno-restrict -Wno-maybe-uninitialized)
    endif()
    if(FIVEFOLD_SANITIZE)
        add_compile_options(-fsanitize=${FIVEFOLD_SANITIZE} -fno-omit-frame-pointer -g1)
        add_link_options(-fsanitize=${FIVEFOLD_SANITIZE})
        if(FIVEFOLD_SANITIZE MATCHES "undefined")
            add_compile_options(-fno-sanitize-recover=undefined)
        endif()
    endif()
    include_directories(${CMAKE_SOURCE_DIR})
endmacro()

# fivefold_library(NAME SOURCES … [DEPENDS …] [PRIVATE_DEPENDS …])
# One static library a folder: what it links is what it may include.
function(fivefold_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    add_library(fivefold_${name} STATIC ${ARG_SOURCES})
    add_library(Fivefold::${name} ALIAS fivefold_${name})
    target_link_libraries(fivefold_${name} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
endfunction()

# fivefold_allocator(TARGET)
# Links jemalloc into a program where it is installed: graphs are many small vectors, and the C library's
# allocator takes a third of an analysis. Sanitizers bring their own.
function(fivefold_allocator target)
    find_library(FIVEFOLD_JEMALLOC jemalloc)
    if(FIVEFOLD_JEMALLOC AND NOT FIVEFOLD_SANITIZE)
        target_link_libraries(${target} PRIVATE
            "-Wl,--push-state,--no-as-needed" ${FIVEFOLD_JEMALLOC} "-Wl,--pop-state")
    endif()
endfunction()

# fivefold_test(NAME SOURCES … [DEPENDS …] [LABELS …] [TIMEOUT s])
# One Qt Test executable; runs offscreen, with the repository root and the optional shared data folder
# (FIVEFOLD_SHARED) in its environment.
function(fivefold_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    if(NOT ARG_LABELS)
        set(ARG_LABELS unit)
    endif()
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE Qt6::Test ${ARG_DEPENDS})
    # What is tested stays optimised; the tests themselves compile in half the time without.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
    target_compile_definitions(${name} PRIVATE FIVEFOLD_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
        FIVEFOLD_BINARY_DIR="${CMAKE_BINARY_DIR}")
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/packaging/lsan.supp:print_suppressions=0"
        LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
