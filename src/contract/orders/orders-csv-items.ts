/** Lists in one cell of an order file: items divided by `;`, their members by `|`, as in `name:Cup|total:12.50`. */

export type CsvItem = ReadonlyMap<string, string>

/** Parses a list. A divider within a value has a backslash before it. */
export function itemsIn(cell: string): CsvItem[] {
  return splitAt(cell, ';')
    .map(itemIn)
    .filter((item) => item.size > 0)
}

/** Parses the members of one item; a part without a name continues the value before it. */
export function itemIn(text: string): CsvItem {
  const members = new Map<string, string>()
  let last = ''
  for (const part of splitAt(text, '|')) {
    const named = /^\s*([a-z_]+(?: [a-z]+)?)\s*:(.*)$/is.exec(part)
    if (named) {
      last = (named[1] ?? '').toLowerCase().replaceAll(' ', '_')
      members.set(last, unescaped(named[2] ?? ''))
    } else if (last !== '') members.set(last, `${members.get(last)}|${unescaped(part)}`)
  }
  return members
}

/** Formats a list, without empty members. */
export function itemsCell(items: readonly Readonly<Record<string, string>>[]): string {
  return items
    .map((item) =>
      Object.entries(item)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}:${value.replace(/[\\|;]/g, '\\$&')}`)
        .join('|'),
    )
    .join(';')
}

/** Splits a text at a mark that has no backslash before it. */
function splitAt(text: string, mark: ';' | '|'): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (letter === '\\' && at + 1 < text.length) {
      part += letter + text[at + 1]
      at += 1
    } else if (letter === mark) {
      parts.push(part)
      part = ''
    } else part += letter
  }
  return [...parts, part].filter((each) => each.trim() !== '')
}

const unescaped = (value: string) => value.replace(/\\([\\|;])/g, '$1').trim()
