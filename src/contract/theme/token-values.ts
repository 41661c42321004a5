import { colourForms, parseColour } from './css-colour.ts'

/** The kind of a token's value. */
export type TokenKind = 'colour' | 'length' | 'fonts' | 'shadow' | 'time' | 'number'

/**
 * Returns the error of a value for a token of that kind, or null. No valid value can end a declaration or load
 * anything.
 */
export function tokenFault(kind: TokenKind, value: string): string | null {
  const strange = /[;{}<>\\@!\r\n]|\/\*|\burl\b|\bimage|\bsrc\b/i.exec(
    kind === 'fonts' ? value.replace(names, '') : value,
  )
  if (strange) return `must not hold ${JSON.stringify(strange[0])}`
  if (value.length > 500) return 'is too long'
  return kinds[kind].fits(value.trim()) ? null : `must be ${kinds[kind].words}`
}

/** Returns the kind of a value in the notation of the token stylesheet. */
export function tokenKind(value: string): TokenKind | null {
  const order: TokenKind[] = ['number', 'colour', 'length', 'time', 'shadow', 'fonts']
  return order.find((kind) => tokenFault(kind, value) === null) ?? null
}

const names = /"[\p{L}\p{N} ._-]+"|'[\p{L}\p{N} ._-]+'/gu
const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`
const length = `(?:0|${number}(?:rem|em|px|%|vw|vh|vi|vb|dvh|svh|lvh|vmin|vmax|ch|ex|cap|ic|lh|rlh|cqi|cqw|pt|mm|cm|in|deg))`
const oneLength = new RegExp(`^${length}$`)
const time = new RegExp(`^${number}m?s$`)
const easing = new RegExp(
  `^(?:ease|ease-in|ease-out|ease-in-out|linear|step-start|step-end|cubic-bezier\\((?:\\s*${number}\\s*,){3}\\s*${number}\\s*\\)|linear\\([\\d\\s.,%-]+\\)|steps\\(\\s*\\d+\\s*(?:,\\s*[a-z-]+\\s*)?\\))$`,
)

const kinds: Readonly<Record<TokenKind, { words: string; fits(value: string): boolean }>> = {
  colour: { words: `a colour like ${colourForms}`, fits: (value) => parseColour(value) !== null },
  length: {
    words: 'a length like 3px, 1.5rem or clamp(1rem, 0.5rem + 2vw, 3rem)',
    fits: (value) => oneLength.test(value) || isComputed(value),
  },
  fonts: {
    words: `a list of fonts like "Vitesse", Georgia, serif`,
    // The last one is a generic family, so that there is always a font.
    fits: (value) => {
      const list = value.replace(names, 'x').split(',')
      const every = list.every((font) => /^-?[\p{L}_][\p{L}\p{N}_-]*(?: [\p{L}_][\p{L}\p{N}_-]*)*$/u.test(font.trim()))
      return (
        every &&
        /^(?:ui-)?(?:serif|sans-serif|monospace|rounded|cursive|fantasy|system-ui)$/.test(list.at(-1)?.trim() ?? '')
      )
    },
  },
  shadow: {
    words: 'a shadow like 0 1px 3px rgb(0 0 0 / 0.2), or none',
    fits: (value) => value === 'none' || outsideBrackets(value, ',').every(isShadow),
  },
  time: {
    words: 'a time like 160ms, an easing like ease-out, or both',
    fits: (value) => {
      const parts = outsideBrackets(value, ' ')
      return parts.length <= 2 && parts.every((part, at) => (at === 0 && time.test(part)) || easing.test(part))
    },
  },
  number: { words: 'a number', fits: (value) => new RegExp(`^${number}$`).test(value) },
}

/** Matches `clamp(…)`, `calc(…)` and similar functions of lengths, numbers, operators and balanced brackets. */
function isComputed(value: string): boolean {
  if (!/^(?:clamp|min|max|calc)\(.*\)$/.test(value)) return false
  const rest = value
    .replace(/\b(?:clamp|min|max|calc)(?=\()/g, '')
    .replace(new RegExp(`(?<![\\w.])(?:${length}|${number})(?![\\w.%])`, 'g'), '')
  return /^[\s,()+*/-]*$/.test(rest) && outsideBrackets(value, ' ').length === 1 && isBalanced(value)
}

function isShadow(value: string): boolean {
  const parts = outsideBrackets(value, ' ').filter((part) => part !== 'inset')
  const lengths = parts.filter((part) => oneLength.test(part))
  const colours = parts.filter((part) => parseColour(part) !== null)
  return (
    lengths.length >= 2 &&
    lengths.length <= 4 &&
    colours.length <= 1 &&
    lengths.length + colours.length === parts.length
  )
}

function isBalanced(value: string): boolean {
  let depth = 0
  for (const sign of value) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Splits at separators outside of brackets. */
function outsideBrackets(value: string, separator: ',' | ' '): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of value) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0 && (separator === ' ' ? /\s/.test(sign) : sign === ',')) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
