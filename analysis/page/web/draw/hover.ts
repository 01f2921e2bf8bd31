// SPDX-License-Identifier: BSD-3-Clause
// The note beside the pointer, for pictures whose parts are no elements. It describes the part
// under the pointer. The details panel has the same text for users of the keyboard.

import { el } from './element';

export class Hover {
  private readonly box = el('div', { class: 'hover', role: 'tooltip', hidden: true });

  constructor() {
    document.body.append(this.box);
  }

  /** Shows a heading and lines. A line is a label and a value, or a text. */
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
