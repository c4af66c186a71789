"""The same attempts in the words of each language: a table attempt x language. Each snippet prints WON, by the word of
its language for that, where it succeeded; what it throws is caught. @secret@, @folder@, @port@, @socket@, @abstract@,
@datagrams@ and @runner@ are filled in. Rows are keyword arguments of Attack in tests/sandbox/attacks.py."""

FRAMES = {'bash': 'exec 2>/dev/null\n%s && echo WON\necho tried\n',
 'python': 'import os, signal, socket, glob, shutil\n'
           "won = lambda *_: print('WON')\n"
           'try:\n'
           '    %s\n'
           'except OSError: pass\n'
           "print('tried')\n",
 'node': "const fs = require('fs'), cp = require('child_process'), net = require('net');\n"
         "const won = () => console.log('WON');\n"
         'try { %s } catch (e) {}\n'
         "console.log('tried');\n",
 'typescript': 'declare var require: any, process: any;\n'
               "const fs = require('fs'), cp = require('child_process'), net = require('net');\n"
               "const won = () => console.log('WON');\n"
               'try { %s } catch (e) {}\n'
               "console.log('tried');\n",
 'cpp': '#define _GNU_SOURCE\n'
        '#include <cstddef>\n#include <initializer_list>\n'
        '#include <arpa/inet.h>\n'
        '#include <fcntl.h>\n'
        '#include <signal.h>\n'
        '#include <stdio.h>\n'
        '#include <string.h>\n'
        '#include <stdlib.h>\n'
        '#include <sys/socket.h>\n'
        '#include <sys/stat.h>\n'
        '#include <sys/un.h>\n'
        '#include <unistd.h>\n'
        '#include <utime.h>\n'
        '#include <dirent.h>\n'
        'static void won(long x) { if (x >= 0) puts("WON"); }\n'
        'int main() { %s\n'
        ' puts("tried"); }\n',
 'java': 'import java.io.*; import java.net.*; import java.nio.file.*; import java.nio.channels.*; import '
         'java.util.*;\n'
         'public class Main { static void won() { System.out.println("WON"); }\n'
         'public static void main(String[] a) { try { %s } catch (Exception e) { }\n'
         'System.out.println("tried"); } }\n',
 'csharp': 'using System; using System.IO; using System.Net.Sockets; using System.Diagnostics;\n'
           'class Program {\n'
           'static void won() { Console.WriteLine("WON"); }\n'
           'static void Main() { try { %s } catch (Exception) { }\n'
           'Console.WriteLine("tried"); } }\n',
 'go': 'package main\n'
       '\n'
       'import (\n'
       '\t"net"\n'
       '\t"os"\n'
       '\t"os/exec"\n'
       '\t"path/filepath"\n'
       '\t"strings"\n'
       '\t"syscall"\n'
       '\t"time"\n'
       ')\n'
       '\n'
       'var _, _, _, _ = net.Dial, exec.Command, strings.Contains, filepath.Glob\n'
       'var _, _ = syscall.Kill, time.Now\n'
       '\n'
       'func won(err error) { if err == nil { os.Stdout.WriteString("WON\\n") } }\n'
       '\n'
       'func main() {\n'
       '\t%s\n'
       '\tos.Stdout.WriteString("tried\\n")\n'
       '}\n',
 'rust': '#![allow(unused)]\n'
         'use std::{fs, io::{Read, Write}, net::TcpStream, os::unix::fs::PermissionsExt, '
         'os::unix::net::UnixStream, process::Command};\n'
         'extern "C" { fn kill(pid: i32, signal: i32) -> i32; }\n'
         'fn won<T, E>(result: Result<T, E>) { if result.is_ok() { println!("WON"); } }\n'
         'fn main() { %s\n'
         'println!("tried"); }\n',
 'r': "options(warn = -1)\nwon <- function(...) cat('WON\\n')\ntry({ %s }, silent = TRUE)\ncat('tried\\n')\n",
 'php': '<?php error_reporting(0); function won($x) { if ($x) echo "WON\\n"; }\n'
        'try { %s } catch (Throwable $e) { }\n'
        'echo "tried\\n";\n',
 'ruby': "require 'socket'\n"
         "require 'fileutils'\n"
         "def won(*) = puts('WON')\n"
         'begin; %s\n'
         'rescue StandardError, NotImplementedError; end\n'
         "puts 'tried'\n",
 'perl': 'use Socket; sub won { print "WON\\n" if shift } eval { %s }; print "tried\\n";\n',
 'sql': '%s\n.print tried\n'}

ATTEMPTS = {'read a file': {'bash': 'grep -q sk-secret @secret@',
                 'python': "won() if 'sk-secret' in open('@secret@').read() else 0",
                 'node': "if (fs.readFileSync('@secret@', 'utf8').includes('sk-secret')) won()",
                 'typescript': "if (fs.createReadStream && fs.readFileSync('@secret@', 'utf8').length) won()",
                 'cpp': 'won(open("@secret@", O_RDONLY));',
                 'java': 'if (Files.readAllBytes(Paths.get("@secret@")).length > 0) won();',
                 'csharp': 'if (new StreamReader("@secret@").ReadToEnd().Length > 0) won();',
                 'go': '_, err := os.ReadFile("@secret@"); won(err)',
                 'rust': 'won(fs::read_to_string("@secret@"));',
                 'r': "if (length(readLines('@secret@', warn = FALSE))) won()",
                 'php': "won(file('@secret@'));",
                 'ruby': "won if IO.readlines('@secret@').any?",
                 'perl': "open(my $f, '<', '@secret@') and won(<$f>)"},
 'list a folder': {'bash': 'ls @folder@ | grep -q secret',
                   'python': "won() if os.listdir('@folder@') else 0",
                   'node': "if (fs.readdirSync('@folder@').length) won()",
                   'typescript': "if (fs.opendirSync('@folder@').readSync()) won()",
                   'cpp': 'won(opendir("@folder@") ? 0 : -1);',
                   'java': 'if (new File("@folder@").list().length > 0) won();',
                   'csharp': 'if (Directory.GetFiles("@folder@").Length > 0) won();',
                   'go': '_, err := os.ReadDir("@folder@"); won(err)',
                   'rust': 'won(fs::read_dir("@folder@"));',
                   'r': "if (length(list.files('@folder@'))) won()",
                   'php': "won(scandir('@folder@'));",
                   'ruby': "won if Dir.children('@folder@').any?",
                   'perl': "opendir(my $d, '@folder@') and won(1)"},
 'write a file': {'bash': 'echo x > @folder@/new',
                  'python': "won(open('@folder@/new', 'w'))",
                  'node': "fs.writeFileSync('@folder@/new', 'x'); won()",
                  'typescript': "fs.mkdirSync('@folder@/new'); won()",
                  'cpp': 'won(open("@folder@/new", O_CREAT | O_WRONLY, 0600));',
                  'java': 'new FileOutputStream("@folder@/new").close(); won();',
                  'csharp': 'File.Create("@folder@/new").Close(); won();',
                  'go': '_, err := os.Create("@folder@/new"); won(err)',
                  'rust': 'won(fs::File::create("@folder@/new"));',
                  'r': "if (file.create('@folder@/new')) won()",
                  'php': "won(touch('@folder@/new'));",
                  'ruby': "won File.open('@folder@/new', 'w')",
                  'perl': "open(my $f, '>', '@folder@/new') and won(1)"},
 'overwrite a file': {'bash': 'echo x >> @secret@',
                      'python': "won(open('@secret@', 'r+').write('x'))",
                      'node': "fs.appendFileSync('@secret@', 'x'); won()",
                      'typescript': "fs.truncateSync('@secret@', 0); won()",
                      'cpp': 'won(truncate("@secret@", 0)); won(open("@secret@", O_WRONLY));',
                      'java': 'new RandomAccessFile("@secret@", "rw").setLength(0); won();',
                      'csharp': 'File.AppendAllText("@secret@", "x"); won();',
                      'go': 'won(os.Truncate("@secret@", 0))',
                      'rust': 'won(fs::OpenOptions::new().append(true).open("@secret@"));',
                      'r': "cat('x', file = '@secret@', append = TRUE); won()",
                      'php': "won(file_put_contents('@secret@', 'x', FILE_APPEND));",
                      'ruby': "won File.truncate('@secret@', 0)",
                      'perl': "won(truncate('@secret@', 0)); open(my $f, '>>', '@secret@') and won(1)"},
 'delete a file': {'bash': 'rm @secret@',
                   'python': "won(os.unlink('@secret@'))",
                   'node': "fs.rmSync('@secret@'); won()",
                   'typescript': "fs.unlinkSync('@secret@'); won()",
                   'cpp': 'won(unlink("@secret@"));',
                   'java': 'Files.delete(Paths.get("@secret@")); won();',
                   'csharp': 'if (File.Exists("@secret@")) { File.Delete("@secret@"); if '
                             '(!File.Exists("@secret@")) won(); }',
                   'go': 'won(os.Remove("@secret@"))',
                   'rust': 'won(fs::remove_file("@secret@"));',
                   'r': "if (file.remove('@secret@')) won()",
                   'php': "won(unlink('@secret@'));",
                   'ruby': "won FileUtils.rm('@secret@')",
                   'perl': "won(unlink '@secret@')"},
 'rename a file': {'bash': 'mv @secret@ mine',
                   'python': "won(os.rename('@secret@', 'mine'))",
                   'node': "fs.renameSync('@secret@', 'mine'); won()",
                   'typescript': "fs.renameSync('@secret@', '@folder@/other'); won()",
                   'cpp': 'won(rename("@secret@", "mine")); won(rename("@secret@", "@folder@/other"));',
                   'java': 'Files.move(Paths.get("@secret@"), Paths.get("@folder@/other")); won();',
                   'csharp': 'File.Move("@secret@", "@folder@/other"); won();',
                   'go': 'won(os.Rename("@secret@", "@folder@/other"))',
                   'rust': 'won(fs::rename("@secret@", "@folder@/other"));',
                   'r': "if (file.rename('@secret@', '@folder@/other')) won()",
                   'php': "won(rename('@secret@', '@folder@/other'));",
                   'ruby': "won File.rename('@secret@', '@folder@/other')",
                   'perl': "won(rename '@secret@', '@folder@/other')"},
 'read through a link': {'bash': 'ln -s @secret@ l && grep -q sk l',
                         'python': "os.symlink('@secret@', 'l'); won(open('l').read())",
                         'node': "fs.symlinkSync('@secret@', 'l'); fs.readFileSync('l'); won()",
                         'typescript': "fs.linkSync('@secret@', 'l'); fs.readFileSync('l'); won()",
                         'cpp': 'symlink("@folder@", "l"); won(open("l/secret", O_RDONLY)); won(link("@secret@", '
                                '"h"));',
                         'java': 'Files.createSymbolicLink(Paths.get("l"), Paths.get("@secret@")); new '
                                 'FileReader("l").read(); won();',
                         'csharp': 'Process.Start("/bin/ln", "-s @secret@ l").WaitForExit(); '
                                   'File.ReadAllText("l"); won();',
                         'go': 'os.Symlink("@secret@", "l"); _, err := os.Open("l"); won(err)',
                         'rust': 'std::os::unix::fs::symlink("@secret@", "l"); won(fs::read("l"));',
                         'r': "file.symlink('@secret@', 'l'); readLines('l', warn = FALSE); won()",
                         'php': "symlink('@secret@', 'l'); won(readfile('l'));",
                         'ruby': "File.symlink('@secret@', 'l'); won File.read('l')",
                         'perl': "symlink '@secret@', 'l'; open(my $f, '<', 'l') and won(<$f>)"},
 'keys of others in /proc': {'bash': 'grep -aqs sk-secret /proc/[0-9]*/environ',
                             'typescript': "for (const p of fs.readdirSync('/proc')) try { if "
                                           "(fs.readFileSync('/proc/' + p + '/environ', "
                                           "'latin1').indexOf('sk-secret') >= 0) won() } catch (e) {}",
                             'node': "for (const p of fs.readdirSync('/proc')) try { if "
                                     "(fs.readFileSync(`/proc/${p}/environ`, 'latin1').includes('sk-secret')) "
                                     'won() } catch (e) {}',
                             'java': 'for (File p : new File("/proc").listFiles()) try { if (new '
                                     'String(Files.readAllBytes(Paths.get(p + '
                                     '"/environ"))).contains("sk-secret")) won(); } catch (IOException e) { }',
                             'csharp': 'foreach (var p in Process.GetProcesses()) try { if '
                                       '(File.ReadAllText("/proc/" + p.Id + "/environ").Contains("sk-secret")) '
                                       'won(); } catch (Exception) { }',
                             'go': 'all, _ := filepath.Glob("/proc/*/environ"); for _, p := range all { t, _ := '
                                   'os.ReadFile(p); if strings.Contains(string(t), "sk-secret") { won(nil) } }',
                             'r': "for (p in Sys.glob('/proc/[0-9]*/environ')) try(if (any(grepl('sk-secret', "
                                  'readLines(p, skipNul = TRUE, warn = FALSE), useBytes = TRUE))) won(), silent '
                                  '= TRUE)',
                             'php': "foreach (glob('/proc/*/environ') as $p) "
                                    "won(strpos((string)file_get_contents($p), 'sk-secret') !== false);",
                             'ruby': "Dir['/proc/*/environ'].each { |p| won if "
                                     "(File.binread(p).include?('sk-secret') rescue false) }",
                             'perl': "for (glob '/proc/*/environ') { open(my $f, '<', $_) or next; local $/; "
                                     "won(index(<$f>, 'sk-secret') >= 0) }",
                             'rust': 'for p in fs::read_dir("/proc").into_iter().flatten().flatten() { if let '
                                     'Ok(t) = fs::read(p.path().join("environ")) { if '
                                     'String::from_utf8_lossy(&t).contains("sk-secret") { println!("WON"); } } '
                                     '}'},
 'connect over TCP': {'bash': 'exec 5<>/dev/tcp/127.0.0.1/@port@',
                      'perl': 'socket(my $s, PF_INET, SOCK_STREAM, 0) and won(connect($s, sockaddr_in(@port@, '
                              "inet_aton('127.0.0.1'))))",
                      'node': "net.connect(@port@, '127.0.0.1', () => { won(); process.exit() }).on('error', () "
                              '=> {})',
                      'typescript': "require('http').get('http://127.0.0.1:@port@/', won).on('error', () => "
                                    '{}).setTimeout(500, function () { this.destroy() }); const s = '
                                    "net.connect(@port@, '127.0.0.1', () => { won(); s.destroy() }); "
                                    "s.on('error', () => {})",
                      'cpp': 'sockaddr_in a{}; a.sin_family = AF_INET; a.sin_port = htons(@port@); '
                             'a.sin_addr.s_addr = htonl(0x7f000001); int s = socket(AF_INET, SOCK_STREAM, 0); if '
                             '(s >= 0) won(connect(s, (sockaddr*)&a, sizeof a));',
                      'java': 'SocketChannel.open(new InetSocketAddress("127.0.0.1", @port@)); won();',
                      'csharp': 'var s = new Socket(AddressFamily.InterNetwork, SocketType.Stream, '
                                'ProtocolType.Tcp); s.Connect("127.0.0.1", @port@); won();',
                      'go': '_, err := net.DialTimeout("tcp", "127.0.0.1:@port@", 2 * time.Second); won(err)',
                      'rust': 'won(TcpStream::connect(("127.0.0.1", @port@)));',
                      'r': "socketConnection('127.0.0.1', @port@, open = 'r+', timeout = 1); won()",
                      'php': "won(stream_socket_client('tcp://127.0.0.1:@port@', $e, $t, 1));",
                      'ruby': "won TCPSocket.new('127.0.0.1', @port@)"},
 'connect to a socket file': {'perl': 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) and won(connect($s, '
                                      "sockaddr_un('@socket@')))",
                              'node': "net.connect('@socket@', () => { won(); process.exit() }).on('error', () "
                                      '=> {})',
                              'typescript': "const s = net.connect({ path: '@socket@' }, () => { won(); "
                                            "s.destroy() }); s.on('error', () => {})",
                              'cpp': 'sockaddr_un a{AF_UNIX, "@socket@"}; for (int k : {1, 1 | SOCK_CLOEXEC | '
                                     'SOCK_NONBLOCK}) { int s = socket(AF_UNIX, k, 0); if (s >= 0) '
                                     'won(connect(s, (sockaddr*)&a, sizeof a)); }',
                              'java': 'SocketChannel.open(UnixDomainSocketAddress.of("@socket@")); won();',
                              'go': '_, err := net.Dial("unix", "@socket@"); won(err)',
                              'rust': 'won(UnixStream::connect("@socket@"));',
                              'php': "won(stream_socket_client('unix://@socket@', $e, $t, 1));",
                              'ruby': "won UNIXSocket.new('@socket@')"},
 'connect to an abstract socket': {'perl': 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) and won(connect($s, '
                                           'sockaddr_un("\\0@abstract@")))',
                                   'cpp': 'sockaddr_un a{AF_UNIX, ""}; strcpy(a.sun_path + 1, "@abstract@"); for '
                                          '(int k : {1, 1 | SOCK_CLOEXEC | SOCK_NONBLOCK}) { int s = '
                                          'socket(AF_UNIX, k, 0); if (s >= 0) won(connect(s, (sockaddr*)&a, '
                                          'offsetof(sockaddr_un, sun_path) + 1 + strlen("@abstract@"))); }',
                                   'go': '_, err := net.Dial("unix", "@" + "@abstract@"); won(err)',
                                   'rust': 'extern "C" { fn socket(f: i32, k: i32, p: i32) -> i32; fn connect(s: '
                                           'i32, a: *const u8, n: u32) -> i32; } let mut a = vec![1u8, 0, 0]; '
                                           'a.extend_from_slice(b"@abstract@"); for k in [1, 1 | 0o2004000] { '
                                           'let s = unsafe { socket(1, k, 0) }; if s >= 0 && unsafe { connect(s, '
                                           'a.as_ptr(), a.len() as u32) } == 0 { println!("WON"); } }',
                                   'php': 'won(stream_socket_client("unix://\\0@abstract@", $e, $t, 1));',
                                   'ruby': 'won UNIXSocket.new("\\0@abstract@")'},
 'let a shell read it': {'bash': 'eval \'bash -c "cat @secret@"\' | grep -q sk',
                         'node': "cp.execSync('cat @secret@ 2>&1'); won()",
                         'python': "won() if os.system('cat @secret@ >&2') == 0 else 0",
                         'typescript': "if (cp.spawnSync('cat', ['@secret@']).status === 0) won()",
                         'cpp': 'won(system("cat @secret@ 2>/dev/null") == 0 ? 0 : -1);',
                         'java': 'if (new ProcessBuilder("cat", "@secret@").start().waitFor() == 0) won();',
                         'csharp': 'var p = Process.Start("/bin/cat", "@secret@"); p.WaitForExit(); if '
                                   '(p.ExitCode == 0) won();',
                         'go': '_, err := exec.Command("cat", "@secret@").Output(); won(err)',
                         'rust': 'if Command::new("cat").arg("@secret@").status().map_or(false, |s| s.success()) '
                                 '{ println!("WON"); }',
                         'r': "if (system('cat @secret@', ignore.stderr = TRUE) == 0) won()",
                         'php': 'won(`cat @secret@`);',
                         'ruby': "won if system('cat @secret@', err: '/dev/null')",
                         'perl': 'won(`cat @secret@ 2>/dev/null`)'},
 'signal another program': {'bash': 'kill -CONT @runner@',
                            'python': 'won(os.kill(@runner@, signal.SIGCONT))',
                            'node': "process.kill(@runner@, 'SIGCONT'); won()",
                            'typescript': 'process.kill(@runner@, 0); won()',
                            'cpp': 'won(kill(@runner@, SIGCONT)); won(kill(-getpgid(@runner@), SIGCONT));',
                            'java': 'if (ProcessHandle.of(@runner@L).map(p -> p.destroy()).orElse(false)) won();',
                            'csharp': 'var p = Process.Start("/bin/kill", "-CONT @runner@"); p.WaitForExit(); if '
                                      '(p.ExitCode == 0) won();',
                            'go': 'won(syscall.Kill(@runner@, syscall.SIGCONT))',
                            'rust': 'if unsafe { kill(@runner@, 18) } == 0 { println!("WON"); }',
                            'r': 'if (tools::pskill(@runner@, 18)) won()',
                            'php': "won(posix_kill(@runner@, 18)); exec('kill -CONT @runner@', $o, $s); won($s "
                                   '=== 0);',
                            'ruby': "won Process.kill('CONT', @runner@)",
                            'perl': "won(kill 'CONT', @runner@)"},
 'change a mode': {'bash': 'chmod 777 @secret@',
                   'node': "fs.chmodSync('@secret@', 0o777); won()",
                   'typescript': "fs.chmodSync('@folder@', 0o700); won()",
                   'cpp': 'won(chmod("@secret@", 0777));',
                   'java': 'if (new File("@secret@").setExecutable(true)) won();',
                   'go': 'won(os.Chmod("@secret@", 0777))',
                   'rust': 'won(fs::set_permissions("@secret@", fs::Permissions::from_mode(0o777)));',
                   'r': "if (Sys.chmod('@secret@', '777')) won()",
                   'php': "won(chmod('@secret@', 0777));",
                   'ruby': "won File.chmod(0777, '@secret@')",
                   'perl': "won(chmod 0777, '@secret@')"},
 'change a time': {'bash': 'touch -d 2001-01-01 @secret@',
                   'node': "fs.utimesSync('@secret@', 1, 2); won()",
                   'typescript': "fs.lutimesSync('@secret@', 1, 2); won()",
                   'cpp': 'won(utime("@secret@", 0));',
                   'java': 'if (new File("@secret@").setLastModified(1000)) won();',
                   'csharp': 'if (File.Exists("@secret@")) { File.SetLastWriteTime("@secret@", new '
                             'DateTime(2001, 1, 1)); won(); }',
                   'go': 'won(os.Chtimes("@secret@", time.Now(), time.Now()))',
                   'r': "if (Sys.setFileTime('@secret@', Sys.time())) won()",
                   'php': "won(touch('@secret@', 1, 2));",
                   'ruby': "won File.utime(1, 2, '@secret@')",
                   'perl': "won(utime 1, 2, '@secret@')"},
 'change the toolchain': {'bash': 'echo x >> $(command -v bash)',
                          'python': "import sys; won(open(sys.executable, 'ab'))",
                          'typescript': "fs.appendFileSync(require.resolve('fs') && process.execPath, ''); won()",
                          'java': 'new FileOutputStream(System.getProperty("java.home") + "/lib/x").close(); '
                                  'won();',
                          'go': '_, err := os.Create("/usr/lib/go-1.19/x"); won(err); _, err = '
                                'os.Create("/usr/local/go/x"); won(err)',
                          'rust': 'won(fs::write("/usr/bin/rustc-x", "x"));',
                          'csharp': 'File.WriteAllText("/usr/lib/mono/x", "x"); won();',
                          'r': "if (file.create(file.path(R.home(), 'etc', 'x'))) won()",
                          'php': "won(touch(dirname(PHP_BINARY) . '/x'));",
                          'ruby': "won File.write(RbConfig::CONFIG['rubylibdir'] + '/x.rb', 'x')",
                          'perl': 'open(my $f, \'>\', "$INC[-1]/x.pm") and won(1)'},
 'leave something for the next program': {'bash': 'cat /tmp/left-b /dev/shm/left-b /var/tmp/left-b | grep -q x; '
                                                  'r=$?; echo x | tee /tmp/left-b /dev/shm/left-b '
                                                  '/var/tmp/left-b >/dev/null; [ $r = 0 ]',
                                          'node': "for (const d of ['/tmp', '/dev/shm']) { if (fs.existsSync(d + "
                                                  "'/left-n')) won(); fs.writeFileSync(d + '/left-n', 'x') }",
                                          'ruby': '%w[/tmp /dev/shm].each { |d| won if File.exist?(d + '
                                                  "'/left-r'); File.write(d + '/left-r', 'x') }",
                                          'php': "won(file_exists('/tmp/left-p')); touch('/tmp/left-p'); "
                                                 "won(ftok('/tmp/left-p', 'x') == -2);",
                                          'go': 'if _, err := os.Stat("/tmp/left-g"); err == nil { won(nil) }; '
                                                'os.WriteFile("/tmp/left-g", nil, 0600)',
                                          'r': "if (file.exists('/tmp/left-R')) won(); "
                                               "file.create('/tmp/left-R')"}}
ROWS = [dict(name=f"{attempt}, in {language}", language=language, code=FRAMES[language].replace("%s", code, 1),
             cause=f"{attempt}, in any language", fills="@")
        for attempt, by_language in ATTEMPTS.items() for language, code in by_language.items()]

SQL = {'read a file by readfile': "SELECT 'WON' WHERE CAST(readfile('@secret@') AS TEXT) LIKE '%sk-secret%';",
 'read a file as a table': '.mode csv\n'
                           '.import @secret@ t\n'
                           "SELECT 'WON' FROM pragma_table_info('t') WHERE name LIKE '%sk-%';",
 'run a file': '.read @secret@',
 'run what a program prints': ".read '|cat @secret@'",
 'attach a file outside': "ATTACH '@folder@/new' AS o; CREATE TABLE o.t(x); SELECT 'WON' FROM o.sqlite_master;",
 'write a file by writefile': "SELECT writefile('@folder@/new', 'x');",
 'write results outside': '.output @folder@/new\nSELECT 1;\n.output stdout',
 'write results once outside': '.once @folder@/new\nSELECT 1;',
 'write results over a file': '.output @secret@\nSELECT 1;\n.output stdout',
 'save outside': 'CREATE TABLE t(x);\n.save @folder@/new',
 'back up outside': 'CREATE TABLE t(x);\n.backup @folder@/new',
 'log outside': '.log @folder@/new\nSELECT * FROM absent;',
 'open a file outside': '.open @folder@/new\nCREATE TABLE t(x);',
 'clone outside': 'CREATE TABLE t(x);\n.clone @folder@/new',
 'vacuum outside': "CREATE TABLE t(x); VACUUM INTO '@folder@/new';",
 'load a library': ".shell printf 'int sqlite3_extension_init(void){return 0;}' > x.c; gcc -shared -fPIC -o x.so "
                   'x.c\n'
                   "SELECT load_extension('./x');\n"
                   '.shell cat @secret@',
 'change to a folder outside': '.cd @folder@\n.shell cat secret && echo WON',
 'an archive outside': '.shell sqlite3 mine.db -A --create main.sql\n'
                       '.archive --create --file @folder@/new main.sql',
 'edit a value with a program': "SELECT edit('x', 'cat @secret@; true');",
 'a system command': '.system cat @secret@ && echo WON',
 'an address of the file kind': "ATTACH 'file:@secret@?mode=rw' AS o;\nSELECT * FROM o.sqlite_master;\n.dump o",
 'list a folder': "SELECT 'WON' FROM fsdir('@folder@') WHERE name LIKE '%secret';"}
ROWS += [dict(name=f"{name}, in sql", language="sql", code=FRAMES["sql"].replace("%s", code, 1),
              cause="what the shell of sqlite3 may do", fills="@") for name, code in SQL.items()]
