/** A glossary term, and its translation in the target language; the term itself if it stays. */
export type Term = { readonly term: string; readonly said: string }

/** A protected range of a text, and its replacement. */
export type Kept = { readonly start: number; readonly end: number; readonly said: string }

const number = String.raw`\p{Nd}(?:[\p{Nd}.,'\u2019\u00A0\u202F]{0,30}\p{Nd})?`
const unit =
  '(?:%|‰|°[CF]?|″|′|mm|cm|dm|km|m[²³]|cm[²³]|m|kg|mg|g|ml|cl|dl|l|oz|lbs?|ft|yd|px|kW|kWh|W|mAh|Ah|V|GHz|MHz|kHz|Hz|GB|MB|TB|dpi|gsm|dB|rpm)'
const currency = '(?:AUD|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|USD)'

/**
 * Patterns without language, which stay unchanged. None can backtrack far: each starts with its own character or is
 * bounded.
 */
const untranslatable: readonly RegExp[] = [
  // %s, %1$s, %d; but not "50%discount"
  /%\d{1,2}\$[sdif]|(?<!\p{Nd})%(?:\.\d)?[sdif]/gu,
  // %qty%
  /%[a-z]\w{0,40}%/gi,
  /\{\{\s{0,3}[\w.-]{1,60}\s{0,3}\}\}|\{[\w.-]{1,60}\}/g,
  // Punctuation at the end of a sentence is not part of the URL.
  /(?:\b(?:https?|ftp):\/\/|\bwww\.)[^\s<>"“”«»]{0,2000}[^\s<>"“”«».,;:!?)\]}'’…。、]/giu,
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  /\+\d[\d ()./-]{5,20}\d/g,
  new RegExp(String.raw`\p{Sc}\s?${number}|(?<!\p{L})${currency}\s?${number}`, 'gu'),
  new RegExp(String.raw`(?<![\p{L}\p{Nd}])${number}\s?(?:\p{Sc}|${currency}(?!\p{L}))`, 'gu'),
  // 30 × 20 × 10 cm
  new RegExp(
    String.raw`(?<![\p{L}\p{Nd}])(?:${number}\s?[\u00D7x]\s?){0,3}${number}[\s\u00A0\u202F]?${unit}(?![\p{L}\p{Nd}])`,
    'gu',
  ),
  // Brackets that mark protected parts for an engine; in a merchant's text they are protected themselves.
  /[⟦⟧]/g,
]

const anyNumber = new RegExp(number, 'gu')

/** In languages without spaces a term may be part of a longer run of letters. */
const wordSign = String.raw`[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]`

/**
 * Returns protected ranges without overlaps: of overlapping ones the longest wins.
 * @param everyNumber true to protect plain numbers, which an engine may reformat but must not change
 */
export function findPlaceholders(text: string, terms: readonly Term[], everyNumber: boolean): readonly Kept[] {
  const found: Kept[] = []
  for (const pattern of everyNumber ? [...untranslatable, anyNumber] : untranslatable) {
    for (const { 0: said, index } of text.matchAll(pattern))
      found.push({ start: index, end: index + said.length, said })
  }
  for (const { term, said } of terms) {
    for (const match of text.matchAll(termPattern(term))) {
      const capital = match[0] !== term
      found.push({ start: match.index, end: match.index + match[0].length, said: capital ? capitalized(said) : said })
    }
  }
  found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
  const taken = new Uint8Array(text.length)
  const kept = found.filter(({ start, end }) => {
    // A longer range covers it, or one of its ends.
    if (end <= start || taken[start] === 1 || taken[end - 1] === 1) return false
    taken.fill(1, start, end)
    return true
  })
  return kept.sort((a, b) => a.start - b.start)
}

/** Matches the term as written, or capitalized at the start of a sentence; a whole word. */
function termPattern(term: string): RegExp {
  const exact = escaped(term)
  const capital = escaped(capitalized(term))
  return new RegExp(`(?<!${wordSign})(?:${exact}|${capital})(?!${wordSign})`, 'gv')
}

function capitalized(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

function escaped(text: string): string {
  // An escape by code makes every ASCII character literal, whatever its meaning in a pattern.
  return [...text.toWellFormed()]
    .map((sign) => (/[\p{L}\p{N}]/u.test(sign) ? sign : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`))
    .join('')
}

/** Returns the numbers of a text as plain digits: "1,000.50", "1.000,50" and "١٬٠٠٠٫٥٠" are equal. */
export function figuresIn(text: string): readonly string[] {
  return [...text.matchAll(/\p{Nd}+(?:[.,'’٫٬\u00A0\u202F]\p{Nd}+)*/gu)].map(([written]) =>
    [...written].map(digitOf).join(''),
  )
}

/** Digits of all scripts are runs of ten code points, each starting at its zero. */
function digitOf(sign: string): string {
  if (!/\p{Nd}/u.test(sign)) return ''
  if (sign >= '0' && sign <= '9') return sign
  const code = sign.codePointAt(0) ?? 0
  let nought = code
  while (code - nought < 9 && /\p{Nd}/u.test(String.fromCodePoint(nought - 1))) nought -= 1
  return String(code - nought)
}
