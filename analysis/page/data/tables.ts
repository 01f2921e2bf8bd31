// SPDX-License-Identifier: BSD-3-Clause
// The tables of an experiment in the page: their columns. analysis/view/page_tables.c writes them,
// one row of its list for each table here, with the same names.
//
// A column is a typed array or a list of texts; all columns of a table have the same length. A
// number that is not known is NaN in a column of type Float64Array; other columns have no gaps.
// Times are nanoseconds. Below 2^53 they are exact.
//
// References are row numbers: `node` in `cell` is a row of `node`, `region` in `node` a row of
// `region`, `unit` a row of `unit`, `leaf` a row of PageIndex.overheads. USEFUL stands for useful
// work.

export type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** `leaf` of a part that is useful work. */
export const USEFUL = 255;

/** Regions of the source, and those that the runtime adds (type RT_...). */
export interface RegionTable {
  id: Float64Array; // code_region.id
  name: string[];
  type: string[]; // mnemonic of regions.def
  function: string[]; // '': unknown
  file: string[]; // '': none
  line_start: Uint32Array; // 0: not in the source
  line_end: Uint32Array;
}

/** The call graph in pre-order: a node is before its children, and a subtree is in one piece. */
export interface NodeTable {
  id: Float64Array; // drg_node.id
  parent: Int32Array; // -1: the root
  region: Uint32Array;
  depth: Uint32Array;
  end: Uint32Array; // the first node after its subtree
  nested: Uint8Array; // 1: the region is also further up (recursion)
  source_node: Uint32Array; // the node, or its nearest ancestor that is a region of the source
}

/** Processing units, by process and thread. */
export interface UnitTable {
  id: Float64Array; // processing_unit.id
  process: Uint32Array;
  thread: Uint32Array;
  host: string[];
  start_ns: Float64Array; // of its process, after the experiment's start
  end_ns: Float64Array;
  useful_ns: Float64Array;
  state: string[]; // how its process ended
}

/** What a unit did in a node, ordered by node, then unit. */
export interface CellTable {
  node: Uint32Array;
  unit: Uint32Array;
  calls: Float64Array;
  incl_ns: Float64Array;
  excl_ns: Float64Array;
  min_ns: Float64Array; // NaN: no activation ended
  max_ns: Float64Array;
  is_open: Uint8Array; // 1: an activation had not ended
  error_ns: Float64Array; // of excl_ns, with 95 %; 0: exact
}

/** Time of a unit in a node, outside of the node's children, by leaf or USEFUL. Ordered by node,
 * then unit. All parts of a unit add up to T_p. */
export interface PartTable {
  node: Uint32Array;
  unit: Uint32Array;
  leaf: Uint8Array; // row of PageIndex.overheads, or USEFUL
  ns: Float64Array;
}

/** A further metric of a cell, ordered by node, then unit. */
export interface ValueTable {
  node: Uint32Array;
  unit: Uint32Array;
  metric: string[];
  value: Float64Array; // NaN: could not be measured
}

export interface CriticalTable {
  node: Uint32Array;
  unit: Uint32Array;
  ns: Float64Array;
}

/** Waits and their causes. */
export interface DelayTable {
  node: Uint32Array; // where units waited
  leaf: Uint8Array;
  culprit: Uint32Array; // unit
  culprit_node: Uint32Array; // where the culprit spent more time; the root: not known
  ns: Float64Array; // summed over all that waited
  passed_ns: Float64Array;
  indirect_ns: Float64Array;
  wrong_order_ns: Float64Array;
  estimated_ns: Float64Array;
  no_processor_ns: Float64Array; // the culprit was ready to run
}

/** Delay costs by victim: who waited for whom. The rows of a delay add up to its `ns`. */
export interface WaitPairTable {
  node: Uint32Array; // where the victim waited
  leaf: Uint8Array;
  victim: Int32Array; // unit; -1: several, each with a smaller part than any that has a row
  culprit: Uint32Array; // unit
  culprit_node: Uint32Array; // where the culprit spent more time; the root: not known
  ns: Float64Array;
}

/** The node of each running thread that is inside a region. In live pages only. */
export interface OpenTable {
  unit: Uint32Array;
  node: Uint32Array;
  since_ns: Float64Array; // age of its innermost activation; NaN: not known
}

export interface CommunicatorTable {
  number: Float64Array;
  name: string[];
  size: Float64Array;
  kind: string[];
}

/** The communication matrix. */
export interface MessageTable {
  node: Uint32Array; // of the calls
  unit: Uint32Array; // that sent it
  communicator: Uint32Array; // row of `communicator`
  target: Int32Array; // process; -1: a collective operation
  calls: Float64Array;
  bytes: Float64Array;
  ns: Float64Array; // in the calls
  receive_ns: Float64Array;
  estimated: Uint8Array;
}

/** Files of the source that have regions. With `view --source` the texts are in `source_line`. */
export interface SourceFileTable {
  path: string[]; // as in region.file
  state: string[]; // 'embedded', or why its text is not in the page
}

/** The lines of the embedded files: by file, then in their order. */
export interface SourceLineTable {
  file: Uint32Array; // row of `source_file`
  text: string[];
}

/** The call paths of each pair of series of runs (documents.compare of the page). Tables `path` and
 * `difference` of a pair belong to the experiment that is the first run of its series B. A call
 * path is before the call paths that it calls. */
export interface PathTable {
  pair: Uint32Array; // row of `pairs` in documents.compare
  parent: Int32Array; // row of this table; -1: nothing but the run is around it
  name: string[]; // of its innermost region
  file: string[];
  line: Uint32Array; // 0: not in the source
  in_a: Uint8Array; // 1: the first run of series A has it
  in_b: Uint8Array;
  region: Int32Array; // row of `region`; -1: this experiment does not have it
}

/** Means of the processing units. The differences of all parts of a pair add up to that of T_p,
 * but for a few nanoseconds of rounding. */
export interface DifferenceTable {
  path: Uint32Array; // row of `path`
  leaf: Uint8Array; // or USEFUL
  a_ns: Float64Array;
  b_ns: Float64Array;
}

/** How stacks were sampled: one row, or none. */
export interface SamplingTable {
  method: string[];
  metric: string[];
  rate: Float64Array; // samples per second, or events per sample
  lost: Float64Array;
  samples: Float64Array; // all others
  unknown: Float64Array; // in routines without a body or a row of routines.txt
  coarse: Float64Array; // functions with so much memory that parts of it are one
  unit: Float64Array; // parts of a sample in `blame`
}

/** Memory that samples access: of a place of allocation, of a variable, or without either. */
export interface MemoryTable {
  kind: string[]; // heap, mapping, static, stack, thread_local, other, none, unknown
  name: string[]; // a variable, or the pointer to what was allocated; '': not known
  function: string[]; // whose variable it is; '': of none
  container: string[]; // the outermost variable that it is a part of
  container_function: string[];
  type: string[];
  file: string[];
  line: Uint32Array;
  path: string[]; // of an allocation: 'main/solve'
  module: string[];
  bytes: Float64Array; // of a variable; 0: not known
}

/** What a unit allocates and accesses, by memory, then unit. */
export interface MemoryUseTable {
  memory: Uint32Array; // row of table memory
  unit: Uint32Array;
  allocations: Float64Array;
  freed: Float64Array;
  bytes: Float64Array;
  most_bytes: Float64Array; // not freed: the most at one time
  largest_bytes: Float64Array;
  life_ns: Float64Array; // sum of all that were freed
  samples: Float64Array;
}

/** Sentences: of which samples the blame is not certain, and why. */
export interface DoubtTable {
  text: string[];
}

/** How exactly samples were placed at statements, from exact to nothing; then the reasons. */
export interface SampleShareTable {
  is_reason: Uint8Array; // 1: why samples were not placed
  key: string[];
  text: string[];
  samples: Float64Array;
}

/** The profile of functions, of the same samples. */
export interface FunctionSamplesTable {
  unit: Uint32Array;
  function: string[];
  file: string[];
  line: Uint32Array;
  own: Float64Array;
  inclusive: Float64Array;
}

/** Call paths of functions whose variables samples belong to. */
export interface BlamePointTable {
  id: Float64Array; // blame_point.id
  is_root: Uint8Array; // 1: a thread's outermost function
  path: string[]; // functions, joined by '/'
  function: string[];
  file: string[];
  line: Uint32Array;
  samples: Float64Array; // in it or below it
  is_chosen: Uint8Array; // 1: it has #pragma sis blame
  is_top: Uint8Array; // 1: some blame cannot rise above it
  is_cut: Uint8Array; // 1: it may have callers that are not known
}

/** Variables of a blame point, and its rows that are none. */
export interface VariableTable {
  point: Uint32Array; // row of `blame_point`
  kind: string[]; // local, parameter, global, static, heap, result, output, other
  name: string[];
  field: string[]; // part of the variable; '': all of it
  type: string[];
  file: string[];
  line: Uint32Array;
}

/** Samples of a unit that belong to a variable, in parts of a sample (sampling.unit), except
 * `weight`. Ordered by variable, then unit. */
export interface BlameTable {
  variable: Uint32Array;
  unit: Uint32Array;
  explicit: Float64Array;
  implicit: Float64Array;
  parts: Float64Array; // partitioned
  base: Float64Array; // of samples at statements that themselves write it
  blocked: Float64Array; // of `parts`, of a blocked thread
  weight: Float64Array; // nanoseconds or events of `parts`
}

/** Overhead for a variable: exact, not sampled. Ordered by variable, then unit. */
export interface VariableOverheadTable {
  variable: Uint32Array;
  unit: Uint32Array;
  leaf: Uint8Array;
  routine: string[];
  ns: Float64Array;
  bytes: Float64Array;
  calls: Float64Array;
}

/** When a process changed how it measures a region: to a lower rung, or to a higher one again.
 * Ordered by region, process and time. */
export interface TurnedDownTable {
  region: Uint32Array;
  process: Uint32Array;
  rung: string[]; // full, fraction, sampled, off
  time_ns: Float64Array;
}

/** The tiles of the trace (view/trace_tiles.h), in the order in which they follow each other: those
 * with `in_page` in the block of ExperimentIndex.trace, all of them in its file. */
export interface TileTable {
  unit: Uint32Array; // row of `trace_unit`; of links 0
  level: Uint8Array;
  kind: Uint8Array; // 0 exact items, 1 merged ones, 2 links, 3 pieces of time, 4 calls, 5 waits
  from_ns: Float64Array; // what its items span
  to_ns: Float64Array;
  items: Uint32Array;
  bytes: Uint32Array; // compressed
  checksum: Uint32Array; // Adler-32 of these
  in_page: Uint8Array;
}

/** The node of an activation, and the node around it. Each item of a tile names a row of this
 * table. */
export interface ContextTable {
  node_id: Float64Array; // NodeTable.id; 0: not known
  parent_id: Float64Array; // that of the activation around it
  is_open: Uint8Array; // 1: the node is also open further up
  name: string[]; // of the region
}

/** The nodes that the trace names, and those above them. The root is first. */
export interface TracedNodeTable {
  id: Float64Array; // NodeTable.id before nodes were left out of the page
  parent: Int32Array; // row of this table; -1: none
  node: Int32Array; // row of `node`; if it was left out, that of the nearest one above; -1: none
}

/** How the time of an interval is divided among useful work and leaves (decide/interval_parts.ts):
 * times of units in the whole run, without their single waits. In these tables, `unit` is a row of
 * `trace_unit`, and `node` one of `traced_node`. Ordered by unit. */
export interface TracedTimeTable {
  unit: Uint32Array;
  state: Uint8Array;
  node: Int32Array; // -1: not known
  ns: Float64Array;
}

/** What is booked of these times. Ordered by unit, state and node. */
export interface TracedShareTable {
  unit: Uint32Array;
  state: Uint8Array;
  node: Int32Array;
  leaf: Uint8Array; // or USEFUL
  ns: Float64Array;
}

/** Single waits. Ordered by unit. */
export interface TracedWaitTable {
  unit: Uint32Array;
  state: Uint8Array; // idle: of the initial thread, while the unit was idle
  node: Int32Array; // for which they are booked
  leaf: Uint8Array;
  ns: Float64Array;
  booked_ns: Float64Array; // of them
}

/** The communication matrix of the run. An interval has a part of each value, in the proportion of
 * its events to all events of the run. Columns basis_* have the sums of all events
 * (decide/interval_messages.ts). `unit` and `node` are as in TracedTimeTable. */
export interface TracedMessageTable {
  unit: Uint32Array;
  node: Int32Array;
  communicator: Float64Array; // CommunicatorTable.number
  target: Int32Array; // process; -1: a collective operation
  calls: Float64Array;
  bytes: Float64Array;
  ns: Float64Array;
  receive_ns: Float64Array;
  estimated: Uint8Array;
  by_trace: Uint8Array; // 1: an estimate, for which calls of the trace stand
  basis_calls: Float64Array; // sums over the events of the run
  basis_bytes: Float64Array;
  basis_ns: Float64Array;
  basis_receive_ns: Float64Array;
}

/** Who waited for whom in single waits (decide/interval_waits.ts), in the run. Units and nodes as
 * above. */
export interface TracedPairTable {
  unit: Uint32Array; // the victim
  node: Int32Array;
  leaf: Uint8Array;
  culprit: Uint32Array;
  culprit_node: Int32Array;
  ns: Float64Array; // of the victim
  idle_ns: Float64Array; // of units of its process that were idle meanwhile
}

/** How long units were idle while the initial thread of their process waited. Ordered by unit. */
export interface TracedIdleTable {
  unit: Uint32Array;
  node: Int32Array;
  leaf: Uint8Array;
  ns: Float64Array;
}

/** The units of the trace. */
export interface TraceUnitTable {
  unit: Int32Array; // row of `unit`; -1: it has none
  lanes: Uint32Array; // depth of its stack; 0: it has no events
  is_read: Uint8Array; // 1: a trace has the unit, also if it has no events
}

/** While the trace of a unit was off, or its events were not kept. */
export interface GapTable {
  unit: Uint32Array; // row of `trace_unit`
  from_ns: Float64Array;
  to_ns: Float64Array;
}

export interface Tables {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  cell: CellTable;
  part: PartTable;
  value: ValueTable;
  critical: CriticalTable;
  delay: DelayTable;
  wait_pair: WaitPairTable;
  open: OpenTable;
  communicator: CommunicatorTable;
  message: MessageTable;
  source_file: SourceFileTable;
  source_line: SourceLineTable;
  path: PathTable;
  difference: DifferenceTable;
  sampling: SamplingTable;
  doubt: DoubtTable;
  memory: MemoryTable;
  memory_use: MemoryUseTable;
  sample_share: SampleShareTable;
  function_samples: FunctionSamplesTable;
  blame_point: BlamePointTable;
  variable: VariableTable;
  blame: BlameTable;
  variable_overhead: VariableOverheadTable;
  turned_down: TurnedDownTable;
  tile: TileTable;
  context: ContextTable;
  traced_node: TracedNodeTable;
  traced_time: TracedTimeTable;
  traced_share: TracedShareTable;
  traced_wait: TracedWaitTable;
  traced_message: TracedMessageTable;
  traced_pair: TracedPairTable;
  traced_idle: TracedIdleTable;
  trace_unit: TraceUnitTable;
  gap: GapTable;
}
