import { asBytes, type MarkupPieces } from './markup-bytes.ts'

const signs = ['<', '>', '&', '\u2028', '\u2029']

/** Returns JSON that cannot end its script element, nor open a comment in it. */
export function jsonForScript(value: unknown): string {
  const json = JSON.stringify(value)
  // Most JSON contains none of them, and a plain search detects that in a twentieth of the time.
  if (!signs.some((sign) => json.includes(sign))) return json
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Returns `jsonForScript` of an object whose entries are mostly shared with other pages: those are deeply frozen, and
 * their JSON is cached.
 */
export function settingsPieces(settings: Readonly<Record<string, unknown>>): MarkupPieces {
  const pieces: (string | Uint8Array)[] = []
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue
    pieces.push(`${pieces.length === 0 ? '{' : ','}${jsonForScript(name)}:`, written(value))
  }
  return pieces.length === 0 ? ['{}'] : [...pieces, '}']
}

function written(value: unknown): string | Uint8Array {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return jsonForScript(value)
  const bytes = shared.get(value) ?? asBytes(jsonForScript(value))
  shared.set(value, bytes)
  return bytes
}

const shared = new WeakMap<object, Uint8Array>()
