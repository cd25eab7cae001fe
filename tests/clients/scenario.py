"""What py1.py and py2.py share: arguments, the scenarios and the JSON they print.

    python pyN.py list            [--mode MODE] -- PROGRAM [ARG…]
    python pyN.py calls FILE.json [--mode MODE] -- PROGRAM [ARG…]

`list` connects and lists every tool; `calls` does the same and then makes the calls of FILE.json,
an array of {"name", "arguments"}, in order. One JSON object goes to stdout. Anything that stops a
scenario goes to stderr, with exit code 1.
"""

import asyncio
import json
import sys
import traceback
from typing import Any, Awaitable, Callable

TIME_LIMIT_SECONDS = 90
"""A scenario takes at most this long, connecting and closing included."""

CLIENT_INFO = {"name": "posthouse-tests", "version": "1.0.0"}
"""Who we say we are, the same in every client script."""


class Arguments:
    """A parsed command line."""

    def __init__(self, words: list[str], modes: list[str]) -> None:
        if "--" not in words or words[-1] == "--":
            raise SystemExit("no server command after --")
        split = words.index("--")
        self.program, *self.args = words[split + 1 :]
        scenario, *own = words[:split] or [""]
        self.calls: list[dict[str, Any]] = []
        if scenario == "calls" and own:
            with open(own.pop(0), encoding="utf-8") as file:
                self.calls = json.load(file)
        elif scenario != "list":
            raise SystemExit(f"unknown scenario {scenario}")
        self.mode = modes[0]
        if own[:1] == ["--mode"]:
            self.mode, own = own[1], own[2:]
        if own:
            raise SystemExit(f"unexpected argument {own[0]}")
        if self.mode not in modes:
            raise SystemExit(f"mode must be one of {', '.join(modes)}, not {self.mode}")


def plain(model: Any) -> Any:
    """A wire object as JSON data, exactly the fields that the peer sent."""
    return None if model is None else model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def list_tools(list_page: Callable[[str | None], Awaitable[Any]], next_cursor: str) -> list[Any]:
    """Every tool, page by page; `next_cursor` is what this SDK calls the attribute."""
    tools: list[Any] = []
    cursor = None
    while True:
        page = await list_page(cursor)
        tools.extend(plain(tool) for tool in page.tools)
        cursor = getattr(page, next_cursor)
        if cursor is None:
            return tools


async def make_calls(
    calls: list[dict[str, Any]], call_tool: Callable[[str, Any], Awaitable[Any]], protocol_error: type[Exception]
) -> list[Any]:
    """The result, or the error, of each call in order."""
    results: list[Any] = []
    for call in calls:
        name = call["name"]
        try:
            results.append({"name": name, "result": plain(await call_tool(name, call.get("arguments")))})
        except protocol_error as error:
            # Both SDKs keep the JSON-RPC error in `error`.
            results.append({"name": name, "error": plain(getattr(error, "error"))})
        except Exception as error:  # what the SDK itself refuses, such as a result its schema forbids
            results.append({"name": name, "error": {"message": str(error)}})
    return results


def main(modes: list[str], run: Callable[[Arguments], Awaitable[dict[str, Any]]]) -> None:
    """Runs the scenario that the command line names and prints what `run` saw."""
    arguments = Arguments(sys.argv[1:], modes)
    try:
        seen = asyncio.run(asyncio.wait_for(run(arguments), TIME_LIMIT_SECONDS))
    except BaseException:
        traceback.print_exc()
        raise SystemExit(1) from None
    print(json.dumps({"mode": arguments.mode, **seen}, ensure_ascii=False))
