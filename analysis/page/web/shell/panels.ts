// SPDX-License-Identifier: BSD-3-Clause
// Panels that replace a view or stand above it: what data is missing and how to get it, an error,
// and the warning that numbers disagree.

import { commandButton } from '../draw/command';
import { el } from '../draw/element';
import { nameText } from '../text';
import type { Missing } from '../views/view';

export function missingPanel({ why, command }: Missing): HTMLElement {
  return el('section', { class: 'card panel', role: 'status' }, el('h2', {}, why),
      command ? el('p', {}, 'To get it:') : null,
      command ? el('p', {}, commandButton(command)) : null);
}

export function errorPanel(error: unknown): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  return el('section', { class: 'card panel', role: 'alert' },
      el('h2', {}, 'This view cannot be shown'),
      el('p', {}, `The page is damaged: ${nameText(text)}. Write it again with:`),
      el('p', {}, commandButton('sis-analyze view')));
}

/** A warning. `about` names its subject in a word. */
export function warning(about: string, text: string): HTMLElement {
  return el('div', { class: 'warning', role: 'note' }, el('b', {}, about), el('span', {}, text));
}
