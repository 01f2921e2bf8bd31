// SPDX-License-Identifier: BSD-3-Clause
// A row of buttons of which one is pressed: choices of a view.

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

  /** Choices that are not possible are `hidden`. */
  show(current: Name, hidden: readonly Name[] = []): void {
    this.list.forEach(({ name }, i) => {
      this.buttons[i].setAttribute('aria-pressed', String(name === current));
      this.buttons[i].hidden = hidden.includes(name);
    });
  }
}
