// SPDX-License-Identifier: BSD-3-Clause
// "Copy as command": a button that shows a command, and copies it.

import { el, svg } from './element';

/** Puts text on the clipboard. Browsers may not let pages from files use the newer interface. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'copied', readonly: true, 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

function icon(): SVGSVGElement {
  return svg('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true' },
      svg('path', { d: 'M4 3.5V1.5h6.5V8H8.5M1.5 4H8v6.5H1.5z', fill: 'none',
        stroke: 'currentColor' }));
}

/** `shown` is a shorter text for the button: 'sis-analyze report'. `does` says what the command
 * does. */
export function commandButton(command: string, shown = command,
    does = 'prints the same numbers'): HTMLButtonElement {
  const label = el('span', {}, shown);
  const button = el('button', {
    class: 'command', type: 'button', 'data-command': command,
    title: `${command}\n${does}. Copies the command.`,
    'aria-label': `Copy as command: ${command}`,
    on: {
      click: async () => {
        label.textContent = await copy(command) ? 'copied' : command;
        setTimeout(() => { label.textContent = shown; }, 1200);
      },
    },
  }, icon(), label);
  return button;
}
