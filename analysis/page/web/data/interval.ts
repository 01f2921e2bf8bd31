// SPDX-License-Identifier: BSD-3-Clause
// The tables of a selected interval. An IntervalExperiment has `cell`, `part`, `message`,
// `wait_pair` and `delay` of the interval, made from tiles of the trace. All other tables are those
// of the run. Views read all these tables like those of any experiment.

import { IntervalCells, tracedContexts } from '../decide/interval_cells';
import { Division, IntervalParts, type OuterLeaves, type Uncertain, type UnitTimes }
  from '../decide/interval_parts';
import type { Span } from '../decide/time';
import { affordableTiles, intervalTiles, isInitial, knownTime } from '../decide/time_interval';
import { addRoot, addTile, type ContextNodes, emptySums, type NodeSums }
  from '../decide/time_sums';
import type { ExperimentIndex, OverheadKind } from './index';
import { IntervalOperations } from './interval_operations';
import type { Experiment, Page } from './page';
import type { CellTable, DelayTable, MessageTable, NodeTable, PartTable, Tables, TracedNodeTable,
  TracedShareTable, TracedTimeTable, TracedWaitTable, UnitTable, WaitPairTable } from './tables';
import { type ItemTile, OF_INITIAL, OF_UNIT, PIECES, type PieceTile } from './tiles';
import { openTrace, type Trace } from './trace';

const MOST_TILES = 250; // more are loaded only if the user asks for exact numbers
const PAUSE_MS = 12; // time between pauses, in which the page reacts to the user

/** How exact the numbers are. */
export interface Quality extends Readonly<Uncertain> {
  readonly level: number; // level of the tiles; 0: the numbers are exact
  readonly tiles: number; // number of tiles that exact numbers need
  readonly hasLeaves: boolean; // whether time could be divided among useful work and leaves
}

export interface Asked {
  readonly span: Span;
  readonly exactly: boolean; // whether to load all tiles, however many there are
  readonly isWanted: () => boolean; // false if something else is selected by now
  readonly onProgress: (done: number, all: number) => void; // gets numbers of tiles
}

/** An experiment whose tables are restricted to an interval of the run. */
export class IntervalExperiment implements Experiment {
  readonly index: ExperimentIndex;
  private messages: Promise<MessageTable> | null = null;
  private waits: Promise<{ wait_pair: WaitPairTable; delay: DelayTable }> | null = null;

  constructor(private readonly run: Experiment, readonly span: Span, readonly quality: Quality,
      private readonly cell: CellTable, private readonly part: PartTable,
      private readonly operations: IntervalOperations) {
    this.index = { ...run.index, t_p_ns: span.to_ns - span.from_ns, interval: span };
  }

  has(table: keyof Tables): boolean {
    if (table === 'part') return this.quality.hasLeaves;
    const { canBeHad } = this.operations;
    if (table === 'message') return canBeHad && this.run.has(table);
    if (table === 'wait_pair' || table === 'delay')
      return canBeHad && this.quality.hasLeaves && this.run.has(table);
    return table === 'cell' ? this.cell.node.length > 0 : this.run.has(table);
  }

  table<Name extends keyof Tables>(name: Name): Promise<Tables[Name]> {
    return this.own(name) as Promise<Tables[Name]> | null ?? this.run.table(name);
  }

  /** The interval's own table; null if the interval uses the run's table. */
  private own(name: keyof Tables): Promise<Tables[keyof Tables]> | null {
    const { operations, span, part } = this;
    switch (name) {
      case 'cell':
      case 'part':
        return Promise.resolve(this[name]);
      case 'message':
        if (!this.messages) this.messages = operations.messages(span);
        return this.messages;
      case 'wait_pair':
      case 'delay':
        if (!this.waits) this.waits = operations.waits(span, part);
        return this.waits.then(tables => tables[name]);
      default:
        return null;
    }
  }

  piece(block: number, from: number, bytes: number): Promise<Uint8Array> {
    return this.run.piece(block, from, bytes);
  }

  inflate(bytes: Uint8Array): Promise<Uint8Array> {
    return this.run.inflate(bytes);
  }
}

/** A copy of the page that has another experiment at one row. */
export function withExperiment({ index, experiments }: Page, row: number, experiment: Experiment)
    : Page {
  const replaced = <T>(list: readonly T[], other: T) =>
    list.map((each, i) => i === row ? other : each);
  return { index: { ...index, experiments: replaced(index.experiments, experiment.index) },
    experiments: replaced(experiments, experiment) };
}

/** Table `part` of an interval without pieces of time: all time of the cells is UNMEASURED. */
function unknownParts(cell: CellTable, unmeasured: number): PartTable {
  return { node: cell.node, unit: cell.unit, ns: cell.excl_ns,
    leaf: new Uint8Array(cell.node.length).fill(unmeasured) };
}

/** The data that all intervals of a run share. */
interface Run {
  readonly trace: Trace;
  readonly time: TracedTimeTable;
  readonly share: TracedShareTable;
  readonly wait: TracedWaitTable;
  readonly node: NodeTable;
  readonly unit: UnitTable;
  readonly traced: TracedNodeTable;
  readonly nodes: ContextNodes;
  readonly operations: IntervalOperations;
}

async function runOf(experiment: Experiment): Promise<Run> {
  const [trace, node, unit, traced, time, share, wait] = await Promise.all([
    openTrace(experiment), experiment.table('node'), experiment.table('unit'),
    experiment.table('traced_node'), experiment.table('traced_time'),
    experiment.table('traced_share'), experiment.table('traced_wait')]);
  return { trace, node, unit, traced, nodes: tracedContexts(trace.tables.context, traced), time,
    share, wait, operations: new IntervalOperations(experiment, trace) };
}

/** Makes the tables of intervals of one experiment, and keeps those of the last interval. */
export class IntervalTables {
  private run: Promise<Run> | null = null;
  private readonly outer: OuterLeaves;
  private kept: { key: string; made: IntervalExperiment } | null = null;

  constructor(private readonly experiment: Experiment, overheads: readonly OverheadKind[]) {
    const leaf = (name: string) => overheads.findIndex(kind => kind.name === name);
    this.outer = { before: leaf('OCTRL_SPAWN'), after: leaf('OSYNC_FINWAIT'),
      unknown: leaf('UNMEASURED') };
  }

  trace(): Promise<Trace> {
    return openTrace(this.experiment);
  }

  /** The experiment of an interval; null if it is not wanted any more. */
  async of(asked: Asked): Promise<IntervalExperiment | null> {
    if (!this.run) this.run = runOf(this.experiment);
    const run = await this.run;
    const { from_ns, to_ns } = asked.span;
    const key = `${from_ns} ${to_ns} ${run.trace.level} ${run.trace.hasLeaves}`;
    if (this.kept?.key === key && (!asked.exactly || this.isBest(run))) return this.kept.made;
    const made = await new Making(this.experiment, run, asked, this.outer).all();
    if (made) this.kept = { key, made };
    return made;
  }

  private isBest({ trace }: Run): boolean {
    return this.kept!.made.quality.level <= trace.level;
  }
}

/** Makes the tables of one interval. */
class Making {
  private readonly units: number[]; // rows of `trace_unit`
  private readonly level: number;
  private readonly exactTiles: number;
  private readonly cells: IntervalCells;
  private readonly parts: IntervalParts;
  private readonly division: Division | null;
  private readonly initial = new Map<number, number>(); // initial threads: `trace_unit` by process
  private paused = performance.now();
  private done = 0;
  private tiles = 0;

  constructor(private readonly experiment: Experiment, private readonly run: Run,
      private readonly asked: Asked, private readonly outer: OuterLeaves) {
    const { unit } = run.trace.tables.trace_unit;
    this.units = [...unit.keys()].filter(own => unit[own] >= 0);
    const { level, exact } = affordableTiles(run.trace, this.units, asked.span,
        asked.exactly ? Infinity : MOST_TILES);
    this.level = level;
    this.exactTiles = exact;
    for (const own of this.units)
      if (run.unit.thread[unit[own]] === 0) this.initial.set(run.unit.process[unit[own]], own);
    this.cells = new IntervalCells(run.node, run.traced);
    this.parts = new IntervalParts(run.node, run.traced);
    this.division = run.trace.hasLeaves ? new Division(run.traced.parent, unit.length, run.time,
        run.share, run.wait, this.outer) : null;
  }

  async all(): Promise<IntervalExperiment | null> {
    const { trace } = this.run, { span } = this.asked;
    const pieces = (own: number) => this.division
      ? trace.between(own, PIECES, OF_UNIT, span.from_ns, span.to_ns) : [];
    const tiles = this.units.map(own => ({ own, pieces: pieces(own),
      items: intervalTiles(trace, [own], span, this.level) }));
    this.tiles = tiles.reduce((sum, { items, pieces }) => sum + items.length + pieces.length, 0);
    for (const { own, items, pieces } of tiles) {
      const sums = await this.sums(own, items);
      if (!sums || !await this.divide(own, sums, pieces)) return null;
    }
    const cell = this.cells.table();
    return new IntervalExperiment(this.experiment, span, this.quality(), cell,
        this.division ? this.parts.table() : unknownParts(cell, this.outer.unknown),
        this.run.operations);
  }

  private quality(): Quality {
    const { level, exactTiles: tiles, division } = this;
    return { level, tiles, hasLeaves: division !== null, unknown_ns: division?.sums.unknown_ns ?? 0,
      uncertain_ns: division?.sums.uncertain_ns ?? 0 };
  }

  private async sums(own: number, tiles: readonly number[]): Promise<NodeSums | null> {
    const { trace, unit, traced, nodes } = this.run, { span } = this.asked;
    const sums = emptySums(traced.id.length), initial = isInitial(trace, unit, own);
    for (const tile of tiles) {
      const items = await trace.load(tile) as ItemTile;
      if (!await this.goesOn()) return null;
      addTile(sums, items, span, nodes, trace.tables.context.is_open, initial ? 0 : -1);
    }
    if (initial) addRoot(sums, 0, knownTime(trace, unit, own, span));
    this.cells.add(trace.tables.trace_unit.unit[own], sums);
    return sums;
  }

  /** Divides a unit's time among leaves. False if the interval is not wanted any more. */
  private async divide(own: number, { excl_ns }: NodeSums, tiles: readonly number[])
      : Promise<boolean> {
    const { division, run: { trace, unit }, asked: { span } } = this;
    if (!division) return true;
    const times = division.begin(own, excl_ns);
    for (const tile of tiles) {
      const pieces = await trace.load(tile) as PieceTile;
      if (!await this.goesOn()) return false;
      division.addPieces(own, times, pieces, span);
    }
    const row = trace.tables.trace_unit.unit[own], add = this.parts.of(row);
    if (!await this.divideIdle(own, row, times)) return false;
    division.addOutside({ from_ns: unit.start_ns[row], to_ns: unit.end_ns[row] }, span, add);
    division.divide(own, times, add);
    return true;
  }

  /** Loads the pieces that say where the initial thread was while the unit was idle. False if the
   * interval is not wanted any more. */
  private async divideIdle(own: number, row: number, times: UnitTimes): Promise<boolean> {
    const { division, run: { trace, unit }, initial } = this;
    const { idle } = times;
    if (!idle.length) return true;
    const rules = division!.idleRules(own);
    for (const tile of trace.between(initial.get(unit.process[row]) ?? -1, PIECES, OF_INITIAL,
        idle[0].from_ns, idle[idle.length - 1].to_ns)) {
      const pieces = await trace.load(tile) as PieceTile;
      if (!await this.goesOn(0)) return false;
      division!.addIdle(times, pieces, rules);
    }
    return true;
  }

  /** Reports progress, and pauses now and then so that the page reacts to the user. `tiles` is
   * added to the progress; it is 0 for a tile that the progress does not count. Returns false if
   * the interval is not wanted any more. */
  private async goesOn(tiles = 1): Promise<boolean> {
    this.done += tiles;
    this.asked.onProgress(this.done, this.tiles);
    if (performance.now() - this.paused > PAUSE_MS) {
      await new Promise(next => { setTimeout(next, 0); });
      this.paused = performance.now();
    }
    return this.asked.isWanted();
  }
}
