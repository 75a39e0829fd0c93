# What `cmake --install` puts where, for find_package(harrier) and pkg-config; and the Debian package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS harrier)
install(TARGETS harrier_library EXPORT harrier-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/harrier DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/harrier)
configure_package_config_file(cmake/harrier-config.cmake.in harrier-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(harrier-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT harrier-targets NAMESPACE harrier:: DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/harrier-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/harrier-config-version.cmake
  DESTINATION ${package_dir})

# Found from where the file is, so that the prefix may be chosen when it is installed.
file(RELATIVE_PATH HARRIER_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/harrier.pc.in harrier.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/harrier.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Where Debian's shells look for the completions of packages.
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN *.1)
install(FILES ${CMAKE_BINARY_DIR}/share/completions/harrier DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/share/completions/_harrier DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${CMAKE_BINARY_DIR}/share/completions/harrier.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "The developers of Harrier")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "directed model checker for timed automata and Promela models")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libfmt-dev, libpugixml-dev, libz3-dev, libbdd-dev, spin")
set(CPACK_STRIP_FILES ON)
include(CPack)
