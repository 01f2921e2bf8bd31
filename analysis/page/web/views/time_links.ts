// SPDX-License-Identifier: BSD-3-Clause
// Messages, collective operations and forks as arrows between the rows of view Time. Arrows are
// drawn only if they are few enough to be distinguished. The view says how many there are.

import type { Trace } from '../data/trace';
import { COLLECTIVE, FORK, LINKS, type LinkTile, MESSAGE } from '../data/tiles';
import type { Layout, Row, Span } from '../decide/time';
import { rowHeight } from '../decide/time';
import { bytes, grouped } from '../text';

export const MOST_LINKS = 1500;

export interface LinkKind {
  readonly kind: number;
  readonly title: string;
  readonly dash: readonly number[]; // so that kinds differ not only in their colour
}

export const LINK_KINDS: readonly LinkKind[] = [
  { kind: MESSAGE, title: 'message', dash: [] },
  { kind: COLLECTIVE, title: 'collective: from the last to come', dash: [5, 3] },
  { kind: FORK, title: 'fork of a team', dash: [1.5, 3] },
];

export function linkTiles(trace: Trace, { from_ns, to_ns }: Span): number[] {
  return trace.hasLinks ? trace.between(0, LINKS, 0, from_ns, to_ns) : [];
}

export interface Arrow {
  readonly tile: LinkTile;
  readonly place: number;
}

/** The links between rows of the picture that touch the span, if they are loaded. The search stops
 * when it has found more than `most`. */
export function arrowsIn(trace: Trace, span: Span, rows: ReadonlyMap<number, Row>,
    most = MOST_LINKS): Arrow[] {
  const list: Arrow[] = [];
  for (const number of linkTiles(trace, span)) {
    const tile = trace.links(number);
    if (!tile) continue;
    for (let i = 0; i < tile.kind.length && list.length <= most; i++) {
      if (tile.from_ns[i] > span.to_ns) break;
      if (Math.max(tile.to_ns[i], tile.from_ns[i]) < span.from_ns) continue;
      if (rows.has(tile.from[i]) && rows.has(tile.to[i])) list.push({ tile, place: i });
    }
  }
  return list;
}

function drawHead(context: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number)
    : void {
  const length = Math.hypot(dx, dy) || 1, [ux, uy] = [dx / length, dy / length];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 6 * ux - 2.5 * uy, y - 6 * uy + 2.5 * ux);
  context.lineTo(x - 6 * ux + 2.5 * uy, y - 6 * uy - 2.5 * ux);
  context.fill();
}

export function drawArrows(context: CanvasRenderingContext2D, arrows: readonly Arrow[],
    rows: ReadonlyMap<number, Row>, layout: Layout, span: Span, width: number, scroll: number,
    ink: string): void {
  const scale = width / (span.to_ns - span.from_ns);
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 1;
  for (const { tile, place } of arrows) {
    const from = rows.get(tile.from[place])!, to = rows.get(tile.to[place])!;
    const down = to.top > from.top;
    const x0 = (tile.from_ns[place] - span.from_ns) * scale;
    const x1 = (tile.to_ns[place] - span.from_ns) * scale;
    const y0 = from.top - scroll + (down ? rowHeight(from, layout) : 0);
    const y1 = to.top - scroll + (down ? 0 : rowHeight(to, layout));
    context.setLineDash([...LINK_KINDS[tile.kind[place]]?.dash ?? []]);
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    drawHead(context, x1, y1, x1 - x0, y1 - y0);
  }
  context.setLineDash([]);
}

/** The messages that an activation sent and received, in words. */
export function linksOf(trace: Trace, unit: number, { from_ns, to_ns }: Span,
    name: (unit: number) => string): string[] {
  const texts: string[] = [];
  for (const number of linkTiles(trace, { from_ns, to_ns })) {
    const tile = trace.links(number);
    if (!tile) continue;
    for (let i = 0; i < tile.kind.length && texts.length < 6; i++) {
      const sends = tile.from[i] === unit && tile.from_ns[i] >= from_ns && tile.from_ns[i] <= to_ns;
      const takes = tile.to[i] === unit && tile.to_ns[i] > from_ns && tile.to_ns[i] <= to_ns;
      if (!sends && !takes) continue;
      const other = name(sends ? tile.to[i] : tile.from[i]);
      const size = tile.kind[i] === MESSAGE ? `, ${bytes(tile.bytes[i])}` : '';
      const tag = tile.tag[i] >= 0 ? `, tag ${grouped(tile.tag[i])}` : '';
      const what = tile.kind[i] === COLLECTIVE ? (sends ? 'came last; then went on' : 'waited for')
        : tile.kind[i] === FORK ? (sends ? 'forked' : 'was forked by')
          : sends ? 'sent to' : 'received from';
      texts.push(`${what} ${other}${size}${tag}`);
    }
  }
  return texts;
}
