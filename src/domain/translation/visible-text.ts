/** Joiners and variation selectors: invisible, but part of a word, an emoji or a character's form. */
const binding = '\\u180E\\u200C\\u200D\\p{Variation_Selector}'
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Visible characters of \p{Cf}, such as the Arabic number sign, are excluded. */
const strippable = new RegExp(`(?![${binding}])[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]`, 'gu')
const bindingRun = new RegExp(`[${binding}]+`, 'gu')
const joiner = /[\u180E\u200C\u200D]/
const selector = /^\p{Variation_Selector}/u
const joined = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const selectable = /[\p{L}\p{N}\p{P}\p{S}]/u
/**
 * After a virama a joiner selects the form of the consonant, at the end of a word too, as in Malayalam, Sinhala and
 * Hindi.
 */
const virama = /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA]/

/**
 * Returns a text without invisible characters: zero-width spaces, direction marks, soft hyphens, fillers. A Braille
 * blank counts as a space. Persian, Hindi and emoji need joiners within words, and Japanese names and emoji need
 * variation selectors. Each is kept once between characters that it can join, and nowhere else.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\u2800', ' ')
    .replace(strippable, '')
    .replace(bindingRun, (run, at: number, whole: string) => kept(run, whole, at))
    .trim()
}

function kept(run: string, whole: string, at: number): string {
  const before = characterBefore(whole, at)
  const after = characterAt(whole, at + run.length)
  const variation = selectable.test(before) ? (selector.exec(run)?.[0] ?? '') : ''
  const binds = joined.test(before) && (joined.test(after) || virama.test(before))
  return variation + (binds ? (joiner.exec(run)?.[0] ?? '') : '')
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1))
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at)
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** Returns a text without any invisible character, joiners included: for comparisons of texts without words. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}
