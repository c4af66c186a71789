// Names of libcurl to functions.
#include "io/http/curl_api.h"

#include <dlfcn.h>

#include <fmt/core.h>

namespace assay {

namespace {

constexpr const char* kLibrary = "libcurl.so.4";

// Binds `function` to a name of the library; false if there is no such name.
template <class Function>
bool Bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<CurlApi> OpenCurl() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return Error{ErrorCode::kIo,
                 fmt::format("models are asked through libcurl, which cannot be opened ({}); install the "
                             "package libcurl4",
                             reason == nullptr ? kLibrary : reason)};
  }
  CurlApi api;
  const bool is_complete = Bind(library, "curl_global_init", api.global_init) &&
                           Bind(library, "curl_easy_init", api.easy_init) &&
                           Bind(library, "curl_easy_cleanup", api.easy_cleanup) &&
                           Bind(library, "curl_easy_setopt", api.easy_setopt) &&
                           Bind(library, "curl_easy_getinfo", api.easy_getinfo) &&
                           Bind(library, "curl_easy_strerror", api.easy_strerror) &&
                           Bind(library, "curl_multi_init", api.multi_init) &&
                           Bind(library, "curl_multi_cleanup", api.multi_cleanup) &&
                           Bind(library, "curl_multi_setopt", api.multi_setopt) &&
                           Bind(library, "curl_multi_add_handle", api.multi_add_handle) &&
                           Bind(library, "curl_multi_remove_handle", api.multi_remove_handle) &&
                           Bind(library, "curl_multi_socket_action", api.multi_socket_action) &&
                           Bind(library, "curl_multi_info_read", api.multi_info_read) &&
                           Bind(library, "curl_share_init", api.share_init) &&
                           Bind(library, "curl_share_cleanup", api.share_cleanup) &&
                           Bind(library, "curl_share_setopt", api.share_setopt) &&
                           Bind(library, "curl_slist_append", api.slist_append) &&
                           Bind(library, "curl_slist_free_all", api.slist_free_all);
  if (!is_complete || api.global_init(CURL_GLOBAL_ALL) != CURLE_OK) {
    return Error{ErrorCode::kIo, fmt::format("{} is not the libcurl that was expected", kLibrary)};
  }
  return api;
}

}  // namespace assay
