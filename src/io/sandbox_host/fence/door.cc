// Sends descriptors as ancillary data (SCM_RIGHTS).
#include "io/sandbox_host/fence/door.h"

#include <sys/socket.h>

#include <cstring>

namespace assay {

long SendDescriptor(int socket, int descriptor) {
  char byte = 0;
  iovec vector{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(part), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

long ReceiveWithDescriptor(int socket, void* bytes, std::size_t size, int& descriptor) {
  iovec vector{bytes, size};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof descriptor)];
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count > 0) {
    if (const cmsghdr* part = CMSG_FIRSTHDR(&message))
      std::memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
  }
  return count;
}

}  // namespace assay
