// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: what the user's system prefers, or what the button in the header chose. Paper is
// always light. The choice holds until the page is closed, because a page from a file cannot keep
// anything.

const preference = window.matchMedia('(prefers-color-scheme: dark)');
const paper = window.matchMedia('print');
const listeners = new Set<() => void>();
let chosen: 'light' | 'dark' | '' = '';

export function isDark(): boolean {
  if (paper.matches) return false;
  return chosen ? chosen === 'dark' : preference.matches;
}

function apply(): void {
  const theme = isDark() ? 'dark' : 'light';
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  for (const listener of [...listeners]) listener();
}

export function toggleTheme(): void {
  chosen = isDark() ? 'light' : 'dark';
  apply();
}

/** Calls `listener` whenever the theme changed. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

preference.addEventListener('change', apply);
paper.addEventListener('change', apply);
apply();
