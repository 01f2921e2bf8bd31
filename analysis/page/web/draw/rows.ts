// SPDX-License-Identifier: BSD-3-Clause
// Rows of equal height, of which only the visible ones exist as elements. The element of a row that
// scrolls out of sight is used again for another row.
//
// Browsers limit the height of an element to 33 million pixels. If the rows are higher than LIMIT,
// the position of the scroll bar only says which row is the first one, and the wheel moves by rows
// instead of pixels of the bar. `top` is the scrolled distance in pixels, as if there were no
// limit.

const LIMIT = 8_000_000;
const BEYOND = 6; // number of rows that exist above and below the visible ones
const PRINTED = 400; // the most rows that are printed

export interface RowDrawing {
  readonly height: number;
  make(): HTMLElement;
  draw(element: HTMLElement, index: number): void;
}

interface Slot {
  element: HTMLElement;
  index: number; // -1 if it is not shown
}

export class VirtualRows {
  readonly layer = document.createElement('div');
  private readonly slots: Slot[] = [];
  private readonly observer: ResizeObserver;
  private readonly stops: (() => void)[] = [];
  private count = 0;
  private top = 0;
  private expected = 0; // the value to which this object set scrollTop
  private printing = false;
  private frame = 0;

  /** `scroller` is the element that scrolls. `before` is the height of what is above its first row
   * (a heading). */
  constructor(private readonly scroller: HTMLElement, private readonly before: () => number,
      private readonly drawing: RowDrawing) {
    this.layer.className = 'rows';
    this.layer.setAttribute('role', 'rowgroup');
    scroller.append(this.layer);
    this.listen(scroller, 'scroll', () => this.scrolled());
    this.listen(scroller, 'wheel', event => this.wheel(event as WheelEvent));
    this.listen(window, 'beforeprint', () => this.print(true));
    this.listen(window, 'afterprint', () => this.print(false));
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(scroller);
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    for (const stop of this.stops) stop();
  }

  /** Shows `count` rows, after the rows have changed. */
  show(count: number): void {
    this.count = count;
    for (const slot of this.slots) slot.index = -1;
    this.layer.style.height = `${this.barHeight()}px`;
    this.moveTo(this.top);
  }

  /** Draws the same rows again, because they look different (selection, marks). */
  redraw(): void {
    for (const slot of this.slots) slot.index = -1;
    this.render();
  }

  /** Scrolls as little as possible until a row is visible. A row that is far away is scrolled to
   * the middle. */
  reveal(index: number): void {
    const { height } = this.drawing;
    const room = this.room();
    const [above, below] = [index * height, (index + 1) * height];
    if (above >= this.top && below <= this.top + room) return;
    const far = below < this.top - room || above > this.top + 2 * room;
    this.moveTo(far ? above - room / 2 : above < this.top ? above : below - room);
  }

  /** The number of rows by which PageDown moves: one less than are completely visible. */
  get page(): number {
    return Math.max(1, Math.floor(this.room() / this.drawing.height) - 1);
  }

  elementOf(index: number): HTMLElement | null {
    return this.slots.find(slot => slot.index === index)?.element ?? null;
  }

  private listen(target: EventTarget, event: string, listener: (event: Event) => void): void {
    target.addEventListener(event, listener, { passive: false });
    this.stops.push(() => target.removeEventListener(event, listener));
  }

  private room(): number {
    return Math.max(this.drawing.height, this.scroller.clientHeight - this.before());
  }

  private allHeight(): number {
    return this.count * this.drawing.height;
  }

  private barHeight(): number {
    return this.printing ? Math.min(this.count, PRINTED) * this.drawing.height
      : Math.min(LIMIT, this.allHeight());
  }

  private get mapped(): boolean {
    return this.allHeight() > LIMIT;
  }

  private mostTop(): number {
    return Math.max(0, this.allHeight() - this.room());
  }

  private moveTo(top: number): void {
    this.top = Math.max(0, Math.min(this.mostTop(), top));
    const bar = Math.max(1, this.barHeight() - this.room());
    const position = this.mapped ? this.top / this.mostTop() * bar : this.top;
    this.scroller.scrollTop = position;
    this.expected = this.scroller.scrollTop;
    this.render();
  }

  private scrolled(): void {
    const position = this.scroller.scrollTop;
    if (Math.abs(position - this.expected) < 1 && this.mapped) return;
    const bar = Math.max(1, this.barHeight() - this.room());
    this.top = this.mapped ? Math.min(1, position / bar) * this.mostTop() : position;
    this.expected = position;
    this.render();
  }

  private wheel(event: WheelEvent): void {
    if (!this.mapped || !event.deltaY || event.ctrlKey) return;
    const unit = event.deltaMode === 1 ? this.drawing.height : event.deltaMode === 2
      ? this.room() : 1;
    event.preventDefault();
    this.moveTo(this.top + event.deltaY * unit);
  }

  private later(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.render());
  }

  private print(on: boolean): void {
    this.printing = on;
    this.layer.style.height = `${this.barHeight()}px`;
    this.redraw();
  }

  /** The rows that must exist: from the first number to the second. */
  private range(): [number, number] {
    const { height } = this.drawing;
    const from = Math.max(0, Math.floor(this.top / height) - BEYOND);
    if (this.printing) return [from, Math.min(this.count, from + PRINTED)];
    const to = Math.ceil((this.top + this.room()) / height) + BEYOND;
    return [from, Math.min(this.count, to)];
  }

  private render(): void {
    const [from, to] = this.range();
    const { height, draw } = this.drawing;
    while (this.slots.length < to - from) this.add();
    const size = this.slots.length;
    const shift = this.printing ? -from * height
      : this.mapped ? this.expected - this.top : 0;
    const used = new Uint8Array(size);
    for (let index = from; index < to; index++) {
      const slot = this.slots[index % size];
      used[index % size] = 1;
      slot.element.style.transform = `translateY(${index * height + shift}px)`;
      if (slot.index === index) continue;
      if (slot.index < 0) slot.element.hidden = false;
      slot.index = index;
      draw(slot.element, index);
    }
    this.slots.forEach((slot, i) => {
      if (used[i]) return;
      slot.index = -1;
      slot.element.hidden = true;
    });
  }

  private add(): void {
    const element = this.drawing.make();
    element.style.height = `${this.drawing.height}px`;
    this.layer.append(element);
    // index % size, which chooses the element of a row, changes for all rows
    for (const slot of this.slots) slot.index = -1;
    this.slots.push({ element, index: -1 });
  }
}
