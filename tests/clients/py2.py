"""The second Python SDK (`mcp` 2.x): both eras. Usage and output: scenario.py. Modes:

    auto    `server/discover` first, then either era on the same pipe (the SDK's default)
    modern  2026-07-28 without any first exchange: the first request is the first thing said, so
            this client knows no server name and no instructions
    legacy  the `initialize` handshake alone
"""

import sys

sys.dont_write_bytecode = True

import scenario  # noqa: E402
from mcp import Client, MCPError, StdioServerParameters  # noqa: E402
from mcp.types import Implementation  # noqa: E402

MODERN = "2026-07-28"


async def run(arguments: scenario.Arguments) -> dict[str, object]:
    client = Client(
        StdioServerParameters(command=arguments.program, args=arguments.args),
        client_info=Implementation(**scenario.CLIENT_INFO),
        mode=MODERN if arguments.mode == "modern" else arguments.mode,
    )
    async with client:

        async def page(cursor: str | None) -> object:
            return await client.list_tools(cursor=cursor)

        tools = await scenario.list_tools(page, "next_cursor")
        results = await scenario.make_calls(arguments.calls, client.call_tool, MCPError)
        return {
            "protocol": client.protocol_version,
            "era": "legacy" if client.session.discover_result is None else "modern",
            "server": scenario.plain(client.server_info),
            "instructions": client.instructions,
            "capabilities": scenario.plain(client.server_capabilities),
            "tools": tools,
            "results": results,
        }


scenario.main(["auto", "modern", "legacy"], run)
