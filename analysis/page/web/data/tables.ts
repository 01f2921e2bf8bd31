// SPDX-License-Identifier: BSD-3-Clause
// The tables of an experiment in the page: their columns, and how each column is kept in memory.
// In analysis/page/view, page_tables.c, page_statements.c and page_trace_tables.c write them, with
// the same names and types.
//
// A column is a typed array or a list of texts. All columns of a table have the same length. In a
// column of type f64, a number that is not known is NaN. Other columns have no unknown numbers.
// Times are nanoseconds. Below 2^53 they are exact.
//
// References are row numbers. For example, `node` in `cell` is a row of `node`, and `region` in
// `node` is a row of `region`. `unit` is a row of `unit`, and `leaf` is a row of
// PageIndex.overheads, or USEFUL for useful work.

export type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** The `leaf` of useful work. */
export const USEFUL = 255;

export const COLUMNS = {
  /** Regions of the source, and those that the runtime adds (type RT_...). */
  region: {
    id: 'f64', // code_region.id
    name: 'text',
    type: 'text', // mnemonic of regions.def
    function: 'text', // '' if it is not known
    file: 'text', // '' if there is none
    line_start: 'u32', // 0: not in the source
    line_end: 'u32',
  },
  /** The call graph in pre-order: a node is directly before the nodes below it. */
  node: {
    id: 'f64', // drg_node.id
    parent: 'i32', // the root has -1
    region: 'u32',
    depth: 'u32',
    end: 'u32', // the first node after its subtree
    nested: 'u8', // 1: a node further up has the same region (recursion)
    source_node: 'u32', // the node, or its nearest ancestor that is a region of the source
  },
  /** Processing units, by process and thread. */
  unit: {
    id: 'f64', // processing_unit.id
    process: 'u32',
    thread: 'u32',
    host: 'text',
    start_ns: 'f64', // start of its process, counted from the experiment's start
    end_ns: 'f64',
    useful_ns: 'f64',
    state: 'text', // how its process ended
  },
  /** Calls and times of a unit in a node. Ordered by node, then unit. */
  cell: {
    node: 'u32',
    unit: 'u32',
    calls: 'f64',
    incl_ns: 'f64',
    excl_ns: 'f64',
    min_ns: 'f64', // NaN: no activation ended
    max_ns: 'f64',
    is_open: 'u8', // 1: an activation had not ended
    error_ns: 'f64', // error of excl_ns, with 95 %; 0: excl_ns is exact
  },
  /** Time of a unit in a node, outside of the node's children, by leaf or USEFUL. Ordered by node,
   * then unit. All parts of a unit add up to T_p. */
  part: {
    node: 'u32',
    unit: 'u32',
    leaf: 'u8', // row of PageIndex.overheads, or USEFUL
    ns: 'f64',
  },
  /** A further metric of a cell. Ordered by node, then unit. */
  value: {
    node: 'u32',
    unit: 'u32',
    metric: 'text',
    value: 'f64', // NaN: it could not be measured
  },
  critical: {
    node: 'u32',
    unit: 'u32',
    ns: 'f64',
  },
  /** Waits and their causes. */
  delay: {
    node: 'u32', // where units waited
    leaf: 'u8',
    culprit: 'u32', // unit
    culprit_node: 'u32', // where the culprit spent more time; the root: not known
    ns: 'f64', // sum over all units that waited
    passed_ns: 'f64',
    indirect_ns: 'f64',
    wrong_order_ns: 'f64',
    estimated_ns: 'f64',
    no_processor_ns: 'f64', // the culprit was ready to run
  },
  /** Delay costs by victim. The rows of a delay add up to the delay's `ns`. */
  wait_pair: {
    node: 'u32', // where the victim waited
    leaf: 'u8',
    victim: 'i32', // unit; -1: all victims whose parts are too small for rows of their own
    culprit: 'u32', // unit
    culprit_node: 'u32', // where the culprit spent more time; the root: not known
    ns: 'f64',
  },
  /** The node of each running thread that is inside a region. In live pages only. */
  open: {
    unit: 'u32',
    node: 'u32',
    since_ns: 'f64', // age of its innermost activation; NaN: not known
  },
  communicator: {
    number: 'f64',
    name: 'text',
    size: 'f64',
    kind: 'text',
  },
  /** The communication matrix. */
  message: {
    node: 'u32', // of the calls
    unit: 'u32', // the sender
    communicator: 'u32', // row of `communicator`
    target: 'i32', // process; -1: a collective operation
    calls: 'f64',
    bytes: 'f64',
    ns: 'f64', // time in the calls
    receive_ns: 'f64',
    estimated: 'u8',
  },
  /** Source files that have regions. With `view --source`, their texts are in `source_line`. */
  source_file: {
    path: 'text', // as in region.file
    state: 'text', // 'embedded', or why its text is not in the page
  },
  /** The lines of the embedded files. Ordered by file, then by number. */
  source_line: {
    file: 'u32', // row of `source_file`
    text: 'text',
  },
  /** The call paths of each pair of series of runs (documents.compare of the page). The rows of a
   * pair, here and in `difference`, are in the experiment that is the first run of its series B. A
   * call path is before the call paths below it. */
  path: {
    pair: 'u32', // row of `pairs` in documents.compare
    parent: 'i32', // row of this table; -1: it is an outermost call path
    name: 'text', // name of its innermost region
    file: 'text',
    line: 'u32', // 0: not in the source
    in_a: 'u8', // 1: the first run of series A has it
    in_b: 'u8',
    region: 'i32', // row of `region`; -1: this experiment does not have it
  },
  /** The parts of a difference. Times are means of the processing units. The differences of all
   * parts of a pair add up to the difference of T_p, except for a few nanoseconds of rounding. */
  difference: {
    path: 'u32', // row of `path`
    leaf: 'u8', // or USEFUL
    a_ns: 'f64',
    b_ns: 'f64',
  },
  /** How stacks were sampled: one row, or none. */
  sampling: {
    method: 'text',
    metric: 'text',
    rate: 'f64', // samples per second, or events per sample
    lost: 'f64',
    samples: 'f64', // samples that were not lost
    unknown: 'f64', // samples in routines without a body or a row of routines.txt
    coarse: 'f64', // functions with so much memory that parts of it are treated as one
    unit: 'f64', // number of parts into which `blame` divides a sample
  },
  /** Memory that samples access. A row is the memory of a place of allocation, of a variable, or of
   * neither. */
  memory: {
    kind: 'text', // heap, mapping, static, stack, thread_local, other, none, unknown
    name: 'text', // a variable, or the pointer to an allocated block; '' if it is not known
    function: 'text', // the function that has the variable; '' if there is none
    container: 'text', // the outermost variable that it is a part of
    container_function: 'text',
    type: 'text',
    file: 'text',
    line: 'u32',
    path: 'text', // call path of an allocation: 'main/solve'
    module: 'text',
    bytes: 'f64', // size of a variable; 0 if it is not known
  },
  /** Memory that a unit allocates and accesses. Ordered by memory, then unit. */
  memory_use: {
    memory: 'u32', // row of table memory
    unit: 'u32',
    allocations: 'f64',
    freed: 'f64',
    bytes: 'f64',
    most_bytes: 'f64', // the most bytes that were allocated at one time
    largest_bytes: 'f64',
    life_ns: 'f64', // sum over the freed blocks
    samples: 'f64',
  },
  /** Sentences that say which samples have uncertain blame, and why. */
  doubt: {
    text: 'text',
  },
  /** How exactly samples could be placed at statements, from exact to not at all. Then come the
   * reasons. */
  sample_share: {
    is_reason: 'u8', // 1: the row is a reason why samples could not be placed
    key: 'text',
    text: 'text',
    samples: 'f64',
  },
  /** The profile of functions, from the same samples. */
  function_samples: {
    unit: 'u32',
    function: 'text',
    file: 'text',
    line: 'u32',
    own: 'f64',
    inclusive: 'f64',
  },
  /** Samples at lines of the source. */
  line_samples: {
    unit: 'u32',
    file: 'text', // as in source_file
    line: 'u32',
    samples: 'f64',
  },
  /** Call paths of functions to whose variables samples belong. */
  blame_point: {
    id: 'f64', // blame_point.id
    is_root: 'u8', // 1: a thread's outermost function
    path: 'text', // functions, joined by '/'
    function: 'text',
    file: 'text',
    line: 'u32',
    samples: 'f64', // in the blame point or below it
    is_chosen: 'u8', // 1: it has #pragma sis blame
    is_top: 'u8', // 1: some blame cannot rise above it
    is_cut: 'u8', // 1: it may have callers that are not known
  },
  /** Variables of a blame point, and its other rows (result, output, other). */
  variable: {
    point: 'u32', // row of `blame_point`
    kind: 'text', // local, parameter, global, static, heap, result, output, other
    name: 'text',
    field: 'text', // a part of the variable; '' is all of it
    type: 'text',
    file: 'text',
    line: 'u32',
  },
  /** Samples of a unit that belong to a variable, in parts of a sample (sampling.unit), except
   * `weight`. Ordered by variable, then unit. */
  blame: {
    variable: 'u32',
    unit: 'u32',
    explicit: 'f64',
    implicit: 'f64',
    parts: 'f64', // partitioned blame
    base: 'f64', // blame of samples at statements that themselves write the variable
    blocked: 'f64', // the part of `parts` in which the thread was blocked
    weight: 'f64', // `parts` in nanoseconds or events
  },
  /** Overhead for a variable: exact, not sampled. Ordered by variable, then unit. */
  variable_overhead: {
    variable: 'u32',
    unit: 'u32',
    leaf: 'u8',
    routine: 'text',
    ns: 'f64',
    bytes: 'f64',
    calls: 'f64',
  },
  /** When a process changed the rung of a region: to a lower one, or to a higher one again. Ordered
   * by region, process and time. */
  turned_down: {
    region: 'u32',
    process: 'u32',
    rung: 'text', // full, fraction, sampled, off
    time_ns: 'f64',
  },
  /** The tiles of the trace (view/trace_tiles.h), in the order in which they are stored. Those with
   * `in_page` are in the block of ExperimentIndex.trace. All of them are in its file. */
  tile: {
    unit: 'u32', // row of `trace_unit`; 0 for links
    level: 'u8',
    kind: 'u8', // 0 exact items, 1 merged ones, 2 links, 3 pieces of time, 4 calls, 5 waits
    from_ns: 'f64', // the time that its items span
    to_ns: 'f64',
    items: 'u32',
    bytes: 'u32', // compressed
    checksum: 'u32', // Adler-32 of the compressed bytes
    in_page: 'u8',
  },
  /** The node of an activation, and the node around it. Each item of a tile names a row of this
   * table. */
  context: {
    node_id: 'f64', // NodeTable.id; 0: not known
    parent_id: 'f64', // NodeTable.id of the activation around it
    is_open: 'u8', // 1: an activation further up has the same node
    name: 'text', // name of the region
  },
  /** The nodes that the trace names, and those above them. The root is first. */
  traced_node: {
    id: 'f64', // NodeTable.id before nodes were left out of the page
    parent: 'i32', // row of this table; -1: none
    node: 'i32', // row of `node`: this node, or the nearest node above that was kept; -1: none
  },
  /** Times of units in the whole run, without their single waits. By tables traced_*, the time of
   * an interval is divided among useful work and leaves (decide/interval_parts.ts). In these
   * tables, `unit` is a row of `trace_unit`, and `node` is a row of `traced_node`. Ordered by
   * unit. */
  traced_time: {
    unit: 'u32',
    state: 'u8',
    node: 'i32', // -1: not known
    ns: 'f64',
  },
  /** The bookings of the times in traced_time. Ordered by unit, state and node. */
  traced_share: {
    unit: 'u32',
    state: 'u8',
    node: 'i32',
    leaf: 'u8', // or USEFUL
    ns: 'f64',
  },
  /** Single waits. Ordered by unit. */
  traced_wait: {
    unit: 'u32',
    state: 'u8', // idle: waits of the initial thread while the unit was idle
    node: 'i32', // the node for which they are booked
    leaf: 'u8',
    ns: 'f64',
    booked_ns: 'f64', // the part of `ns` that is booked
  },
  /** The communication matrix of the run. An interval has a part of each value, in the proportion
   * of its events to all events of the run. Columns basis_* have the sums of all events
   * (decide/interval_messages.ts). `unit` and `node` are as in traced_time. */
  traced_message: {
    unit: 'u32',
    node: 'i32',
    communicator: 'f64', // CommunicatorTable.number
    target: 'i32', // process; -1: a collective operation
    calls: 'f64',
    bytes: 'f64',
    ns: 'f64',
    receive_ns: 'f64',
    estimated: 'u8',
    by_trace: 'u8', // 1: an estimate, which is divided as the calls in the trace are
    basis_calls: 'f64', // basis_*: sums over the events of the run
    basis_bytes: 'f64',
    basis_ns: 'f64',
    basis_receive_ns: 'f64',
  },
  /** The pairs of victim and culprit in the single waits of the run (decide/interval_waits.ts).
   * Units and nodes are as in traced_time. */
  traced_pair: {
    unit: 'u32', // the victim
    node: 'i32',
    leaf: 'u8',
    culprit: 'u32',
    culprit_node: 'i32',
    ns: 'f64', // time of the victim
    idle_ns: 'f64', // time of units of its process that were idle during the waits
  },
  /** How long units were idle while the initial thread of their process waited. Ordered by unit. */
  traced_idle: {
    unit: 'u32',
    node: 'i32',
    leaf: 'u8',
    ns: 'f64',
  },
  /** The units of the trace. */
  trace_unit: {
    unit: 'i32', // row of `unit`; -1 if it has none
    lanes: 'u32', // depth of its stack; 0 if it has no events
    is_read: 'u8', // 1: the unit was found in a trace, perhaps without events
  },
  /** Times in which the trace of a unit was off, or its events were not kept. */
  gap: {
    unit: 'u32', // row of `trace_unit`
    from_ns: 'f64',
    to_ns: 'f64',
  },
} as const;

interface Kept {
  f64: Float64Array; u32: Uint32Array; i32: Int32Array; u8: Uint8Array; text: string[];
}
type Columns<Table> = { -readonly [Name in keyof Table]: Kept[Table[Name] & keyof Kept] };
export type Tables = { [Name in keyof typeof COLUMNS]: Columns<typeof COLUMNS[Name]> };

export type RegionTable = Tables['region'];
export type NodeTable = Tables['node'];
export type UnitTable = Tables['unit'];
export type CellTable = Tables['cell'];
export type PartTable = Tables['part'];
export type DelayTable = Tables['delay'];
export type WaitPairTable = Tables['wait_pair'];
export type OpenTable = Tables['open'];
export type CommunicatorTable = Tables['communicator'];
export type MessageTable = Tables['message'];
export type SourceFileTable = Tables['source_file'];
export type SourceLineTable = Tables['source_line'];
export type PathTable = Tables['path'];
export type DifferenceTable = Tables['difference'];
export type SamplingTable = Tables['sampling'];
export type DoubtTable = Tables['doubt'];
export type MemoryTable = Tables['memory'];
export type MemoryUseTable = Tables['memory_use'];
export type SampleShareTable = Tables['sample_share'];
export type FunctionSamplesTable = Tables['function_samples'];
export type LineSamplesTable = Tables['line_samples'];
export type BlamePointTable = Tables['blame_point'];
export type VariableTable = Tables['variable'];
export type BlameTable = Tables['blame'];
export type VariableOverheadTable = Tables['variable_overhead'];
export type TurnedDownTable = Tables['turned_down'];
export type TileTable = Tables['tile'];
export type ContextTable = Tables['context'];
export type TracedNodeTable = Tables['traced_node'];
export type TracedTimeTable = Tables['traced_time'];
export type TracedShareTable = Tables['traced_share'];
export type TracedWaitTable = Tables['traced_wait'];
export type TracedMessageTable = Tables['traced_message'];
export type TracedPairTable = Tables['traced_pair'];
export type TracedIdleTable = Tables['traced_idle'];
export type TraceUnitTable = Tables['trace_unit'];
export type GapTable = Tables['gap'];
