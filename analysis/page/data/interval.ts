// SPDX-License-Identifier: BSD-3-Clause
// The tables of a selected interval: an experiment whose `cell` and `part` are those of the
// interval, made from the tiles of its trace. All other tables are those of the run. Views take
// their tables from it as from any experiment.

import { IntervalCells, tracedContexts } from '../decide/interval_cells';
import type { Span } from '../decide/time';
import { intervalTiles, isInitial, knownTime } from '../decide/time_interval';
import { addRoot, addTile, type ContextNodes, emptySums, type NodeSums }
  from '../decide/time_sums';
import type { ExperimentIndex } from './index';
import type { Experiment, Page } from './page';
import type { CellTable, NodeTable, PartTable, Tables, TracedNodeTable, UnitTable }
  from './tables';
import type { ItemTile } from './tiles';
import { openTrace, type Trace } from './trace';

const MOST_TILES = 250; // that are loaded without being asked to
const PAUSE_MS = 12; // between pauses, in which the page answers

/** What the user should know of the numbers. */
export interface Quality {
  readonly level: number; // of the tiles; 0: exact
  readonly tiles: number; // that exact numbers need
  readonly hasLeaves: boolean; // it is known what was useful work, and what was an overhead
}

export interface Asked {
  readonly span: Span;
  readonly exactly: boolean; // however many tiles it takes
  readonly isWanted: () => boolean; // false: something else is selected by now
  readonly onProgress: (done: number, all: number) => void; // tiles
}

/** An experiment of an interval of its run. */
export class IntervalExperiment implements Experiment {
  readonly index: ExperimentIndex;

  constructor(private readonly run: Experiment, readonly span: Span, readonly quality: Quality,
      private readonly cell: CellTable, private readonly part: PartTable) {
    this.index = { ...run.index, t_p_ns: span.to_ns - span.from_ns, interval: span };
  }

  has(table: keyof Tables): boolean {
    if (table === 'part') return this.quality.hasLeaves;
    return table === 'cell' ? this.cell.node.length > 0 : this.run.has(table);
  }

  table<Name extends keyof Tables>(name: Name): Promise<Tables[Name]> {
    if (name !== 'cell' && name !== 'part') return this.run.table(name);
    return Promise.resolve(this[name as 'cell' | 'part'] as unknown as Tables[Name]);
  }

  piece(block: number, from: number, bytes: number): Promise<Uint8Array> {
    return this.run.piece(block, from, bytes);
  }

  inflate(bytes: Uint8Array): Promise<Uint8Array> {
    return this.run.inflate(bytes);
  }
}

/** The page with another experiment in one place. */
export function withExperiment({ index, experiments }: Page, row: number, experiment: Experiment)
    : Page {
  const replaced = <T>(list: readonly T[], other: T) =>
    list.map((each, i) => i === row ? other : each);
  return { index: { ...index, experiments: replaced(index.experiments, experiment.index) },
    experiments: replaced(experiments, experiment) };
}

/** What the time of cells was is not known. */
function unknownParts(cell: CellTable, unmeasured: number): PartTable {
  return { node: cell.node, unit: cell.unit, ns: cell.excl_ns,
    leaf: new Uint8Array(cell.node.length).fill(unmeasured) };
}

/** What stays the same for all intervals of a run. */
interface Run {
  readonly trace: Trace;
  readonly node: NodeTable;
  readonly unit: UnitTable;
  readonly traced: TracedNodeTable;
  readonly nodes: ContextNodes;
}

async function runOf(experiment: Experiment): Promise<Run> {
  const [trace, node, unit, traced] = await Promise.all([openTrace(experiment),
    experiment.table('node'), experiment.table('unit'), experiment.table('traced_node')]);
  return { trace, node, unit, traced, nodes: tracedContexts(trace.tables.context, traced) };
}

/** The level of detail whose tiles are not too many, and how many exact numbers need. */
function chooseLevel(trace: Trace, units: readonly number[], { span, exactly }: Asked): Quality {
  let { level } = trace;
  const count = () => intervalTiles(trace, units, span, level).length;
  const tiles = count();
  while (!exactly && level < trace.index.top && count() > MOST_TILES) level++;
  return { level, tiles, hasLeaves: false };
}

/** Makes the tables of intervals of one experiment, and keeps those of the last. */
export class IntervalTables {
  private run: Promise<Run> | null = null;
  private kept: { key: string; made: IntervalExperiment } | null = null;

  /** `unmeasured`: row of PageIndex.overheads for time of which it is not known what it was. */
  constructor(private readonly experiment: Experiment, private readonly unmeasured: number) {}

  trace(): Promise<Trace> {
    return openTrace(this.experiment);
  }

  /** Null: it was not wanted any more. */
  async of(asked: Asked): Promise<IntervalExperiment | null> {
    if (!this.run) this.run = runOf(this.experiment);
    const run = await this.run;
    const { from_ns, to_ns } = asked.span;
    const key = `${from_ns} ${to_ns} ${run.trace.level}`;
    if (this.kept?.key === key && (!asked.exactly || this.isBest(run))) return this.kept.made;
    const made = await new Making(this.experiment, run, asked, this.unmeasured).all();
    if (made) this.kept = { key, made };
    return made;
  }

  private isBest({ trace }: Run): boolean {
    return this.kept!.made.quality.level <= trace.level;
  }
}

/** The tables of one interval. */
class Making {
  private readonly units: number[]; // rows of `trace_unit`
  private readonly quality: Quality;
  private readonly cells: IntervalCells;
  private paused = performance.now();
  private done = 0;
  private tiles = 0;

  constructor(private readonly experiment: Experiment, private readonly run: Run,
      private readonly asked: Asked, private readonly unmeasured: number) {
    const { unit } = run.trace.tables.trace_unit;
    this.units = [...unit.keys()].filter(own => unit[own] >= 0);
    this.quality = chooseLevel(run.trace, this.units, asked);
    this.cells = new IntervalCells(run.node, run.traced);
  }

  async all(): Promise<IntervalExperiment | null> {
    const { trace } = this.run, { span } = this.asked;
    const tiles = this.units.map(own =>
      intervalTiles(trace, [own], span, this.quality.level));
    this.tiles = tiles.reduce((sum, list) => sum + list.length, 0);
    for (let i = 0; i < tiles.length; i++) {
      const sums = await this.unit(this.units[i], tiles[i]);
      if (!sums) return null;
      this.cells.add(trace.tables.trace_unit.unit[this.units[i]], sums);
    }
    const cell = this.cells.table();
    return new IntervalExperiment(this.experiment, span, this.quality, cell,
        unknownParts(cell, this.unmeasured));
  }

  private async unit(own: number, tiles: readonly number[]): Promise<NodeSums | null> {
    const { trace, unit, traced, nodes } = this.run, { span } = this.asked;
    const sums = emptySums(traced.id.length), initial = isInitial(trace, unit, own);
    for (const tile of tiles) {
      const items = await trace.load(tile) as ItemTile;
      if (!await this.goesOn()) return null;
      addTile(sums, items, span, nodes, trace.tables.context.is_open, initial ? 0 : -1);
    }
    if (initial) addRoot(sums, 0, knownTime(trace, unit, own, span));
    return sums;
  }

  private async goesOn(): Promise<boolean> {
    this.asked.onProgress(++this.done, this.tiles);
    if (performance.now() - this.paused > PAUSE_MS) {
      await new Promise(next => { setTimeout(next, 0); });
      this.paused = performance.now();
    }
    return this.asked.isWanted();
  }
}
