// SPDX-License-Identifier: BSD-3-Clause
// Opens connections to a server, which send the head of a request byte by byte and never end it,
// and asks the server meanwhile.
//
//     node crowd.mjs URL CONNECTIONS
//
// Prints the status of a request that is sent before the others come, and whose answer is read
// after they are gone; that of a request while they are there; how many of them the server has
// ended.

import { Agent, request } from 'node:http';
import { connect } from 'node:net';

const STEP_MS = 100, PATIENCE_MS = 10000, HEAD = 'GET / HTTP/1.1\r\nX: ';

const [url, size] = process.argv.slice(2);
const { hostname, port } = new URL(url);

// The answer; undefined: there is none.
function ask() {
  return new Promise(resolve => {
    const asked = request(url, { agent: new Agent(), timeout: PATIENCE_MS }, resolve);
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

// The status of an answer that has all its bytes.
async function read(answer) {
  let bytes = 0;
  if (!answer) return 'nothing';
  try {
    for await (const part of answer) bytes += part.length;
  } catch { return 'broken'; }
  return bytes === Number(answer.headers['content-length']) ? answer.statusCode : 'cut';
}

function comeSlowly() {
  const socket = connect(Number(port), hostname);
  let sent = 0;
  const timer = setInterval(() => socket.write(HEAD[sent++] ?? 'x'), STEP_MS);
  socket.on('error', () => {});
  socket.resume();
  const came = new Promise(resolve => socket.on('connect', resolve));
  const gone = new Promise(resolve => socket.on('close', () => {
    clearInterval(timer);
    resolve();
  }));
  return { socket, came, gone };
}

const first = await ask();
const crowd = Array.from({ length: Number(size) }, comeSlowly);
let ended = 0;
for (const one of crowd) one.gone.then(() => { ended++; });
await Promise.all(crowd.map(one => Promise.race([one.came, one.gone])));
const meanwhile = await read(await ask());
const patience = new Promise(resolve => setTimeout(resolve, PATIENCE_MS).unref());
await Promise.race([Promise.all(crowd.map(one => one.gone)), patience]);
console.log(await read(first), meanwhile, ended);
process.exit();
