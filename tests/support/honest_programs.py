"""Honest programs, 300 of them in 13 languages: what answers do that a sandbox might disturb, some of them wrong. A
table language x (expressions, of which all but the last are true; behaviours). PROGRAMS has (name, language, code,
verdict, needs): verdict True for status 0; needs: what landlock does not have (sockets, temporary files), or ""."""

FRAMES = {'python': ('assert %s', '%s'),
 'bash': ('[[ %s ]]', 'set -e\n%s'),
 'javascript': ('if (!(%s)) process.exit(1)',
                "const fs = require('fs'), cp = require('child_process'), net = require('net');\n%s"),
 'typescript': ('declare var process: any;\nif (!(%s)) process.exit(1)',
                'declare var require: any, process: any;\n'
                "const fs = require('fs'), cp = require('child_process');\n"
                '%s'),
 'ruby': ('exit 1 unless (%s)', '%s'),
 'php': ('<?php if (!(%s)) exit(1);', '<?php %s'),
 'r': ('stopifnot(%s)', '%s'),
 'sql': ('.bail on\nSELECT CASE WHEN (%s) THEN 1 ELSE abs(-9223372036854775807 - 1) END;', '.bail on\n%s'),
 'cpp': ('#include <algorithm>\n'
         '#include <numeric>\n'
         '#include <string>\n'
         '#include <vector>\n'
         'int main() { return (%s) ? 0 : 1; }',
         '#include <cstdio>\n'
         '#include <cstdlib>\n'
         '#include <fcntl.h>\n'
         '#include <pthread.h>\n'
         '#include <string>\n'
         '#include <cstring>\n'
         '#include <sys/socket.h>\n'
         '#include <netinet/in.h>\n'
         '#include <sys/stat.h>\n'
         '#include <sys/wait.h>\n'
         '#include <unistd.h>\n'
         'static void* turn(void* p) { ++*(int*)p; return p; }\n'
         'int main() { %s }'),
 'java': ('import java.util.*; import java.util.stream.*; public class Main { public static void main(String[] '
          'a) { if (!(%s)) System.exit(1); } }',
          'import java.io.*; import java.net.*; import java.nio.file.*; public class Main { public static void '
          'main(String[] a) throws Exception { %s } }'),
 'csharp': ('using System; using System.Linq; class P { static int Main() { return (%s) ? 0 : 1; } }',
            'using System; using System.IO; using System.Threading; using System.Diagnostics; class P { static '
            'int Main() { %s return 0; } }'),
 'go': ('package main\n'
        '\n'
        'import ("os"; "strings"; "sort"; "strconv")\n'
        '\n'
        'var _, _, _ = strings.Repeat, sort.Ints, strconv.Itoa\n'
        '\n'
        'func main() { if !(%s) { os.Exit(1) } }\n',
        'package main\n'
        '\n'
        'import ("os"; "os/exec"; "net"; "time"; "runtime")\n'
        '\n'
        'var _, _, _, _, _ = exec.Command, net.Listen, time.Now, runtime.NumCPU, os.Exit\n'
        '\n'
        'func must(e error) { if e != nil { panic(e) } }\n'
        '\n'
        'func main() { %s }\n'),
 'rust': ('fn main() { if !(%s) { std::process::exit(1) } }',
          '#![allow(unused)]\n'
          'use std::{fs, io::{Read, Write}, net::*, process::Command, thread};\n'
          'fn main() { %s }')}

EXPRESSIONS = {'python': ['sum(range(101)) == 5050',
                          "sorted('hello') == list('ehllo')", "'aé'.encode().hex() == '61c3a9'",
            '2**100 % 97 == 16', "__import__('re').sub(r'\\d+', '#', 'a12b') == 'a#b'",
            "__import__('json').loads('[1]') == [1]", "__import__('math').gcd(12, 18) == 6",
            '[x for x in range(20) if all(x % y for y in range(2, x))][2:] == [2, 3, 5, 7, 11, 13, 17, 19]',
            "__import__('datetime').date(2024, 2, 29).isoformat() == '2024-02-29'",
            "__import__('hashlib').md5(b'').hexdigest()[:4] == 'd41d'",
            "__import__('itertools').__name__ == 'itertools'", "len(__import__('os').listdir('.')) == 1",
            "__import__('os').path.isdir(__import__('os').environ['HOME'])",
            "__import__('sys').stdin.read() == ''",
            "__import__('random').Random(1).random() == 0.13436424411240122", '1 + 1 == 3'],
 'bash': ['$((2 + 3)) == 5', '$(echo abc | tr a-z A-Z) == ABC', "$(printf '3\\n1\\n2\\n' | sort | head -1) == 1",
          '$(seq 5 | paste -sd+) == 1+2+3+4+5', "$(echo 'a b c' | awk '{print $2}') == b",
          '$(echo hello | sed s/l/L/g) == heLLo', '$(cat <(echo x)) == x', 'abc =~ ^a.c$', '-d $HOME',
          "$(wc -l <<<$'a\\nb') == 2", '$(expr 7 \\* 6) == 42', '$(bc <<<1 2>/dev/null || echo 1) == 1',
          '$(basename /a/b.c) == b.c', '$(ls | wc -l) == 1', '1 == 2'],
 'javascript': ["[3, 1, 2].sort().join() === '1,2,3'", "'a-b'.replace(/-/g, '+') === 'a+b'",
                'JSON.stringify({a: [1]}) === \'{"a":[1]}\'', "(2n ** 64n).toString() === '18446744073709551616'",
                "[...'héé'].length === 3", 'new Set([1, 1]).size === 1', 'Object.entries({a: 1})[0][1] === 1',
                "require('crypto').createHash('sha1').update('').digest('hex').startsWith('da39')",
                "require('path').join('a', '..', 'b') === 'b'", 'new Date(0).getUTCFullYear() === 1970',
                "require('os').cpus !== undefined", 'process.argv.length === 2', "parseInt('0x1f') === 31",
                'Math.max(...[1, 9]) === 9', '1 + 1 === 3'],
 'typescript': ['[1, 2].map((x: number): number => x * 2)[1] === 4',
                "((x: string | number) => typeof x)('') === 'string'",
                "'abc'.split('').reverse().join('') === 'cba'", '({ a: 1 } as { a: number }).a === 1',
                '[1, 2, 3].reduce((x, y) => x + y, 0) === 6', "/^a+$/.test('aaa')", '[2, 1].sort()[0] === 1',
                'JSON.parse(\'{"x": 5}\').x === 5', '1 + 1 === 3'],
 'ruby': ['(1..100).sum == 5050', '%w[b a].sort == %w[a b]', "'héé'.size == 3", '2**64 == 18446744073709551616',
          "'a1b2'.scan(/\\d/) == %w[1 2]", '[1, 2, 3].each_slice(2).to_a.size == 2',
          '{ a: 1 }.map { |k, v| v } == [1]', '10.gcd(4) == 2', "'abc'.reverse == 'cba'",
          'Struct.new(:a).new(1).a == 1', "Dir.children('.').size == 1", 'Time.at(0).utc.year == 1970',
          '[3, 1].minmax == [1, 3]', '1 + 1 == 3'],
 'php': ['array_sum(range(1, 100)) === 5050', "strrev('abc') === 'cba'",
         'json_encode([\'a\' => 1]) === \'{"a":1}\'', "preg_match('/^a/', 'ab') === 1", 'intdiv(7, 2) === 3',
         "str_repeat('a', 3) === 'aaa'", 'count(array_unique([1, 1])) === 1',
         "md5('') === 'd41d8cd98f00b204e9800998ecf8427e'", "ucfirst('ab') === 'Ab'", "date('Y', 0) === '1970'",
         "implode(',', [1, 2]) === '1,2'", 'PHP_INT_SIZE === 8', "sprintf('%05d', 7) === '00007'",
         '1 + 1 === 3'],
 'r': ['sum(1:100) == 5050', 'identical(sort(c(3, 1)), c(1, 3))', "nchar('abc') == 3", 'mean(c(1, 3)) == 2',
       'identical(rev(1:3), 3:1)', "gsub('a', 'b', 'aa') == 'bb'", 'nrow(data.frame(x = 1:2)) == 2',
       'det(diag(2)) == 1', 'is.function(lapply)', "paste0('a', 1) == 'a1'", '1 + 1 == 3'],
 'sql': ['1 + 1 = 2', "upper('a') = 'A'", "length('héé') = 3", "substr('abc', 2, 1) = 'b'",
         '(SELECT count(*) FROM (VALUES (1), (2))) = 2', 'json_extract(\'{"a": 1}\', \'$.a\') = 1',
         "date(0, 'unixepoch') = '1970-01-01'", 'max(1, 2) = 2', "'abc' LIKE 'A%'", 'abs(-3) = 3',
         '(WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 9) SELECT sum(x) FROM t) = '
         '45',
         'round(2.5) = 3', "hex('a') = '61'", 'coalesce(NULL, 1) = 1', "typeof(1.0) = 'real'", '1 + 1 = 3'],
 'cpp': ['std::string("ab") + "c" == "abc"',
         '[] { std::vector<int> v{3, 1}; std::sort(v.begin(), v.end()); return v[0]; }() == 1',
         '[] { std::vector<int> v{1, 2, 3}; return std::accumulate(v.begin(), v.end(), 0); }() == 6',
         'std::gcd(12, 18) == 6', 'sizeof(void*) == 8', 'std::stoi("42") == 42', '(7 ^ 2) == 5', '1 + 1 == 3'],
 'java': ['IntStream.rangeClosed(1, 100).sum() == 5050', '"a,b".split(",").length == 2',
          'List.of(3, 1).stream().sorted().findFirst().get() == 1',
          'new StringBuilder("ab").reverse().toString().equals("ba")', 'Math.floorMod(-1, 3) == 2',
          'Optional.of(1).isPresent()', '1 + 1 == 3'],
 'csharp': ['Enumerable.Range(1, 100).Sum() == 5050', '"a,b".Split(\',\').Length == 2',
            'new[] { 3, 1 }.OrderBy(x => x).First() == 1', 'string.Join("", "ab".Reverse()) == "ba"',
            'Math.Abs(-2) == 2', '1 + 1 == 3'],
 'go': ['strings.ToUpper("a") == "A"', 'len([]rune("héé")) == 3',
        'func() int { v := []int{3, 1}; sort.Ints(v); return v[0] }() == 1', 'strconv.Itoa(42) == "42"',
        'len(os.Args) == 1', 'strings.Fields(" a b ")[1] == "b"', '1+1 == 3'],
 'rust': ['(1..=100).sum::<i32>() == 5050', '"abc".chars().rev().collect::<String>() == "cba"',
          '{ let mut v = vec![3, 1]; v.sort(); v[0] == 1 }', '"42".parse::<i32>().unwrap() == 42',
          '"héé".chars().count() == 3', 'std::env::args().count() == 1', '1 + 1 == 3']}

SOCKETS, TEMPORARY = "sockets", "temporary files"
# (name, code, verdict, needs). A file of 40 MB is below every limit.
BEHAVIOURS = {'python': [('a child that nobody waits for',
             "import subprocess, time\np = subprocess.Popen(['true'])\ntime.sleep(2.6)", True, ''),
            ('many children that nobody waits for',
             "import subprocess, time\np = [subprocess.Popen(['true']) for _ in range(20)]\ntime.sleep(2.6)",
             True, ''),
            ('a child that outlives it', "import subprocess\nsubprocess.Popen(['sleep', '30'])", True, ''),
            ('children that nobody has to wait for',
             'import os, signal, time\n'
             'signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n'
             'for _ in range(5):\n'
             '    if os.fork() == 0: os._exit(0)\n'
             'time.sleep(1)',
             True, ''),
            ('a child that writes',
             'import subprocess\n'
             "assert subprocess.run(['sh', '-c', 'echo x; echo y >&2; exit 3'], capture_output=True).returncode "
             '== 3',
             True, ''),
            ('threads',
             'import threading\n'
             'n = []\n'
             't = [threading.Thread(target=n.append, args=(1,)) for _ in range(30)]\n'
             '[x.start() for x in t], [x.join() for x in t]\n'
             'assert len(n) == 30',
             True, ''),
            ('forks',
             'import os\n'
             'for _ in range(10):\n'
             '    p = os.fork()\n'
             '    if p == 0: os._exit(0)\n'
             '    assert os.waitpid(p, 0)[1] == 0',
             True, ''),
            ('a large file',
             "open('f', 'wb').write(bytes(40 << 20))\nimport os\nassert os.path.getsize('f') == 40 << 20", True,
             ''),
            ('a file that has no name',
             'import os, time\n'
             "f = open('f', 'w+b')\n"
             "os.unlink('f')\n"
             'f.write(bytes(40 << 20)), f.flush(), time.sleep(1.2)',
             True, ''),
            ('files that move',
             'import os, time\n'
             "os.makedirs('a/b'), os.mkdir('c')\n"
             'end = time.time() + 2.5\n'
             "while time.time() < end: os.rename('a/b', 'c/b'), os.rename('c/b', 'a/b')",
             True, ''),
            ('a temporary file of its own',
             "import tempfile\nwith tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').write('x')", True,
             ''),
            ('a temporary file by name', "open('/tmp/@own@', 'w').write('x')\nassert open('/tmp/@own@').read() == 'x'",
             True, 'temporary files'),
            ('a server of its own',
             'import socket, threading\n'
             "s = socket.create_server(('127.0.0.1', 0))\n"
             "threading.Thread(target=lambda: s.accept()[0].sendall(b'x'), daemon=True).start()\n"
             "assert socket.create_connection(s.getsockname()).recv(1) == b'x'",
             True, 'sockets'),
            ('a socket file of its own',
             'import socket\n'
             's = socket.socket(socket.AF_UNIX)\n'
             "s.bind('s')\n"
             's.listen()\n'
             'c = socket.socket(socket.AF_UNIX)\n'
             "c.connect('s')",
             True, 'sockets'),
            ('an event loop',
             'import asyncio\n'
             'async def f():\n'
             "    p = await asyncio.create_subprocess_exec('true')\n"
             '    assert await p.wait() == 0\n'
             'asyncio.run(f())',
             True, ''),
            ('a pool of processes',
             'import multiprocessing as m\n'
             "if __name__ == '__main__':\n"
             '    with m.Pool(2) as p: assert p.map(abs, [-1, 2]) == [1, 2]',
             True, 'temporary files'),
            ('a pool of threads',
             'from concurrent.futures import ThreadPoolExecutor as T\nassert list(T(4).map(abs, [-1])) == [1]',
             True, ''),
            ('memory', 'b = bytearray(300 << 20)\nassert len(b) == 300 << 20', True, ''),
            ('a map of a file',
             "import mmap\nf = open('f', 'w+b')\nf.truncate(1 << 20)\nm = mmap.mmap(f.fileno(), 0)\nm[:1] = b'x'",
             True, ''),
            ('a database',
             'import sqlite3\n'
             "c = sqlite3.connect('d.db')\n"
             "c.execute('create table t(x)'), c.execute('insert into t values (1)'), c.commit()\n"
             "assert c.execute('select x from t').fetchall() == [(1,)]",
             True, ''),
            ('a pair of sockets',
             "import socket\na, b = socket.socketpair()\na.sendall(b'x')\nassert b.recv(1) == b'x'", True, ''),
            ('an own signal',
             'import os, signal\n'
             'signal.signal(signal.SIGUSR1, lambda *_: None)\n'
             'os.kill(os.getpid(), signal.SIGUSR1)\n'
             'signal.alarm(0)',
             True, ''),
            ('output', "print('x' * 500000)", True, ''), ('an exception', "{}['absent']", False, ''),
            ('an early end', 'import sys\nsys.exit(3)', False, ''), ('a syntax error', 'def f(:', False, ''),
            ('a crash', 'import os\nos.abort()', False, ''),
            ('a signal that limits use',
             'import os, signal\n'
             'signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n'
             'os.kill(os.getpid(), signal.SIGXFSZ)',
             False, ''),
            ('too deep', 'def f(): return f()\nf()', False, ''), ('too slow', 'while True: pass', False, ''),
            ('too much memory', "b = []\nwhile True: b.append(bytearray(b'x' * (1 << 24)))", False, ''),
            ('too much memory in a child',
             'import subprocess\n'
             'subprocess.run([\'python3\', \'-c\', \'b = []\\nwhile True: b.append(bytearray(b"x" * (1 << '
             "24)))'])",
             False, ''),
            ('a name of a user that is not there', "import pwd\npwd.getpwnam('nobody-at-all')", False, '')],
 'bash': [('a child in the background', 'sleep 0.1 & sleep 2.6', True, ''),
          ('a child that outlives it', 'sleep 30 & true', True, ''),
          ('pipes', 'yes | head -1000 | wc -l | grep -q 1000', True, ''),
          ('a large file', 'head -c 40M /dev/zero > f; [ $(stat -c %s f) = 41943040 ]', True, ''),
          ('files',
           'mkdir -p a/b; touch a/b/c; cp -r a d; mv d e; rm -r a; [ -f e/b/c ]; chmod 700 e; tar cf x.tar e; ln '
           '-s e l',
           True, ''),
          ('a temporary file of its own', 'f=$(mktemp); echo x > $f; grep -q x $f', True, ''),
          ('a temporary file by name', 'echo x > /tmp/@own@; grep -q x /tmp/@own@', True, 'temporary files'),
          ('text of its own', "cat > f <<'X'\na\nX\ngrep -q a f", True, ''),
          ('jobs', 'for i in 1 2 3; do sleep 0.1 & done; wait', True, ''),
          ('a trap', "trap 'echo bye' EXIT; kill -USR1 $$ & trap : USR1; wait || true", True, ''),
          ('a fifo', 'mkfifo p; echo x > p & read y < p; [ $y = x ]', True, ''),
          ('find and xargs', 'touch a b; find . -name a | xargs rm; [ ! -e a ]', True, ''),
          ('a lock', 'flock f true', True, ''), ('a status', 'exit 3', False, ''),
          ('a command that is not there', 'absent-command', False, ''), ('an error', 'false', False, ''),
          ('a syntax error', 'if', False, ''), ('too slow', 'while :; do :; done', False, ''),
          ('a signal', 'kill -9 $$', False, ''),
          ('a file that is too large', 'exec head -c 90M /dev/zero > f', False, ''),
          ('no right', 'echo x > /proc/version', False, '')],
 'javascript': [('a child',
                 "const r = cp.spawnSync('echo', ['x']); if (String(r.stdout) !== 'x\\n') process.exit(1)", True,
                 ''),
                ('a child that nobody waits for', "cp.spawn('true').unref(); setTimeout(() => {}, 2600)", True,
                 ''),
                ('a large file',
                 "fs.writeFileSync('f', Buffer.alloc(40 << 20)); if (fs.statSync('f').size !== 40 << 20) "
                 'process.exit(1)',
                 True, ''),
                ('files',
                 "fs.mkdirSync('a/b', { recursive: true }); fs.writeFileSync('a/b/c', 'x'); fs.renameSync('a', "
                 "'d'); fs.rmSync('d', { recursive: true })",
                 True, ''),
                ('a worker',
                 "const w = new (require('worker_threads').Worker)('1', { eval: true }); w.on('exit', c => "
                 'process.exit(c))',
                 True, ''),
                ('a temporary folder of its own', "fs.mkdtempSync(require('os').tmpdir() + '/x')", True, ''),
                ('a temporary file by name', "fs.writeFileSync('/tmp/@own@', 'x')", True, 'temporary files'),
                ('a server of its own',
                 "const s = net.createServer(c => c.end('x')).listen(0, '127.0.0.1', () => "
                 "net.connect(s.address().port, '127.0.0.1').on('data', () => process.exit(0)))",
                 True, 'sockets'),
                ('timers', 'setTimeout(() => process.exit(0), 50)', True, ''),
                ('promises', 'Promise.resolve(1).then(x => { if (x !== 1) process.exit(1) })', True, ''),
                ('an exception', "throw new Error('x')", False, ''),
                ('a promise that fails', "Promise.reject(new Error('x'))", False, ''),
                ('a syntax error', 'function (', False, ''), ('an early end', 'process.exit(3)', False, ''),
                ('too slow', 'for (;;);', False, '')],
 'typescript': [('a class',
                 'class A<T> { constructor(public x: T) {} } if (new A<number>(1).x !== 1) process.exit(1)', True,
                 ''),
                ('files', "fs.writeFileSync('f', 'x'); if (fs.readFileSync('f', 'utf8') !== 'x') process.exit(1)",
                 True, ''),
                ('a temporary file by name', "fs.writeFileSync('/tmp/@own@', 'x')", True, 'temporary files'),
                ('a child', "if (cp.spawnSync('true').status !== 0) process.exit(1)", True, ''),
                ('an exception', "throw new Error('x')", False, ''),
                ('an early end', 'process.exit(3)', False, '')],
 'ruby': [('a child', 'exit 1 unless `echo x` == "x\\n"', True, ''),
          ('a child that nobody waits for', "Process.spawn('true'); sleep 2.6", True, ''),
          ('a fork', 'Process.wait fork { exit! 0 }; exit 1 unless $?.success?', True, ''),
          ('threads', 'exit 1 unless (1..9).map { |i| Thread.new { i } }.sum(&:value) == 45', True, ''),
          ('a large file', 'File.binwrite(\'f\', "\\0" * (40 << 20)); exit 1 unless File.size(\'f\') == 40 << 20',
           True, ''),
          ('a temporary file of its own', "require 'tempfile'; Tempfile.create { |f| f.write 'x' }", True, ''),
          ('a temporary file by name', "File.write('/tmp/@own@', 'x')", True, 'temporary files'),
          ('a server of its own',
           "require 'socket'; s = TCPServer.new('127.0.0.1', 0); Thread.new { s.accept.puts 'x' }; exit 1 unless "
           'TCPSocket.new(\'127.0.0.1\', s.addr[1]).gets == "x\\n"',
           True, 'sockets'),
          ('an exception', "raise 'x'", False, ''), ('a syntax error', 'def (', False, ''),
          ('an early end', 'exit 3', False, ''), ('too slow', 'loop {}', False, '')],
 'php': [('a child', "if (trim(`echo x`) !== 'x') exit(1);", True, ''),
         ('a child that nobody waits for', "$p = proc_open(['true'], [], $o); sleep(2); usleep(600000);", True,
          ''),
         ('a large file',
          "file_put_contents('f', str_repeat('x', 40 << 20)); if (filesize('f') !== 40 << 20) exit(1);", True,
          ''),
         ('a temporary file of its own', "$f = tmpfile(); fwrite($f, 'x');", True, ''),
         ('a temporary file by name', "if (@file_put_contents('/tmp/@own@', 'x') !== 1) exit(1);", True,
          'temporary files'),
         ('a server of its own', "$s = @stream_socket_server('tcp://127.0.0.1:0'); if (!$s) exit(1);", True,
          'sockets'),
         ('files', "mkdir('a'); touch('a/b'); rename('a', 'c'); unlink('c/b'); rmdir('c');", True, ''),
         ('an exception', "throw new Exception('x');", False, ''), ('a syntax error', 'function (', False, ''),
         ('an early end', 'exit(3);', False, ''), ('too slow', 'while (true);', False, '')],
 'r': [('a child', "stopifnot(system('exit 3') == 3)", True, ''),
       ('files', "writeLines('x', 'f'); stopifnot(readLines('f') == 'x')", True, ''),
       ('a temporary file of its own', "f <- tempfile(); writeLines('x', f)", True, ''),
       ('forks', 'stopifnot(sum(unlist(parallel::mclapply(1:3, identity, mc.cores = 2))) == 6)', True, ''),
       ('a plot', "pdf('p.pdf'); plot(1:3); invisible(dev.off()); stopifnot(file.exists('p.pdf'))", True, ''),
       ('a child that nobody waits for', "system('true', wait = FALSE); Sys.sleep(2.6)", True, ''),
       ('an error', "stop('x')", False, ''), ('a syntax error', 'f <- function(', False, ''),
       ('an early end', 'quit(status = 3)', False, '')],
 'sql': [('a table',
          'CREATE TABLE t(x INTEGER PRIMARY KEY, y TEXT);\n'
          "INSERT INTO t(y) VALUES ('a'), ('b');\n"
          'SELECT * FROM t ORDER BY y DESC;',
          True, ''),
         ('a file', "ATTACH 'd.db' AS d;\nCREATE TABLE d.t(x);\nINSERT INTO d.t SELECT 1;", True, ''),
         ('a function of its own shell',
          '.shell echo x > f\n'
          "SELECT CASE WHEN CAST(readfile('f') AS TEXT) LIKE 'x%' THEN 1 ELSE abs(-9223372036854775807 - 1) END;",
          True, ''),
         ('an index', 'CREATE TABLE t(x);\nCREATE INDEX i ON t(x);\nINSERT INTO t VALUES (1);', True, ''),
         ('a transaction', 'BEGIN;\nCREATE TABLE t(x);\nROLLBACK;', True, ''),
         ('a table that is not there', 'SELECT * FROM absent;', False, ''),
         ('a syntax error', 'SELEC 1;', False, ''),
         ('a rule that is broken', 'CREATE TABLE t(x UNIQUE);\nINSERT INTO t VALUES (1), (1);', False, '')],
 'cpp': [('threads',
          'int n = 0; pthread_t t; for (int i = 0; i < 20; ++i) { pthread_create(&t, 0, turn, &n); '
          'pthread_join(t, 0); } return n == 20 ? 0 : 1;',
          True, ''),
         ('a first thread that ends first',
          'static int n; pthread_t t; pthread_create(&t, 0, [](void*) -> void* { sleep(3); exit(0); }, 0); '
          'pthread_exit(0);',
          True, ''),
         ('a child that nobody waits for', 'if (fork() == 0) _exit(0); usleep(2600000); return 0;', True, ''),
         ('a large file',
          'FILE* f = fopen("f", "w"); static char b[1 << 20]; for (int i = 0; i < 40; ++i) if (!fwrite(b, sizeof '
          'b, 1, f)) return 1; return fclose(f);',
          True, ''),
         ('a pair of sockets',
          'int p[2]; char c; return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p) || write(p[0], "x", 1) != 1 || '
          'read(p[1], &c, 1) != 1;',
          True, ''),
         ('a server of its own', 'int s = socket(AF_INET, SOCK_STREAM, 0); return s < 0 || listen(s, 1) != 0;',
          True, 'sockets'),
         ('a crash', 'volatile int* p = 0; return *p;', False, ''), ('an early end', 'return 3;', False, ''),
         ('a type error', 'return "x" - 1.0;', False, ''), ('an abort', 'abort();', False, '')],
 'java': [('threads', 'Thread t = new Thread(() -> {}); t.start(); t.join();', True, ''),
          ('files',
           'Files.writeString(Path.of("f"), "x"); if (!Files.readString(Path.of("f")).equals("x")) '
           'System.exit(1);',
           True, ''),
          ('a child', 'if (new ProcessBuilder("true").start().waitFor() != 0) System.exit(1);', True, ''),
          ('a temporary file', 'File.createTempFile("xyz", "y");', True, 'temporary files'),
          ('a server of its own', 'new ServerSocket(0).close();', True, 'sockets'),
          ('an exception', 'throw new Exception("x");', False, ''),
          ('an early end', 'System.exit(3);', False, ''), ('a type error', 'int x = "y";', False, '')],
 'csharp': [('threads', 'var t = new Thread(() => { }); t.Start(); t.Join();', True, ''),
            ('files', 'File.WriteAllText("f", "x"); if (File.ReadAllText("f") != "x") return 1;', True, ''),
            ('a child', 'var p = Process.Start("/bin/true"); p.WaitForExit(); if (p.ExitCode != 0) return 1;',
             True, ''),
            ('an exception', 'throw new Exception("x");', False, ''),
            ('an early end', 'Environment.Exit(3);', False, ''), ('a type error', 'int x = "y";', False, '')],
 'go': [('threads',
         'c := make(chan int); for i := 0; i < 50; i++ { go func() { c <- 1 }() }; for i := 0; i < 50; i++ { <-c '
         '}',
         True, ''),
        ('files', 'must(os.WriteFile("f", []byte("x"), 0600)); must(os.Rename("f", "g"))', True, ''),
        ('a child', 'must(exec.Command("true").Run())', True, ''),
        ('a temporary file', 'f, e := os.CreateTemp("", "x"); must(e); f.Close()', True, ''),
        ('a server of its own', 'l, e := net.Listen("tcp", "127.0.0.1:0"); must(e); l.Close()', True, 'sockets'),
        ('a panic', 'panic("x")', False, ''), ('an early end', 'os.Exit(3)', False, ''),
        ('a type error', 'var x int = "y"', False, '')],
 'rust': [('threads',
           'let t: Vec<_> = (0..20).map(|i| thread::spawn(move || i)).collect(); '
           'assert_eq!(t.into_iter().map(|t| t.join().unwrap()).sum::<i32>(), 190);',
           True, ''),
          ('files', 'fs::write("f", "x").unwrap(); assert_eq!(fs::read_to_string("f").unwrap(), "x");', True, ''),
          ('a child', 'assert!(Command::new("true").status().unwrap().success());', True, ''),
          ('a child that nobody waits for',
           'Command::new("true").spawn().unwrap(); thread::sleep(std::time::Duration::from_millis(2600));', True,
           ''),
          ('a server of its own', 'TcpListener::bind("127.0.0.1:0").unwrap();', True, 'sockets'),
          ('a panic', 'panic!("x");', False, ''), ('an early end', 'std::process::exit(3);', False, ''),
          ('a type error', 'let x: i32 = "y";', False, '')]}

PROGRAMS = [(f"{language}: {expression}", language, FRAMES[language][0].replace("%s", expression),
             number + 1 < len(expressions), "")
            for language, expressions in EXPRESSIONS.items() for number, expression in enumerate(expressions)]
PROGRAMS += [(f"{language}: {name}", language, FRAMES[language][1].replace("%s", code, 1), verdict, needs)
             for language, rows in BEHAVIOURS.items() for name, code, verdict, needs in rows]
