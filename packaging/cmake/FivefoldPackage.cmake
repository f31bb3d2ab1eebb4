# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT

# What `cmake --install` and `cpack` put on a system. Machine descriptions, themes and icons are embedded in
# the programs.
include(GNUInstallDirs)

install(TARGETS fivefold-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(FIVEFOLD_BUILD_GUI)
    set(linux ${CMAKE_SOURCE_DIR}/packaging/linux)
    install(TARGETS fivefold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${linux}/fivefold.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${linux}/fivefold.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES ${linux}/fivefold.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
install(DIRECTORY ${CMAKE_SOURCE_DIR}/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/fivefold)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fivefold)
set(CPACK_PACKAGE_CONTACT "Fivefold contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "One PyTorch model, five machines")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
