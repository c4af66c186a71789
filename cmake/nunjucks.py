#!/usr/bin/env python3
"""Joins the modules of nunjucks, as Debian's package for Node has them, into one script that defines `nunjucks`.

usage: nunjucks.py FOLDER OUTPUT.js     FOLDER: usr/share/nodejs/nunjucks of the package
"""
import sys
from pathlib import Path

# Of the package, what renders a template. Nothing loads files, and nothing serves pages.
MODULES = ["compiler", "environment", "filters", "globals", "lexer", "lib", "loader", "nodes", "object", "parser",
           "precompiled-loader", "runtime", "tests", "transformer"]
# In place of Node's own modules, of the loaders and of Express. The engine runs what waits at once.
STUBS = """
    'asap': (module) => { module.exports = (task) => task(); },
    'events': (module) => { module.exports = function () {}; module.exports.prototype = { on() {}, emit() {} }; },
    'path': () => {},
    'loaders': () => {},
    'express-app': () => {},
"""
HEAD = """globalThis.nunjucks = (() => {
  const modules = {"""
TAIL = """  };
  const loaded = {};
  const load = (name) => {
    const key = name.replace('./', '').replace('.js', '');
    if (!(key in loaded)) {
      const module = loaded[key] = { exports: {} };
      modules[key](module, module.exports, load);
    }
    return loaded[key].exports;
  };
  return { ...load('environment'), runtime: load('runtime') };
})();
"""


def main(folder: Path, output: Path):
    sources = {name: folder / "src" / f"{name}.js" for name in MODULES}
    sources["a-sync-waterfall"] = folder / "node_modules/a-sync-waterfall/index.js"
    script = HEAD + STUBS
    for name, path in sources.items():
        script += f"    '{name}': (module, exports, require) => {{\n{path.read_text(encoding='utf-8')}\n    }},\n"
    output.write_text(script + TAIL, encoding="utf-8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
