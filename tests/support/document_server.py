"""A web server whose documents misbehave on request: cut off, slow, redirected, failing for a while."""
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class DocumentServer:
    """`pages`: path -> bytes, or a function of (handler, number of this request for the path) that answers itself."""

    def __init__(self, pages):
        self.pages = pages
        self.requests = []  # (path, headers)
        self.counts = {}
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with outer._lock:
                    outer.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                    number = outer.counts[self.path] = outer.counts.get(self.path, 0) + 1
                    outer._at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer._at_once)
                try:
                    page = outer.pages.get(self.path)
                    if callable(page):
                        page(self, number)
                    elif page is None:
                        send(self, 404, b"none")
                    else:
                        send(self, 200, page)
                except (BrokenPipeError, ConnectionResetError):
                    pass
                finally:
                    with outer._lock:
                        outer._at_once -= 1

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def send(handler, status, body, **headers):
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def redirect(target):
    return lambda handler, number: send(handler, 302, b"", Location=target)


def failing_first(times, body):
    """503, which asks for no pause, `times` times; then the document."""
    return lambda handler, number: (send(handler, 503, b"later", Retry_After="0") if number <= times
                                    else send(handler, 200, body))


def cut(body, at, tag='"v1"'):
    """Breaks off after `at` bytes; a request for the rest gets the rest."""
    def page(handler, number):
        asked = handler.headers.get("Range")
        if asked and handler.headers.get("If-Range") == tag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            send(handler, 206, body[start:], ETag=tag,
                 Content_Range=f"bytes {start}-{len(body) - 1}/{len(body)}")
            return
        handler.send_response(200)
        handler.send_header("ETag", tag)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:at])
        handler.wfile.flush()
        handler.close_connection = True
    return page


def stalled(seconds):
    """Begins no reply for so long."""
    return lambda handler, number: (threading.Event().wait(seconds), send(handler, 200, b"late"))


def slow(body, seconds):
    return lambda handler, number: (threading.Event().wait(seconds), send(handler, 200, body))
