// SPDX-License-Identifier: BSD-3-Clause
// The note beside the pointer, for pictures whose parts are no elements. It says what is under the
// pointer; the same is in the details panel for those who use keys.

import { el } from './element';

export class Hover {
  private readonly box = el('div', { class: 'hover', role: 'tooltip', hidden: true });

  constructor() {
    document.body.append(this.box);
  }

  /** Lines: the first is the heading; others are label and value, or text. */
  show(event: MouseEvent, heading: string, lines: readonly (string | readonly [string, string])[])
      : void {
    this.box.replaceChildren(el('b', {}, heading), ...lines.map(line =>
      typeof line === 'string' ? el('div', {}, line)
        : el('div', { class: 'pair' }, el('span', {}, line[0]), el('span', {}, line[1]))));
    this.box.hidden = false;
    const { innerWidth, innerHeight } = window;
    const { offsetWidth, offsetHeight } = this.box;
    const x = event.clientX + 14 + offsetWidth > innerWidth ? event.clientX - offsetWidth - 10
      : event.clientX + 14;
    const y = Math.min(event.clientY + 14, innerHeight - offsetHeight - 6);
    this.box.style.left = `${Math.max(4, x)}px`;
    this.box.style.top = `${Math.max(4, y)}px`;
  }

  hide(): void {
    this.box.hidden = true;
  }

  destroy(): void {
    this.box.remove();
  }
}
