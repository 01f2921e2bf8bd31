// SPDX-License-Identifier: BSD-3-Clause
// How the columns of tables.ts are kept in memory. The compiler checks that no column is missing
// and that each has the type that tables.ts gives it; tests/page compares this with what
// analysis/view writes.

import type { Tables } from './tables';

export type ColumnType = 'f64' | 'u32' | 'i32' | 'u8' | 'text';

type Kept<T> = T extends Float64Array ? 'f64' : T extends Uint32Array ? 'u32'
  : T extends Int32Array ? 'i32' : T extends Uint8Array ? 'u8' : 'text';

type ColumnsOf<Table> = { readonly [Name in keyof Table]: Kept<Table[Name]> };

export const COLUMNS: { readonly [Name in keyof Tables]: ColumnsOf<Tables[Name]> } = {
  region: {
    id: 'f64', name: 'text', type: 'text', function: 'text', file: 'text', line_start: 'u32',
    line_end: 'u32',
  },
  node: {
    id: 'f64', parent: 'i32', region: 'u32', depth: 'u32', end: 'u32', nested: 'u8',
    source_node: 'u32',
  },
  unit: {
    id: 'f64', process: 'u32', thread: 'u32', host: 'text', start_ns: 'f64', end_ns: 'f64',
    useful_ns: 'f64', state: 'text',
  },
  cell: {
    node: 'u32', unit: 'u32', calls: 'f64', incl_ns: 'f64', excl_ns: 'f64', min_ns: 'f64',
    max_ns: 'f64', is_open: 'u8', error_ns: 'f64',
  },
  part: { node: 'u32', unit: 'u32', leaf: 'u8', ns: 'f64' },
  value: { node: 'u32', unit: 'u32', metric: 'text', value: 'f64' },
  critical: { node: 'u32', unit: 'u32', ns: 'f64' },
  delay: {
    node: 'u32', leaf: 'u8', culprit: 'u32', culprit_node: 'u32', ns: 'f64', passed_ns: 'f64',
    indirect_ns: 'f64', wrong_order_ns: 'f64', estimated_ns: 'f64',
    no_processor_ns: 'f64',
  },
  wait_pair: {
    node: 'u32', leaf: 'u8', victim: 'i32', culprit: 'u32', culprit_node: 'u32', ns: 'f64',
  },
  open: { unit: 'u32', node: 'u32', since_ns: 'f64' },
  communicator: { number: 'f64', name: 'text', size: 'f64', kind: 'text' },
  message: {
    node: 'u32', unit: 'u32', communicator: 'u32', target: 'i32', calls: 'f64', bytes: 'f64',
    ns: 'f64', receive_ns: 'f64', estimated: 'u8',
  },
  source_file: { path: 'text', state: 'text' },
  source_line: { file: 'u32', text: 'text' },
  path: {
    pair: 'u32', parent: 'i32', name: 'text', file: 'text', line: 'u32', in_a: 'u8', in_b: 'u8',
    region: 'i32',
  },
  difference: { path: 'u32', leaf: 'u8', a_ns: 'f64', b_ns: 'f64' },
  sampling: {
    method: 'text', metric: 'text', rate: 'f64', lost: 'f64', samples: 'f64', unknown: 'f64',
    coarse: 'f64', unit: 'f64',
  },
  doubt: { text: 'text' },
  sample_share: { is_reason: 'u8', key: 'text', text: 'text', samples: 'f64' },
  function_samples: {
    unit: 'u32', function: 'text', file: 'text', line: 'u32', own: 'f64', inclusive: 'f64',
  },
  blame_point: {
    id: 'f64', is_root: 'u8', path: 'text', function: 'text', file: 'text', line: 'u32',
    samples: 'f64', is_chosen: 'u8', is_top: 'u8', is_cut: 'u8',
  },
  variable: {
    point: 'u32', kind: 'text', name: 'text', field: 'text', type: 'text', file: 'text',
    line: 'u32',
  },
  blame: {
    variable: 'u32', unit: 'u32', explicit: 'f64', implicit: 'f64', parts: 'f64', base: 'f64',
    blocked: 'f64', weight: 'f64',
  },
  memory: {
    kind: 'text', name: 'text', function: 'text', container: 'text', container_function: 'text',
    type: 'text', file: 'text', line: 'u32', path: 'text', module: 'text', bytes: 'f64',
  },
  memory_use: {
    memory: 'u32', unit: 'u32', allocations: 'f64', freed: 'f64', bytes: 'f64', most_bytes: 'f64',
    largest_bytes: 'f64', life_ns: 'f64', samples: 'f64',
  },
  variable_overhead: {
    variable: 'u32', unit: 'u32', leaf: 'u8', routine: 'text', ns: 'f64', bytes: 'f64',
    calls: 'f64',
  },
  turned_down: { region: 'u32', process: 'u32', rung: 'text', time_ns: 'f64' },
  tile: {
    unit: 'u32', level: 'u8', kind: 'u8', from_ns: 'f64', to_ns: 'f64', items: 'u32', bytes: 'u32',
    checksum: 'u32', in_page: 'u8',
  },
  context: { node_id: 'f64', parent_id: 'f64', is_open: 'u8', name: 'text' },
  traced_node: { id: 'f64', parent: 'i32', node: 'i32' },
  traced_time: { unit: 'u32', state: 'u8', node: 'i32', ns: 'f64' },
  traced_share: { unit: 'u32', state: 'u8', node: 'i32', leaf: 'u8', ns: 'f64' },
  traced_wait: {
    unit: 'u32', state: 'u8', node: 'i32', leaf: 'u8', ns: 'f64', booked_ns: 'f64',
  },
  traced_message: { unit: 'u32', node: 'i32', communicator: 'f64', target: 'i32', calls: 'f64',
    bytes: 'f64', ns: 'f64', receive_ns: 'f64', estimated: 'u8', by_trace: 'u8',
    basis_calls: 'f64', basis_bytes: 'f64', basis_ns: 'f64', basis_receive_ns: 'f64' },
  traced_pair: { unit: 'u32', node: 'i32', leaf: 'u8', culprit: 'u32', culprit_node: 'i32',
    ns: 'f64', idle_ns: 'f64' },
  traced_idle: { unit: 'u32', node: 'i32', leaf: 'u8', ns: 'f64' },
  trace_unit: { unit: 'i32', lanes: 'u32', is_read: 'u8' },
  gap: { unit: 'u32', from_ns: 'f64', to_ns: 'f64' },
};
