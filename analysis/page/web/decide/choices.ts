// SPDX-License-Identifier: BSD-3-Clause
// The choices of a view that are part of the page's address. Selection.show has them as words,
// separated by blanks. A word is the name of a choice, such as 'process', or a name with a value,
// such as 'for:5.1'. Views ignore words that they do not know. Pure functions.

function words(show: string): string[] {
  return show.split(' ').filter(Boolean);
}

/** The chosen one of the names; the first name if none is chosen. */
export function choice<Name extends string>(show: string, names: readonly Name[]): Name {
  const chosen = words(show);
  return names.find(name => chosen.includes(name)) ?? names[0];
}

/** `show` with another choice among the names. The first name is the default, so it is not
 * written. */
export function chosen<Name extends string>(show: string, names: readonly Name[],
    name: Name): string {
  const others = words(show).filter(word => !names.includes(word as Name));
  return [...others, ...(name === names[0] ? [] : [name])].join(' ');
}

/** The value of 'name:value'; '' if there is none. */
export function valueOf(show: string, name: string): string {
  return words(show).find(word => word.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';
}

/** `show` with another value, which must not contain blanks. */
export function withValue(show: string, name: string, value: string): string {
  const others = words(show).filter(word => !word.startsWith(`${name}:`));
  return [...others, ...(value ? [`${name}:${value}`] : [])].join(' ');
}
