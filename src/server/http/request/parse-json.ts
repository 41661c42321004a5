import { BadBody, forbiddenNames, limits, measureName } from './body-limits.ts'

/**
 * Parses a JSON object; an empty text is an empty object.
 * @param listName member for the entries of a JSON array; absent: arrays are rejected
 * @throws BadBody unless it is one object of limited depth without duplicate or prototype names
 */
export function parseJson(text: string, listName?: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    checkShape(text)
    value = JSON.parse(text, (name, inner: unknown) => {
      if (typeof inner === 'string' && hasInvalidCharacters(inner))
        throw new BadBody(400, 'the JSON has invalid characters')
      if (name === measureName && typeof inner === 'object' && inner !== null) {
        throw new BadBody(400, 'the JSON has a forbidden field name')
      }
      return inner
    })
  } catch (error) {
    throw error instanceof BadBody ? error : new BadBody(400, 'the body is not valid JSON')
  }
  if (Array.isArray(value) && listName !== undefined) return { [listName]: value }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new BadBody(400, 'the JSON is not an object')
  }
  // Checked above: a plain object.
  return value as Record<string, unknown>
}

/** Finds characters that UTF-8 or the database cannot store: NUL, and lone surrogates. */
function hasInvalidCharacters(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Checks depth and names in the text: a parsed object keeps only the last of duplicate names. */
function checkShape(text: string): void {
  /** Names seen in each open object; null for an array. */
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
  if (forbiddenNames.has(name)) throw new BadBody(400, 'the JSON has a forbidden field name')
  if (names.has(name)) throw new BadBody(400, 'the JSON has a duplicate field')
  if (hasInvalidCharacters(name)) throw new BadBody(400, 'the JSON has invalid characters')
  names.add(name)
}

/** Returns the end of the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

/** Checks for a colon after the string that ends at `end`: then it is a name. */
function isName(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text.charAt(at))) at += 1
  return text[at] === ':'
}
