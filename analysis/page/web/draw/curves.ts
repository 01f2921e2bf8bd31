// SPDX-License-Identifier: BSD-3-Clause
// Curves over the number of processing units: axes, an ideal line, and one line for each curve,
// with its name at the end. Each point has its numbers as a note. The view also shows the numbers
// of all points as a table.

import { el, svg } from './element';
import { powersOfTwo, tickDigits, ticks, tickStep } from './axis';

export interface CurvePoint {
  x: number;
  y: number;
  least: number; // the smallest value of the repetitions
  most: number;
  note: string;
}

export interface DrawnCurve {
  name: string;
  colour: string;
  dashed?: boolean;
  points: readonly CurvePoint[];
}

export interface Chart {
  label: string; // for screen readers
  unit: string; // written after the highest tick
  curves: readonly DrawnCurve[];
  ideal: ((x: number) => number) | null;
  logarithmic: boolean; // whether both axes are logarithmic
  logarithmicY?: boolean;
  height?: number;
}

const WIDTH = 460;
const MARGIN = { left: 40, right: 128, top: 12, bottom: 34 };

type Map = (value: number) => number;

function scale(from: number, to: number, a: number, b: number, logarithmic: boolean): Map {
  if (!(to > from)) return () => (a + b) / 2;
  if (!logarithmic) return value => a + (b - a) * (value - from) / (to - from);
  return value => a + (b - a) * Math.log(value / from) / Math.log(to / from);
}

interface Frame {
  x: Map;
  y: Map;
  xs: number[]; // ticks
  ys: number[];
  digits: number;
  height: number;
}

function frameOf({ curves, ideal, logarithmic, logarithmicY = false, height = 250 }: Chart): Frame {
  const points = curves.flatMap(curve => curve.points);
  const px = points.map(point => point.x);
  const [first, last] = [Math.min(...px), Math.max(...px)];
  const py = points.flatMap(point => [point.least, point.most]);
  if (ideal && logarithmicY) py.push(ideal(first), ideal(last));
  const most = Math.max(...py, ideal ? Math.min(ideal(last), 1.25 * Math.max(...py)) : 0) || 1;
  const positive = py.filter(value => value > 0);
  const least = logarithmicY ? Math.min(...positive, most) / 1.15 : 0;
  const top = logarithmicY ? most * 1.15 : most * 1.04;
  return {
    x: scale(first, last, MARGIN.left, WIDTH - MARGIN.right, logarithmic),
    y: scale(least, top, height - MARGIN.bottom, MARGIN.top, logarithmicY),
    xs: logarithmic ? powersOfTwo(first, last) : [...new Set(px)].sort((a, b) => a - b),
    ys: logarithmicY ? powersOfTwo(least, top) : ticks(0, top, 5),
    digits: tickDigits(tickStep(0, top, 5)), height,
  };
}

function axes(frame: Frame, unit: string): SVGGElement {
  const { x, y, xs, ys, digits, height } = frame;
  const group = svg('g', { class: 'axis', 'aria-hidden': 'true' });
  ys.forEach((value, i) => group.append(
      svg('path', { d: `M${MARGIN.left} ${y(value)}H${WIDTH - MARGIN.right}`, class: 'grid' }),
      svg('text', { x: MARGIN.left - 6, y: y(value) + 4, 'text-anchor': 'end' },
          `${value.toFixed(digits)}${i === ys.length - 1 && unit ? ` ${unit}` : ''}`)));
  let free = -Infinity;
  for (const value of xs) {
    if (x(value) < free) continue;
    free = x(value) + 24;
    group.append(
        svg('path', { d: `M${x(value)} ${height - MARGIN.bottom}v4`, class: 'tick' }),
        svg('text', { x: x(value), y: height - MARGIN.bottom + 16, 'text-anchor': 'middle' },
            value));
  }
  group.append(svg('text', { x: (MARGIN.left + WIDTH - MARGIN.right) / 2, y: height - 3,
    'text-anchor': 'middle' }, 'processing units'));
  return group;
}

function path(points: readonly { x: number; y: number }[], { x, y }: Frame): string {
  return points.map((point, i) => `${i ? 'L' : 'M'}${x(point.x)} ${y(point.y)}`).join('');
}

function idealLine(ideal: (x: number) => number, frame: Frame): SVGElement {
  const points = frame.xs.map(x => ({ x, y: ideal(x) }));
  return svg('path', { d: path(points, frame), class: 'ideal' }, svg('title', {}, 'ideal'));
}

function drawCurve(curve: DrawnCurve, frame: Frame): SVGGElement {
  const { x, y } = frame;
  const group = svg('g', { style: { '--hue': curve.colour } }, svg('path', {
    d: path(curve.points, frame), class: curve.dashed ? 'curve dashed' : 'curve' }));
  for (const point of curve.points) {
    if (point.most > point.least)
      group.append(svg('path', { d: `M${x(point.x)} ${y(point.least)}V${y(point.most)}`,
        class: 'spread' }));
    group.append(svg('circle', { cx: x(point.x), cy: y(point.y), r: 3.5, class: 'dot' },
        svg('title', {}, point.note)));
  }
  return group;
}

/** Names at the ends of the lines. They are moved apart, so that none hides another. */
function names(chart: Chart, frame: Frame): SVGGElement {
  const group = svg('g', { class: 'names' });
  const ends = chart.curves.filter(curve => curve.points.length).map(curve => ({
    curve, at: frame.y(curve.points[curve.points.length - 1].y),
  })).sort((a, b) => a.at - b.at);
  let free = 8;
  for (const end of ends) {
    end.at = Math.max(free, end.at);
    free = end.at + 13;
  }
  let limit = frame.height - MARGIN.bottom + 4;
  for (const end of [...ends].reverse()) {
    end.at = Math.min(end.at, limit);
    limit = end.at - 13;
  }
  for (const { curve, at } of ends)
    group.append(svg('rect', { x: WIDTH - MARGIN.right + 8, y: at - 4, width: 8, height: 8, rx: 2,
      style: { fill: curve.colour } }),
    svg('text', { x: WIDTH - MARGIN.right + 20, y: at + 4 }, curve.name));
  return group;
}

export function drawChart(chart: Chart): HTMLElement {
  if (!chart.curves.some(curve => curve.points.length))
    return el('p', { class: 'note' }, 'No run has these numbers.');
  const frame = frameOf(chart);
  return el('div', { class: 'chart' }, svg('svg', {
    viewBox: `0 0 ${WIDTH} ${frame.height}`, role: 'img', 'aria-label': chart.label,
  }, axes(frame, chart.unit), chart.ideal ? idealLine(chart.ideal, frame) : null,
  ...chart.curves.map(curve => drawCurve(curve, frame)), names(chart, frame)));
}
