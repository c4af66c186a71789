// A PostgreSQL server for tests, made at first use in a temporary folder and ended with the test program. It
// listens at a private socket only. A server does not run as root: then it runs as the user postgres.
#pragma once

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::testing {

// Makes of today's tables those of the oldest version that is read.
inline constexpr const char* kBackToOldest =
    "ALTER TABLE claim RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, "
    "autovacuum_vacuum_cost_delay); DROP TABLE made_elsewhere; UPDATE assay_store SET version = 5;";

class PostgresServer {
 public:
  // The server of this test program; null, said aloud once, where PostgreSQL is not installed.
  static PostgresServer* Get() {
    static PostgresServer server;
    return server.server_ > 0 ? &server : nullptr;
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() {
    if (server_ > 0) {
      kill(server_, SIGQUIT);
      waitpid(server_, nullptr, 0);
    }
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  // A new place for tables, empty: a schema, which is made faster than a database.
  std::string NewDatabase() {
    const std::string name = "test" + std::to_string(++databases_);
    Execute(UrlOf("postgres"), "CREATE SCHEMA " + name);
    return UrlOf("postgres") + "&options=-csearch_path%3D" + name;
  }
  std::string UrlOf(const std::string& database) const {
    return "postgresql://assay@/" + database + "?host=" + folder_;
  }
  // By psql; whether it went well.
  bool Execute(const std::string& url, const std::string& sql) const {
    return Run({"psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, url});
  }

 private:
  PostgresServer() {
    programs_ = FindPrograms();
    if (programs_.empty()) {
      std::printf("skipped: stores on a PostgreSQL server: initdb is not installed (package postgresql)\n");
      return;
    }
    std::string name = (std::filesystem::temp_directory_path() / "assay-pg-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return;
    folder_ = name;
    if (const passwd* user = geteuid() == 0 ? getpwnam("postgres") : nullptr) {
      uid_ = user->pw_uid;
      gid_ = user->pw_gid;
      if (chown(folder_.c_str(), uid_, gid_) != 0) return;
    }
    const std::string data = folder_ + "/data";
    if (!Run({"initdb", "-D", data, "-U", "assay", "-E", "UTF8", "--no-locale", "-A", "trust", "-N"})) {
      std::printf("skipped: stores on a PostgreSQL server: initdb failed\n");
      return;
    }
    server_ =
        Start({"postgres", "-D", data, "-k", folder_, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
               "max_connections=40", "-c", "shared_buffers=32MB", "-c", "log_min_messages=fatal"});
    for (int i = 0; i < 300 && !Run({"pg_isready", "-q", "-h", folder_}); ++i) poll(nullptr, 0, 100);
  }

  static std::string FindPrograms() {
    glob_t found{};
    std::string folder;
    if (glob("/usr/lib/postgresql/*/bin/initdb", 0, nullptr, &found) == 0)
      folder = std::filesystem::path(found.gl_pathv[found.gl_pathc - 1]).parent_path().string();
    globfree(&found);
    for (const char* place : {"/usr/local/bin", "/usr/bin"}) {
      if (folder.empty() && access((std::string(place) + "/initdb").c_str(), X_OK) == 0) folder = place;
    }
    return folder;
  }

  pid_t Start(std::vector<std::string> words) const {
    words[0] = programs_ + "/" + words[0];
    const pid_t child = fork();
    if (child != 0) return child;
    if (uid_ != 0 && (setgid(gid_) != 0 || setuid(uid_) != 0)) _exit(127);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (chdir("/") != 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) _exit(127);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  bool Run(std::vector<std::string> words) const {
    int status = 0;
    const pid_t child = Start(std::move(words));
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  std::string programs_;
  std::string folder_;
  uid_t uid_ = 0;
  gid_t gid_ = 0;
  pid_t server_ = 0;
  int databases_ = 0;
};

}  // namespace assay::testing
