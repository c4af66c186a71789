# nunjucks, the language of the templates in promptfoo's configs, as one script that the engine of cmake/quickjs.cmake
# runs. third_party/nunjucks pins its Debian package; `./dev` downloads it and joins its modules (cmake/nunjucks.py) in
# .cache/nunjucks before CMake runs, so a build never touches the network.
set(nunjucks_script ".cache/nunjucks/nunjucks.js")
if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${nunjucks_script}")
  message(FATAL_ERROR "${nunjucks_script} is not there. Run `./dev build` once: it fetches nunjucks.")
endif()
assay_embed(text HEADER text/nunjucks/scripts.h
  kNunjucksScript=${nunjucks_script} kNunjucksHost=src/text/nunjucks/host.js)
