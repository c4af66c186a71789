// Actor: while it lives, this thread acts with the rights of the program's user, so that what that user may
// not do fails; the program cannot signal or trace us meanwhile.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace assay {

// While it lives we are `uid` in what we may do, and ourselves in what may be done to us. 0: nothing changes.
// Only for one thread, and for root.
class Actor {
 public:
  explicit Actor(std::uint32_t uid) : uid_(uid) {
    if (uid_ != 0) Become(uid_);
  }
  ~Actor() {
    if (uid_ == 0) return;
    syscall(SYS_setresuid, -1, 0, -1);
    syscall(SYS_setresgid, -1, 0, -1);
  }
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

 private:
  static void Become(std::uint32_t uid) {
    if (syscall(SYS_setresgid, -1, uid, -1) != 0 || syscall(SYS_setresuid, -1, uid, -1) != 0) _exit(1);
  }
  std::uint32_t uid_;
};

}  // namespace assay
