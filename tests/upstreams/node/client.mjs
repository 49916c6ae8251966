// The official Node client: `client.mjs URL legacy|2026-07-28`. Reads a JSON list of [tool, arguments] from standard
// input, lists the tools, makes the calls, and writes what it saw as one JSON document.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, era] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(0, 'utf8'));
const mode = era === 'legacy' ? 'legacy' : { pin: era };
const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } };
const client = new Client({ name: 'node-client', version: '1.0.0' }, options);
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: '홍길동' } }));

async function outcome(name, args) {
  const progress = [];
  try {
    const onprogress = (step) => progress.push([step.progress, step.total, step.message]);
    const result = await client.callTool({ name, arguments: args }, { onprogress });
    return { result, progress };
  } catch (error) {
    return { error: { code: error.code, message: error.message, data: error.data }, progress };
  }
}

await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const outcomes = [];
for (const [name, args] of calls) outcomes.push(await outcome(name, args));
await client.close();
process.stdout.write(JSON.stringify({ tools, outcomes }));
