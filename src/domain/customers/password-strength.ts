/**
 * Strength of a password, for the meter and the server's validation alike. Patterns that attackers try first have a low
 * cost: common words, runs along the alphabet or keyboard, repetitions, years, and the account's own details. All other
 * characters cost ten guesses each.
 */

/** 0 and 1: trivial, 2: weak, 3: good, 4: strong. */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

export const lowestScore: PasswordScore = 3
export const longestPassword = 512
export const shortestPassword = 8

const bitsPerCharacter = Math.log2(10)
const bitsPerWord = 7
const bitsPerRun = 5

/** @param own words of the account and the shop: user name, parts of the address, names */
export function passwordScore(password: string, own: readonly string[] = []): PasswordScore {
  const bits = guessBits(password.slice(0, 100), own)
  // A larger alphabet does not help: four characters of two units each are four characters.
  if (isShortPassword(password)) return bits < 10 ? 0 : bits < 20 ? 1 : 2
  // A thousand, a million, a hundred million and ten thousand million guesses.
  if (bits < 10) return 0
  if (bits < 20) return 1
  if (bits < 26.5) return 2
  return bits < 33 ? 3 : 4
}

/** Counts visible characters, in the Unicode form in which passwords are stored. */
export function isShortPassword(password: string): boolean {
  return [...password.normalize('NFC')].length < shortestPassword
}

function guessBits(password: string, own: readonly string[]): number {
  const plain = withoutDisguise(password)
  const words = [...commonWords, ...own.map(withoutDisguise).filter(({ length }) => length >= 3)]
  let bits = 0
  for (let at = 0; at < plain.length; ) {
    const cheap = cheapest([wordAt(plain, at, words), runAt(plain, at), repeatAt(plain, at), yearAt(password, at)])
    bits += cheap?.bits ?? bitsPerCharacter
    at += cheap?.length ?? 1
  }
  return bits
}

type Piece = { length: number; bits: number }

/** Returns the longest pattern that costs less than its characters. */
function cheapest(pieces: readonly (Piece | null)[]): Piece | null {
  const worth = pieces.filter((piece): piece is Piece => piece !== null && piece.bits < piece.length * bitsPerCharacter)
  return worth.sort((a, b) => b.length - a.length)[0] ?? null
}

function wordAt(text: string, at: number, words: readonly string[]): Piece | null {
  const lengths = words.filter((word) => text.startsWith(word, at)).map(({ length }) => length)
  return lengths.length > 0 ? { length: Math.max(...lengths), bits: bitsPerWord } : null
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')])

/** Finds three or more neighbours of the alphabet, the digits or a keyboard row, in either direction. */
function runAt(text: string, at: number): Piece | null {
  let length = 0
  for (const run of runs) {
    let size = 3
    if (!run.includes(text.slice(at, at + size)) || text.length < at + size) continue
    while (at + size < text.length && run.includes(text.slice(at, at + size + 1))) size += 1
    length = Math.max(length, size)
  }
  return length > 0 ? { length, bits: bitsPerRun + Math.log2(length) } : null
}

/** Finds a repetition of one to four characters. */
function repeatAt(text: string, at: number): Piece | null {
  for (const size of [1, 2, 3, 4]) {
    const part = text.slice(at, at + size)
    let times = 1
    while (part.length === size && text.startsWith(part, at + times * size)) times += 1
    if (times * size >= 3 && times > 1) {
      return { length: times * size, bits: size * bitsPerCharacter + Math.log2(times) }
    }
  }
  return null
}

function yearAt(text: string, at: number): Piece | null {
  return /^(19|20)\d\d/.test(text.slice(at, at + 4)) ? { length: 4, bits: bitsPerWord } : null
}

const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}

/** Returns lower case, with the usual look-alikes replaced by their letters; digits among digits stay. */
function withoutDisguise(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?<=\p{L})[@43!10$5](?=\p{L}|$)|[@43!10$5](?=\p{L})/gu, (sign) => disguises[sign] ?? sign)
}

const commonWords =
  'password passwort passwd secret letmein welcome admin login user guest root test demo shop store change master monkey dragon sunshine princess football baseball soccer hockey iloveyou love angel hello summer winter spring autumn flower michael daniel jordan thomas charlie jessica ashley shadow superman batman pokemon starwars freedom whatever trustno computer internet samsung google apple orange banana cookie coffee cheese chocolate summer monday friday january december money cash credit family mother father baby london berlin paris america england liverpool chelsea arsenal barcelona tiger eagle horse pepper ginger maggie buster hunter killer ninja matrix qazwsx abc'.split(
    ' ',
  )
