// Sends and receives one file descriptor over a Unix socket, between the child process and its supervisor.
#pragma once

#include <cstddef>

namespace assay {

// Negative: it could not be sent.
long SendDescriptor(int socket, int descriptor);

// Receives a message of at most `size` bytes; the descriptor that came with it, if one did, replaces -1. The
// message's size; 0: the other side is closed.
long ReceiveWithDescriptor(int socket, void* bytes, std::size_t size, int& descriptor);

}  // namespace assay
