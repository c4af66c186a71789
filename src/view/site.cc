// Checks who asks, and answers from the table of pages or that of endpoints.
#include "view/site.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/errors/assert.h"
#include "base/text/ascii.h"
#include "base/wire/secret.h"
#include "report/page/page_files.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// The policy of every reply: scripts and styles of this server's own, and nothing that could make markup of a
// text. Pictures are blobs: the browser cannot ask for them with the token, the page does.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob:; connect-src 'self'; base-uri "
    "'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types "
    "'none'";
constexpr std::string_view kApi = "/api/1/";
constexpr std::string_view kScheme = "bearer ";
constexpr std::string_view kPageOutside =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>assay</title>\n"
    "<p>Open the address that <code>assay view</code> printed.</p>\n</html>\n";

std::vector<HttpHeader> HeadersOf(std::string_view type) {
  std::vector<HttpHeader> headers = PolicyHeaders();
  headers.push_back({"Content-Type", std::string(type)});
  return headers;
}

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kInvalidInput:
    case ErrorCode::kLimit:
      return 400;
    case ErrorCode::kRefused:
      return 403;
    // The program works; what the store says cannot be shown.
    case ErrorCode::kCorrupt:
    case ErrorCode::kUnsupported:
      return 422;
    default:
      return 500;
  }
}

// A command that mends it; "": none does.
std::string RemedyOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kCorrupt:
      return "assay runs";
    case ErrorCode::kNotFound:
      return "assay runs";
    default:
      return {};
  }
}

ServedReply Failure(int status, const Error& error) {
  const std::string remedy = RemedyOf(error);
  return {
      .status = status,
      .headers = HeadersOf("application/json"),
      .body = WriteJson(Object{{"error", Object{{"code", ErrorCodeName(error.code)},
                                                {"message", error.message},
                                                {"remedy", remedy.empty() ? Value(Null{}) : Value(remedy)}}}},
                        JsonStyle::kJavaScript)};
}

ServedReply Refusal(std::string message) { return Failure(403, {ErrorCode::kRefused, std::move(message)}); }

std::string_view TypeOfFile(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

struct ByteRange {
  std::size_t first = 0;
  std::size_t last = 0;  // included
};

// One range of bytes; nothing: none was asked for that can be told.
std::optional<ByteRange> RangeOf(std::string_view text, std::size_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!text.starts_with(kUnit) || size == 0) return std::nullopt;
  text.remove_prefix(kUnit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || text.find(',') != std::string_view::npos) return std::nullopt;
  const std::string_view words[] = {text.substr(0, dash), text.substr(dash + 1)};
  std::optional<std::size_t> numbers[2];
  for (int i = 0; i < 2; ++i) {
    if (words[i].empty()) continue;
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), value);
    if (error != std::errc() || end != words[i].data() + words[i].size()) return std::nullopt;
    numbers[i] = value;
  }
  const auto [first, last] = numbers;
  if (!first && !last) return std::nullopt;
  if (!first) return ByteRange{size - std::min(*last, size), size - 1};
  return ByteRange{*first, std::min(last.value_or(size - 1), size - 1)};
}

void CutToRange(const ServedRequest& request, ServedReply& reply) {
  const std::string_view asked = request.Header("range");
  if (asked.empty()) return;
  const std::size_t size = reply.body.size();
  const std::optional<ByteRange> range = RangeOf(asked, size);
  if (!range) return;
  if (range->first > range->last) {
    reply.status = 416;
    reply.headers.push_back({"Content-Range", fmt::format("bytes */{}", size)});
    reply.body.clear();
    return;
  }
  reply.status = 206;
  reply.headers.push_back({"Content-Range", fmt::format("bytes {}-{}/{}", range->first, range->last, size)});
  reply.body = reply.body.substr(range->first, range->last - range->first + 1);
}

// Bytes that nobody can guess, as hex digits.
template <std::size_t kBytes>
std::string NewDigits() {
  unsigned char bytes[kBytes];
  ASSAY_ASSERT(getentropy(bytes, sizeof bytes) == 0);
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string NewToken() { return NewDigits<32>(); }

constexpr std::size_t kFolderBytes = 8;

// Whether it asks for the API, of any folder.
bool IsOfApi(const ServedRequest& request) {
  return request.target.substr(0, request.target.find('?')).find(kApi) != std::string::npos;
}

// Whether a header says so that browsers add, and scripts do not.
bool IsFromBrowser(const ServedRequest& request) {
  return std::any_of(request.headers.begin(), request.headers.end(), [](const HttpHeader& header) {
    return header.name == "origin" || header.name.starts_with("sec-");
  });
}

}  // namespace

std::vector<HttpHeader> PolicyHeaders() {
  return {{"Content-Security-Policy", std::string(kPolicy)},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Origin-Agent-Cluster", "?1"},
          {"X-Frame-Options", "DENY"},
          {"Cache-Control", "no-store"}};
}

Site::Site(Library& library, std::uint16_t port)
    : library_(library),
      token_(NewToken()),
      token_of_pages_(NewToken()),
      folder_(fmt::format("/{}/", NewDigits<kFolderBytes>())),
      host_(fmt::format("127.0.0.1:{}", port)),
      named_(fmt::format("localhost:{}", port)) {}

std::string Site::AddTokenForOnce(std::function<void()> when_taken) {
  once_ = NewToken();
  when_taken_ = std::move(when_taken);
  return once_;
}

// Whether no other page has caused the request, as far as the browser says. A link of another page may lead
// to the pages here, which hold nothing: what they show they ask for.
bool Site::IsFromOwnPage(const ServedRequest& request) const {
  const auto has = [&request](std::string_view name) {
    return std::any_of(request.headers.begin(), request.headers.end(),
                       [name](const HttpHeader& header) { return header.name == name; });
  };
  if (has("origin") && request.Header("origin") != "http://" + host_) return false;
  const std::string_view site = request.Header("sec-fetch-site");
  if (!has("sec-fetch-site") || site == "same-origin" || site == "none") return true;
  return !IsOfApi(request) && request.Header("sec-fetch-mode") == "navigate" &&
         request.Header("sec-fetch-dest") == "document";
}

// By a header, which no browser sends by itself: a cookie of 127.0.0.1 goes to the servers of all its ports.
// Any page of the origin can read the token of the pages, also one that a browser has kept of somebody else's
// server; it does not know the folder. Outside, where a browser may have such replies, pages ask for nothing.
bool Site::MayAskApi(const ServedRequest& request, std::string_view folder) const {
  const std::string_view words = request.Header("authorization");
  if (AsciiLower(words.substr(0, kScheme.size())) != kScheme) return false;
  const std::string_view token = words.substr(kScheme.size());
  if (folder == "/") return !IsFromBrowser(request) && AreEqualSecrets(token, token_);
  return AreEqualSecrets(folder, folder_) && AreEqualSecrets(token, token_of_pages_);
}

// Of "/3fa9…/main.js" "main.js"; nothing: it is outside.
std::optional<std::string_view> Site::BelowFolder(std::string_view path) const {
  if (!AreEqualSecrets(path.substr(0, folder_.size()), folder_)) return std::nullopt;
  return path.substr(folder_.size());
}

ServedReply Site::TakeToken(const ServedRequest& request) {
  if (request.Header("origin").empty()) return Refusal("expected the Origin of the page");
  const bool is_once = !once_.empty() && AreEqualSecrets(request.body, once_);
  if (!is_once && !AreEqualSecrets(request.body, token_))
    return Refusal("this is not the token of this server");
  if (is_once) {
    once_.clear();
    if (when_taken_) when_taken_();
  }
  return {.headers = HeadersOf("text/plain"), .body = token_of_pages_, .next = {}};
}

ServedReply Site::AnswerApi(const ServedRequest& request, std::string_view path) {
  Routed routed = Route(path);
  if (routed.row == nullptr) return Failure(404, {ErrorCode::kNotFound, "there is no such path"});
  routed.asked.last_event = request.Header("last-event-id");
  std::string tag;
  Result<Made> made = Made();
  if (routed.row->of_run != nullptr) {
    const Result<OpenedRun*> run = library_.Open(routed.asked.names[0]);
    if (!run) return Failure(StatusOf(run.error().code), run.error());
    tag = fmt::format("\"{}\"", (*run)->Tag());
    if (request.Header("if-none-match") == tag) {
      ServedReply reply{.status = 304, .headers = HeadersOf("application/json"), .body = {}, .next = {}};
      reply.headers.push_back({"ETag", tag});
      return reply;
    }
    made = routed.row->of_run(library_, **run, routed.asked);
  } else {
    made = routed.row->make(library_, routed.asked);
  }
  if (!made) return Failure(StatusOf(made.error().code), made.error());
  ServedReply reply{
      .headers = HeadersOf(made->type), .body = std::move(made->body), .next = std::move(made->next)};
  if (!tag.empty()) reply.headers.push_back({"ETag", tag});
  if (reply.next == nullptr) CutToRange(request, reply);
  return reply;
}

ServedReply Site::Answer(const ServedRequest& request) {
  // Names that lead here by another way (a host of a page that was rebound to 127.0.0.1) are not ours.
  // "localhost" may lead to somebody else as well, who listens on ::1: pages have one origin.
  if (request.Header("host") == named_ && request.method == "GET" && !IsOfApi(request)) {
    ServedReply reply{.status = 302, .headers = HeadersOf("text/plain")};
    reply.headers.push_back({"Location", fmt::format("http://{}{}", host_, request.target)});
    return reply;
  }
  if (request.Header("host") != host_) return Refusal(fmt::format("expected the host {}", host_));
  if (!IsFromOwnPage(request)) return Refusal("this server answers its own pages only");
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  if (request.method == "POST") {
    return BelowFolder(path) == "token"
               ? TakeToken(request)
               : Failure(405, {ErrorCode::kUnsupported, "nothing here takes a POST"});
  }
  if (request.method != "GET" && request.method != "HEAD")
    return Failure(405, {ErrorCode::kUnsupported, "expected GET"});
  if (IsOfApi(request)) {
    const std::size_t at = target.find(kApi);
    if (!MayAskApi(request, target.substr(0, at + 1)))
      return Refusal("open the address that `assay view` printed");
    return AnswerApi(request, target.substr(at + kApi.size()));
  }
  return AnswerPage(path);
}

// A link of an earlier server does not lead to this one's folder: any page of the origin could follow it.
ServedReply Site::AnswerPage(std::string_view path) const {
  // Browsers ask for it unasked.
  if (path == "/favicon.ico")
    return {.status = 204, .headers = HeadersOf("image/x-icon"), .body = {}, .next = {}};
  const std::optional<std::string_view> below = BelowFolder(path);
  if (!below)
    return {.status = path == "/" ? 200 : 404,
            .headers = HeadersOf(TypeOfFile("index.html")),
            .body = std::string(kPageOutside)};
  const std::string_view name = below->empty() ? "index.html" : *below;
  for (const PageFile& file : PageFiles()) {
    if (file.name == name) return {.headers = HeadersOf(TypeOfFile(name)), .body = std::string(file.text)};
  }
  return Failure(404, {ErrorCode::kNotFound, "there is no such page"});
}

}  // namespace assay
