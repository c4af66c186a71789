# What `./dev install` puts beside the program (src/CMakeLists.txt): licences, the README, the AppArmor profile where
# doctor looks for it. What others install is made from the portable program by packaging/make.py.
install(FILES LICENSE README.md DESTINATION share/doc/assay)
install(FILES packaging/apparmor/assay DESTINATION share/doc/assay/apparmor)
install(FILES "${quickjs_dir}/LICENSE" DESTINATION share/doc/assay RENAME LICENSE.quickjs-ng)
install(FILES "${PROJECT_SOURCE_DIR}/.cache/nunjucks/LICENSE" DESTINATION share/doc/assay RENAME LICENSE.nunjucks)
