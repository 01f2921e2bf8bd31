// SPDX-License-Identifier: BSD-3-Clause
// What all pictures of view Regions need: the tables, and sums for the selection. Sums, ranks and
// searches are kept until the selection changes them, so that a click costs one pass over the rows
// at most.

import { Colours, coloursOf, FAMILIES } from '../colour';
import type { OverheadKind } from '../data/index';
import type { Experiment, Page } from '../data/page';
import type { UnitTable } from '../data/tables';
import { type NodeRows, nodeRows } from '../decide/details';
import { type SumName, type Sums, sumsByNode, type Tables } from '../decide/regions';
import { type Ranks, ranksOf, ranksOfTexts, sortKeys, sortRows } from '../decide/sort';
import { addClassesUp, partsByNodeAndClass } from '../decide/sums';
import { unitCount, unitMask } from '../decide/units';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import { timeScale, type Scale } from '../text';

/** Keeps the last value of a function, by a key. */
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
  private readonly masks = new Kept<Uint8Array | null>();
  private readonly sums = new Kept<Sums>();
  private readonly classes = new Kept<Float32Array>();
  private readonly orders = new Kept<Uint32Array>();
  private readonly rows = new Kept<NodeRows>();
  private readonly ranks = new Map<string, Ranks>();
  private ranked = '';

  constructor(page: Page, readonly experiment: Experiment, readonly tables: Tables,
      readonly unit: UnitTable) {
    this.kinds = page.index.overheads;
    this.colours = coloursOf(this.kinds, isDark());
    this.scale = timeScale(experiment.index.t_p_ns);
  }

  units({ units }: Selection): Uint8Array | null {
    return this.masks.of(units, () => unitMask(units, this.unit));
  }

  /** T_p of all chosen units. */
  total_ns(selection: Selection): number {
    const count = unitCount(this.units(selection), this.unit.process.length);
    return count * this.experiment.index.t_p_ns;
  }

  nodeSums(selection: Selection): Sums {
    return this.sums.of(`${selection.units} ${selection.overhead}`, () =>
      sumsByNode(this.tables, this.kinds, selection.overhead, this.units(selection)));
  }

  /** Time of each node and all below it, by family. */
  families(selection: Selection): Float32Array {
    return this.classes.of(selection.units, () => {
      const { node, part } = this.tables;
      const { length } = FAMILIES;
      return addClassesUp(node, length, partsByNodeAndClass(node.parent.length, length,
          this.colours.familyRow, part, this.units(selection)));
    });
  }

  familiesOf(selection: Selection, row: number): Float32Array {
    const { length } = FAMILIES;
    return this.families(selection).subarray(row * length, (row + 1) * length);
  }

  nodeRows(): NodeRows {
    const { node, cell, part } = this.tables;
    return this.rows.of('', () => nodeRows(node.parent.length, cell, part));
  }

  /** All nodes in the order of the sort. */
  order(selection: Selection, sort: string): Uint32Array {
    const ranked = `${selection.units} ${selection.overhead}`;
    if (ranked !== this.ranked) this.ranks.clear();
    this.ranked = ranked;
    return this.orders.of(`${ranked} ${sort}`, () => sortRows(this.tables.node.parent.length,
        sortKeys(sort).flatMap(({ name, descending }) => {
          const by = this.rank(selection, name);
          return by ? [{ by, descending }] : [];
        })));
  }

  private rank(selection: Selection, name: string): Ranks | null {
    const sums = this.nodeSums(selection);
    if (name !== 'name' && !(name in sums)) return null;
    let ranks = this.ranks.get(name);
    if (!ranks) {
      ranks = name === 'name' ? this.rankNames() : ranksOf(sums[name as SumName]);
      this.ranks.set(name, ranks);
    }
    return ranks;
  }

  private rankNames(): Ranks {
    const { region, node } = this.tables;
    const { ranks, most } = ranksOfTexts(region.name);
    return { ranks: Uint32Array.from(node.region, row => ranks[row]), most };
  }
}
