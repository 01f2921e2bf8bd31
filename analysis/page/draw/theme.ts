// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: what the user's system prefers, or what the button in the header chose. Paper is
// always light. The choice holds until the page is closed, because a page from a file cannot keep
// anything. page.css does the same for everything but pictures.

const preference = window.matchMedia('(prefers-color-scheme: dark)');
const paper = window.matchMedia('print');
const listeners = new Set<() => void>();
let chosen: 'light' | 'dark' | '' = '';
let shown = isDark(); // as the listeners know it

export function isDark(): boolean {
  if (paper.matches) return false;
  return chosen ? chosen === 'dark' : preference.matches;
}

/** Tells the listeners if the theme is another one now. */
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

/** Calls `listener` whenever the theme changed. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

preference.addEventListener('change', checkTheme);
paper.addEventListener('change', checkTheme);
