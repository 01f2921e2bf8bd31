// SPDX-License-Identifier: BSD-3-Clause
// Where the user is in a view: how far its elements are scrolled, which element has the focus, and
// whether the pointer is at one. When the view is drawn again, its new elements get the state of
// the old ones. Elements are recognized by their kind and name.

interface Scrolled {
  key: string;
  left: number;
  top: number;
}

interface Focused {
  keys: readonly string[]; // the best one first
  value: string | null; // the text in a field
  from: number | null;
  to: number | null;
}

export interface Place {
  readonly window: readonly [left: number, top: number];
  readonly scrolled: readonly Scrolled[];
  readonly focused: Focused | null;
  readonly hovers: boolean; // a note is beside the pointer
}

const FOCUSABLE = 'a, button, input, select, textarea, [tabindex]';

function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label') ?? element.getAttribute('data-column');
  if (label) return label;
  return element.matches('a, button') ? element.textContent ?? '' : '';
}

/** The elements that can be scrolled or focused, by keys that stay the same when the view is drawn
 * again. Each element has two keys: one with its name, which may change, and one without. */
function keyed(root: HTMLElement): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  const counts = new Map<string, number>();
  for (const element of [root, ...root.querySelectorAll<HTMLElement>(FOCUSABLE)]) {
    const card = element.parentElement?.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
    const kind = [element.tagName, element.classList[0] ?? '', card];
    for (const key of [[...kind, nameOf(element)], kind]) {
      const text = JSON.stringify(key);
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      found.set(`${text} ${count}`, element);
    }
  }
  return found;
}

function isText(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement && ['text', 'search'].includes(element.type);
}

function focusedIn(root: HTMLElement): Focused | null {
  const { activeElement } = document;
  if (!root.contains(activeElement)) return null;
  const text = isText(activeElement) ? activeElement : null;
  return {
    keys: [...keyed(root)].filter(([, element]) => element === activeElement).map(([key]) => key),
    value: text && text.value, from: text && text.selectionStart, to: text && text.selectionEnd,
  };
}

export function placeIn(root: HTMLElement): Place {
  const scrolled = [...keyed(root)]
      .filter(([, { clientHeight, clientWidth, scrollHeight, scrollWidth }]) =>
        scrollHeight > clientHeight || scrollWidth > clientWidth)
      .map(([key, { scrollLeft: left, scrollTop: top }]) => ({ key, left, top }));
  return { scrolled, focused: focusedIn(root), window: [window.scrollX, window.scrollY],
    hovers: document.querySelector('.hover:not([hidden])') !== null };
}

/** Scrolls the elements of a view that is not shown yet. */
export function scrollTo(root: HTMLElement, { scrolled }: Place): void {
  if (!scrolled.length) return;
  const elements = keyed(root);
  for (const { key, left, top } of scrolled) elements.get(key)?.scrollTo({ left, top });
}

/** Gives the focus back, after the view has taken the place of the old one. */
export function focusAt(root: HTMLElement, { focused, window: [left, top] }: Place): void {
  const elements = focused && keyed(root);
  const element = focused?.keys.map(key => elements!.get(key)).find(Boolean);
  if (element) {
    element.focus({ preventScroll: true });
    if (isText(element) && focused!.value !== null) {
      element.value = focused!.value;
      element.setSelectionRange(focused!.from, focused!.to);
    }
  } else if (focused) {
    root.focus({ preventScroll: true });
  }
  if (window.scrollX !== left || window.scrollY !== top) window.scrollTo(left, top);
}
