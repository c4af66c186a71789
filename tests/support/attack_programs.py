"""Hostile programs, two for each language: one reads what it must not (a secret file, keys in the environment and in
/proc), connects, and writes outside; one starts as many processes as it can. Each prints WON where it succeeded;
@secret@, @folder@ and @port@ are filled in. A bomb has won if more processes live at once than any limit allows."""

OUTSIDE = {
    "cpp": r"""
#include <arpa/inet.h>
#include <dirent.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
extern char** environ;
static bool holds(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {}).find("sk-secret") != std::string::npos;
}
int main() {
  if (holds("@secret@")) std::cout << "WON the file\n";
  for (char** each = environ; *each; ++each)
    if (std::string(*each).find("sk-secret") != std::string::npos) std::cout << "WON the environment\n";
  if (DIR* proc = opendir("/proc"))
    while (dirent* entry = readdir(proc))
      if (holds(std::string("/proc/") + entry->d_name + "/environ")) std::cout << "WON /proc\n";
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(@port@);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int tcp = socket(AF_INET, SOCK_STREAM, 0);
  if (tcp >= 0 && connect(tcp, (sockaddr*)&to, sizeof to) == 0) std::cout << "WON the socket\n";
  if (std::ofstream("@folder@/new") << "x") std::cout << "WON the folder\n";
  std::cout << "tried\n";
}
""",
    "go": r"""
package main

import (
	"os"
	"strings"
	"syscall"
)

func holds(path string) bool {
	text, _ := os.ReadFile(path)
	return strings.Contains(string(text), "sk-secret")
}

func won(what string) { os.Stdout.WriteString("WON " + what + "\n") }

func main() {
	if holds("@secret@") { won("the file") }
	if strings.Contains(strings.Join(os.Environ(), "\n"), "sk-secret") { won("the environment") }
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		if holds("/proc/" + entry.Name() + "/environ") { won("/proc") }
	}
	tcp, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil && syscall.Connect(tcp, &syscall.SockaddrInet4{Port: @port@, Addr: [4]byte{127, 0, 0, 1}}) == nil {
		won("the socket")
	}
	if os.WriteFile("@folder@/new", []byte("x"), 0644) == nil { won("the folder") }
	os.Stdout.WriteString("tried\n")
}
""",
    "rust": r"""
use std::{env, fs, net::TcpStream};
fn holds(path: &str) -> bool {
    fs::read(path).map_or(false, |text| String::from_utf8_lossy(&text).contains("sk-secret"))
}
fn main() {
    if holds("@secret@") { println!("WON the file"); }
    if env::vars().any(|(_, value)| value.contains("sk-secret")) { println!("WON the environment"); }
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if holds(&format!("{}/environ", entry.path().display())) { println!("WON /proc"); }
    }
    if TcpStream::connect("127.0.0.1:@port@").is_ok() { println!("WON the socket"); }
    if fs::write("@folder@/new", "x").is_ok() { println!("WON the folder"); }
    println!("tried");
}
""",
    "csharp": r"""
using System;
using System.IO;
using System.Net.Sockets;
class Program {
  static bool Holds(string path) {
    try { return File.ReadAllText(path).Contains("sk-secret"); } catch (Exception) { return false; }
  }
  static void Main() {
    if (Holds("@secret@")) Console.WriteLine("WON the file");
    foreach (var value in Environment.GetEnvironmentVariables().Values)
      if (value.ToString().Contains("sk-secret")) Console.WriteLine("WON the environment");
    try {
      foreach (var folder in Directory.GetDirectories("/proc"))
        if (Holds(folder + "/environ")) Console.WriteLine("WON /proc");
    } catch (Exception) { }
    try { if (new TcpClient("127.0.0.1", @port@).Connected) Console.WriteLine("WON the socket"); } catch (Exception) { }
    try { File.WriteAllText("@folder@/new", "x"); Console.WriteLine("WON the folder"); } catch (Exception) { }
    Console.WriteLine("tried");
  }
}
""",
    "typescript": r"""
declare var require: any, process: any;
const fs = require("fs");
const holds = (path: string) => {
  try { return fs.readFileSync(path, "utf8").indexOf("sk-secret") >= 0 } catch (e) { return false }
};
if (holds("@secret@")) console.log("WON the file");
if (JSON.stringify(process.env).indexOf("sk-secret") >= 0) console.log("WON the environment");
for (const pid of fs.readdirSync("/proc")) if (holds("/proc/" + pid + "/environ")) console.log("WON /proc");
const tcp = require("net").connect(@port@, "127.0.0.1", () => { console.log("WON the socket"); process.exit() });
tcp.on("error", () => {});
try { fs.writeFileSync("@folder@/new", "x"); console.log("WON the folder") } catch (e) {}
console.log("tried");
""",
    "r": r"""
holds <- function(path) any(grepl("sk-secret", suppressWarnings(tryCatch(
  readLines(path, warn = FALSE, skipNul = TRUE), error = function(e) "")), fixed = TRUE, useBytes = TRUE))
if (holds("@secret@")) cat("WON the file\n")
if (any(grepl("sk-secret", Sys.getenv(), fixed = TRUE))) cat("WON the environment\n")
for (pid in list.files("/proc", "^[0-9]+$")) if (holds(paste0("/proc/", pid, "/environ"))) cat("WON /proc\n")
try({ suppressWarnings(socketConnection("127.0.0.1", @port@, timeout = 2)); cat("WON the socket\n") }, silent = TRUE)
try({ suppressWarnings(writeLines("x", "@folder@/new")); cat("WON the folder\n") }, silent = TRUE)
cat("tried\n")
""",
    "ruby": r"""
require "socket"
def holds(path) = (File.binread(path).include?("sk-secret") rescue false)
puts "WON the file" if holds("@secret@")
puts "WON the environment" if ENV.to_h.values.any? { |value| value.include?("sk-secret") }
Dir.glob("/proc/*/environ") { |path| puts "WON /proc" if holds(path) }
begin; TCPSocket.new("127.0.0.1", @port@); puts "WON the socket"; rescue StandardError; end
begin; File.write("@folder@/new", "x"); puts "WON the folder"; rescue StandardError; end
puts "tried"
""",
    "php": r"""<?php
error_reporting(0);
function holds($path) { return strpos((string)file_get_contents($path), "sk-secret") !== false; }
if (holds("@secret@")) echo "WON the file\n";
if (strpos(json_encode(getenv()), "sk-secret") !== false) echo "WON the environment\n";
foreach (glob("/proc/*/environ") as $path) if (holds($path)) echo "WON /proc\n";
if (fsockopen("127.0.0.1", @port@, $code, $text, 2)) echo "WON the socket\n";
if (file_put_contents("@folder@/new", "x")) echo "WON the folder\n";
echo "tried\n";
""",
    "sql": r"""
SELECT 'WON the file' WHERE CAST(readfile('@secret@') AS TEXT) LIKE '%sk-secret%';
.shell grep -aqs sk-secret /proc/*/environ && echo WON /proc; env | grep -q sk-secret && echo WON the environment
.shell bash -c 'exec 3<>/dev/tcp/127.0.0.1/@port@ && echo WON the socket'
SELECT writefile('@folder@/new', 'x');
.shell echo x >@folder@/new
.print tried
""",
}

BOMB = {
    "cpp": r"""
#include <cstdio>
#include <unistd.h>
int main() {
  int alive = 0;
  for (int i = 0; i < 3000; ++i) {
    pid_t pid = fork();
    if (pid == 0) { sleep(20); _exit(0); }
    if (pid > 0) ++alive;
  }
  puts(alive > 256 ? "WON" : "tried");
}
""",
    "go": r"""
package main

import (
	"os"
	"syscall"
)

func main() {
	alive := 0
	for i := 0; i < 3000; i++ {
		if _, err := syscall.ForkExec("/bin/sleep", []string{"sleep", "20"}, nil); err == nil { alive++ }
	}
	if alive > 256 { os.Stdout.WriteString("WON\n") }
	os.Stdout.WriteString("tried\n")
}
""",
    "rust": r"""
use std::process::Command;
fn main() {
    let alive = (0..3000).filter(|_| Command::new("/bin/sleep").arg("20").spawn().is_ok()).count();
    println!("{}", if alive > 256 { "WON" } else { "tried" });
}
""",
    "csharp": r"""
using System;
using System.Runtime.InteropServices;
class Program {
  [DllImport("libc")] static extern int fork();
  [DllImport("libc")] static extern uint sleep(uint seconds);
  [DllImport("libc")] static extern void _exit(int status);
  static void Main() {
    int alive = 0;
    sleep(0);
    for (int i = 0; i < 3000; ++i) {
      int pid = fork();
      if (pid == 0) { sleep(20); _exit(0); }
      if (pid > 0) ++alive;
    }
    Console.WriteLine(alive > 256 ? "WON" : "tried");
  }
}
""",
    "typescript": r"""
declare var require: any, process: any;
let alive = 0;
for (let i = 0; i < 1000; i++) {
  try {
    const child = require("child_process").spawn("/bin/sleep", ["20"]);
    if (child.pid) alive++;
    child.on("error", () => {});
  } catch (e) {}
}
console.log(alive > 256 ? "WON" : "tried");
process.exit();
""",
    "r": r"""
alive <- 0
for (i in 1:300) try({ pid <- parallel:::mcfork(TRUE)
  if (inherits(pid, "masterProcess")) { Sys.sleep(20); quit("no") }
  alive <- alive + 1 }, silent = TRUE)
cat(if (alive > 256) "WON\n" else "tried\n")
quit("no")
""",
    "ruby": r"""
# Where it may not fork, Ruby tries again for ever.
(1..3000).each { |i| fork { sleep 20 }; puts "WON" if i > 256 }
""",
    "php": r"""<?php
error_reporting(0);
$alive = [];
for ($i = 0; $i < 1000; $i++) if ($child = proc_open(["/bin/sleep", "20"], [], $pipes)) $alive[] = $child;
echo count($alive) > 256 ? "WON\n" : "tried\n";
exec("kill -9 " . getmypid());
""",
    "sql": """
.shell i=0; while [ $i -lt 400 ]; do (sleep 20 & echo started); i=$((i+1)); done 2>/dev/null | grep -c started >n
.shell [ $(cat n) -gt 256 ] && echo WON
.print tried
""",
}
