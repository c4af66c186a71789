#!/usr/bin/env python3
"""A compiler that starts warm (scripts/toolchains/warm) says what the cold one says: each program is compiled and run
both ways, and the replies are compared to the byte. A part of the programs; with --all, or with names of files of
golden programs, all of them and those."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = os.environ.get("ASSAY_TOOLCHAINS") or os.path.expanduser("~/.local/share/assay/toolchains")
IN_SOURCE = (ROOT / "src/checks/languages/cpp.cc").read_text().split("kCppHeader =\n")[1].split(";\n\n")[0]
HEADER = "".join(json.loads(line.strip()) for line in IN_SOURCE.split("\n"))

# toolchain: (file, compiler, the command, a command that prints how the compiler starts)
LANGUAGES = {
    "cpp": ("main.cpp", "g++ main.cpp -o main; ./main",
            'w=$(dirname "$(dirname "$(command -v g++)")"); cmp -n $(stat -c %s $w/header.h) main.cpp $w/header.h && '
            'g++ -Winvalid-pch -Werror -include $w/header.h -fsyntax-only main.cpp && echo warm'),
    "typescript": ("test.ts", "tsc test.ts --outfile test.js; node test.js",
                   'w=$(dirname "$(dirname "$(command -v tsc)")"); node --snapshot-blob $w/tsc.blob test.ts '
                   '--outfile test.js && echo warm'),
    "java": ("Main.java", "javac -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 Main.java; "
             "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 Main",
             "javac -J-XX:+UseSerialGC -J-Xlog:class+load Main.java | grep -q 'source: shared objects file (top)' && "
             "echo warm"),
}
MAIN = "\nint main() { cout << add(1, 2) << endl; return add(1, 2) == 3 ? 0 : 1; }\n"
ADD = "int add(int a, int b) { return a + b; }\n"
CPP = [
    ADD + MAIN,
    "#include <unordered_map>\n#include <cassert>\n#include <vector>\n" + ADD + MAIN + "unordered_map<int, int> m;\n",
    "int add(int a, int b) { return a - b; }\n" + MAIN,
    "int add(int a, int b) { return a - b }\n" + MAIN,
    "int add(int a) { return a; }\n" + MAIN,
    ADD,
    "",
    "\n",
    "this is no C++\n",
    "#error stopped\n" + ADD + MAIN,
    "#warning careful\n" + ADD + MAIN,
    "int add(int a, int b) { int unset; return printf(\"%s\", a) ? a + b : unset; }\n" + MAIN,
    "int add(int a, int b) { vector<int> v; sort(v); return v.begin() + a; }\n" + MAIN,
    "struct S {}; int add(int a, int b) { map<S, int> m; m[S()] = a; set<S> s; s.insert(S()); return b; }\n" + MAIN,
    "unordered_map<int, int> m; int add(int a, int b) { return m[a] + b; }\n" + MAIN,
    "int count; int distance = 1; int add(int a, int b) { count = a; return count + b * distance; }\n" + MAIN,
    "int add(int a, int b) { array<int, 2> x{a, b}; return accumulate(x.begin(), x.end(), 0); }\n" + MAIN,
    "int add(int a, int b) { return a + b; }\nint add(int a, int b) { return a + b; }\n" + MAIN,
    "int add(int, int);\n" + MAIN,
    "int add(int a, int b) { throw runtime_error(\"thrown\"); }\n" + MAIN,
    "int add(int a, int b) { vector<int> v; return v.at(3); }\n" + MAIN,
    "int add(int a, int b) { int* p = nullptr; return *p; }\n" + MAIN,
    "int add(int a, int b) { exit(7); }\n" + MAIN,
    "int add(int a, int b) { cerr << __FILE__ << __LINE__ << __BASE_FILE__ << __COUNTER__ << __INCLUDE_LEVEL__\n"
    " << __func__ << __cplusplus << typeid(map<string, int>).name() << sizeof(FILE) << RAND_MAX << INT_MAX << endl;\n"
    " return a + b; }\n" + MAIN,
    "#define vector list\n#include <vector>\nint add(int a, int b) { vector<int> v{a, b}; return v.front() + b; }\n"
    + MAIN,
    "#ifdef _GLIBCXX_VECTOR\nint add(int a, int b) { return a + b; }\n#endif\n" + MAIN,
    "#undef EOF\n#include <stdio.h>\nint add(int a, int b) { return EOF; }\n" + MAIN,
    "boost::any x = 3; int add(int a, int b) { return boost::any_cast<int>(x) - 3 + a + b; }\n" + MAIN,
    "boost::any x = 3; int add(int a, int b) { return boost::any_cast<string>(x).size(); }\n" + MAIN,
    "template <class T> concept Any = true; int add(Any auto a, int b) { return a + b; }\n" + MAIN,
    "template <int n> struct F { enum { v = F<n - 1>::v }; }; int add(int a, int b) { return F<5>::v; }\n" + MAIN,
    "extern \"C\" int puts(const char*); int add(int a, int b) { puts(\"out\"); return a + b; }\nint main;\n",
    "static_assert(sizeof(vector<int>) == 1, \"size\");\n" + ADD + MAIN,
    "auto add(auto a, auto b) { return a + b; }\n" + MAIN,
    "#include \"missing.h\"\n" + ADD + MAIN,
    "int add(int a, int b) { gets(nullptr); string s = 5; return stoi(\"x\"); }\n" + MAIN,
    "namespace std { int mine = 3; } int add(int a, int b) { return mine; }\n" + MAIN,
    "\ufeff" + ADD + MAIN,
    "int add(int a, int b) { string s = a; return s + b; }\n" + MAIN,
    "int add(int a, int b) { return undeclared + foo(a) + Missing::x; }\n" + MAIN,
    "int add(int a, int b) { const int c = 1; c = 2; return a +* b; int a; }\n" + MAIN,
    "class A { int x; }; int add(int a, int b) { A y; y.x = 1; y.z(); return new A; }\n" + MAIN,
    "int add(int a, int b) { int* p = a; char c = \"abc\"; if (a = b) return p; else return 'ab'; }\n" + MAIN,
    "void add(int a, int b) { return a / b; } // a comment /\n" + MAIN,
    "int add(int a, int b) { vector<strin> v; vectr<int> w; cot << a; return v.size(); }\n" + MAIN,
    "int add(int a, int b) { for (int i = 0; i < 3; i++ { a += i; } return a }\n" + MAIN,
    "int add(int a, int b) { auto f = [](int x) { return a + x; }; return f(b, 1); }\n" + MAIN,
    "int add(int a, int b) { switch (a) { case 1: case 1: break; } goto nowhere; return b; }\n" + MAIN,
    "int add(int a, int b) { delete a; throw; return sizeof(void) + b; } virtual int g(); struct S;  S s;\n" + MAIN,
    "int add(int a, int b) { printf(\"%d %s\", a); return 1 << 40; \\ }\n" + MAIN,
    "template <class T> T twice(T x) { return x.twice(); } int add(int a, int b) { return twice(a); }\n" + MAIN,
    "int add(int a, int b) { pair<int, int> p = {1, 2, 3}; vector<int> v = \"x\"; return p; }\n" + MAIN,
]
TYPESCRIPT = [
    "console.log(1 + 1)",
    "",
    "const a: number = 'x'; console.log(a)",
    "class A<T> { constructor(private t: T) {} get(): T { return this.t } }\n"
    "console.log(new A(3).get(), [...'abc'])",
    "const = ;",
    "throw new Error('late')",
    "process.exit(3)",
    "import { strict as assert } from 'assert'; assert.equal(1, 2)",
    "const assert = require('assert'); assert.equal(1, 2)",
    "const n: number = 'a'; let b: boolean = 1; let s: string = true; s = null; "
    "interface A { x: number } const a: A = { y: 1 }",
    "interface A { x: number } const a: A = { x: 1, 'z': 2 }; a.w; type F = 'a'; const v = F; "
    "type M = { [k in F]: 1; b: 2 }",
    "const = 3; const n: number = 'a'; interface Node { nodeType: string }",
    "describe('x', () => { it('y', () => {}) }); "
    "console.log(process.argv.length, Buffer, module, exports, __dirname, $)",
    "import x from './missing'; import * as y from 'fs'; x; y; let z: Missing; z.foo; new Missing2(); missing3()",
    "const l: string[] = ['a']; l.includes('a'); l.flat(); 'a'.padStart(1); Object.values(l); "
    "let q: Promise<void>; q.finally()",
    "let x: string = 1 as number | string; function f(a: Date | RegExp) { a.getTime(); a.exec('') } f('a'); f(1)",
    "type T = string | Date | number[]; let t: T = {}; const d: Date = t; t = /x/; (t as any as Error | Event).nope",
    "declare var require: any; const assert = require('assert'); assert.equal(1, 1); console.log('fine')",
    "const name = 'x'; console.log(name)",
    "let event = 1; var status = 3; console.log(event)",
    "interface Array<T> { mine(): T } [1].mine()",
    "interface Event { x: number }",
    "interface Node { nodeType: string }",
    "interface HTMLElement { title: number }\nconst e: HTMLElement = null as any; e.title = 'x'",
    "class Event {} class Request {} const x: Event = new Event()",
    "type Record = 1; type Partial<T> = T; const r: Record = 2",
    "function setTimeout(a: string): void {} setTimeout('a')",
    "namespace Intl { export const mine = 1 } console.log(Intl.mine)",
    "var x: number; var x: string;",
    "declare var document: { mine: number }; console.log(typeof document)",
    "export const y = 1; console.log(y)",
    "export {}; declare global { interface Window { mine: number } interface String { shout(): string } } ''.shout()",
    "export {}; declare global { interface Node { nodeType: string } }",
    "enum Colour { Red, Green = 'g' } const enum C { A = 1 } console.log(Colour.Red, Colour[0], C.A)",
    "async function f(): Promise<number> { return 1 } f().then(console.log)",
    "for (const x of new Map([[1, 2]])) console.log(x); new Set([1]).has(1); [1].includes(1); Object.entries({})",
    "function* g() { yield 1 } for (const x of g()) console.log(x)",
    "const big = 10n; console.log(big, 2 ** 3, 'a'.padStart(3), globalThis === undefined)",
    "function d(t: any) {} @d class A { @d m() {} }",
    "let s: 'closed' | 'open' | 'auto' | 1 | null = 1 as any; const n: number = s; s.missing; function f(x: "
    "HTMLElement | Document | string) { x.nope }",
    "let u: Text | Comment | 'smooth' | 'auto' = 3; type K = keyof HTMLElementTagNameMap; const k: K = 'nope'",
    "/// <reference lib=\"es2020\" />\nnew Map([[1, 2]]); Promise.resolve(1); [1].flat()",
    "/// <reference types=\"node\" />\nprocess.exit(0)",
    "abstract class B { abstract f(): void } class C extends B {} new B(); const t: [number, string] = [1]",
    "function f(a: string): string; function f(a: number): number; function f(a: any) { return a } f(true); f()",
    "type F<T> = T extends (infer U)[] ? U : never; const x: F<string[]> = 1; type R = { [K in 'a' | 'b']: K }; "
    "const r: R = { a: 'a' }",
    "const o = { a: 1, get b() { return 2 }, ['c']: 3, ...{ d: 4 } }; const { a, ...rest } = o; console.log(a, "
    "rest, o?.b ?? 5)",
    "let x = 1; if (x === 'a') {} switch (x) { case 'b': break } x.toFixed(1, 2); new Date().getYear(); "
    "undefinedThing",
    "var self = 1; var top = 2; let closed = 3; const length = 4; function alert() {}",
    "document.body.innerHTML = 'x'",
    "let globalThis = 1; var undefined = 2;",
    "\ufeffconsole.log('bom')",
    "// @ts-nocheck\nconst a: number = 'x'; console.log(a)",
    "// @ts-expect-error\nconst a: number = 1; console.log(a)",
    "const \u00e9t\u00e9 = '\u2028\U0001f600'; console.log(\u00e9t\u00e9, `\\u{1F600}`)",
    "let a = <div/>; let b = <string>'x'; label: for (;;) { break label } with (Math) { abs(1) } 010",
    "import fs = require('fs'); export = fs",
    "interface A extends B {} interface B extends A {} class X extends X {} type T = T[]; let q: T | undefined; q.x",
]
JAVA_MAIN = "public class Main { public static void main(String[] args) %s }\n"
JAVA = [
    JAVA_MAIN % '{ System.out.println("fine"); }',
    JAVA_MAIN % '{ System.exit(3); }',
    JAVA_MAIN % '{ throw new IllegalStateException("thrown"); }',
    JAVA_MAIN % '{ int x = "a"; undefined(); }',
    JAVA_MAIN % '{ java.util.List x = new java.util.ArrayList(); x.add(1); new Thread().stop(); new Integer(3); }',
    JAVA_MAIN % '{ assert false : "not enabled"; System.out.println(args.length) }',
    "class Main { }\n",
    "class Other { public static void main(String[] a) { } }\n",
    "public class Other { }\n",
    "",
    "no Java at all\n",
    "import java.util.*;\nimport java.util.stream.*;\nimport java.util.function.*;\nrecord P<T>(T a) {}\n"
    "sealed interface S permits Q {}\n"
    "final class Q implements S {}\n" + JAVA_MAIN % '{ System.out.println(IntStream.range(0, 9).boxed().collect('
    'Collectors.groupingBy(i -> i % 3)) + switch (args.length) { case 0 -> "none"; default -> "some"; } + new '
    'P<>(1)); }',
    "import missing.Package;\n" + JAVA_MAIN % "{ }",
    "public class Main { static int f(int n) { return f(n + 1); } public static void main(String[] a) { "
    "try { f(0); } catch (StackOverflowError e) { System.out.println(\"deep\"); } } }\n",
    "public class Main { void main(String[] a) { int \u00e9 = 1; String s = \"\U0001f600\"; } }\n",
    "@interface A {} @A @Deprecated public class Main { @Override public int hash() { return 1; } }\n",
]
PROGRAMS = {"cpp": [(HEADER + code).strip() for code in CPP] + CPP[:2], "typescript": TYPESCRIPT, "java": JAVA}
EVERY = 4               # of the programs is run, unless all are
TEMPORARY = re.compile(r"/sandbox/tmp/cc\w{6}\.")   # a name of the linker's input, by chance
EXECUTORS = {"cpp": "cpp", "typescript": "typescript", "ts": "typescript", "java": "java", "c++": "cpp"}


def golden(path):
    for line in open(path):
        row = json.loads(line)
        name = EXECUTORS.get(row.get("executor") or row.get("lang"))
        text = row.get("program") or row.get("full_program") or row.get("code")
        if name and text:
            PROGRAMS[name].append(text)


class Runner:
    def __init__(self, level):
        environment = {**os.environ, "ASSAY_TOOLCHAINS": FOLDER}
        self.process = subprocess.Popen([os.environ["ASSAY_RUN_PROGRAMS"], level], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=environment)

    def run(self, toolchain, text, command):
        request = {"toolchain": toolchain, "files": {LANGUAGES[toolchain][0]: text}, "argv": ["/bin/sh", "-c", command],
                   "wall_ms": 60000, "cpu_ms": 60000}
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if line.startswith("skipped"):
            print(line.strip())
            sys.exit(77)
        reply = json.loads(TEMPORARY.sub("/sandbox/tmp/cc.", line))
        return reply, reply.pop("us", 0) / 1000


def median(times):
    return sorted(times)[len(times) // 2]


def compare(runner, toolchain):
    """How many programs were compiled and how many replies differ; nothing if the compiler does not start warm."""
    _, command, ask = LANGUAGES[toolchain]
    state, _ = runner.run(toolchain, PROGRAMS[toolchain][0], ask)
    if state.get("out", "").split("\n")[-2:-1] != ["warm"]:
        print(f"{toolchain}: there is no warm start ({state.get('error') or state['err'].strip() or 'none was made'})")
        return 0, 0
    times, failures = ([], []), 0
    for text in PROGRAMS[toolchain]:
        cold, ms = runner.run(toolchain, text, f'PATH=${{PATH#*/warm/{toolchain}/bin:}}; {command}')
        times[0].append(ms)
        warm, ms = runner.run(toolchain, text, command)
        times[1].append(ms)
        if cold != warm:
            failures += 1
            print(f"{text[len(HEADER) if text.startswith(HEADER) else 0:]!r}\n  cold {cold}\n  warm {warm}")
    print(f"{toolchain}: {len(PROGRAMS[toolchain])} programs, {failures} differ; "
          f"median {median(times[0]):.0f} ms cold, {median(times[1]):.0f} ms warm")
    return len(PROGRAMS[toolchain]), failures


def main():
    if len(sys.argv) == 1:
        for toolchain, texts in PROGRAMS.items():
            PROGRAMS[toolchain] = texts[::EVERY]
    for path in sys.argv[1:]:
        if path != "--all":
            golden(path)
    runner = Runner("ns")
    results = [compare(runner, toolchain) for toolchain in LANGUAGES]
    if not any(count for count, _ in results):
        print("skipped: no compiler starts warm here; ./dev doctor --install makes warm starts")
        sys.exit(77)
    sys.exit(any(failures for _, failures in results))


main()
