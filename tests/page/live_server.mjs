// SPDX-License-Identifier: BSD-3-Clause
// A server of live pages for live.mjs: its looks are written pages, and it can be told what to do
// wrong. It answers as sis-analyze view --live does.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import { elementText } from './data.mjs';

const TOKEN = 'token';

/** A column in the form of analysis/page/web/data/index.ts, and its block. */
function column(blocks, type, values) {
  const width = 6;
  const bytes = Buffer.alloc(values.length * width);
  values.forEach((value, row) => {
    for (let k = 0; k < width; k++)
      bytes[k * values.length + row] = Math.floor(value / 256 ** k) % 256;
  });
  const block = blocks.push(deflateRawSync(bytes).toString('base64')) - 1;
  return { block, form: 'plane', type, base: 0, width, none: type === 'f64' ? 0 : undefined };
}

/** A written page as a look: `open` has rows [unit, node, since_ns]; 0: not known since when. */
export function lookOf(file, open) {
  const html = readFileSync(file, 'utf8');
  const index = JSON.parse(elementText(html, 'index'));
  const blocks = [];
  for (let text; (text = elementText(html, `block-${blocks.length}`)) !== null;) blocks.push(text);
  const [unit, node, since_ns] = [0, 1, 2].map(i => open.map(row => row[i]));
  index.experiments[0].tables.open = { rows: open.length, columns: {
    unit: column(blocks, 'u32', unit), node: column(blocks, 'u32', node),
    since_ns: column(blocks, 'f64', since_ns) } };
  return { html, index, blocks };
}

export class LiveServer {
  /** `looks` follow each other, from the first one again after the last one. */
  constructor(looks, interval_ns) {
    this.looks = looks;
    this.interval_ns = interval_ns;
    this.look = 1;
    this.state = 'runs';
    this.fault = ''; // status, cut, json, block, silence
    this.asked = []; // `after` of each request
  }

  async start(port = 0) {
    this.server = createServer((request, answer) => this.answer(request.url, answer));
    await new Promise(resolve => this.server.listen(port, '127.0.0.1', resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}/${TOKEN}/`;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  current() {
    const { html, index, blocks } = this.looks[(this.look - 1) % this.looks.length];
    const runs = this.state === 'runs';
    return { html, blocks, index: { ...index, live: { look: this.look, cost_ns: 1e6,
      interval_ns: this.interval_ns, state: this.state, running: runs ? 2 : 0, processes: 2 } } };
  }

  page() {
    const { html, index, blocks } = this.current();
    const json = JSON.stringify(index).replace(/</g, '\\u003c');
    const elements = [['application/json', 'index', json],
      ...blocks.map((text, i) => ['text/plain', `block-${i}`, text])]
      .map(([type, id, text]) => `<script type="${type}" id="${id}">${text}</script>`);
    return html.replace(/<script type="[a-z/]*" id="(index|block-\d+)">[^<]*<\/script>\n?/g, '')
      .replace(`default-src 'none'`, `connect-src 'self'; default-src 'none'`)
      .replace('<script>', () => `${elements.join('\n')}\n<script>`);
  }

  answer(url, answer) {
    const after = /^\/token\/data\?after=(\d+)$/.exec(url)?.[1];
    if (url === '/token/') {
      answer.setHeader('Content-Type', 'text/html; charset=utf-8');
      answer.end(this.page());
    } else if (after === undefined) {
      answer.writeHead(404).end();
    } else {
      this.asked.push(Number(after));
      this.data(Number(after), answer);
    }
  }

  data(after, answer) {
    const { index, blocks } = this.current();
    const text = JSON.stringify({ index,
      blocks: this.fault === 'block' ? blocks.map(() => '!damaged') : blocks });
    if (this.fault === 'status') {
      answer.writeHead(500).end();
    } else if (this.fault === 'cut') {
      answer.writeHead(200, { 'Content-Length': text.length });
      answer.write(text.slice(0, text.length / 2), () => answer.destroy());
    } else if (this.fault === 'json') {
      answer.end(text.slice(0, -1));
    } else if (this.look <= after) {
      answer.writeHead(204).end();
    } else {
      answer.end(text);
    }
  }
}
