// SPDX-License-Identifier: BSD-3-Clause
// View Time: the activities of units over the time of a run that has a trace. Each unit is a row of
// lanes, one for each depth of its stack. Arrows between rows are messages, collective operations
// and forks. An interval that is chosen here becomes part of the selection, and a table has its
// regions.

import { coloursOf, FAMILIES, mix } from '../colour';
import type { Experiment, Page } from '../data/page';
import { type NodeTable, type RegionTable, type UnitTable, USEFUL }
  from '../data/tables';
import { bucketOf } from '../data/tiles';
import { openTrace, type Trace } from '../data/trace';
import { commandText, puWords } from '../decide/command';
import { isRunning } from '../decide/live';
import { leavesOf } from '../decide/sums';
import { around, type Found, laneAt, layout, type Layout, panned, parseTime, type Row, rowHeight,
  rulerTicks, type Span, timeText, visibleRows, within, zoomed } from '../decide/time';
import { CALLS_OTHERS, contextNodes, type ContextNodes, mainLeaves } from '../decide/time_sums';
import { unitMask } from '../decide/units';
import { card, familyLegend } from '../draw/card';
import { el, listen, setText, svg, swatch } from '../draw/element';
import { Hover } from '../draw/hover';
import { font, Raster } from '../draw/raster';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, grouped, nameText, placeText, plural, seconds, unitName } from '../text';
import { arrowsIn, drawArrows, LINK_KINDS, linksOf, linkTiles, MOST_LINKS } from './time_links';
import { type Look, TimePicture } from './time_picture';
import { TimeSensors } from './time_sensors';
import { TimeTable } from './time_table';
import type { Kept, Missing, Mounted, View } from './view';

const GUTTER = 66, RULER = 24;
const LABEL_EVERY = 11; // least distance of names of units, in pixels

interface Data {
  readonly page: Page;
  readonly experiment: Experiment;
  readonly trace: Trace;
  readonly region: RegionTable;
  readonly node: NodeTable;
  readonly unit: UnitTable;
  readonly nodes: ContextNodes;
  readonly leaf: Uint8Array; // by node: the leaf with most of its time
}

function missing(page: Page, { experiment }: Selection): Missing | null {
  const own = page.experiments[experiment];
  if (own?.index.trace) return null;
  if (isRunning(page.index))
    return { why: 'Of a run with SIS_TRACE=1, the time line comes when the program has ended.',
      command: '' };
  return { why: 'Only a trace knows when things happened, and this run has none.',
    command: `SIS_TRACE=1 ${nameText(own?.index.command ?? 'mpiexec ...')}` };
}

function interval(selection: Selection): Span | null {
  const { from_ns, to_ns } = selection;
  return from_ns >= 0 && to_ns > from_ns ? { from_ns, to_ns } : null;
}

function command(page: Page, selection: Selection): string {
  const span = interval(selection);
  return commandText(page, selection, 'regions', [
    ['--from', exactSeconds(span ? span.from_ns : 0)],
    ...(span ? [['--to', exactSeconds(span.to_ns)] as const] : []), puWords(selection)]);
}

/** A colour for each region. Neighbours in the list of regions have different colours. */
function regionColour(region: number, dark: boolean): string {
  const hue = (region * 137.508) % 360, light = dark ? 0.55 : 0.66, saturation = 0.42;
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = light - saturation * Math.min(light, 1 - light)
      * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

interface State {
  span: Span;
  isAll: boolean;
  arrows: boolean;
}

class TimeView implements Mounted {
  private readonly run_ns: number;
  private readonly colours;
  private readonly raster = new Raster('lanes of the units');
  private readonly gutter = el('canvas', { class: 'gutter', 'aria-hidden': 'true' });
  private readonly ruler = svg('svg', { class: 'ruler', 'aria-hidden': 'true' });
  private readonly frameBox = el('div', { class: 'frame' });
  private readonly sizer = el('div', { class: 'sizer' });
  private readonly scroll: HTMLElement;
  private readonly from = el('input', { class: 'time', 'aria-label': 'from', size: 14 });
  private readonly to = el('input', { class: 'time', 'aria-label': 'to', size: 14 });
  private readonly arrowsOn = el('input', { type: 'checkbox', checked: true });
  private readonly status = el('span', { class: 'note', role: 'status' });
  private readonly details = el('div', { class: 'time-details', 'aria-live': 'polite' });
  private readonly legend = el('div', { class: 'legends' });
  private readonly fileBox = el('div', { class: 'time-file', hidden: true });
  private readonly chooser = el('input', { type: 'file', hidden: true, accept: '.tiles',
    'aria-label': 'file with all of the trace' });
  private readonly figure: HTMLElement;
  private readonly hover = new Hover();
  private readonly table: TimeTable;
  private readonly sensors: TimeSensors;
  private readonly ends: (() => void)[] = [];
  private picture: TimePicture;
  private lookKey = '';
  private look!: Look;
  private span: Span;
  private list: Layout = { rows: [], lane: 1, height: 0 };
  private rows = new Map<number, Row>();
  private selection: Selection;
  private cursor: Found | null = null;
  private pointer_ns = -1;
  private frame = 0;
  private drag: { x: number; y: number; scroll: number; span: Span; selects: boolean;
    moved: boolean } | null = null;

  constructor(host: HTMLElement, private readonly data: Data, private readonly store: Store,
      kept?: Kept) {
    const { page, experiment, trace } = data;
    this.selection = store.selection;
    this.run_ns = experiment.index.t_p_ns;
    const chosen = interval(this.selection);
    this.span = chosen ? around(chosen, this.run_ns) : { from_ns: 0, to_ns: this.run_ns };
    const before = kept?.state as State | undefined;
    if (before) {
      if (!before.isAll) this.span = before.span;
      this.arrowsOn.checked = before.arrows;
    }
    this.colours = coloursOf(page.index.overheads, isDark());
    this.scroll = el('div', { class: 'lanes', tabindex: 0, role: 'application',
      'aria-label': `timeline of ${plural(trace.tables.trace_unit.unit.length, 'unit')}`,
      'aria-describedby': 'time-hint' }, this.sizer);
    this.frameBox.append(this.gutter, this.raster.canvas);
    this.sizer.append(this.frameBox);
    this.sensors = new TimeSensors(experiment.index.documents.sensors);
    this.figure = el('div', { class: 'timeline' }, this.ruler, this.scroll, this.sensors.element);
    this.picture = this.makePicture();
    this.table = new TimeTable({ trace, region: data.region, node: data.node, unit: data.unit,
      nodes: data.nodes, regionColour: region => this.colourOfRegion(region),
      select: region => this.store.select({ region, node: -1 }),
      overheads: span => commandText(page, this.selection, 'overhead', [puWords(this.selection),
        ['--from', exactSeconds(span.from_ns)], ['--to', exactSeconds(span.to_ns)]]) });
    host.append(card({ title: 'Time', class: 'time' }, this.controls(), this.fileBox, this.legend,
        this.figure, this.hint()),
    el('div', { class: 'columns two' },
        card({ title: 'Activation', remark: 'under the pointer or the keyboard’s cursor' },
            this.details),
        card({ title: 'Regions', remark: 'in the interval' }, this.table.element)));
    this.listen();
    trace.onload = () => this.later();
    trace.failure = null;
    this.describe();
  }

  /** The part of the run that is shown. */
  keep(): State {
    return { span: this.span, isAll: this.span.from_ns === 0 && this.span.to_ns === this.run_ns,
      arrows: this.arrowsOn.checked };
  }

  unmount(): void {
    this.data.trace.onload = () => {};
    for (const end of this.ends) end();
    cancelAnimationFrame(this.frame);
    this.hover.destroy();
    this.table.destroy();
  }

  update(selection: Selection): void {
    const before = interval(this.selection), chosen = interval(selection);
    this.selection = selection;
    if (chosen && (chosen.from_ns !== before?.from_ns || chosen.to_ns !== before.to_ns)
      && (chosen.to_ns < this.span.from_ns || chosen.from_ns > this.span.to_ns))
      this.span = around(chosen, this.run_ns);
    this.picture = this.makePicture();
    this.later();
  }

  // -- parts --------------------------------------------------------------------------------------

  private controls(): HTMLElement {
    const typed = () => this.typed();
    for (const input of [this.from, this.to])
      input.addEventListener('change', typed);
    const button = (text: string, title: string, click: () => void) =>
      el('button', { type: 'button', class: 'command', title, on: { click } }, text);
    return el('div', { class: 'controls' },
        el('label', {}, 'shows ', this.from), el('label', {}, ' to ', this.to, ' s'),
        button('all', 'Shows the whole run (Z)', () => this.fit()),
        button('select what is shown', 'Makes it the selected interval (X)',
            () => this.selectShown()),
        el('label', {}, this.arrowsOn, ' arrows'), this.status);
  }

  private hint(): HTMLElement {
    const key = (...names: string[]) => names.map(name => el('kbd', {}, name));
    return el('p', { class: 'hint time-hint', id: 'time-hint' },
        ...key('W', 'S'), ' or ', ...key('Ctrl'), '+wheel zoom · ', ...key('A', 'D', '←', '→'),
        ' or drag move · ', ...key('↑', '↓'), ' scroll · ', ...key('Shift'),
        '+drag, or drag on the ruler, select an interval · ', ...key('X'),
        ' selects what is shown · ', ...key('Z'), ' all · ', ...key('Shift'), '+', ...key('←', '→',
            '↑', '↓'), ' next activation · ', ...key('Enter'), ' zooms to it');
  }

  private showFile(): void {
    const { trace } = this.data, { failure } = trace;
    this.fileBox.hidden = !trace.needsFile && !failure;
    if (this.fileBox.hidden) return;
    const choose = el('button', { type: 'button', class: 'command',
      on: { click: () => this.chooser.click() } }, `choose ${nameText(trace.index.file, 60)}`);
    const text = failure ? failure.message
      : `In this page, activations shorter than ${seconds(bucketOf(trace.index.level))} are merged`
        + `${trace.index.has_links ? '' : ', and arrows are left out'}. All are in a file: `;
    const key = `${text} ${trace.needsFile}`;
    if (this.fileBox.dataset.shown === key) return;
    this.fileBox.dataset.shown = key;
    this.fileBox.replaceChildren(el('span', failure ? { role: 'alert' } : {}, text),
        trace.index.file ? choose : '', trace.index.file ? ' or drop it here.' : '', this.chooser);
  }

  private async openFile(file: File | undefined): Promise<void> {
    if (!file) return;
    const { trace } = this.data;
    try {
      await trace.open(file);
    } catch (error) {
      trace.failure = error as Error;
    }
    this.later();
  }

  // -- colours ------------------------------------------------------------------------------------

  private isByRegion(): boolean {
    return this.selection.tab === 'regions';
  }

  private colourOfRegion(region: number): string {
    if (this.isByRegion()) return regionColour(region, this.colours.dark);
    const { node, leaf } = this.data;
    const row = node.region.indexOf(region);
    return this.colourOfLeaf(row < 0 ? USEFUL : leaf[row]);
  }

  private colourOfLeaf(leaf: number): string {
    const { card: behind, ink } = this.colours;
    return leaf === CALLS_OTHERS ? mix(behind, ink, 0.16) : this.colours.leaf(leaf);
  }

  private makePicture(): TimePicture {
    const { selection, data } = this;
    const { region, node, search, overhead, tab } = selection;
    const key = [region, node, search, overhead, tab].join('\n');
    if (key === this.lookKey) return this.picture;
    this.lookKey = key;
    const { context } = data.trace.tables;
    const leaves = overhead && overhead !== 'useful'
      ? leavesOf(data.page.index.overheads, overhead) : null;
    const isMarked = (c: number): boolean => {
      const row = data.nodes.node[c], leaf = row < 0 ? USEFUL : data.leaf[row];
      if (node >= 0 && row !== node) return false;
      if (region >= 0 && (row < 0 || data.node.region[row] !== region)) return false;
      if (search && !context.name[c].toLowerCase().includes(search.toLowerCase())) return false;
      if (overhead === 'useful') return leaf === USEFUL;
      return !leaves || (leaf < leaves.length && leaves[leaf] === 1);
    };
    const colour = context.name.map((_, c) => {
      const row = data.nodes.node[c];
      const hex = row < 0 ? this.colours.family('OUNID') : this.isByRegion()
        ? regionColour(data.node.region[row], this.colours.dark)
        : this.colourOfLeaf(data.leaf[row]);
      return isMarked(c) ? hex : mix(this.colours.card, hex, 0.22);
    });
    this.look = { card: this.colours.card, ink: this.colours.ink, colour,
      name: context.name.map(name => nameText(name, 80)) };
    this.showLegend();
    return new TimePicture(data.trace, this.look);
  }

  private showLegend(): void {
    const { overheads } = this.data.page.index;
    const used = new Set([...this.data.leaf].filter(leaf => leaf !== CALLS_OTHERS)
        .map(leaf => this.colours.familyOf(leaf)));
    this.legend.replaceChildren(
        this.isByRegion()
          ? el('span', { class: 'note' }, 'A colour is a region; the table names it.')
          : familyLegend(overheads, this.colours, FAMILIES.filter(family => used.has(family))),
        el('div', { class: 'legend', role: 'list', 'aria-label': 'arrows' },
            ...LINK_KINDS.map(({ title, dash }) => el('span', { role: 'listitem' },
                svg('svg', { width: 22, height: 8, 'aria-hidden': 'true' },
                    svg('path', { d: 'M0 4H22', stroke: 'currentColor',
                      'stroke-dasharray': dash.join(' ') || 'none' })), ` ${title}`)),
            this.isByRegion() ? null : el('span', { role: 'listitem' },
                swatch(this.colourOfLeaf(CALLS_OTHERS)), 'calls others'),
            this.data.trace.tables.gap.unit.length
              ? el('span', { role: 'listitem' }, 'full height, grey: no events were recorded')
              : null));
  }

  // -- a frame ------------------------------------------------------------------------------------

  private later(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  private chosenUnits(): number[] {
    const { trace, unit } = this.data, { unit: row, lanes } = trace.tables.trace_unit;
    const mask = unitMask(this.selection.units, unit);
    const list: number[] = [];
    for (let i = 0; i < row.length; i++)
      if (lanes[i] > 0 && (!mask || (row[i] >= 0 && mask[row[i]]))) list.push(i);
    return list;
  }

  private place(): { width: number; height: number } {
    const units = this.chosenUnits();
    const room = Math.max(160, Math.round(window.innerHeight * 0.56));
    this.list = layout(units, this.data.trace.tables.trace_unit.lanes, room);
    this.rows = new Map(this.list.rows.map(row => [row.unit, row]));
    const height = Math.max(40, Math.min(room, this.list.height));
    this.scroll.style.height = `${height}px`;
    this.sizer.style.height = `${Math.max(this.list.height, height)}px`;
    const width = Math.max(120, this.sizer.clientWidth - GUTTER);
    return { width, height };
  }

  private draw(): void {
    this.frame = 0;
    const begun = performance.now();
    const { trace } = this.data, { span } = this;
    const { width, height } = this.place();
    const scroll = this.scroll.scrollTop;
    const context = this.picture.draw(this.raster,
        { span, layout: this.list, scroll, width, height });
    const arrows = this.drawLinks(context, width, scroll);
    this.drawMarks(context, width, height, scroll);
    this.drawGutter(height, scroll);
    this.drawRuler(width);
    trace.want([...this.picture.missing,
      ...this.arrowsOn.checked ? linkTiles(trace, span).slice(0, 20) : []]);
    this.figure.dataset.frame = (performance.now() - begun).toFixed(2);
    this.figure.dataset.loading = String(this.picture.missing.length > 0);
    this.sensors.show(span, width, GUTTER);
    this.showSpan(arrows);
    this.showFile();
    this.table.show(interval(this.selection) ?? this.rounded(), this.list.rows.map(r => r.unit));
  }

  private rounded(): Span {
    return { from_ns: Math.round(this.span.from_ns), to_ns: Math.round(this.span.to_ns) };
  }

  /** Draws the links, unless there are more than MOST_LINKS. Returns their number, or any number
   * above MOST_LINKS if there are more. */
  private drawLinks(context: CanvasRenderingContext2D, width: number, scroll: number): number {
    if (!this.arrowsOn.checked) return 0;
    const { trace } = this.data, { span } = this;
    const tiles = linkTiles(trace, span);
    if (tiles.length > 8) return MOST_LINKS + 1;
    const arrows = arrowsIn(trace, span, this.rows);
    if (arrows.length <= MOST_LINKS)
      drawArrows(context, arrows, this.rows, this.list, span, width, scroll, this.look.ink);
    return arrows.length;
  }

  /** Marks the selected interval, and the activation with the cursor. */
  private drawMarks(context: CanvasRenderingContext2D, width: number, height: number,
      scroll: number): void {
    const scale = width / (this.span.to_ns - this.span.from_ns);
    const x = (ns: number) => (ns - this.span.from_ns) * scale;
    const chosen = interval(this.selection);
    if (chosen) {
      const [left, right] = [Math.max(-1, x(chosen.from_ns)), Math.min(width + 1, x(chosen.to_ns))];
      context.fillStyle = this.colours.dark ? 'rgba(0,0,0,0.5)' : 'rgba(255,255,255,0.6)';
      context.fillRect(0, 0, Math.max(0, left), height);
      context.fillRect(right, 0, Math.max(0, width - right), height);
      context.fillStyle = this.look.ink;
      context.fillRect(left, 0, 1, height);
      context.fillRect(right - 1, 0, 1, height);
    }
    const row = this.cursor ? this.rows.get(this.cursor.unit) : undefined;
    if (!this.cursor || !row) return;
    const left = Math.max(-4, x(this.cursor.start_ns));
    const right = Math.min(width + 4, x(this.cursor.end_ns));
    context.strokeStyle = this.look.ink;
    context.lineWidth = 2;
    context.strokeRect(left - 1, row.top - scroll + this.cursor.depth * this.list.lane - 1,
        Math.max(3, right - left) + 2, this.list.lane + 1);
  }

  private drawGutter(height: number, scroll: number): void {
    const density = window.devicePixelRatio || 1, { gutter } = this;
    gutter.width = Math.round(GUTTER * density);
    gutter.height = Math.round(height * density);
    gutter.style.height = `${height}px`;
    const context = gutter.getContext('2d')!;
    context.scale(density, density);
    context.font = font(11);
    context.fillStyle = this.look.ink;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const [first, end] = visibleRows(this.list, scroll, scroll + height);
    let last = -LABEL_EVERY;
    for (let i = first; i < end; i++) {
      const row = this.list.rows[i];
      const y = row.top - scroll + Math.min(9, rowHeight(row, this.list) / 2);
      if (y - last < LABEL_EVERY) continue;
      last = y;
      context.fillText(this.nameOf(row.unit), GUTTER - 8, y);
    }
  }

  private drawRuler(width: number): void {
    const { base, ticks } = rulerTicks(this.span, Math.max(2, Math.floor(width / 95)));
    const scale = width / (this.span.to_ns - this.span.from_ns);
    this.ruler.setAttribute('width', String(width + GUTTER));
    this.ruler.setAttribute('height', String(RULER));
    this.ruler.replaceChildren(
        base ? svg('text', { x: GUTTER - 6, y: 15, 'text-anchor': 'end', class: 'base' }, base)
          : '',
        ...ticks.flatMap(({ ns, text }) => {
          const x = GUTTER + (ns - this.span.from_ns) * scale;
          return [svg('path', { d: `M${x.toFixed(1)} ${RULER - 5}v5` }),
            svg('text', { x: x + 3, y: 15 }, text)];
        }));
  }

  private showSpan(arrows: number): void {
    const { trace } = this.data, { level } = this.picture, { activeElement } = document;
    const texts: [HTMLInputElement, number][] =
      [[this.from, this.span.from_ns], [this.to, this.span.to_ns]];
    for (const [input, ns] of texts)
      if (input !== activeElement) input.value = timeText(ns, this.span);
    const detail = level ? `shorter than ${seconds(bucketOf(level))}: merged` : 'every activation';
    const links = arrows > MOST_LINKS ? `; more than ${grouped(MOST_LINKS)} arrows: zoom in to see `
      + 'them' : arrows ? `; ${plural(arrows, 'arrow')}` : '';
    setText(this.status, `${seconds(this.span.to_ns - this.span.from_ns)}, ${detail}${links}`
      + (trace.index.cut ? `; ${grouped(trace.index.cut)} too deep to show` : ''));
  }

  // -- details ------------------------------------------------------------------------------------

  private nameOf(unit: number): string {
    const row = this.data.trace.tables.trace_unit.unit[unit];
    const { process, thread } = this.data.unit;
    return row < 0 ? '?' : unitName(process[row], thread[row]);
  }

  private lines(found: Found): [string, string][] {
    const { trace, nodes, node, region, leaf, page } = this.data;
    const row = nodes.node[found.context];
    const lines: [string, string][] = [['unit', this.nameOf(found.unit)],
      ['from', `${exactSeconds(found.start_ns)} s`]];
    if (found.merged)
      lines.push(['begun', plural(found.activations, 'short activation')],
          ['busy', `${seconds(found.ns)} of ${seconds(found.end_ns - found.start_ns)}`]);
    else lines.push(['length', seconds(found.ns)]);
    if (row < 0) return lines;
    const place = placeText(region.file[node.region[row]], region.line_start[node.region[row]]);
    if (place) lines.push(['source', place]);
    const overhead = page.index.overheads[leaf[row]];
    lines.push(['mostly', leaf[row] === USEFUL ? 'useful work' : leaf[row] === CALLS_OTHERS
      ? 'calls others' : `${overhead.name} ${overhead.text}`]);
    if (!found.merged)
      for (const text of linksOf(trace, found.unit, { from_ns: found.start_ns,
        to_ns: found.end_ns }, unit => this.nameOf(unit))) lines.push(['', text]);
    return lines;
  }

  private path(found: Found): string {
    const { nodes, node, region } = this.data, names: string[] = [];
    for (let at = nodes.node[found.context]; at > 0; at = node.parent[at])
      names.unshift(nameText(region.name[node.region[at]], 60));
    return names.join(' › ');
  }

  private describe(): void {
    const { cursor } = this;
    if (!cursor) {
      this.details.replaceChildren(el('p', { class: 'note' },
          'Point at the picture, or press Shift and an arrow key.'));
      return;
    }
    const name = `${cursor.merged ? 'mostly ' : ''}${this.look.name[cursor.context]}`;
    this.details.replaceChildren(el('h3', {}, name),
        el('dl', { class: 'facts' }, ...this.lines(cursor).map(([label, text]) =>
          el('div', {}, el('dt', {}, label), el('dd', {}, text)))),
        el('p', { class: 'note' }, this.path(cursor)));
  }

  private setCursor(found: Found | null): void {
    this.cursor = found;
    this.describe();
    this.later();
  }

  private found(event: MouseEvent): Found | null {
    const box = this.raster.canvas.getBoundingClientRect();
    const at = laneAt(this.list, event.clientY - box.top + this.scroll.scrollTop);
    if (!at) return null;
    const per = (this.span.to_ns - this.span.from_ns) / this.raster.width;
    return this.picture.at(at.row.unit, at.depth, this.timeAt(event.clientX), this.span, per);
  }

  // -- actions of the user ------------------------------------------------------------------------

  private timeAt(clientX: number): number {
    const box = this.raster.canvas.getBoundingClientRect();
    return this.span.from_ns
      + (clientX - box.left) / box.width * (this.span.to_ns - this.span.from_ns);
  }

  private go(span: Span): void {
    this.span = span;
    this.hover.hide();
    this.later();
  }

  /** Shows the selected interval, or if it is already shown, the whole run. */
  private fit(): void {
    const chosen = interval(this.selection), whole = { from_ns: 0, to_ns: this.run_ns };
    const target = chosen ? around(chosen, this.run_ns) : whole;
    const isThere = Math.abs(target.from_ns - this.span.from_ns) < 1
      && Math.abs(target.to_ns - this.span.to_ns) < 1;
    this.go(isThere ? whole : target);
  }

  private selectShown(): void {
    this.store.select(this.rounded());
  }

  private typed(): void {
    const [from_ns, to_ns] = [this.from, this.to].map(input => parseTime(input.value));
    this.from.setAttribute('aria-invalid', String(Number.isNaN(from_ns)));
    this.to.setAttribute('aria-invalid', String(Number.isNaN(to_ns) || to_ns <= from_ns));
    if (to_ns > from_ns) this.go(within({ from_ns, to_ns }, this.run_ns));
  }

  private zoom(factor: number, at_ns?: number): void {
    const middle = (this.span.from_ns + this.span.to_ns) / 2;
    const inside = this.pointer_ns >= this.span.from_ns && this.pointer_ns <= this.span.to_ns;
    this.go(zoomed(this.span, factor, at_ns ?? (inside ? this.pointer_ns : middle), this.run_ns));
  }

  private move(share: number): void {
    this.go(panned(this.span, share, this.run_ns));
  }

  /** Moves the cursor to the next activation in its lane, or to one in the next lane. */
  private step(key: string): void {
    const { cursor, span } = this;
    const first = this.list.rows[visibleRows(this.list, this.scroll.scrollTop,
        this.scroll.scrollTop + 1)[0]];
    if (!cursor || !this.rows.has(cursor.unit)) {
      if (first) this.setCursor(this.picture.beside(first.unit, 0, span.from_ns, span, 1)
        ?? this.picture.at(first.unit, 0, (span.from_ns + span.to_ns) / 2, span, 0));
      return;
    }
    const { unit, depth, start_ns, end_ns } = cursor;
    const middle = (Math.max(start_ns, span.from_ns) + Math.min(end_ns, span.to_ns)) / 2;
    const half = (span.to_ns - span.from_ns) / 2;
    const next = key === 'ArrowRight' ? this.picture.beside(unit, depth, end_ns, span, 1)
      : key === 'ArrowLeft' ? this.picture.beside(unit, depth, start_ns, span, -1)
        : this.laneBeside(unit, depth, middle, half, key === 'ArrowDown' ? 1 : -1);
    if (!next) return;
    if (next.start_ns > span.to_ns || next.end_ns < span.from_ns)
      this.span = within({ from_ns: next.start_ns - half, to_ns: next.start_ns + half },
          this.run_ns);
    this.setCursor(next);
  }

  private laneBeside(unit: number, depth: number, ns: number, slack: number, step: 1 | -1)
      : Found | null {
    const row = this.rows.get(unit)!, to = depth + step;
    if (to >= 0 && to < row.lanes)
      return this.picture.at(unit, to, ns, this.span, slack)
        ?? this.picture.beside(unit, to, ns, this.span, 1);
    const other = this.list.rows[this.list.rows.indexOf(row) + step];
    return other ? this.picture.at(other.unit, step > 0 ? 0 : other.lanes - 1, ns, this.span, slack)
      ?? this.picture.at(other.unit, 0, ns, this.span, slack) : null;
  }

  private key(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)
      || target.closest('input, textarea, select, dialog, .table')) return;
    const inside = this.scroll.contains(target);
    const letters: { [key: string]: () => void } = {
      w: () => this.zoom(0.7), s: () => this.zoom(1 / 0.7), a: () => this.move(-0.15),
      d: () => this.move(0.15), z: () => this.fit(), x: () => this.selectShown(),
    };
    const arrows: { [key: string]: () => void } = {
      ArrowLeft: () => this.move(-0.15), ArrowRight: () => this.move(0.15),
      ArrowUp: () => { this.scroll.scrollTop -= 40; },
      ArrowDown: () => { this.scroll.scrollTop += 40; },
      '+': () => this.zoom(0.7), '-': () => this.zoom(1 / 0.7),
      Home: () => this.go(within({ from_ns: 0, to_ns: this.span.to_ns - this.span.from_ns },
          this.run_ns)),
      End: () => this.move(this.run_ns),
      Enter: () => { if (this.cursor) this.go(around({ from_ns: this.cursor.start_ns,
        to_ns: this.cursor.end_ns }, this.run_ns)); },
    };
    const isArrow = key.startsWith('Arrow');
    const act = inside && event.shiftKey && isArrow ? () => this.step(key)
      : letters[key.toLowerCase()] ?? (inside ? arrows[key] : undefined);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      const steps = Math.max(-1, Math.min(1, event.deltaY / 240));
      this.zoom(Math.exp(steps), this.timeAt(event.clientX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.move((event.deltaX || event.deltaY) / 1000);
    } else {
      return; // scrolls
    }
    event.preventDefault();
  }

  private down(event: PointerEvent, onRuler: boolean): void {
    if (event.button !== 0) return;
    this.drag = { x: event.clientX, y: event.clientY, scroll: this.scroll.scrollTop,
      span: this.span, selects: onRuler || event.shiftKey, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.hover.hide();
  }

  private moveDrag(event: PointerEvent): void {
    const { drag } = this;
    if (!drag) return;
    const by = event.clientX - drag.x;
    drag.moved = drag.moved || Math.abs(by) > 3 || Math.abs(event.clientY - drag.y) > 3;
    if (!drag.moved) return;
    if (drag.selects) {
      const ends = [this.timeAt(drag.x), this.timeAt(event.clientX)].map(ns =>
        Math.round(Math.max(0, Math.min(this.run_ns, ns)))).sort((a, b) => a - b);
      if (ends[1] > ends[0]) this.store.select({ from_ns: ends[0], to_ns: ends[1] }, false);
    } else {
      this.scroll.scrollTop = drag.scroll - (event.clientY - drag.y);
      this.go(panned(drag.span, -by / this.raster.width, this.run_ns));
    }
  }

  private point(event: PointerEvent): void {
    if (this.drag) return;
    this.pointer_ns = this.timeAt(event.clientX);
    const found = this.found(event);
    if (!found) {
      this.hover.hide();
      return;
    }
    this.hover.show(event, `${found.merged ? 'mostly ' : ''}${this.look.name[found.context]}`,
        this.lines(found));
  }

  private click(event: MouseEvent): void {
    const found = this.found(event);
    this.setCursor(found);
    const row = found ? this.data.nodes.node[found.context] : -1;
    if (row >= 0) this.store.select({ region: this.data.node.region[row], node: -1 });
  }

  private listen(): void {
    const { canvas } = this.raster;
    const up = (event: PointerEvent) => {
      const { drag } = this;
      this.drag = null;
      if (drag && !drag.moved && event.target === canvas) this.click(event);
    };
    const stop = (event: Event) => event.preventDefault();
    this.ends.push(
        listen(window, 'keydown', event => this.key(event), { capture: true }),
        listen(window, 'resize', () => this.later()),
        listen(this.scroll, 'scroll', () => this.later()),
        listen(this.scroll, 'wheel', event => this.wheel(event), { passive: false }),
        listen(canvas, 'pointerdown', event => this.down(event, false)),
        listen(canvas, 'pointermove', event => { this.moveDrag(event); this.point(event); }),
        listen(canvas, 'pointerup', up),
        listen(canvas, 'pointerleave', () => { this.hover.hide(); this.pointer_ns = -1; }),
        listen(canvas, 'dblclick', event => {
          const found = this.found(event);
          if (found) this.go(around({ from_ns: found.start_ns, to_ns: found.end_ns }, this.run_ns));
        }),
        listen(this.ruler, 'pointerdown', event => this.down(event, true)),
        listen(this.ruler, 'pointermove', event => this.moveDrag(event)),
        listen(this.ruler, 'pointerup', up),
        listen(this.arrowsOn, 'change', () => this.later()),
        listen(this.chooser, 'change', () => void this.openFile(this.chooser.files?.[0])),
        listen(this.figure, 'dragover', stop),
        listen(this.figure, 'drop', event => {
          stop(event);
          void this.openFile(event.dataTransfer?.files[0]);
        }));
  }
}

async function mount(host: HTMLElement, page: Page, store: Store, kept?: Kept): Promise<Mounted> {
  const experiment = page.experiments[store.selection.experiment];
  const [trace, region, node, unit, part, cell] = await Promise.all([openTrace(experiment),
    experiment.table('region'), experiment.table('node'), experiment.table('unit'),
    experiment.table('part'), experiment.table('cell')]);
  const leaf = mainLeaves(node.id.length, part, cell, USEFUL);
  return new TimeView(host, { page, experiment, trace, region, node, unit, leaf,
    nodes: contextNodes(trace.tables.context, node) }, store, kept);
}

export const time: View = {
  name: 'time', title: 'Time', extent: 'picture', missing, command, mount,
  tabs: [{ name: 'leaves', title: 'by overhead' }, { name: 'regions', title: 'by region' }],
};

