// SPDX-License-Identifier: BSD-3-Clause
// Makes elements of the page. Text stays text: no function here reads markup.

type Content = Node | string | number | null | undefined | false;

export interface Attributes {
  class?: string;
  style?: { readonly [property: string]: string }; // 'color', '--bar': set on element.style
  on?: { readonly [event: string]: (event: never) => void };
  [attribute: string]: unknown; // not set if it is undefined, null or false; '' if it is true
}

function setAttributes(element: HTMLElement | SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') {
      for (const [property, text] of Object.entries(value as Record<string, string>))
        element.style.setProperty(property, text);
    } else if (name === 'on') {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>))
        element.addEventListener(event, listener);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

function append(element: Element, content: readonly Content[]): void {
  for (const child of content)
    if (child !== null && child !== undefined && child !== false)
      element.append(typeof child === 'number' ? String(child) : child);
}

/** el('button', { class: 'command', on: { click: copy } }, 'Copy as command') */
export function el<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {},
    ...content: Content[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, content);
  return element;
}

/** Like el, but for SVG. */
export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes = {},
    ...content: Content[]): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  append(element, content);
  return element;
}

/** Sets the text of an element that is used again, unless it has this text already. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Adds a listener. Returns the function that removes it, for Mounted.unmount. */
export function listen<Event extends keyof HTMLElementEventMap>(target: EventTarget, event: Event,
    listener: (event: HTMLElementEventMap[Event]) => void,
    options?: AddEventListenerOptions): () => void {
  const called = listener as EventListener;
  target.addEventListener(event, called, options);
  return () => target.removeEventListener(event, called, options);
}

/** A small square of a colour, which stands before the word that it explains. */
export function swatch(colour: string): HTMLElement {
  return el('span', { class: 'swatch', style: { background: colour }, 'aria-hidden': 'true' });
}
