// Makes the script of which node builds a snapshot of tsc: tsc.js itself, with the libraries of a program of default
// options parsed and bound. It says what tsc says; it only does not read and check again what is the same for every
// program.
//   node tsc_snapshot.js .../typescript/lib/tsc.js >entry.js && node --snapshot-blob X --build-snapshot entry.js
const fs = require("fs"), path = require("path");
const program = fs.realpathSync(process.argv[2]);
const source = fs.readFileSync(program, "utf8");
// Behind it stands what tsc does as soon as it is loaded.
const end = source.lastIndexOf("if (sys.setBlocking) {");
if (end < 0) throw new Error(program + " does not end as tsc 5.3's");

// What follows runs inside tsc.js.
function warmUp() {
  const libraries = getDirectoryPath(normalizePath(sys.getExecutingFilePath()));
  const parsed = new Map();  // libraries, by their names and how they were parsed
  let isBuilding = true;
  let leavesOutLibraries = false;

  const parseAnew = createGetSourceFile;
  createGetSourceFile = (...how) => {
    const getSourceFile = parseAnew(...how);
    return (name, version, onError) => {
      const key = name + " " + JSON.stringify(version);
      const file = parsed.get(key) ?? getSourceFile(name, version, onError);
      if (isBuilding && name.startsWith(libraries + "/")) parsed.set(key, file);
      return file;
    };
  };
  const skipsByOptions = skipTypeChecking;
  skipTypeChecking = (file, options, host) =>
    leavesOutLibraries && isLibrary(file) || skipsByOptions(file, options, host);

  function isLibrary(file) {
    return file.fileName.startsWith(libraries + "/");
  }

  // Nothing that the program declares becomes a part of something that a library declares: what a check of
  // the libraries would find is what it found without the program, nothing.
  function leavesLibrariesAlone(program) {
    const files = program.getSourceFiles();
    const own = files.filter((file) => !isLibrary(file));
    const names = new Set(["undefined", "globalThis"]);
    for (const file of files) {
      if (!isLibrary(file)) continue;
      if (![...parsed.values()].includes(file)) return false;
      for (const name of file.locals.keys()) names.add(name);
    }
    return own.every((file) => {
      if (file.moduleAugmentations.length > 0 || file.jsGlobalAugmentations) return false;
      if (file.patternAmbientModules && file.patternAmbientModules.length > 0) return false;
      if (isExternalOrCommonJsModule(file)) return !(file.symbol && file.symbol.globalExports);
      return [...file.locals.keys()].every((name) => !names.has(name));
    });
  }

  // What is said of the program in the same words whether or not the libraries were checked before it: which types
  // are known by then decides in which order the parts of a union are named, and little else.
  const SAID_ALIKE = {
    2304: /^/, 2307: /^/, 2580: /^/, 2582: /^/, 2584: /^/, 2591: /^/, 2693: /^/, 7061: /^/,
    2322: /^Type '(string|number|boolean)' is not assignable to type '(string|number|boolean)'\.$/,
    2339: /^Property '\w+' does not exist on type '\w+'\.$/,
    2353: /^Object literal may only specify known properties, and '"?\w+"?' does not exist in type '\w+'\.$/,
  };

  function isSaidAlike(diagnostic, isSyntactic) {
    if (!diagnostic.file || isLibrary(diagnostic.file)) return false;
    const how = SAID_ALIKE[diagnostic.code];
    const text = diagnostic.messageText;  // of one line, unless it is a chain of them
    return isSyntactic || how !== undefined && typeof text === "string" && how.test(text);
  }

  // First without the libraries, writing nothing. If it is not certain that tsc would have said the same, everything
  // is done again as tsc does it.
  const performFully = performCompilation;
  performCompilation = (system, done, report, config) => {
    const written = [];
    const said = [];
    let status, program, hasWritten = false;
    const trial = {
      ...system,
      write() { hasWritten = true; },
      writeFile(...file) { written.push(file); },
      exit(code) { status = code; },
    };
    leavesOutLibraries = true;
    try {
      performFully(trial, (made) => { program = made; }, (diagnostic) => { said.push(diagnostic); }, config);
    } catch {
      status = undefined;
    }
    leavesOutLibraries = false;
    if (status === undefined || hasWritten || !leavesLibrariesAlone(program)) {
      return performFully(system, done, report, config);
    }
    // After errors of syntax tsc says nothing of meaning.
    const isSyntactic = program.getSyntacticDiagnostics().length > 0;
    if (!said.every((each) => isSaidAlike(each, isSyntactic))) return performFully(system, done, report, config);
    try {
      for (const file of written) system.writeFile(...file);
    } catch {
      return performFully(system, done, report, config);
    }
    said.forEach(report);
    return system.exit(status);
  };

  // Everything that a usual program needs is run once, so that it need not be compiled later.
  for (const text of EXAMPLES) {
    const folder = "/sandbox/folder";
    const system = {
      ...sys,
      write() {},
      writeFile() {},
      exit() {},
      getCurrentDirectory: () => folder,
      writeOutputIsTTY: () => false,
      readFile: (name, encoding) => name.endsWith("/test.ts") ? text : sys.readFile(name, encoding),
      fileExists: (name) => name.endsWith("/test.ts") || sys.fileExists(name),
    };
    executeCommandLine(system, noop, ["test.ts", "--outfile", "test.js"]);
  }
  isBuilding = false;
  require("v8").startupSnapshot.setDeserializeMainFunction(() => {
    if (sys.setBlocking) sys.setBlocking();
    executeCommandLine(sys, noop, process.argv.slice(1));
  });
}

const EXAMPLES = [
  "",
  `class A<T extends object> {
    constructor(private readonly items: T[] = []) {}
    get size() { return this.items.length }
    map<U>(f: (item: T, at: number) => U): U[] { return this.items.map(f) }
    static of<T extends object>(...items: T[]) { return new A(items) }
  }
  enum Colour { Red, Green = "green" }
  interface Named { name: string; age?: number }
  type Keys = { [K in keyof Named]-?: Named[K] extends string ? K : never }[keyof Named];
  namespace Inner { export const x = 1 }
  abstract class B { abstract f(): void }
  class C extends B { f() { super.toString() } }
  function isNamed(x: unknown): x is Named { return typeof x === "object" && x !== null && "name" in x }
  const all = A.of<Named>({ name: "a" }, { name: \`b\${1 + 1}\` });
  const { size, ...rest } = all;
  let [p, , q = 3] = [1, 2];
  for (const each of all.map((n) => n.name)) { if (each?.length ?? 0) console.log(each, size, rest, p, q) }
  const merged = { ...{ a: 1 }, b: [..."xy".split("")] };
  switch (merged.a) { case 1: break; default: throw new Error("x") }
  try { JSON.parse("{}") } catch (e) { } finally { }
  label: while (false) { continue label }
  const sum = [1, 2, 3].reduce((a, b) => a + b, 0) as number;
  if (isNamed(merged)) merged.name.trim();
  function over(a: string): string; function over(a: number): number; function over(a: any) { return a }
  const date: Record<string, Partial<Named>> = {};
  Object.keys(date).forEach((k) => delete date[k]);
  const g = <T,>(x: T): x is T & {} => !!x;
  if (sum !== 6 || over("a") !== "a" || Inner.x !== 1) throw new Error(Colour.Green);`,
  `import { x } from "./x";
  export const y: number = "a";
  function f(a: string, b: { c: number }) { return a + undefinedName }
  f(1); f("a", { d: 2 });
  const p: Promise<number> = new Promise(r => r("a"));
  async function g() { await p; return require("fs") }
  let z: string | number = true; z.foo();
  interface Array<T> { mine(): T }
  new Map([[1, 2]]); [1].includes(1)`,
  "const = ; function ( {",
];

process.stdout.write(`(function (__filename, __dirname, module) {\n${source.slice(0, end)}\nconst EXAMPLES = ` +
  `${JSON.stringify(EXAMPLES)};\n(${warmUp})();\n` +
  `})(${JSON.stringify(program)}, ${JSON.stringify(path.dirname(program))}, {});\n`);
