# What `./dev install` and `./dev package` deliver besides the program (src/CMakeLists.txt): licences and the README;
# and the Debian package, whose dependencies CPack computes from the libraries that the program links.
install(FILES LICENSE README.md DESTINATION share/doc/assay)
install(FILES "${quickjs_dir}/LICENSE" DESTINATION share/doc/assay RENAME LICENSE.quickjs-ng)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The assay authors <assay@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Evaluations of language models: blueprints, research matrices, InfiBench suites")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4 (>= 7.88)")  # opened at first use, so the linker does not know it
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
