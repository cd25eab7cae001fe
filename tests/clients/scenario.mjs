// What ts1.mjs and ts2.mjs share: arguments, the scenarios and the JSON they print.
//
//   node tsN.mjs list            [--mode MODE] -- PROGRAM [ARG…]
//   node tsN.mjs calls FILE.json [--mode MODE] -- PROGRAM [ARG…]
//
// `list` connects and lists every tool; `calls` does the same and then makes the calls of
// FILE.json, an array of {"name", "arguments"}, in order. One JSON object goes to stdout. Anything
// that stops a scenario goes to stderr, with exit code 1.
//
// The SDKs are taken from the folder that POSTHOUSE_TEST_CLIENTS names (`cargo xtask gates clients`
// fills it), else from target/clients.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A scenario takes at most this long, connecting and closing included. */
const TIME_LIMIT_MS = 90_000;

const here = dirname(fileURLToPath(import.meta.url));
const clients = process.env.POSTHOUSE_TEST_CLIENTS ?? join(here, '..', '..', 'target', 'clients');

/** `require`, as seen from the folder the SDKs are installed in. */
export const sdk = createRequire(join(resolve(clients), 'node', 'package.json'));

/** Who we say we are, the same in every client script. */
export const clientInfo = { name: 'posthouse-tests', version: '1.0.0' };

function parseArguments(modes) {
    const words = process.argv.slice(2);
    const split = words.indexOf('--');
    if (split < 0 || split + 1 >= words.length) throw new Error('no server command after --');
    const [program, ...args] = words.slice(split + 1);
    const own = words.slice(0, split);
    const scenario = own.shift();
    let calls = [];
    if (scenario === 'calls') calls = JSON.parse(readFileSync(own.shift(), 'utf8'));
    else if (scenario !== 'list') throw new Error(`unknown scenario ${scenario}`);
    let mode = modes[0];
    if (own[0] === '--mode') [, mode] = own.splice(0, 2);
    if (own.length > 0) throw new Error(`unexpected argument ${own[0]}`);
    if (!modes.includes(mode)) throw new Error(`mode must be one of ${modes.join(', ')}, not ${mode}`);
    return { calls, mode, program, args };
}

async function listTools(client) {
    const tools = [];
    let cursor;
    do {
        const page = await client.listTools(cursor === undefined ? undefined : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
}

async function call(client, { name, arguments: args }) {
    try {
        return { name, result: await client.callTool({ name, arguments: args }) };
    } catch (error) {
        const { code, data, message } = error;
        return { name, error: { code, message, data } };
    }
}

/**
 * Runs the scenario that the command line names. `connect(mode, program, args)` gives
 * `{ client, negotiated }`, the second a function to `{ protocol, era }` that is called at the end.
 */
export async function main(modes, connect) {
    const timer = setTimeout(() => {
        console.error(`the scenario took longer than ${TIME_LIMIT_MS} ms`);
        process.exit(1);
    }, TIME_LIMIT_MS);
    try {
        const { calls, mode, program, args } = parseArguments(modes);
        const { client, negotiated } = await connect(mode, program, args);
        const tools = await listTools(client);
        const results = [];
        for (const one of calls) results.push(await call(client, one));
        const seen = {
            mode,
            ...negotiated(),
            server: client.getServerVersion() ?? null,
            instructions: client.getInstructions() ?? null,
            capabilities: client.getServerCapabilities() ?? null,
            tools,
            results,
        };
        await client.close();
        process.stdout.write(`${JSON.stringify(seen)}\n`);
    } catch (error) {
        console.error(error?.stack ?? String(error));
        // A server that still runs would keep us here; it sees its stdin end.
        process.exit(1);
    }
    clearTimeout(timer);
}
