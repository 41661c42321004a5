import { tokensOf } from './markup-tokens.ts'

/** Attributes that a translator changes; all others define look and behaviour. */
const said = new Set(['href', 'title', 'lang', 'dir'])

/**
 * Copies the original's attributes, as a class or `translate`, to the elements of a translation: the first link gets
 * those of the first link. Attributes that a translator may write are filtered before.
 */
export function withOriginalAttributes(original: string, translated: string): string {
  const known = new Map<string, string[]>()
  for (const token of tokensOf(original)) {
    if (token.kind !== 'open') continue
    const kept = token.attributes.filter(({ name }) => !said.has(name))
    const written = kept
      .map(({ name, value }) => (value === null ? ` ${name}` : ` ${name}="${quoted(value)}"`))
      .join('')
    known.set(token.name, [...(known.get(token.name) ?? []), written])
  }
  if (![...known.values()].flat().some((written) => written !== '')) return translated
  let made = ''
  let from = 0
  for (const token of tokensOf(translated)) {
    if (token.kind !== 'open') continue
    const written = known.get(token.name)?.shift() ?? ''
    const end = token.start + 1 + token.name.length
    made += translated.slice(from, end) + written
    from = end
  }
  return made + translated.slice(from)
}

/** Escapes a value that was unquoted or in other quotes. */
const quoted = (value: string) => value.replaceAll('"', '&quot;')
