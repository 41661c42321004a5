import { tokensOf } from './markup-tokens.ts'

/** What a translator says anew; everything else about an element is how it looks and behaves. */
const said = new Set(['href', 'title', 'lang', 'dir'])

/**
 * Gives the elements of a translation the attributes that they have in the original, like a class or `translate`: the first
 * link those of the first link. Which ones a translator may write has been decided before.
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

/** A value that was written in other quotes or in none. */
const quoted = (value: string) => value.replaceAll('"', '&quot;')
