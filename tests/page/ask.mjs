// SPDX-License-Identifier: BSD-3-Clause
// Sends one request to a server, and writes the body of the answer to a file.
//
//     node ask.mjs FILE URL [METHOD [HOST]]     prints the status
//     node ask.mjs --raw HOST:PORT              sends standard input as it is, and prints the first
//                                               line of the answer; `nothing` if there is none

import { writeFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';

const PATIENCE_MS = 20000;

function ask(file, url, method = 'GET', host = undefined) {
  const options = { method, headers: host ? { Host: host } : {}, timeout: PATIENCE_MS };
  const asked = request(url, options, answer => {
    const parts = [];
    answer.on('data', part => parts.push(part));
    answer.on('end', () => {
      writeFileSync(file, Buffer.concat(parts));
      console.log(answer.statusCode);
    });
  });
  asked.on('error', error => console.log(error.code ?? error.message));
  asked.on('timeout', () => asked.destroy());
  asked.end();
}

function askRaw(place) {
  const [host, port] = place.split(':');
  const socket = connect(Number(port), host);
  let text = '';
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.setEncoding('latin1');
  socket.on('data', part => { text += part; });
  socket.on('error', () => {});
  socket.on('close', () => console.log(text.split('\r\n')[0] || 'nothing'));
  socket.end(readFileSync(0));
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--raw') askRaw(...rest);
else ask(first, ...rest);
