"""A chat model in this process that plays a policy, with tools, schemas, streams and usage, but without a socket."""

import json
from collections.abc import Iterator, Sequence
from typing import Literal, cast

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from evals.loopback.played import Asked, Played, Policy

PIECE = 12
_ROLES = {"human": "user", "ai": "assistant"}


class Refused(Exception):
    """The played provider's error; `status_code` as clients carry it."""

    def __init__(self, played: Played) -> None:
        super().__init__(played.message)
        self.status_code = played.status


class PlayedChat(BaseChatModel):
    """`asked` are the requests so far."""

    policy: Policy
    _asked: list[Asked] = PrivateAttr(default_factory=list)

    @property
    def asked(self) -> list[Asked]:
        """In the order in which they came."""
        return self._asked

    @property
    def _llm_type(self) -> str:
        return "played"

    def bind_tools(
        self, tools: Sequence[object], *, tool_choice: str | None = None, **kwargs: object
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Tools in OpenAI's form; one that is chosen is how a schema is asked for."""
        return self.bind(tools=[convert_to_openai_tool(cast(BaseTool, one)) for one in tools], tool_choice=tool_choice, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        played = self._played(messages, kwargs, streamed=False)
        calls = [{"name": name, "args": dict(args), "id": f"call_{n}"} for n, (name, args) in enumerate(played.calls)]
        message = AIMessage(played.text, tool_calls=calls, usage_metadata=_usage(played))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> Iterator[ChatGenerationChunk]:
        played = self._played(messages, kwargs, streamed=True)
        pieces = [AIMessageChunk(content=played.text[i : i + PIECE]) for i in range(0, len(played.text), PIECE)]
        calls = [tool_call_chunk(name=name, args=json.dumps(args), id=f"call_{n}", index=n) for n, (name, args) in enumerate(played.calls)]
        for piece in [
            *pieces,
            AIMessageChunk(content="", tool_call_chunks=calls),
            AIMessageChunk(content="", usage_metadata=_usage(played)),
        ]:
            chunk = ChatGenerationChunk(message=piece)
            if run_manager:
                run_manager.on_llm_new_token(piece.text, chunk=chunk)
            yield chunk

    def _played(self, messages: Sequence[BaseMessage], options: dict[str, object], *, streamed: bool) -> Played:
        tools = [str(tool["function"]["name"]) for tool in cast(list[dict[str, dict[str, object]]], options.get("tools") or [])]
        form: Literal["json_schema", "function_calling", "text"] = (
            "json_schema" if options.get("response_format") else "function_calling" if options.get("tool_choice") else "text"
        )
        said = [(_ROLES.get(m.type, m.type), m.text) for m in messages]
        asked = Asked(said, tools, form, streamed, int(cast(int, options.get("max_tokens") or 0)))
        self._asked.append(asked)
        played = self.policy(asked)
        if played.status != 200:
            raise Refused(played)
        return played


def _usage(played: Played) -> UsageMetadata | None:
    if played.tokens is None:
        return None
    prompt, completion = played.tokens
    return UsageMetadata(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)
