// Maps files. The system answers a read behind the end of a file that shrank with SIGBUS: the handler puts
// zeros there, so that a program that reads a table never dies because somebody saves it.
#include "base/files/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/files/file_reader.h"
#include "base/files/open_file.h"

namespace assay {

namespace {

constexpr std::size_t kReadWholeMax = 1u << 20;  // shorter files are read, not mapped
constexpr std::size_t kMappingsMax = 64;         // that the handler knows; further files are read

// One thread opens files; the handler, which may run in any, only reads.
struct KnownMapping {
  volatile std::uintptr_t begin = 0;
  volatile std::uintptr_t end = 0;  // 0: the place is free
};
std::array<KnownMapping, kMappingsMax> g_mappings;
std::uintptr_t g_page_bytes = 0;
struct sigaction g_other_handler {};

void PutZeros(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const KnownMapping& mapping : g_mappings) {
    if (address < mapping.begin || address >= mapping.end) continue;
    const std::uintptr_t page = address / g_page_bytes * g_page_bytes;
    void* zeros = ::mmap(reinterpret_cast<void*>(page), g_page_bytes, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros != MAP_FAILED) return;
  }
  if ((g_other_handler.sa_flags & SA_SIGINFO) != 0)
    return g_other_handler.sa_sigaction(signal, info, context);
  if (g_other_handler.sa_handler != SIG_DFL && g_other_handler.sa_handler != SIG_IGN)
    return g_other_handler.sa_handler(signal);
  ::signal(signal, SIG_DFL);  // the instruction runs again, and ends the program
}

// The place in the table; null: it is full.
KnownMapping* Remember(std::uintptr_t begin, std::size_t size_bytes) {
  if (g_page_bytes == 0) {
    g_page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = PutZeros;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, &g_other_handler);
  }
  for (KnownMapping& mapping : g_mappings) {
    if (mapping.end != 0) continue;
    mapping.begin = begin;
    mapping.end = begin + size_bytes;
    return &mapping;
  }
  return nullptr;
}

class MappedBytes final : public FileBytes {
 public:
  // `known`: of the mapping. The descriptor is closed with it.
  MappedBytes(int descriptor, const struct stat& info, std::string_view bytes, KnownMapping& known)
      : descriptor_(descriptor), info_(info), bytes_(bytes), known_(known) {}
  ~MappedBytes() override {
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    known_.end = 0;
    ::close(descriptor_);
  }
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;

  std::string_view view() const override { return bytes_; }
  void LeaveBehind(std::size_t offset) const override {
    const std::size_t whole = offset / g_page_bytes * g_page_bytes;
    ::madvise(const_cast<char*>(bytes_.data()), whole, MADV_DONTNEED);
  }
  bool HasChanged() const override {
    struct stat now {};
    return ::fstat(descriptor_, &now) != 0 || now.st_size != info_.st_size ||
           now.st_mtim.tv_sec != info_.st_mtim.tv_sec || now.st_mtim.tv_nsec != info_.st_mtim.tv_nsec;
  }

 private:
  int descriptor_;
  struct stat info_;
  std::string_view bytes_;
  KnownMapping& known_;
};

// The mapping, which owns `descriptor`; null where nothing can be mapped.
std::shared_ptr<const FileBytes> Mapped(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || info.st_size <= 0) return nullptr;
  const auto size_bytes = static_cast<std::size_t>(info.st_size);
  void* at = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (at == MAP_FAILED) return nullptr;
  KnownMapping* known = Remember(reinterpret_cast<std::uintptr_t>(at), size_bytes);
  if (known == nullptr) {
    ::munmap(at, size_bytes);
    return nullptr;
  }
  ::madvise(at, size_bytes, MADV_SEQUENTIAL);
  return std::make_shared<const MappedBytes>(
      descriptor, info, std::string_view(static_cast<const char*>(at), size_bytes), *known);
}

class OwnedBytes final : public FileBytes {
 public:
  explicit OwnedBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view view() const override { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

std::shared_ptr<const FileBytes> InMemory(std::string bytes) {
  return std::make_shared<const OwnedBytes>(std::move(bytes));
}

Result<std::shared_ptr<const FileBytes>> MapDescriptor(int descriptor, std::uint64_t bytes_max,
                                                       std::string_view path) {
  struct stat info {};
  const bool is_known = ::fstat(descriptor, &info) == 0;
  if (is_known && static_cast<std::uint64_t>(info.st_size) > bytes_max) {
    ::close(descriptor);
    return TooLong(path, bytes_max);
  }
  if (std::shared_ptr<const FileBytes> mapped = Mapped(descriptor)) return mapped;
  const int error_number = errno;
  ::close(descriptor);
  if (is_known && info.st_size == 0) return InMemory(std::string());
  return ReadError("the file", path, error_number);
}

Result<std::shared_ptr<const FileBytes>> OpenFileBytes(std::string_view path, std::uint64_t bytes_max) {
  ASSAY_TRY(const OpenFile file, OpenFile::Open(path, bytes_max));
  if (file.size_bytes() > kReadWholeMax) {
    const int own = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
    if (own >= 0) {
      if (std::shared_ptr<const FileBytes> mapped = Mapped(own)) return mapped;
      ::close(own);
    }
  }
  ASSAY_TRY(std::string bytes, DiskFileReader(bytes_max).Read(path));
  return InMemory(std::move(bytes));
}

}  // namespace assay
