"""Each language's own ways around a fence: system calls by hand, foreign functions, compilers and their plugins, files
that runtimes read by themselves. (name, program) by language; a program prints WON where it succeeded, `tried` at its
end, or shows the secret. Names in @ are filled in. Rows are keyword arguments of Attack in tests/sandbox/attacks.py."""

WAYS = {'rust': [('open by a system call',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    if call(2, "@secret@\\0".as_ptr() as usize, 0, 0) >= 0 { println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('openat2 by a system call',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    let how = [0u64, 0, 0]; let r: isize; asm!("syscall", inlateout("rax") 437isize => r, '
           'in("rdi") -100isize, in("rsi") "@secret@\\0".as_ptr(), in("rdx") how.as_ptr(), in("r10") 24usize, '
           'out("rcx") _, out("r11") _); if r >= 0 { println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('a system call of 32 bits',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    let r: i32; asm!("push rbx", "mov ebx, {p:e}", "int 0x80", "pop rbx", p = in(reg) call(9, 0, '
           '0, 0) as u32, inlateout("eax") 5i32 => r, in("ecx") 0, in("edx") 0); if r >= 0 { println!("WON"); '
           '}\n'
           '    println!("tried"); } }\n'),
          ('a system call of x32',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    if call(0x40000002, "@secret@\\0".as_ptr() as usize, 0, 0) >= 0 { println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('ptrace the parent by a system call',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    let p = call(110, 0, 0, 0); if call(101, 16, p as usize, 0) >= 0 { println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('a new namespace by a system call',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    if call(272, 0x10000000, 0, 0) >= 0 { println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('pidfd of the runner',
           'use std::arch::asm;\n'
           'unsafe fn call(n: usize, a: usize, b: usize, c: usize) -> isize { let r: isize;\n'
           '    asm!("syscall", inlateout("rax") n as isize => r, in("rdi") a, in("rsi") b, in("rdx") c, '
           'out("rcx") _, out("r11") _); r }\n'
           'fn main() { unsafe {\n'
           '    let f = call(434, @runner@, 0, 0); if f >= 0 && call(424, f as usize, 18, 0) >= 0 { '
           'println!("WON"); }\n'
           '    println!("tried"); } }\n'),
          ('include the secret as it compiles',
           'fn main() { print!("{}", include_str!("@secret@")); println!("WON"); }'),
          ('include its bytes',
           'fn main() { let b = include_bytes!("@secret@"); println!("WON{}", b.len()); }'),
          ('a module outside', '#[path = "@secret@"] mod m;\nfn main() { println!("WON"); }'),
          ('a key of the environment as it compiles',
           'fn main() { if option_env!("OPENAI_API_KEY").is_some() { println!("WON"); } println!("tried"); }'),
          ('a procedural macro that reads',
           'use std::{fs, process::Command};\n'
           'fn run(words: &[&str]) -> String { Command::new(words[0]).args(&words[1..]).output().map(|o|\n'
           '    String::from_utf8_lossy(&o.stdout).into_owned() + '
           '&String::from_utf8_lossy(&o.stderr)).unwrap_or_default() }\n'
           'fn main() { fs::write("m.rs", "extern crate proc_macro; #[proc_macro] pub fn m(_: '
           'proc_macro::TokenStream) -> proc_macro::TokenStream { let _ = '
           'std::fs::read(\\"@secret@\\").map(|_| println!(\\"WON\\")); proc_macro::TokenStream::new() '
           '}").ok(); fs::write("u.rs", "m::m!{} fn main() {}").ok(); print!("{}", run(&["rustc", '
           '"--crate-type", "proc-macro", "--crate-name", "m", "m.rs"])); print!("{}", run(&["rustc", "-L.", '
           '"--extern", "m=libm.so", "u.rs"]));\n'
           '    println!("tried"); }\n'),
          ("a linker of one's own",
           'use std::{fs, process::Command};\n'
           'fn run(words: &[&str]) -> String { Command::new(words[0]).args(&words[1..]).output().map(|o|\n'
           '    String::from_utf8_lossy(&o.stdout).into_owned() + '
           '&String::from_utf8_lossy(&o.stderr)).unwrap_or_default() }\n'
           'fn main() { fs::write("ld.sh", "#!/bin/sh\\ncat @secret@ && echo WON >&2\\n").ok(); run(&["chmod", '
           '"+x", "ld.sh"]); fs::write("u.rs", "fn main() {}").ok(); print!("{}", run(&["rustc", '
           '"-Clinker=./ld.sh", "u.rs"]));\n'
           '    println!("tried"); }\n'),
          ('a build script',
           'use std::{fs, process::Command};\n'
           'fn run(words: &[&str]) -> String { Command::new(words[0]).args(&words[1..]).output().map(|o|\n'
           '    String::from_utf8_lossy(&o.stdout).into_owned() + '
           '&String::from_utf8_lossy(&o.stderr)).unwrap_or_default() }\n'
           'fn main() { fs::write("Cargo.toml", "[package]\\nname = \\"x\\"\\nversion = \\"0.1.0\\"\\nbuild = '
           '\\"b.rs\\"\\n").ok(); fs::create_dir("src").ok(); fs::write("src/main.rs", "fn main() {}").ok(); '
           'fs::write("b.rs", "fn main() { let _ = std::fs::read(\\"@secret@\\").map(|_| panic!(\\"WON\\")); '
           '}").ok(); print!("{}", run(&["cargo", "build", "--offline"]));\n'
           '    println!("tried"); }\n'),
          ("libc's dlopen of a library that reads",
           'extern "C" { fn dlopen(p: *const u8, f: i32) -> *mut u8; fn system(c: *const u8) -> i32; }\n'
           'fn main() { unsafe { system("gcc -w -shared -fPIC -include stdio.h -include fcntl.h -include '
           "unistd.h -o x.so -xc - <<'X'\\nvoid __attribute__((constructor)) go(void) { int f = "
           'open(\\"@secret@\\", 0); char b[99]; if (f >= 0 && read(f, b, 99) > 0) puts(\\"WON\\"); '
           '}\\nX\\0".as_ptr()); dlopen("./x.so\\0".as_ptr(), 2); } println!("tried"); }')],
 'go': [('open by a system call',
         'package main\n'
         '\n'
         'import ("syscall"; "unsafe")\n'
         '\n'
         'func main() { p, _ := syscall.BytePtrFromString("@secret@"); _, _, e := '
         'syscall.RawSyscall(syscall.SYS_OPEN, uintptr(unsafe.Pointer(p)), 0, 0); if e == 0 { println("WON"); '
         'print("WON") }; syscall.Write(1, []byte("tried")) }\n'),
        ('a new namespace of a child',
         'package main\n'
         '\n'
         'import ("os"; "os/exec"; "syscall")\n'
         '\n'
         'func main() { c := exec.Command("true"); c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: '
         'syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}; if c.Run() == nil { os.Stdout.WriteString("WON") }; '
         'os.Stdout.WriteString("tried") }\n'),
        ('trace a child',
         'package main\n'
         '\n'
         'import ("os"; "os/exec"; "syscall")\n'
         '\n'
         'func main() { c := exec.Command("true"); c.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}; if '
         'c.Start() == nil { os.Stdout.WriteString("WON") }; os.Stdout.WriteString("tried") }\n'),
        ('become another user in a child',
         'package main\n'
         '\n'
         'import ("os"; "os/exec"; "syscall")\n'
         '\n'
         'func main() { c := exec.Command("true"); c.SysProcAttr = &syscall.SysProcAttr{Credential: '
         '&syscall.Credential{Uid: 0}}; if os.Getuid() != 0 && c.Run() == nil { os.Stdout.WriteString("WON") '
         '}; os.Stdout.WriteString("tried") }\n'),
        ('cgo',
         'package main\n'
         '\n'
         'import ("os"; "os/exec")\n'
         '\n'
         'func main() { os.WriteFile("c.go", []byte("package main\\n// #include <fcntl.h>\\n// int f(void) { return '
         'open(\\"@secret@\\", 0); }\\nimport \\"C\\"\\nfunc main() { if C.f() >= 0 { print(\\"WON\\") } }\\n"), '
         '0600); c := exec.Command("go", "run", "c.go"); c.Env = append(os.Environ(), "CGO_ENABLED=1"); b, _ := '
         'c.CombinedOutput(); os.Stdout.Write(b); os.Stdout.WriteString("tried") }\n'),
        ("a flag of cgo's compiler",
         'package main\n'
         '\n'
         'import ("os"; "os/exec")\n'
         '\n'
         'func main() { os.WriteFile("c.go", []byte("package main\\n// #cgo CFLAGS: -include @secret@\\nimport '
         '\\"C\\"\\nfunc main() { }\\n"), 0600); c := exec.Command("go", "run", "c.go"); c.Env = '
         'append(os.Environ(), "CGO_ENABLED=1"); b, _ := c.CombinedOutput(); os.Stdout.Write(b); '
         'os.Stdout.WriteString("tried") }\n'),
        ('embed the secret',
         'package main\n'
         '\n'
         'import (_ "embed"; "os")\n'
         '\n'
         '//go:embed @secret@\n'
         'var s string\n'
         '\n'
         'func main() { os.Stdout.WriteString(s + "WON") }\n'),
        ('embed a link',
         'package main\n'
         '\n'
         'import ("os"; "os/exec")\n'
         '\n'
         'func main() { os.Symlink("@secret@", "l"); os.WriteFile("u.go", []byte("package main\\nimport _ '
         '\\"embed\\"\\n//go:embed l\\nvar s string\\nfunc main() { println(s) }\\n"), 0600); b, _ := '
         'exec.Command("go", "run", "u.go").CombinedOutput(); os.Stdout.Write(b); '
         'os.Stdout.WriteString("tried") }\n'),
        ('go generate',
         'package main\n'
         '\n'
         'import ("os"; "os/exec")\n'
         '\n'
         '//go:generate sh -c "cat @secret@ && echo WON"\n'
         'func main() { b, _ := exec.Command("go", "generate", "main.go").CombinedOutput(); '
         'os.Stdout.Write(b); os.Stdout.WriteString("tried") }\n'),
        ('linkname into the runtime',
         'package main\n'
         '\n'
         'import ("os"; _ "unsafe")\n'
         '\n'
         '//go:linkname open syscall.openat\n'
         'func open(d int, p string, f int, m uint32) (int, error)\n'
         '\n'
         'func main() { if _, e := open(-100, "@secret@", 0, 0); e == nil { os.Stdout.WriteString("WON") }; '
         'os.Stdout.WriteString("tried") }\n'),
        ('a tool in front of the compiler',
         'package main\n'
         '\n'
         'import ("os"; "os/exec")\n'
         '\n'
         'func main() { os.WriteFile("t.sh", []byte("#!/bin/sh\\ncat @secret@ && echo WON\\nexec $@\\n"), '
         '0755); b, _ := exec.Command("go", "vet", "-vettool=./t.sh", "main.go").CombinedOutput(); '
         'os.Stdout.Write(b); os.Stdout.WriteString("tried") }\n'),
        ('write to the shared cache',
         'package main\n'
         '\n'
         'import ("os"; "os/exec"; "strings")\n'
         '\n'
         'func main() { b, _ := exec.Command("go", "env", "GOCACHE", "GOROOT").Output(); for _, d := range '
         'strings.Fields(string(b)) { p := d + "/left-behind"; if _, e := os.Stat(p); e == nil { '
         'os.Stdout.WriteString("WON") }; os.WriteFile(p, []byte("x"), 0600) }; os.Stdout.WriteString("tried") '
         '}\n'),
        ('map the memory of the parent',
         'package main\n'
         '\n'
         'import ("fmt"; "os")\n'
         '\n'
         'func main() { for _, n := range []string{"mem", "environ", "maps"} { if _, e := '
         'os.ReadFile(fmt.Sprintf("/proc/%d/%s", @runner@, n)); e == nil { fmt.Println("WON") } }; '
         'fmt.Println("tried") }\n'),
        ('a socket without a name',
         'package main\n'
         '\n'
         'import ("os"; "syscall")\n'
         '\n'
         'func main() { f, e := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0); if e == nil { e = '
         'syscall.Sendto(f[0], []byte("x"), 0, &syscall.SockaddrUnix{Name: "@datagrams@"}); if e == nil { '
         'os.Stdout.WriteString("WON") } }; os.Stdout.WriteString("tried") }\n')],
 'csharp': [('open by P/Invoke',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { [DllImport("libc")] static extern int open(string p, int f);\n'
             '  static void Main() { try { if (open("@secret@", 0) >= 0) Console.WriteLine("WON"); } catch '
             '(Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('a system call by P/Invoke',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { [DllImport("libc")] static extern long syscall(long n, string a, long b);\n'
             '  static void Main() { try { if (syscall(2, "@secret@", 0) >= 0) Console.WriteLine("WON"); } '
             'catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('trace the parent by P/Invoke',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { [DllImport("libc")] static extern long ptrace(int r, int p, long a, long d); '
             '[DllImport("libc")] static extern int getppid();\n'
             '  static void Main() { try { if (ptrace(16, getppid(), 0, 0) >= 0) Console.WriteLine("WON"); } '
             'catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ("a library of one's own by P/Invoke",
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { [DllImport("./x.so")] static extern int go();\n'
             '  static void Main() { try { File.WriteAllText("x.c", "#include <fcntl.h>\\nint go(void) { '
             'return open(\\"@secret@\\", 0); }"); Process.Start("/usr/bin/gcc", "-shared -fPIC -o x.so '
             'x.c").WaitForExit(); if (go() >= 0) Console.WriteLine("WON"); } catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('an assembly outside',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { \n'
             '  static void Main() { try { Assembly.LoadFile("@secret@"); Console.WriteLine("WON"); } catch '
             '(Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('a debugger of another process',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { \n'
             '  static void Main() { try { foreach (var p in Process.GetProcesses()) if (p.Id == @runner@) { '
             'p.Kill(); Console.WriteLine("WON"); } } catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('unsafe memory of others',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { \n'
             '  static void Main() { try { using (var f = new FileStream("/proc/@runner@/mem", FileMode.Open)) '
             'Console.WriteLine("WON"); } catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('a resource as it compiles',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { \n'
             '  static void Main() { try { var p = new Process { StartInfo = new ProcessStartInfo("mcs", '
             '"-resource:@secret@ main.cs -out:r.exe") { UseShellExecute = false } }; p.Start(); '
             'p.WaitForExit(); if (p.ExitCode == 0) Console.WriteLine("WON"); } catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n'),
            ('a key of the environment',
             'using System; using System.IO; using System.Reflection; using System.Diagnostics; using '
             'System.Runtime.InteropServices;\n'
             'class Program { \n'
             '  static void Main() { try { if (Environment.GetEnvironmentVariable("OPENAI_API_KEY") != null) '
             'Console.WriteLine("WON"); } catch (Exception) { }\n'
             '    Console.WriteLine("tried"); } }\n')],
 'r': [('a library by dyn.load',
        'options(warn = -1)\n'
        'try({ writeLines(\'#include <fcntl.h>\\nvoid go(int* x) { *x = open("@secret@", 0); }\', \'x.c\'); '
        "system('gcc -shared -fPIC -o x.so x.c'); dyn.load('x.so'); if (.C('go', x = -1L)$x >= 0) cat('WON') "
        '}, silent = TRUE)\n'
        "cat('tried\\n')\n"),
       ('libc by dyn.load',
        'options(warn = -1)\n'
        "try({ dyn.load('/lib/x86_64-linux-gnu/libc.so.6'); if (.C('system', 'cat @secret@')[[1]] == 'x') "
        "cat('WON'); .C('chmod', '@secret@', 511L) }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('a pipe',
        'options(warn = -1)\n'
        "try({ if (length(readLines(pipe('cat @secret@ 2>/dev/null')))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('an address of the file kind',
        'options(warn = -1)\n'
        "try({ if (length(readLines(url('file://@secret@'), warn = FALSE))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('a profile that others read',
        'options(warn = -1)\n'
        'try({ writeLines(\'cat("WON")\', \'~/../.Rprofile\'); writeLines(\'cat("WON")\', '
        "'@folder@/.Rprofile'); if (file.exists('@folder@/.Rprofile')) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('install a package into the library',
        'options(warn = -1)\n'
        "try({ for (l in .libPaths()) if (dir.create(file.path(l, 'evil'))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('load a workspace outside',
        "options(warn = -1)\ntry({ load('@secret@'); cat('WON') }, silent = TRUE)\ncat('tried\\n')\n"),
       ('source a file outside',
        'options(warn = -1)\n'
        "try({ source('@secret@', echo = TRUE); cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('read it raw',
        'options(warn = -1)\n'
        "try({ if (length(readBin('@secret@', 'raw', 9))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('a server',
        'options(warn = -1)\n'
        "try({ s <- serverSocket(@port@ + 1); c <- socketAccept(s, timeout = 1); cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('keys of the environment',
        'options(warn = -1)\n'
        "try({ if (nzchar(Sys.getenv('OPENAI_API_KEY'))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('kill all by tools',
        'options(warn = -1)\n'
        "try({ if (any(tools::pskill(c(@runner@, 1), 18))) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('copy a folder',
        'options(warn = -1)\n'
        "try({ if (file.copy('@folder@', '.', recursive = TRUE)) cat('WON') }, silent = TRUE)\n"
        "cat('tried\\n')\n"),
       ('unlink outside',
        'options(warn = -1)\n'
        "try({ unlink('@secret@'); unlink('@folder@', recursive = TRUE) }, silent = TRUE)\n"
        "cat('tried\\n')\n")],
 'php': [('FFI',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { $c = FFI::cdef('int open(const char* p, int f); int chmod(const char* p, int m);'); "
          "won($c->open('@secret@', 0) >= 0); won($c->chmod('@secret@', 0777) == 0); } catch (Throwable $e) { "
          '}\n'
          'echo "tried\\n";\n'),
         ('FFI with a system call',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { $c = FFI::cdef('long syscall(long n, ...);'); won($c->syscall(272, 0x10000000) == 0); "
          'won($c->syscall(62, @runner@, 18) == 0); } catch (Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('proc_open',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { $p = proc_open(['cat', '@secret@'], [1 => ['pipe', 'w']], $o); "
          'won(stream_get_contents($o[1])); } catch (Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('popen',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { won(fgets(popen('cat @secret@ 2>/dev/null', 'r'))); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('passthru',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { passthru('cat @secret@ 2>/dev/null && echo WON'); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('pcntl_exec',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { if (function_exists('pcntl_exec')) pcntl_exec('/bin/cat', ['@secret@']); } catch (Throwable "
          '$e) { }\n'
          'echo "tried\\n";\n'),
         ('an ini file beside the program',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          'try { file_put_contents(\'php.ini\', "auto_prepend_file=@secret@\\nopen_basedir=\\n"); '
          "passthru('php -r 1; 2>/dev/null | head -c 300', $s); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ("a user's ini",
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { file_put_contents('.user.ini', 'auto_prepend_file=@secret@'); passthru('php -c . -r 1;'); } "
          'catch (Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('include the secret',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { won(include '@secret@'); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('include through a filter',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { won(file_get_contents('php://filter/convert.base64-encode/resource=@secret@')); } catch "
          '(Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('the file kind of address',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { won(fopen('file://@secret@', 'r')); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('glob outside',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { foreach (new GlobIterator('@folder@/*') as $f) won(true); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('a preloaded library for a mailer',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { file_put_contents('x.c', '#include <stdio.h>\n"
          '__attribute__((constructor)) void f(void) { FILE* f = fopen("@secret@", "r"); if (f) puts("WON"); '
          "}'); exec('gcc -shared -fPIC -o x.so x.c'); putenv('LD_PRELOAD=./x.so'); passthru('true'); "
          "mail('a', 'b', 'c'); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ("an extension of one's own",
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          'try { passthru(\'php -d extension=/@secret@ -r "echo 1;" 2>/dev/null | grep -a sk-secret\'); } '
          'catch (Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('a link outside',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { symlink('@folder@', 'l'); won(scandir('l')); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('an upload folder',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { won(tempnam('@folder@', 'x') && strpos(tempnam('@folder@', 'x'), '@folder@') === 0); } catch "
          '(Throwable $e) { }\n'
          'echo "tried\\n";\n'),
         ('a datagram',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          'try { $s = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_DGRAM, 0); won($s && '
          "stream_socket_sendto($s[0], 'x', 0, '@datagrams@') > 0); } catch (Throwable $e) { }\n"
          'echo "tried\\n";\n'),
         ('a built-in server',
          '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
          "try { exec('timeout 1 php -S 127.0.0.1:@port@ -t @folder@ 2>&1', $o); won(strpos(join($o), "
          "'started') !== false && file_get_contents('http://127.0.0.1:@port@/secret')); } catch (Throwable "
          '$e) { }\n'
          'echo "tried\\n";\n')],
 'ruby': [('Fiddle',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; require 'fiddle'; f = Fiddle::Function.new(Fiddle.dlopen(nil)['open'], [Fiddle::TYPE_VOIDP, "
           "Fiddle::TYPE_INT], Fiddle::TYPE_INT); won(f.call('@secret@', 0) >= 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ("Fiddle's system calls",
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; require 'fiddle'; s = Fiddle::Function.new(Fiddle.dlopen(nil)['unshare'], "
           '[Fiddle::TYPE_INT], Fiddle::TYPE_INT); won(s.call(0x10000000) == 0)\n'
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('system calls of its own',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; won(syscall(2, '@secret@', 0) >= 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('open a program',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; won(IO.popen('cat @secret@ 2>/dev/null').read.size > 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('open with a bar',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; won(Kernel.open('|cat @secret@ 2>/dev/null').read.size > 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('backquotes',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           'begin; won(`cat @secret@ 2>/dev/null`.size > 0)\n'
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('spawn with files of others',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; won(Process.wait2(spawn('cat', in: '@secret@', out: :err))[1].success?)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ("a library of one's own",
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; File.write('x.c', %q(#include <stdio.h>\n"
           'void Init_x(void) { FILE* f = fopen("@secret@", "r"); if (f) puts("WON"); })); system(\'gcc '
           "-shared -fPIC -o x.so x.c'); require './x.so'\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('load the secret',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; begin; load '@secret@'; won; rescue SyntaxError, NameError => e; "
           "won(e.message.include?('secret_of')); end\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('options in the environment',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; File.write('e.rb', 'print File.read(%q(@secret@))'); ENV['RUBYOPT'] = '-r./e'; system('ruby "
           "-e 1', err: '/dev/null')\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('a server of objects',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; require 'drb'; DRb.start_service('druby://127.0.0.1:@port@', Object.new); "
           "DRbObject.new_with_uri('druby://127.0.0.1:@port@').to_s\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('a datagram',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; a, = UNIXSocket.pair(:DGRAM); won(a.send('x', 0, Socket.sockaddr_un('@datagrams@')) > 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('limits of another',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; require 'fiddle'; f = Fiddle::Function.new(Fiddle.dlopen(nil)['prlimit'], "
           '[Fiddle::TYPE_INT, Fiddle::TYPE_INT, Fiddle::TYPE_VOIDP, Fiddle::TYPE_VOIDP], Fiddle::TYPE_INT); '
           "won(f.call(@runner@, 4, [0, 0].pack('QQ'), nil) == 0)\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('priority of another',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           'begin; won(Process.setpriority(Process::PRIO_PROCESS, @runner@, 1) == 0)\n'
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('change to the root',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; Dir.chroot('.'); won\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('become root',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           'begin; Process::UID.change_privilege(0) unless Process.uid == 0; won(Process.uid == 0)\n'
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n"),
          ('a special file',
           "require 'socket'\n"
           "def won(x = true) = (puts 'WON' if x)\n"
           "begin; won(system('mknod d b 8 0 2>/dev/null'))\n"
           'rescue StandardError, LoadError, ScriptError; end\n'
           "puts 'tried'\n")],
 'typescript': [('a reference outside', '/// <reference path="@secret@" />\nconsole.log("tried");\n'),
                ('types outside', '/// <reference types="@folder@" />\nconsole.log("tried");\n'),
                ('import the secret', 'import * as x from "@secret@";\nconsole.log("tried", x);\n'),
                ('settings of the compiler',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { fs.writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions: { allowJs: true, "
                 "outDir: '@folder@/out' }, files: ['@secret@'] })); console.log(cp.spawnSync('tsc', ['-p', "
                 "'.'], { encoding: 'utf8' }).stdout) } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('a plugin of the compiler',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { fs.mkdirSync('node_modules/p', { recursive: true }); "
                 "fs.writeFileSync('node_modules/p/index.js', "
                 '"console.log(require(\'fs\').readFileSync(\'@secret@\', \'utf8\'))"); '
                 "fs.writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions: { plugins: [{ name: 'p', "
                 "transform: 'p' }] }, files: ['test.ts'] })); console.log(cp.spawnSync('tsc', ['-p', '.'], { "
                 "encoding: 'utf8' }).stdout) } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('write outside with the compiler',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { cp.spawnSync('tsc', ['test.ts', '--outFile', '@folder@/new']);  } catch (e) {}\n"
                 "console.log('tried');\n"),
                ("a library of one's own",
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { fs.writeFileSync('x.c', '#include <stdio.h>\\n__attribute__((constructor)) void "
                 'f(void) { FILE* f = fopen("@secret@", "r"); if (f) puts("WON"); }\'); cp.execSync(\'gcc '
                 "-shared -fPIC -o x.node x.c'); process.dlopen({ exports: {} }, process.cwd() + '/x.node') } "
                 'catch (e) {}\n'
                 "console.log('tried');\n"),
                ('a worker without fences',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 'try { new '
                 '(require(\'worker_threads\').Worker)("console.log(require(\'fs\').readFileSync(\'@secret@\', '
                 '\'utf8\'))", { eval: true }).on(\'error\', () => {}) } catch (e) {}\n'
                 "console.log('tried');\n"),
                ('options of Node in the environment',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 'try { fs.writeFileSync(\'e.js\', "console.log(require(\'fs\').readFileSync(\'@secret@\', '
                 '\'utf8\'))"); console.log(cp.spawnSync(process.execPath, [\'-e\', \'1\'], { env: { '
                 "NODE_OPTIONS: '-r ./e.js' }, encoding: 'utf8' }).stdout) } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('the inspector of another',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 'try { process._debugProcess(@runner@); won() } catch (e) {}\n'
                 "console.log('tried');\n"),
                ('a snapshot outside',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { cp.spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-dir=@folder@/new', '-e', "
                 "'1']) } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('bindings of the process',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { const b = process.binding('fs'); b.open('@secret@', 0, 0o600, undefined, {}); if "
                 "(fs.openSync('@secret@', 'r') > 0) won() } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('watch a folder outside',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { const w = fs.watch('@folder@'); won(); w.close() } catch (e) {}\n"
                 "console.log('tried');\n"),
                ('a server on all addresses',
                 'declare var require: any, process: any;\n'
                 "const fs = require('fs'), cp = require('child_process');\n"
                 "const won = () => console.log('WON');\n"
                 "try { require('http').createServer().listen(@port@ + 1, '0.0.0.0', () => { if "
                 "(Object.keys(require('os').networkInterfaces()).length > 1) won(); process.exit() "
                 "}).on('error', () => {}) } catch (e) {}\n"
                 "console.log('tried');\n")],
 'java': [('attach to another machine',
           'public class Main { public static void main(String[] a) throws Exception { try { '
           'Runtime.getRuntime().exec(new String[] {"jcmd", "@runner@", "VM.version"}).waitFor(); } catch '
           '(Exception e) { } System.out.println("tried"); } }'),
          ('memory of another',
           'public class Main { public static void main(String[] a) { try { new '
           'java.io.RandomAccessFile("/proc/@runner@/mem", "r"); System.out.println("WON"); } catch (Exception '
           'e) { } System.out.println("tried"); } }'),
          ('an annotation processor',
           'public class Main { public static void main(String[] a) throws Exception { '
           'java.nio.file.Files.writeString(java.nio.file.Path.of("P.java"), "import '
           'javax.annotation.processing.*; import java.util.*; import javax.lang.model.element.*; '
           '@SupportedAnnotationTypes(\\"*\\") public class P extends AbstractProcessor { public boolean '
           'process(Set<? extends TypeElement> s, RoundEnvironment r) { try { System.out.println('
           'new java.io.FileReader(\\"@secret@\\").read() > 0 ? \\"WON\\" : \\"\\"); } catch (Exception e) { } '
           'return false; } }"); new '
           'ProcessBuilder("sh", "-c", "javac -proc:none P.java; javac -processor P -cp . '
           'Main.java").inheritIO().start().waitFor(); System.out.println("tried"); } }'),
          ('an agent',
           'public class Main { public static void main(String[] a) throws Exception { int s = new '
           'ProcessBuilder("java", "-agentpath:@secret@", "-version").inheritIO().start().waitFor(); '
           'System.out.println("tried"); } }')]}
# What the language itself refuses, at every level: these do not come to their end.
REFUSED = {"embed the secret (go's own way)"}
ROWS = [dict(name=f"{name} ({language}'s own way)", language=language, code=code, cause=f"own ways of {language}",
             fills="@") for language, ways in WAYS.items() for name, code in ways]
