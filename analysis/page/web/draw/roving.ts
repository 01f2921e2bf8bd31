// SPDX-License-Identifier: BSD-3-Clause
// Makes a group of buttons one stop of the Tab key. Arrow keys move between the buttons.

const STEPS: { [key: string]: number } =
  { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function rove(group: HTMLElement): void {
  const members = () => [...group.querySelectorAll<HTMLElement>('button')];
  members().forEach((button, i) => { button.tabIndex = i ? -1 : 0; });
  group.addEventListener('focusin', event => {
    for (const button of members()) button.tabIndex = button === event.target ? 0 : -1;
  });
  group.addEventListener('keydown', event => {
    const list = members();
    const at = list.indexOf(document.activeElement as HTMLElement);
    const step = STEPS[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    list[(at + step + list.length) % list.length].focus();
  });
}
