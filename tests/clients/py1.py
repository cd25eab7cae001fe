"""The first Python SDK (`mcp` 1.x): it knows only the handshake era. Usage and output: scenario.py."""

import sys

sys.dont_write_bytecode = True

import scenario  # noqa: E402
from mcp import ClientSession, McpError, StdioServerParameters, types  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402


async def run(arguments: scenario.Arguments) -> dict[str, object]:
    server = StdioServerParameters(command=arguments.program, args=arguments.args)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, client_info=types.Implementation(**scenario.CLIENT_INFO)) as session:
            hello = await session.initialize()

            async def page(cursor: str | None) -> types.ListToolsResult:
                return await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))

            tools = await scenario.list_tools(page, "nextCursor")
            results = await scenario.make_calls(arguments.calls, session.call_tool, McpError)
            return {
                "protocol": hello.protocolVersion,
                "era": "legacy",
                "server": scenario.plain(hello.serverInfo),
                "instructions": hello.instructions,
                "capabilities": scenario.plain(hello.capabilities),
                "tools": tools,
                "results": results,
            }


scenario.main(["legacy"], run)
