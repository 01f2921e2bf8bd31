// SPDX-License-Identifier: BSD-3-Clause
// Reads the data of a page without a browser, by the page's own reader.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const SOURCES = fileURLToPath(new URL('../../analysis/page/web/', import.meta.url));

/** A module of the page, bundled for node. */
export async function load(path) {
  const folder = mkdtempSync(join(tmpdir(), 'sis-page.'));
  const out = join(folder, 'module.mjs');
  execFileSync(process.env.ESBUILD || 'esbuild', [join(SOURCES, path), '--bundle', '--format=esm',
    '--platform=node', '--log-level=warning', `--outfile=${out}`], { stdio: 'inherit' });
  const module = await import(pathToFileURL(out).href);
  rmSync(folder, { recursive: true });
  return module;
}

/** The text of the element with this id; null: there is none. */
export function elementText(html, id) {
  const begin = html.indexOf(`id="${id}">`);
  if (begin < 0) return null;
  const from = begin + `id="${id}">`.length;
  return html.slice(from, html.indexOf('</script>', from));
}

export async function readFile(file) {
  const html = readFileSync(file, 'utf8');
  const { readSource } = await load('data/reader.ts');
  return readSource({
    index: () => JSON.parse(elementText(html, 'index')),
    block: number => elementText(html, `block-${number}`),
    inflate: async bytes => inflateRawSync(bytes),
  });
}
