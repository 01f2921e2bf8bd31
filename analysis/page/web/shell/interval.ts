// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the selected interval: a page that has the tables of the interval, and a line
// below the strip that says how exact they are. In this line, the user can ask for exact numbers:
// to load more tiles, or to choose the file that has them.

import type { PageIndex, TraceIndex } from '../data/index';
import { type IntervalExperiment, IntervalTables, type Quality, withExperiment }
  from '../data/interval';
import type { Experiment, Page } from '../data/page';
import { bucketOf } from '../data/tiles';
import type { Span } from '../decide/time';
import { el, setText } from '../draw/element';
import { exactSeconds, grouped, nameText, seconds } from '../text';

const SAYS_LOADING_MS = 150; // shorter waits are not worth a word

export class IntervalBar {
  readonly element = el('div', { class: 'interval', hidden: true });
  private readonly text = el('span', { role: 'status' });
  private readonly exactly = el('button', { type: 'button', class: 'command',
    on: { click: () => this.compute(true) } });
  private readonly choose = el('button', { type: 'button', class: 'command',
    on: { click: () => this.chooser.click() } });
  private readonly chooser: HTMLInputElement = el('input', { type: 'file', hidden: true,
    accept: '.tiles', 'aria-label': 'file with all of the trace',
    on: { change: () => void this.open(this.chooser.files?.[0]) } });
  private readonly tables = new WeakMap<Experiment, IntervalTables>();
  private asked = 0;
  private current: IntervalTables | null = null;
  private trace: TraceIndex | null = null;
  private wantsAll = ''; // interval that is computed exactly
  private span: Span = { from_ns: 0, to_ns: 1 };

  /** `again` is called when better tables of the same interval can be made. */
  constructor(private readonly again: () => void) {
    this.element.append(this.text, this.exactly, this.choose, this.chooser);
  }

  /** Hides the line, because no interval restricts the view. Tables that are being made are given
   * up. */
  hide(): void {
    this.asked++;
    this.element.hidden = true;
  }

  /** The page with the tables of an interval. Null if another interval is wanted by now, or if the
   * tables cannot be made. In the second case, the line says why. */
  async page(page: Page, row: number, span: Span): Promise<Page | null> {
    const asked = ++this.asked, experiment = page.experiments[row];
    const isWanted = () => asked === this.asked;
    this.current = this.tablesOf(experiment, page.index);
    this.trace = experiment.index.trace!;
    this.span = span;
    this.element.hidden = false;
    this.say(`${this.name()}.`);
    delete this.element.dataset.exact;
    const began = performance.now();
    try {
      const made = await this.current.of({ span, isWanted,
        exactly: this.wantsAll === this.key(),
        onProgress: (done, all) => {
          if (isWanted() && performance.now() - began > SAYS_LOADING_MS)
            this.say(`${this.name()}: loading, ${grouped(done)} of ${grouped(all)} tiles.`);
        } });
      if (made && isWanted()) this.show(made);
      return made && withExperiment(page, row, made);
    } catch (error) {
      if (isWanted()) this.fail(error as Error);
      return null;
    }
  }

  private tablesOf(experiment: Experiment, index: PageIndex): IntervalTables {
    let tables = this.tables.get(experiment);
    if (!tables) this.tables.set(experiment, tables = new IntervalTables(experiment,
        index.overheads));
    return tables;
  }

  private key(): string {
    return `${this.span.from_ns} ${this.span.to_ns}`;
  }

  private name(): string {
    const { from_ns, to_ns } = this.span;
    return `Numbers of the ${seconds(to_ns - from_ns)} from ${exactSeconds(from_ns)} s to `
      + `${exactSeconds(to_ns)} s`;
  }

  private say(text: string): void {
    setText(this.text, text);
    this.exactly.hidden = this.choose.hidden = true;
  }

  private show({ quality }: IntervalExperiment): void {
    const { level, hasLeaves } = quality;
    this.element.dataset.exact = String(level === 0);
    const how = level ? `approximate, activations shorter than ${seconds(bucketOf(level))} are `
      + 'merged' : 'exact';
    this.say(`${this.name()}: ${how}. ${this.leavesText(quality)}`);
    if (level > 0 || !hasLeaves || this.trace!.file) void this.offer(quality);
  }

  private leavesText({ hasLeaves, unknown_ns, uncertain_ns }: Quality): string {
    if (!hasLeaves) return this.trace!.leaves === 'file'
      ? 'Useful work and overheads need the file.'
      : 'What was useful work and what an overhead is not in the page.';
    const parts = [unknown_ns && `${seconds(unknown_ns)} are not known`,
      uncertain_ns && `at most ${seconds(uncertain_ns)} may belong to other overheads`];
    const text = parts.filter(Boolean).join(', and ');
    return text && `Of the times of all units, ${text}.`;
  }

  /** Offers more detail, if it is in the page or in the file. */
  private async offer({ level, tiles }: Quality): Promise<void> {
    const trace = await this.current!.trace();
    this.exactly.hidden = level <= trace.level;
    this.exactly.textContent = `compute ${trace.level ? 'more exactly' : 'exactly'} `
      + `(${grouped(tiles)} tiles)`;
    this.choose.hidden = !trace.needsFile;
    this.choose.textContent = `choose ${nameText(trace.index.file, 60)}`;
  }

  private fail(error: Error): void {
    this.say(`${this.name()} cannot be computed: ${nameText(error.message, 300)}`);
    const { file } = this.trace!;
    this.choose.hidden = !file;
    this.choose.textContent = `choose ${nameText(file, 60)}`;
  }

  private compute(all: boolean): void {
    this.wantsAll = all ? this.key() : '';
    this.again();
  }

  private async open(file: File | undefined): Promise<void> {
    if (!file || !this.current) return;
    try {
      await (await this.current.trace()).open(file);
      this.compute(false);
    } catch (error) {
      this.fail(error as Error);
    } finally {
      this.chooser.value = '';
    }
  }
}
