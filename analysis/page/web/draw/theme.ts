// SPDX-License-Identifier: BSD-3-Clause
// The theme is light or dark: the user's system or the button in the header chooses it. Printed
// pages are always light. The choice holds until the page is closed, because a page from a file
// cannot store anything. page.css handles the theme of everything except pictures.

const preference = window.matchMedia('(prefers-color-scheme: dark)');
const paper = window.matchMedia('print');
const listeners = new Set<() => void>();
let chosen: 'light' | 'dark' | '' = '';
let shown = isDark(); // the theme that the listeners know

export function isDark(): boolean {
  if (paper.matches) return false;
  return chosen ? chosen === 'dark' : preference.matches;
}

/** Tells the listeners if the theme has changed. */
export function checkTheme(): void {
  if (isDark() === shown) return;
  shown = isDark();
  for (const listener of [...listeners]) listener();
}

export function toggleTheme(): void {
  chosen = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = chosen;
  checkTheme();
}

/** Calls `listener` whenever the theme has changed. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

preference.addEventListener('change', checkTheme);
paper.addEventListener('change', checkTheme);
