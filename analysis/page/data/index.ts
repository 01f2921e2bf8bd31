// SPDX-License-Identifier: BSD-3-Clause
// The directory of the page's data: what analysis/view writes into <script id="index"> as JSON.

/** How a column is stored in its block, which is a deflate stream in base64.
 * - plane: value - base, in `width` planes of bytes, the lowest byte first
 * - delta: differences of successive values, zigzag, as variable-length numbers of 7 bits
 * - text: rows of variable-length numbers into the texts of block `texts` (JSON list of strings)
 * A value `none` stands for NaN. */
export interface ColumnIndex {
  block: number;
  form: 'plane' | 'delta' | 'text';
  type: 'f64' | 'u32' | 'i32' | 'u8' | 'text';
  base?: number;
  width?: number;
  none?: number;
  texts?: number;
}

export interface TableIndex {
  rows: number;
  columns: { [name: string]: ColumnIndex };
}

/** What was left out of the page, and by which rule. */
export interface LeftOut {
  what: string; // 'summaries'
  kept: number;
  all: number;
  rule: string; // a sentence for the user
}

/** The trace of an experiment: how its tiles are stored. */
export interface TraceIndex {
  block: number; // the tiles in the page, one after the other; each is a deflate stream
  file: string; // name of the file beside the page that has all tiles; '': the page has them
  key: string; // what the first line of this file says
  top: number; // levels are 0 ... top
  level: number; // the page has this level and those above; 0: all
  has_links: boolean; // the page has messages, collective operations and forks
  /** Where the pieces are by which an interval's time is divided among leaves. */
  leaves: 'page' | 'file' | 'none';
  operations: 'page' | 'file' | 'none'; // where the calls and single waits of intervals are
  activations: number;
  links: number;
  cut: number; // activations that are too deep for the picture
}

export interface ExperimentIndex {
  id: number;
  name: string;
  program: string;
  command: string;
  role: string;
  p: number;
  t_p_ns: number;
  started_ns: number;
  complete: boolean;
  tables: { [name: string]: TableIndex };
  /** The JSON that commands print about this experiment: 'report' is that of
   * `sis-analyze report EXP --json`. A command that has nothing to say is missing. */
  documents: { [command: string]: unknown };
  left_out: LeftOut[];
  trace?: TraceIndex; // missing: the run has none
  /** The interval whose tables the experiment has (data/interval.ts); t_p_ns is its length. It is
   * missing if the tables are those of the whole run, as in all written pages. */
  interval?: { from_ns: number; to_ns: number };
}

export interface OverheadKind {
  name: string; // mnemonic
  parent: number; // row of this list; -1: the root
  is_leaf: boolean;
  text: string;
}

export interface Kind {
  name: string;
  text: string;
  unit?: string;
}

/** A row of efficiencies.def. Its value is documents.report.efficiencies[key]. */
export interface EfficiencyKind {
  key: string;
  depth: number; // an efficiency is the product of those that follow it one step deeper
  title: string;
  text: string; // how it is computed
}

/** A look at a running program. */
export interface LiveIndex {
  look: number; // counts from 1
  interval_ns: number; // until the next look; longer than a second where looks cost much
  cost_ns: number; // processor time of this look
  state: 'runs' | 'ended' | 'gone'; // gone: the run's directory was removed
  running: number; // processes that run
  processes: number;
}

export interface PageIndex {
  format: 1;
  version: string; // of sis-analyze
  written_ns: number; // since 1970
  live?: LiveIndex; // missing: the page was written once, and asks nobody
  experiments: ExperimentIndex[];
  /** Documents about all experiments of the page together ('compare', 'speedup'). */
  documents: { [command: string]: unknown };
  overheads: OverheadKind[]; // overheads.def, parents first
  metrics: Kind[];
  region_types: Kind[];
  efficiencies: EfficiencyKind[]; // in the order of efficiencies.def
}
