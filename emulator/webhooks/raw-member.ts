/**
 * The text of one member of a JSON object, exactly as it was written: what is signed must not be parsed and written
 * again, or `1.0` becomes `1`. The text must be valid JSON; `undefined` when it has no such member.
 */
export function rawMember(json: string, name: string): string | undefined {
  let at = json.indexOf('{') + 1
  while (at > 0 && at < json.length) {
    at = skipSpace(json, at)
    if (json[at] !== '"') return undefined
    const keyEnd = endOfValue(json, at)
    const key: unknown = JSON.parse(json.slice(at, keyEnd))
    const start = skipSpace(json, json.indexOf(':', keyEnd) + 1)
    const end = endOfValue(json, start)
    if (key === name) return json.slice(start, end)
    at = skipSpace(json, end)
    if (json[at] !== ',') return undefined
    at += 1
  }
  return undefined
}

function skipSpace(json: string, from: number): number {
  let at = from
  while (/\s/.test(json[at] ?? '')) at += 1
  return at
}

function endOfValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      at = endOfString(json, at)
      if (depth === 0) return at + 1
    } else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      // A closing bracket of the object around ends a plain value such as a number.
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (depth === 0 && (character === ',' || /\s/.test(character ?? ''))) return at
  }
  return json.length
}

function endOfString(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}
