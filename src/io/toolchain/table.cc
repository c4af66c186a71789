// The table of toolchains, one row each. Their scripts run as the programs of the toolchain will: at the same
// level of the sandbox, as the same user, and with a home of their own.
#include "io/toolchain/table.h"

#include <array>

namespace assay {

namespace {

// The interpreter's own tree, and that of the virtual environment around it.
constexpr std::string_view kPython = R"ask(import sys, sysconfig, os
from importlib import metadata, util
print("version Python", sys.version.split()[0])
print("path", os.path.dirname(sys.executable))
for root in (sys.prefix, sys.base_prefix, sysconfig.get_paths()["purelib"]):
    print("root", root)
for path in (*filter(None, sys.path), sys.executable, os.path.join(sys.prefix, "pyvenv.cfg")):
    print("watch", path)
for name, version in sorted({(d.metadata["Name"] or "?", d.version) for d in metadata.distributions()}):
    print("package", name, version)
for name in os.environ["ASSAY_PACKAGES"].split():
    if util.find_spec(name) is None: print("absent", name))ask";

// Node.js stands in bin/ beside its lib/, or alone. It gives up where its settings of OpenSSL are there and
// may not be read.
constexpr std::string_view kNode = R"ask(const fs = require("fs"), path = require("path");
console.log("version Node.js " + process.version.slice(1));
const bin = path.dirname(process.execPath), tree = path.dirname(bin);
console.log("path " + bin);
console.log("root " + (fs.existsSync(tree + "/lib/node_modules") ? tree : process.execPath));
const folder = process.env.NODE_PATH || "";
console.log("watch " + process.execPath + "\nwatch /etc/ssl/openssl.cnf");
if (folder) console.log("watch " + folder);
if (fs.existsSync(folder)) {
  console.log("root " + folder);
  console.log("path " + folder + "/.bin");
  const inScope = (name) => fs.readdirSync(path.join(folder, name)).map((each) => name + "/" + each);
  const names = fs.readdirSync(folder).filter((name) => name[0] !== ".")
    .flatMap((name) => name[0] === "@" ? inScope(name) : [name]);
  for (const name of names.sort()) {
    const file = path.join(folder, name, "package.json");
    console.log("watch " + path.dirname(path.dirname(file)) + "\nwatch " + file);
    if (fs.existsSync(file)) console.log("package", name, JSON.parse(fs.readFileSync(file)).version);
  }
})ask";

constexpr std::string_view kJava = R"ask(bin=$(dirname "$(readlink -f "$(command -v javac)")")
echo "path $bin";
echo "root $(dirname "$bin")"
javac -version 2>&1 | sed 's/^/version /;q')ask";

constexpr std::string_view kCpp = R"ask(for each in g++ gcc as ld; do
  echo "path $(dirname "$(command -v $each)")"; echo "root $(readlink -f "$(command -v $each)")"
done
for each in /usr/include /usr/local/include /usr/include/*-linux-gnu; do echo "watch $each"; done
for each in $ASSAY_PACKAGES; do
  case $each in */*) echo "watch /usr/include/${each%%/*}" ;; esac
  printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$each" | g++ -E -x c++ - >/dev/null 2>&1 ||
    echo "absent $each"
done
echo "version $(g++ --version | head -n 1)")ask";

// Whatever says its version can still fail to run a program: the compiler is one.
constexpr std::string_view kMono = R"ask(mcs --version >/dev/null 2>&1 || { echo "it needs ns" >&2; exit 1; }
echo "path $(dirname "$(command -v mono)")"
mono --version | sed 's/ (.*//;s/^/version /;q')ask";

constexpr std::string_view kR = R"ask(echo "path $(dirname "$(command -v Rscript)")"
Rscript --vanilla -e 'cat(sprintf("version R %s.%s\nroot %s\n", R.version$major, R.version$minor, R.home()))
cat(sprintf("root %s\n", .libPaths()), sep = "")
p <- installed.packages()[, "Version"]; cat(sprintf("package %s %s\n", names(p), p), sep = "")
asked <- strsplit(Sys.getenv("ASSAY_PACKAGES"), " ")[[1]]
for (n in setdiff(asked, names(p))) cat("absent ", n, "\n", sep = "")')ask";

constexpr std::string_view kGo = R"ask(root=$(go env GOROOT); echo "path $root/bin"; echo "root $root"
echo "watch $root/VERSION"; echo "watch $(go env GOENV)"
go version | sed 's/go version go/version Go /')ask";

// The compiler behind rustup's proxy.
constexpr std::string_view kRust =
    R"ask(root=$(rustc --print sysroot); echo "path $root/bin"; echo "root $root"
echo "watch $root/bin/rustc"; echo "watch ${RUSTUP_HOME:-$HOME/.rustup}/settings.toml"
rustc --version | sed 's/^/version /')ask";

constexpr std::string_view kRuby = R"ask(ruby -rrbconfig -e 'puts "version Ruby " + RUBY_VERSION
puts "path " + RbConfig::CONFIG["bindir"], "root " + RbConfig::CONFIG["libdir"], "root " + RbConfig.ruby
Gem.path.each { |each| puts "watch #{each}/specifications" }
Gem::Specification.sort_by(&:name).each { |each| puts "package #{each.name} #{each.version}" }')ask";

constexpr std::string_view kPhp = R"ask(php -r 'echo "version PHP ", PHP_VERSION, "\npath ", PHP_BINDIR, "\n";
echo "watch ", PHP_BINARY, "\nwatch ", PHP_EXTENSION_DIR, "\nwatch ", PHP_CONFIG_FILE_SCAN_DIR, "\n";
foreach (get_loaded_extensions() as $each) echo "package $each ", phpversion($each), "\n";')ask";

constexpr std::string_view kBash = R"ask(echo "path $(dirname "$(command -v bash)")"
bash --version | sed 's/^/version /;q')ask";

constexpr std::string_view kSqlite = R"ask(echo "path $(dirname "$(command -v sqlite3)")"
echo "version SQLite $(sqlite3 --version | cut -d' ' -f1)")ask";

constexpr std::string_view kPdf = R"ask(echo "path $(dirname "$(command -v pdftotext)")"
pdftotext -v 2>&1 | sed 's/^pdftotext version/version pdftotext/;q')ask";

constexpr std::string_view kPythonEnvironment =
    "PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "
    "PYTHONIOENCODING=utf-8";
constexpr std::string_view kOpenSsl = "/etc/ssl/openssl.cnf";
constexpr std::string_view kNodeEnvironment = "NODE_PATH={folder}/node/node_modules NODE_NO_WARNINGS=1";
constexpr std::string_view kGoEnvironment =
    "CGO_ENABLED=0 GOTOOLCHAIN=local GOPROXY=off GOTELEMETRY=off GOFLAGS=-modcacherw "
    "GOCACHE={folder}/go/cache";

// A go.mod or go.work above a program's folder is somebody else's.
constexpr std::string_view kNoModules = "GO111MODULE=off";

constexpr auto kRows = std::to_array<ToolchainRow>({
    {"python", "python3", "python3 -I -c", kPython, "", kPythonEnvironment, "", "apt-get install python3"},
    {"node", "node", "node -e", kNode, kOpenSsl, kNodeEnvironment, "", "apt-get install nodejs"},
    {"typescript", "node tsc", "node -e", kNode, kOpenSsl, kNodeEnvironment, "", "npm install typescript"},
    {"java", "java javac", "sh -c", kJava, "/etc/java-*", "", "", "apt-get install default-jdk-headless"},
    {"cpp", "g++ gcc", "sh -c", kCpp, "", "", "", "apt-get install g++"},
    {"csharp", "mcs mono", "sh -c", kMono, "/etc/mono", "", "", "apt-get install mono-mcs mono-runtime"},
    {"r", "Rscript", "sh -c", kR, "/etc/R", "R_LIBS={folder}/r/library", "", "apt-get install r-base-core"},
    {"go", "go", "sh -c", kGo, "", kGoEnvironment, "{folder}/go/cache", "apt-get install golang-go",
     kNoModules},
    {"rust", "rustc cc", "sh -c", kRust, "", "", "", "apt-get install rustc"},
    {"ruby", "ruby", "sh -c", kRuby, "", "", "", "apt-get install ruby"},
    {"php", "php", "sh -c", kPhp, "/etc/php", "", "", "apt-get install php-cli"},
    {"bash", "bash", "sh -c", kBash, "", "", "", "apt-get install bash"},
    {"pdftotext", "pdftotext", "sh -c", kPdf, "/etc/fonts", "", "", "apt-get install poppler-utils"},
    {"sqlite", "sqlite3", "sh -c", kSqlite, "", "", "", "apt-get install sqlite3"},
});

}  // namespace

std::span<const ToolchainRow> ToolchainTable() { return kRows; }

}  // namespace assay
