// SPDX-License-Identifier: BSD-3-Clause
// The bar of a live page: how many processes run, which look is shown, and how often there is a new
// one. Its buttons pause the looks, and ask for one if sis-analyze did not answer. Screen readers
// announce changes of the state, but not each look.

import type { Live } from '../data/live';
import { activityText, lookText } from '../decide/live';
import { el, setText } from '../draw/element';

export class LiveBar {
  readonly element: HTMLElement;
  private readonly dot = el('span', { class: 'dot', 'aria-hidden': 'true' });
  private readonly counter = el('span', { class: 'counter', 'aria-live': 'off' });
  private readonly state = el('span', { class: 'state', role: 'status', 'aria-live': 'polite' });
  private readonly pauses = el('button', { type: 'button', class: 'tool', 'aria-keyshortcuts': 'p',
    title: 'shows no newer looks until you go on (p)', on: { click: () => this.togglePause() } });
  private readonly asks = el('button', { type: 'button', class: 'tool', hidden: true,
    on: { click: () => this.live.askNow() } }, 'ask now');

  constructor(private readonly live: Live) {
    this.element = el('div', { class: 'live', role: 'region', 'aria-label': 'running program' },
        this.dot, this.counter, this.state, this.asks, this.pauses);
    live.onchange = () => this.update();
    this.update();
  }

  togglePause(): void {
    this.live.pause(this.live.activity.kind !== 'paused');
  }

  update(): void {
    const { activity, look } = this.live;
    const { kind } = activity;
    this.element.dataset.activity = kind;
    setText(this.counter, lookText(look, activity));
    setText(this.state, activityText(look, activity));
    setText(this.pauses, kind === 'paused' ? 'go on' : 'pause');
    this.pauses.hidden = kind === 'over';
    this.asks.hidden = kind !== 'silent' && kind !== 'unreadable';
  }
}
