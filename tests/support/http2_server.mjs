// A model service that speaks HTTP/2 only, for the end-to-end tests. node http2_server.mjs CERT KEY STREAMS DELAY_MS LIFE
//   STREAMS  how many requests it takes on one connection at a time
//   LIFE     how many it answers before it says goodbye (GOAWAY) and ends the connection; 0: it never does
// Prints its port. When its standard input ends, prints what it saw and ends: connections and requests, and how many of each
// at once.
import { createSecureServer } from 'node:http2';
import { readFileSync } from 'node:fs';

const [cert, key, streams, delay, life] = process.argv.slice(2);
const told = { connections: 0, connections_at_once: 0, requests: 0, requests_at_once: 0 };
let sessions = 0;
let streams_open = 0;

const server = createSecureServer({
  cert: readFileSync(cert),
  key: readFileSync(key),
  allowHTTP1: false,
  settings: { maxConcurrentStreams: Number(streams) },
});

server.on('session', (session) => {
  told.connections += 1;
  told.connections_at_once = Math.max(told.connections_at_once, (sessions += 1));
  session.on('close', () => { sessions -= 1; });
  session.taken = 0;
  session.on('error', () => {});
});

server.on('stream', (stream) => {
  told.requests += 1;
  told.requests_at_once = Math.max(told.requests_at_once, (streams_open += 1));
  stream.on('close', () => { streams_open -= 1; });
  stream.on('error', () => {});
  if (++stream.session.taken === Number(life)) stream.session.close();
  let body = '';
  stream.on('data', (bytes) => { body += bytes; });
  stream.on('end', () => setTimeout(() => {
    if (stream.destroyed) return;
    const asked = JSON.parse(body).messages.at(-1).content;
    const message = { role: 'assistant', content: asked.replace('say ', '') };
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(JSON.stringify({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    }));
  }, Number(delay)));
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => {
  console.log(JSON.stringify(told));
  process.exit(0);
});
process.stdin.resume();
