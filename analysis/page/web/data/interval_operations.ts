// SPDX-License-Identifier: BSD-3-Clause
// Makes the tables of messages and waits of an interval when a view asks for them, from tiles of
// calls and single waits.

import { IntervalMessages } from '../decide/interval_messages';
import { RunWaits } from '../decide/interval_waits';
import type { Span } from '../decide/time';
import type { Experiment } from './page';
import type { DelayTable, MessageTable, PartTable, WaitPairTable } from './tables';
import { CALLS, type EventTile, WAITS } from './tiles';
import type { Trace } from './trace';

const PAUSE_MS = 12; // time between pauses, in which the page reacts to the user

export class IntervalOperations {
  private runWaits: Promise<RunWaits> | null = null;

  /** `run`: the experiment without an interval. */
  constructor(private readonly run: Experiment, private readonly trace: Trace) {}

  /** Whether the tiles are available: in the page, or in the file beside it if the user has chosen
   * this file. */
  get canBeHad(): boolean {
    return this.trace.hasOperations;
  }

  async messages(span: Span): Promise<MessageTable> {
    const { run, trace } = this;
    const [message, traced, communicator] = await Promise.all([run.table('traced_message'),
      run.table('traced_node'), run.table('communicator')]);
    const sums = new IntervalMessages({ message, traced, communicator,
      units: trace.tables.trace_unit }, span);
    await this.each(CALLS, span, tile => sums.add(tile));
    return sums.table();
  }

  /** `part` is the table `part` of the interval, not that of the run. */
  async waits(span: Span, part: PartTable): Promise<{ wait_pair: WaitPairTable;
    delay: DelayTable }> {
    if (!this.runWaits) this.runWaits = this.findRunWaits();
    const waits = await this.runWaits, times = waits.empty();
    await this.each(WAITS, span, tile => waits.add(times, tile, span));
    return waits.tables(times, part);
  }

  private async findRunWaits(): Promise<RunWaits> {
    const { run, trace } = this;
    const [pair, delay, part, unit, timed, idle, traced] = await Promise.all([
      run.table('wait_pair'), run.table('delay'), run.table('part'), run.table('unit'),
      run.table('traced_pair'), run.table('traced_idle'), run.table('traced_node')]);
    return new RunWaits({ pair, delay, part, unit, timed, idle, traced,
      units: trace.tables.trace_unit });
  }

  private async each(kind: number, { from_ns, to_ns }: Span, add: (tile: EventTile) => void)
      : Promise<void> {
    let paused = performance.now();
    for (const tile of this.trace.between(0, kind, 0, from_ns, to_ns)) {
      add(await this.trace.load(tile) as EventTile);
      if (performance.now() - paused < PAUSE_MS) continue;
      await new Promise(next => { setTimeout(next, 0); });
      paused = performance.now();
    }
  }
}
