// SPDX-License-Identifier: BSD-3-Clause
// Whether the user is doing something that a new picture would disturb: selecting text, choosing
// from a list, reading help, dragging, scrolling, or between the two clicks of a double click.

const AFTER_PRESS_MS = 400;
const AFTER_SCROLL_MS = 150;
const LOOKS_MS = 50; // time between two checks whether the user is still busy

/** Whether this is a list of choices that is unfolded. Older browsers do not say so. There, a list
 * that has the focus is treated as unfolded. */
function isOpen(element: Element | null): boolean {
  if (!(element instanceof HTMLSelectElement)) return false;
  try {
    return element.matches(':open');
  } catch {
    return true;
  }
}

export class Busy {
  private pressed = false;
  private released = -Infinity;
  private scrolled = -Infinity;

  constructor() {
    const listen = (type: string, listener: (event: PointerEvent) => void) =>
      window.addEventListener(type, listener as EventListener, { capture: true, passive: true });
    listen('pointerdown', () => { this.pressed = true; });
    for (const type of ['pointerup', 'pointercancel', 'blur']) listen(type, () => this.release());
    // the release of a scroll bar is not reported, so it is noticed at the next move
    listen('pointermove', event => { if (!event.buttons) this.release(); });
    listen('scroll', () => { this.scrolled = performance.now(); });
  }

  get now(): boolean {
    const time = performance.now();
    const text = document.getSelection();
    return this.pressed || time - this.released < AFTER_PRESS_MS
      || time - this.scrolled < AFTER_SCROLL_MS
      || (text !== null && !text.isCollapsed && text.toString() !== '')
      || isOpen(document.activeElement) || document.querySelector('dialog[open]') !== null;
  }

  /** Resolves when the user is not busy any more, or when isAwaited() is false. */
  async over(isAwaited: () => boolean): Promise<void> {
    while (this.now && isAwaited()) await new Promise(resolve => setTimeout(resolve, LOOKS_MS));
  }

  private release(): void {
    if (!this.pressed) return;
    this.pressed = false;
    this.released = performance.now();
  }
}
