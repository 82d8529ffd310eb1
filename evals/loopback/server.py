"""An OpenAI-compatible server for chat completions, plain and streamed, that plays a policy."""

import contextlib
import json
import select
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self, cast

from evals.loopback.played import Asked, Played, Policy

PIECE = 12
POLL_SECONDS = 0.02
Json = dict[str, object]


class LoopbackOpenAI:
    """Listens on a free port of the loopback interface while it is used as a context manager. `asked` are the requests so far."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.asked: list[Asked] = []
        self.cut_off = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"of": self}))
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def reply(self, asked: Asked) -> Played:
        """Note the request and play it."""
        with self._lock:
            self.asked.append(asked)
        return self.policy(asked)

    def lost(self) -> None:
        """A client hung up before its reply was whole."""
        with self._lock:
            self.cut_off += 1

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that resets its connection between two requests is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    """Without buffering of small packets a call takes 40 ms less."""

    of: LoopbackOpenAI
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, format: str, *args: object) -> None:
        """Requests are kept, not printed."""

    def do_POST(self) -> None:
        try:
            body = self._body()
            asked = _asked(body)
            played = self.of.reply(asked)
            self._sleep(played.delay)
            if played.status != 200:
                self._whole(played.status, {"error": {"message": played.message, "type": "played", "code": None}}, played)
            elif asked.streamed:
                self._stream(list(_chunks(body, played)), played)
            else:
                self._whole(200, _completion(body, played), played)
        except (BrokenPipeError, ConnectionResetError):
            self.of.lost()
            self.close_connection = True

    def _body(self) -> Json:
        length = int(self.headers["content-length"])
        sent = self.rfile.read(length)
        if len(sent) < length:
            raise ConnectionResetError("the client hung up before its request was whole")
        return cast(Json, json.loads(sent))

    def _whole(self, status: int, body: Json, played: Played) -> None:
        data = json.dumps(body).encode()
        self._head(status, {"content-type": "application/json", "content-length": str(len(data)), **played.headers})
        pieces = [data] if not (played.drip or played.cut is not None) else [data[i : i + PIECE] for i in range(0, len(data), PIECE)]
        self._send(pieces, played)

    def _stream(self, chunks: Sequence[Json], played: Played) -> None:
        self._head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked", **played.headers})
        events = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks] + [b"data: [DONE]\n\n", b""]
        self._send([b"%x\r\n%s\r\n" % (len(event), event) for event in events], played)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        """One reply per connection: clients that keep theirs open would outlive the server."""
        self.send_response(status)
        for name, value in {"connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, pieces: Sequence[bytes], played: Played) -> None:
        for place, piece in enumerate(pieces):
            if played.cut == place:
                self.close_connection = True
                return
            self.wfile.write(piece)
            self.wfile.flush()
            self._sleep(played.drip)

    def _sleep(self, seconds: float) -> None:
        """ConnectionResetError as soon as the client hangs up: it sends nothing before its reply is whole."""
        readable = seconds and select.select([self.connection], [], [], seconds)[0]
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionResetError("the client hung up")


def _asked(body: Json) -> Asked:
    tools = [str(tool["function"]["name"]) for tool in cast(list[dict[str, Json]], body.get("tools") or [])]
    chosen = isinstance(body.get("tool_choice"), dict)
    messages = [(str(m["role"]), _text(m.get("content"))) for m in cast(list[Json], body["messages"])]
    most = int(cast(int, body.get("max_completion_tokens") or body.get("max_tokens") or 0))
    form = "json_schema" if body.get("response_format") else "function_calling" if chosen else "text"
    return Asked(messages, tools, form, bool(body.get("stream")), most, body.get("parallel_tool_calls") is False)  # type: ignore[arg-type]


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def _completion(body: Json, played: Played) -> Json:
    message = {"role": "assistant", "content": played.text or None, "tool_calls": _calls(played) or None}
    return {
        **_base(body), "object": "chat.completion", "usage": _usage(played),
        "choices": [{"index": 0, "finish_reason": "tool_calls" if played.calls else "stop", "message": message}],
    }  # fmt: skip


def _chunks(body: Json, played: Played) -> Iterator[Json]:
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": played.text[i : i + PIECE]} for i in range(0, len(played.text), PIECE)]
    deltas += [{"tool_calls": [{"index": i, **made}]} for i, made in enumerate(_calls(played))]
    base = {**_base(body), "object": "chat.completion.chunk"}
    for delta in deltas:
        yield {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if played.calls else "stop"}]}
    with contextlib.suppress(AttributeError):
        if cast(Json, body.get("stream_options")).get("include_usage") and played.tokens:
            yield {**base, "choices": [], "usage": _usage(played)}


def _calls(played: Played) -> list[Json]:
    return [
        {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for i, (name, arguments) in enumerate(played.calls)
    ]


def _usage(played: Played) -> Json | None:
    if played.tokens is None:
        return None
    prompt, completion = played.tokens
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _base(body: Json) -> Json:
    return {"id": "chatcmpl-played", "created": 0, "model": body["model"]}
