// Loads libcurl at first use, from the machine's library or from the one inside the portable program.
#include "io/http/curl_api.h"

#include <dlfcn.h>

#include <fmt/core.h>

namespace assay {

namespace {

#ifdef ASSAY_CURL_INSIDE
#define ASSAY_BIND(name) Bind(api.name, &::curl_##name)

Result<void*> OpenLibrary() { return nullptr; }

template <class Function>
bool Bind(Function& function, Function inside) {
  function = inside;
  return true;
}
#else
#define ASSAY_BIND(name) Bind(api.name, library.value(), "curl_" #name)

constexpr const char* kLibrary = "libcurl.so.4";

Result<void*> OpenLibrary() {
  if (void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  return Error{ErrorCode::kIo,
               fmt::format("models are asked through libcurl, which cannot be opened ({}); install the "
                           "package libcurl4",
                           reason == nullptr ? kLibrary : reason)};
}

// Binds `function` to a name of the library; false if there is no such name.
template <class Function>
bool Bind(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}
#endif

}  // namespace

Result<CurlApi> OpenCurl() {
  const Result<void*> library = OpenLibrary();
  if (!library) return library.error();
  CurlApi api;
  const bool is_complete = ASSAY_BIND(global_init) && ASSAY_BIND(easy_init) && ASSAY_BIND(easy_cleanup) &&
                           ASSAY_BIND(easy_setopt) && ASSAY_BIND(easy_getinfo) && ASSAY_BIND(easy_strerror) &&
                           ASSAY_BIND(multi_init) && ASSAY_BIND(multi_cleanup) && ASSAY_BIND(multi_setopt) &&
                           ASSAY_BIND(multi_add_handle) && ASSAY_BIND(multi_remove_handle) &&
                           ASSAY_BIND(multi_socket_action) && ASSAY_BIND(multi_info_read) &&
                           ASSAY_BIND(share_init) && ASSAY_BIND(share_cleanup) && ASSAY_BIND(share_setopt) &&
                           ASSAY_BIND(slist_append) && ASSAY_BIND(slist_free_all);
  if (!is_complete || api.global_init(CURL_GLOBAL_ALL) != CURLE_OK)
    return Error{ErrorCode::kIo, "this libcurl is not the one that was expected"};
  return api;
}

}  // namespace assay
