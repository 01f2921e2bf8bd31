// SPDX-License-Identifier: BSD-3-Clause
// The data of the page: its directory, and the tables of its experiments, decoded on demand.

import type { ExperimentIndex, PageIndex } from './index';
import type { Tables } from './tables';

export interface Experiment {
  readonly index: ExperimentIndex;
  has(table: keyof Tables): boolean;
  /** The table, which is decoded at the first call. A table that the page lacks has no rows. */
  table<Name extends keyof Tables>(name: Name): Promise<Tables[Name]>;
  /** A part of a block, still compressed. `from` must be a multiple of three. */
  piece(block: number, from: number, bytes: number): Promise<Uint8Array>;
  /** Decompresses a deflate stream. */
  inflate(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface Page {
  readonly index: PageIndex;
  readonly experiments: readonly Experiment[];
}
