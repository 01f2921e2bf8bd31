// SPDX-License-Identifier: BSD-3-Clause
// The data that all pictures of view Regions need: the tables, and sums for the selection. A sum is
// made when a picture needs it, and kept until the selection changes it. So a click costs at most
// one pass over the rows.

import { Colours, coloursOf, FAMILIES } from '../colour';
import type { OverheadKind } from '../data/index';
import type { Experiment, Page } from '../data/page';
import type { UnitTable } from '../data/tables';
import { type NodesByRegion, nodesByRegion } from '../decide/callers';
import { ClassSums } from '../decide/classes';
import { type NodeRows, nodeRows } from '../decide/details';
import { type FileTree, fileTree } from '../decide/files';
import { cellSums, lostSums, searchTexts, spentSums, type SumName, type Sums, sumsByRegion,
  type Tables } from '../decide/regions';
import { ranksOfTexts, sortKeys, type ValueKey } from '../decide/sort';
import { type Children, childrenOf } from '../decide/tree';
import { unitCount, unitMask } from '../decide/units';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import { timeScale, type Scale } from '../text';

/** Keeps the last value of a function, and its key. */
class Kept<T> {
  private key: string | null = null;
  private value!: T;

  of(key: string, make: () => T): T {
    if (key !== this.key) {
      this.value = make();
      this.key = key;
    }
    return this.value;
  }
}

export class RegionsData {
  readonly kinds: readonly OverheadKind[];
  readonly colours: Colours;
  readonly scale: Scale;
  open: Uint8Array | null = null; // nodes that are open in the tree
  private readonly kept = new Map<string, Kept<unknown>>();

  constructor(page: Page, readonly experiment: Experiment, readonly tables: Tables,
      readonly unit: UnitTable) {
    this.kinds = page.index.overheads;
    this.colours = coloursOf(this.kinds, isDark());
    this.scale = timeScale(experiment.index.t_p_ns);
  }

  private keep<T>(what: string, key: string, make: () => T): T {
    let kept = this.kept.get(what);
    if (!kept) this.kept.set(what, kept = new Kept());
    return kept.of(key, make) as T;
  }

  // -- data of the selection ----------------------------------------------------------------------

  units({ units }: Selection): Uint8Array | null {
    return this.keep('units', units, () => unitMask(units, this.unit));
  }

  /** The sum of T_p of all chosen units. */
  total_ns(selection: Selection): number {
    const count = unitCount(this.units(selection), this.unit.process.length);
    return count * this.experiment.index.t_p_ns;
  }

  nodeSums(selection: Selection): Sums {
    const units = this.units(selection);
    const { tables, kinds } = this;
    const { overhead } = selection;
    const cells = this.keep('cells', selection.units, () => cellSums(tables, units));
    const spent = this.keep('spent', selection.units, () => spentSums(tables, units));
    return this.keep('sums', `${selection.units} ${overhead}`, () =>
      ({ ...cells, ...spent, ...lostSums(tables, kinds, overhead, units) }));
  }

  regionSums(selection: Selection): Sums {
    return this.keep('regions', `${selection.units} ${selection.overhead}`, () =>
      sumsByRegion(this.tables, this.nodeSums(selection)));
  }

  /** The time by family of any node and all nodes below it. */
  families(selection: Selection): ClassSums {
    return this.keep('families', selection.units, () => new ClassSums(FAMILIES.length,
        this.colours.familyRow, this.tables.part, this.nodeRows().part, this.units(selection)));
  }

  familiesOf(selection: Selection, row: number): Float64Array {
    return this.families(selection).ofNode(this.tables.node, row);
  }

  /** The values of the columns by which nodes are sorted. */
  nodeKeys(selection: Selection, sort: string): ValueKey[] {
    const sums = this.nodeSums(selection);
    return sortKeys(sort).flatMap<ValueKey>(({ name, descending }) => {
      if (name === 'name') return [{ values: this.nodeNames(), descending }];
      return name in sums ? [{ values: sums[name as SumName], descending }] : [];
    });
  }

  // -- data of the run ----------------------------------------------------------------------------

  nodeRows(): NodeRows {
    const { node, cell, part } = this.tables;
    return this.keep('rows', '', () => nodeRows(node.parent.length, cell, part));
  }

  children(): Children {
    return this.keep('children', '', () => childrenOf(this.tables.node.parent));
  }

  nodesByRegion(): NodesByRegion {
    const { node, region } = this.tables;
    return this.keep('by region', '', () => nodesByRegion(node, region.name.length));
  }

  files(): FileTree {
    return this.keep('files', '', () => fileTree(this.tables.region));
  }

  searchTexts(): string[] {
    return this.keep('search', '', () => searchTexts(this.tables.region));
  }

  /** For each node, the rank of its region's name. */
  private nodeNames(): Uint32Array {
    const { region, node } = this.tables;
    return this.keep('names', '', () => {
      const { ranks } = ranksOfTexts(region.name);
      return Uint32Array.from(node.region, row => ranks[row]);
    });
  }
}
