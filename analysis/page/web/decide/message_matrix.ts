// SPDX-License-Identifier: BSD-3-Clause
// The communication matrix, and the lists of pairs, call sites and communicators, as `sis-analyze
// messages` prints them. Pure functions.

import type { CommunicatorTable, MessageTable, NodeTable, RegionTable, UnitTable }
  from '../data/tables';
import { groupRows, groupSums, type RowGroups } from './group_rows';
import { type Groups, groupsOfProcesses } from './unit_groups';

/** The columns of every list. The first one is shown unless the user chooses another. */
export const MEASURES = ['bytes', 'calls', 'sending', 'receiving'] as const;
export type Measure = (typeof MEASURES)[number];

export interface Sums {
  calls: number;
  bytes: number;
  ns: number; // time in the calls that sent
  receive_ns: number;
  estimated: boolean;
}

export interface Pair extends Sums {
  from: number; // process
  to: number;
  kind: string; // message, put, get, accumulate, inter message
}

export interface Site extends Sums {
  region: number;
  communicator: number; // row
  kind: string; // a kind of Pair, or collective
  senders: number; // number of processes
  receivers: number; // number of processes; 0 for a collective operation
}

export interface CommunicatorSums {
  communicator: number;
  messages: number; // number of calls
  message_bytes: number;
  collectives: number;
  collective_bytes: number;
  ns: number;
}

/** The tables that are needed to describe messages. */
export interface MessageTables {
  readonly message: MessageTable;
  readonly node: NodeTable;
  readonly region: RegionTable;
  readonly unit: UnitTable;
  readonly communicator: CommunicatorTable;
}

const KINDS = ['message', 'inter message', 'put', 'get', 'accumulate', 'collective'];
const [MESSAGE, INTER, , GET, , COLLECTIVE] = KINDS.keys();
const ONE_SIDED: { readonly [type: string]: number } =
  { CR_MPIPUT: KINDS.indexOf('put'), CR_MPIGET: GET, CR_MPIACC: KINDS.indexOf('accumulate') };

/** For each row of `message`: how the bytes were moved (a row of KINDS), from which process, and to
 * which. MPI_Get moves data from the target. */
export interface Moves {
  readonly kind: Uint8Array;
  readonly from: Int32Array;
  readonly to: Int32Array; // -1 for a collective operation
  readonly site: Uint32Array; // region of the source that called
}

export function movesOf({ message, node, region, unit, communicator }: MessageTables): Moves {
  const rows = message.calls.length;
  const sided = region.type.map(type => ONE_SIDED[type] ?? -1);
  const plain = communicator.kind.map(kind => kind === 'inter' ? INTER : MESSAGE);
  const [kind, site] = [new Uint8Array(rows), new Uint32Array(rows)];
  const [from, to] = [new Int32Array(rows), new Int32Array(rows)];
  for (let row = 0; row < rows; row++) {
    const at = message.node[row];
    const [own, target] = [unit.process[message.unit[row]], message.target[row]];
    const oneSided = sided[node.region[at]];
    kind[row] = target < 0 ? COLLECTIVE : oneSided >= 0 ? oneSided
      : plain[message.communicator[row]];
    from[row] = kind[row] === GET ? target : own;
    to[row] = kind[row] === GET ? own : target;
    site[row] = node.region[node.source_node[at]];
  }
  return { kind, from, to, site };
}

/** Which rows of `message` count. */
export interface MessageChoice {
  readonly communicator: number; // row; -1: all
  readonly nodes: Uint8Array | null; // of the calls; null: all
}

export function chosenMessages({ message }: MessageTables, choice: MessageChoice): Uint8Array {
  const mask = new Uint8Array(message.calls.length);
  for (let row = 0; row < mask.length; row++) {
    if (choice.communicator >= 0 && message.communicator[row] !== choice.communicator) continue;
    if (choice.nodes && !choice.nodes[message.node[row]]) continue;
    mask[row] = 1;
  }
  return mask;
}

function sumsOf(message: MessageTable, groups: RowGroups): Sums[] {
  const [calls, bytes, ns, receive_ns, estimated] = [message.calls, message.bytes, message.ns,
    message.receive_ns, message.estimated].map(column => groupSums(groups, column));
  return Array.from(calls, (_, i) => ({ calls: calls[i], bytes: bytes[i], ns: ns[i],
    receive_ns: receive_ns[i], estimated: estimated[i] > 0 }));
}

/** Sorts in the order of the command: most bytes first; among equal ones, most calls first. */
function largestFirst<Item extends Sums>(items: Item[]): Item[] {
  return items.sort((a, b) => b.bytes - a.bytes || b.calls - a.calls);
}

/** Pairs of processes, without collective operations. */
export function pairs(message: MessageTable, moves: Moves, mask: Uint8Array): Pair[] {
  const { kind, from, to } = moves;
  const messages = mask.map((chosen, row) => kind[row] === COLLECTIVE ? 0 : chosen);
  const groups = groupRows([from, to, kind], messages);
  return largestFirst(sumsOf(message, groups).map((sums, i) => {
    const row = groups.first[i];
    return { ...sums, from: from[row], to: to[row], kind: KINDS[kind[row]] };
  }));
}

/** Counts, by group, the different values of a column that are not negative. */
function distinctBy(groups: RowGroups, values: Int32Array | Uint32Array): Uint32Array {
  const counts = new Uint32Array(groups.count);
  const mask = Uint8Array.from(groups.of, (group, row) => group >= 0 && values[row] >= 0 ? 1 : 0);
  for (const row of groupRows([groups.of, values], mask).first) counts[groups.of[row]]++;
  return counts;
}

/** The call sites in the source, separately for each communicator. */
export function sites({ message, unit }: MessageTables, moves: Moves, mask: Uint8Array): Site[] {
  const { kind, site } = moves;
  const groups = groupRows([site, message.communicator, kind], mask);
  const senders = distinctBy(groups, message.unit.map(row => unit.process[row]));
  const receivers = distinctBy(groups, message.target);
  return largestFirst(sumsOf(message, groups).map((sums, i) => {
    const row = groups.first[i];
    return { ...sums, region: site[row], communicator: message.communicator[row],
      kind: KINDS[kind[row]], senders: senders[i], receivers: receivers[i] };
  }));
}

export function communicators(tables: MessageTables, mask: Uint8Array): CommunicatorSums[] {
  const { message, communicator } = tables;
  const list = new Map<number, CommunicatorSums>();
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue;
    const at = message.communicator[row];
    let sums = list.get(at);
    if (!sums) list.set(at, sums = { communicator: at, messages: 0, message_bytes: 0,
      collectives: 0, collective_bytes: 0, ns: 0 });
    const collective = message.target[row] < 0;
    sums[collective ? 'collectives' : 'messages'] += message.calls[row];
    sums[collective ? 'collective_bytes' : 'message_bytes'] += message.bytes[row];
    sums.ns += message.ns[row];
  }
  return [...list.values()].sort((a, b) =>
    communicator.number[a.communicator] - communicator.number[b.communicator]);
}

export function measureOf(sums: Sums, measure: Measure): number {
  switch (measure) {
    case 'bytes': return sums.bytes;
    case 'calls': return sums.calls;
    case 'sending': return sums.ns;
    default: return sums.receive_ns;
  }
}

export interface MessageMatrix {
  readonly value: Float64Array; // [from group * groups + to group]
  readonly sent: Float64Array; // by group
  readonly received: Float64Array;
  readonly total: number;
}

/** The matrix of the pairs, by groups of processes. */
export function messageMatrix(list: readonly Pair[], measure: Measure, units: UnitTable,
    groups: Groups): MessageMatrix {
  const { count } = groups;
  const of = groupsOfProcesses(units, groups);
  const value = new Float64Array(count * count);
  const sent = new Float64Array(count), received = new Float64Array(count);
  let total = 0;
  for (const pair of list) {
    const [from, to] = [of[pair.from] ?? -1, of[pair.to] ?? -1];
    if (from < 0 || to < 0) continue;
    const amount = measureOf(pair, measure);
    value[from * count + to] += amount;
    sent[from] += amount;
    received[to] += amount;
    total += amount;
  }
  return { value, sent, received, total };
}
