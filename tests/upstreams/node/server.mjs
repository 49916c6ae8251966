// An MCP server on the official Node SDK (v2), as its users write one: `server.mjs PORT [--sessions] [--json] [--old]`.
// Serves both eras on one endpoint; the initialize era without sessions, or with sessions of its own.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  acceptedContent, createMcpHandler, inputRequired, isLegacyRequest, McpServer, ProtocolError,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const TABLE = JSON.parse(readFileSync(new URL('../servers/tools.json', import.meta.url), 'utf8'));
const OF = Object.fromEntries(TABLE.tools.map((tool) => [tool.name, tool]));
const SLOW_MILLIS = 30_000;
const [port, ...flags] = process.argv.slice(2);
const slow = new Map();
let hasMore = false;
let announce = () => {};

const text = (said) => ({ content: [{ type: 'text', text: said }] });

function told(name, inputSchema) {
  const { title, description, annotations } = OF[name] ?? TABLE.added;
  return { title, description, annotations, ...(inputSchema ? { inputSchema } : {}) };
}

const contents = () => ({
  content: [
    { type: 'text', text: TABLE.text, annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: TABLE.data, mimeType: 'image/png' },
    { type: 'audio', data: TABLE.data, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'test://contract/1', mimeType: 'text/plain', text: TABLE.text } },
    { type: 'resource_link', uri: 'test://contract/2', name: '계약 2', mimeType: 'text/plain' },
  ],
});

async function progress(_args, context) {
  const token = context.mcpReq._meta?.progressToken;
  for (const done of [0, 50, 100]) {
    if (token !== undefined) {
      const params = { progressToken: token, progress: done, total: 100, message: `${done}%` };
      await context.mcpReq.notify({ method: 'notifications/progress', params });
    }
    await pause(20);
  }
  return text('done');
}

async function slowly({ key }, context) {
  slow.set(key, 'running');
  try {
    await pause(SLOW_MILLIS, undefined, { signal: context.mcpReq.signal });
    slow.set(key, 'done');
  } catch {
    slow.set(key, 'cancelled');
  }
  return text('done');
}

function ask(_args, context) {
  const { key, message, schema, state } = TABLE.ask;
  const answered = acceptedContent(context.mcpReq.inputResponses, key);
  if (answered === undefined) {
    const requestedSchema = schema;
    return inputRequired({
      inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) }, requestState: state,
    });
  }
  if (context.mcpReq.requestState() !== state) throw new ProtocolError(-32602, 'this is not the state of this call');
  return text(`안녕하세요, ${answered.name}님`);
}

function build() {
  const server = new McpServer({ name: 'node-sdk', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  const anything = {
    텍스트: z.string().max(100).optional(), integer: z.int().optional(), number: z.number().optional(),
    items: z.array(z.any()).optional(), nested: z.record(z.string(), z.any()).optional(),
  };
  const keyed = z.object({ key: z.string() });
  const typed = z.object({ n: z.int(), 이름: z.string() });
  server.registerTool('echo', told('echo', z.object(anything)), (args) => text(JSON.stringify(args)));
  server.registerTool('contents', told('contents'), contents);
  server.registerTool('structured', { ...told('structured', z.object({ n: z.int() })), outputSchema: typed }, ({ n }) => ({
    ...text(JSON.stringify({ n, 이름: '홍길동' })), structuredContent: { n, 이름: '홍길동' },
  }));
  server.registerTool('refuse', told('refuse'), () => ({ ...text(TABLE.error), isError: true }));
  server.registerTool('raise', told('raise'), () => { throw new Error('secret of the server'); });
  server.registerTool('protocol_error', told('protocol_error'), () => {
    throw new ProtocolError(-32602, 'contractNo is malformed', { field: '계약번호', allowed: [1, 2] });
  });
  server.registerTool('progress', told('progress', z.object({})), progress);
  server.registerTool('slow', told('slow', keyed), slowly);
  server.registerTool('slow_state', told('slow_state', keyed), ({ key }) => text(slow.get(key) ?? 'unknown'));
  server.registerTool('change_tools', told('change_tools'), () => {
    hasMore = !hasMore;
    announce();
    return text(String(TABLE.tools.length + Number(hasMore)));
  });
  server.registerTool('ask', told('ask', z.object({})), ask);
  if (hasMore) addTo(server);
  return server;
}

function addTo(server) {
  return server.registerTool('added', told('added'), () => text('added'));
}

const keepsSessions = flags.includes('--sessions');
const handler = createMcpHandler(build, {
  legacy: keepsSessions ? 'reject' : 'stateless', responseMode: flags.includes('--json') ? 'json' : 'auto',
});
const modern = toNodeHandler(handler);
const sessions = new Map();
announce = () => {
  handler.notify.toolsChanged();
  for (const session of sessions.values()) { // registering and removing tell the session's client by themselves
    if (hasMore) session.added = addTo(session.server);
    else session.added?.remove();
  }
};

// In the words of an SDK that does not know the revision.
function refuse(response) {
  const error = { code: -32000, message: 'Bad Request: Unsupported protocol version: 2026-07-28' };
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

async function serve(request, response) {
  if (new URL(request.url, 'http://any').pathname !== '/mcp') return response.writeHead(404).end();
  if (flags.includes('--old') && request.headers['mcp-protocol-version'] === '2026-07-28') return refuse(response);
  if (!keepsSessions) return modern(request, response);
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
  if (await isLegacyRequest(await toWebRequest(request, body))) return legacy(request, response, body);
  return modern(request, response, body);
}

async function legacy(request, response, body) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known.transport.handleRequest(request, response, body);
  if (request.headers['mcp-session-id']) {
    const error = { code: -32001, message: 'Session not found' };
    response.writeHead(404, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
  }
  const server = build();
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: flags.includes('--json'),
    onsessioninitialized: (id) => sessions.set(id, { server, transport }),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await server.connect(transport);
  return transport.handleRequest(request, response, body);
}

const listening = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
listening.listen(Number(port), '127.0.0.1', () => console.log(`listening ${listening.address().port}`));
