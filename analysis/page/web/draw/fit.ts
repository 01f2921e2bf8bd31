// SPDX-License-Identifier: BSD-3-Clause
// Labels that do not fit are hidden, because half a number is a wrong number.

/** Hides each element that is wider than `room` allows. Checks the elements again whenever the
 * width of `host` changes. */
export function hideUnfit(host: HTMLElement, selector: string,
    room: (element: HTMLElement) => number): void {
  new ResizeObserver(() => {
    const labels = [...host.querySelectorAll<HTMLElement>(selector)];
    const unfit = labels.map(label => label.scrollWidth > room(label) + 1);
    labels.forEach((label, i) => label.classList.toggle('unfit', unfit[i]));
  }).observe(host);
}
