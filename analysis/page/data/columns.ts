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
  },
  communicator: { number: 'f64', name: 'text', size: 'f64', kind: 'text' },
  message: {
    node: 'u32', unit: 'u32', communicator: 'u32', target: 'i32', calls: 'f64', bytes: 'f64',
    ns: 'f64', receive_ns: 'f64', estimated: 'u8',
  },
};
