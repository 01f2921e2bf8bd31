// SPDX-License-Identifier: BSD-3-Clause
// The choices of a view: a row of buttons, one of which is pressed.

import { el } from './element';
import { rove } from './roving';

export interface Choice<Name extends string> {
  readonly name: Name;
  readonly title: string;
  readonly explain?: string;
}

export class Choices<Name extends string> {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];

  constructor(label: string, private readonly list: readonly Choice<Name>[],
      select: (name: Name) => void) {
    this.buttons = list.map(({ name, title, explain }) => el('button', {
      type: 'button', title: explain, on: { click: () => select(name) },
    }, title));
    this.element = el('div', { class: 'choices', role: 'group', 'aria-label': label },
        el('span', { class: 'label', 'aria-hidden': 'true' }, label), ...this.buttons);
    rove(this.element);
  }

  /** Presses the button of `current`. The choices in `hidden` are not possible, so their buttons
   * are not shown. */
  show(current: Name, hidden: readonly Name[] = []): void {
    this.list.forEach(({ name }, i) => {
      this.buttons[i].setAttribute('aria-pressed', String(name === current));
      this.buttons[i].hidden = hidden.includes(name);
    });
  }
}
