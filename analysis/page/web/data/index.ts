// SPDX-License-Identifier: BSD-3-Clause
// The directory of the page's data, which analysis/page/view writes as JSON into <script
// id="index">.

/** How a column is stored in its block, which is a deflate stream in base64. - plane: differences
 * to `base`, in `width` planes of bytes: the lowest byte of all rows first - delta: differences of
 * successive values, zigzag, as variable-length numbers of 7 bits - text: for each row, a
 * variable-length number: an index of block `texts` (JSON list of strings) The value `none` stands
 * for NaN. */
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

/** A kind of data that was left out of the page, and the rule for it. */
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
  key: string; // the key in the first line of this file
  top: number; // levels are 0 ... top
  level: number; // the page has this level and those above; 0: all levels
  has_links: boolean; // the page has messages, collective operations and forks
  /** Where the pieces of time are, with which the time of an interval is divided among leaves. */
  leaves: 'page' | 'file' | 'none';
  operations: 'page' | 'file' | 'none'; // where tiles of calls and waits are
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
  /** The JSON that commands print about this experiment: 'report' is that of `sis-analyze report
   * EXP --json`. If a command has no output for the experiment, its document is missing. */
  documents: { [command: string]: unknown };
  left_out: LeftOut[];
  trace?: TraceIndex; // missing if the run has no trace
  /** The interval to which the tables are restricted (data/interval.ts); t_p_ns is its length. It
   * is missing if the tables are those of the whole run, as in all written pages. */
  interval?: { from_ns: number; to_ns: number };
}

export interface OverheadKind {
  name: string; // mnemonic
  parent: number; // row of this list; the root has -1
  is_leaf: boolean;
  is_of_run: boolean; // whether it belongs to no place in the program
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
  depth: number; // an efficiency is the product of the ones after it that are one step deeper
  title: string;
  text: string; // how it is computed
}

/** A look at a running program. */
export interface LiveIndex {
  look: number; // the first look is 1
  interval_ns: number; // until the next look; longer than a second if looks cost much
  cost_ns: number; // processor time of this look
  state: 'runs' | 'ended' | 'gone'; // gone: the run's directory was removed
  running: number; // number of processes that run
  processes: number;
}

export interface PageIndex {
  format: 1;
  version: string; // of sis-analyze
  written_ns: number; // since 1970
  live?: LiveIndex; // missing in a written page, which makes no requests
  experiments: ExperimentIndex[];
  /** Documents about all experiments of the page together ('compare', 'speedup'). */
  documents: { [command: string]: unknown };
  overheads: OverheadKind[]; // overheads.def, parents first
  metrics: Kind[];
  region_types: Kind[];
  efficiencies: EfficiencyKind[]; // in the order of efficiencies.def
}
