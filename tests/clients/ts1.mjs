// The first TypeScript SDK (`@modelcontextprotocol/sdk` 1.x): it knows only the handshake era.
// Usage and output: scenario.mjs.

import { clientInfo, main, sdk } from './scenario.mjs';

const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = sdk('@modelcontextprotocol/sdk/client/stdio.js');

await main(['legacy'], async (_mode, command, args) => {
    const client = new Client(clientInfo, { capabilities: {} });
    const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
    // The client keeps the negotiated version to itself but tells a transport that asks.
    let protocol = null;
    transport.setProtocolVersion = (version) => {
        protocol = version;
    };
    await client.connect(transport);
    return { client, negotiated: () => ({ protocol, era: 'legacy' }) };
});
