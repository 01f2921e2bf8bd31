// SPDX-License-Identifier: BSD-3-Clause
// Choices of a view that are part of the page's address: Selection.show, words between blanks. A
// word is the name of a choice, 'process', or a name with a value, 'for:5.1'. Views ignore words
// that they do not know. Pure.

function words(show: string): string[] {
  return show.split(' ').filter(Boolean);
}

/** Which of the names is chosen; the first one if none is. */
export function choice<Name extends string>(show: string, names: readonly Name[]): Name {
  const chosen = words(show);
  return names.find(name => chosen.includes(name)) ?? names[0];
}

/** With another choice among the names. The first one is not written. */
export function chosen<Name extends string>(show: string, names: readonly Name[],
    name: Name): string {
  const others = words(show).filter(word => !names.includes(word as Name));
  return [...others, ...(name === names[0] ? [] : [name])].join(' ');
}

/** The value of 'name:value'; '' if there is none. */
export function valueOf(show: string, name: string): string {
  return words(show).find(word => word.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
}

/** With another value, which has no blanks. */
export function withValue(show: string, name: string, value: string): string {
  const others = words(show).filter(word => !word.startsWith(`${name}:`));
  return [...others, ...(value ? [`${name}:${value}`] : [])].join(' ');
}
