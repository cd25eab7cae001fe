// The second TypeScript SDK (`@modelcontextprotocol/client` 2.x): both eras. Modes:
//   auto    `server/discover` first, to a short-lived process of its own, then either era (default)
//   modern  pinned to 2026-07-28: discover must offer it, and there is no fallback
//   legacy  the `initialize` handshake alone, as the SDK does when it is not configured
// Usage and output: scenario.mjs.

import { clientInfo, main, sdk } from './scenario.mjs';

const { Client } = sdk('@modelcontextprotocol/client');
const { StdioClientTransport } = sdk('@modelcontextprotocol/client/stdio');

const negotiation = { auto: 'auto', modern: { pin: '2026-07-28' }, legacy: 'legacy' };

await main(['auto', 'modern', 'legacy'], async (mode, command, args) => {
    const client = new Client(clientInfo, {
        capabilities: {},
        versionNegotiation: { mode: negotiation[mode] },
    });
    await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
    const negotiated = () => ({
        protocol: client.getNegotiatedProtocolVersion() ?? null,
        era: client.getProtocolEra() ?? null,
    });
    return { client, negotiated };
});
