import { BadBody, forbiddenNames, limits, measureName } from './body-limits.ts'

/**
 * The object that a JSON text holds; an empty text is an empty object.
 * @throws BadBody unless it is one object of sane depth whose names are given once and are no names of prototypes
 */
export function parseJson(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    checkShape(text)
    value = JSON.parse(text, (name, inner: unknown) => {
      if (typeof inner === 'string' && isOdd(inner)) throw new BadBody(400, 'the JSON holds text that is no text')
      if (name === measureName && typeof inner === 'object' && inner !== null) {
        throw new BadBody(400, 'the JSON names a field that no object has')
      }
      return inner
    })
  } catch (error) {
    throw error instanceof BadBody ? error : new BadBody(400, 'the body is not valid JSON')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BadBody(400, 'the JSON is not an object')
  }
  // Just found to be an object that is no array.
  return value as Record<string, unknown>
}

/** What neither UTF-8 nor the database can hold: NUL, and halves of a character. */
function isOdd(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Depth and names, which a finished object no longer shows: of a name given twice it keeps the last alone. */
function checkShape(text: string): void {
  /** The names so far of every object that is open; null for an array. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfText(text, at)
      const names = open.at(-1)
      if (names && isName(text, end)) addName(names, JSON.parse(text.slice(at, end + 1)))
      at = end
    } else if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? new Set() : null)
      if (open.length > limits.depth) throw new BadBody(400, 'the JSON is nested too deep')
    } else if (sign === '}' || sign === ']') open.pop()
  }
}

function addName(names: Set<string>, name: string): void {
  if (forbiddenNames.has(name)) throw new BadBody(400, 'the JSON names a field that no object has')
  if (names.has(name)) throw new BadBody(400, 'the JSON names a field twice')
  if (isOdd(name)) throw new BadBody(400, 'the JSON holds text that is no text')
  names.add(name)
}

/** Where the text that begins at `start` ends. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

/** Whether a colon follows the text that ends at `end`: it names what comes then. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text.charAt(at))) at += 1
  return text[at] === ':'
}
