const tags = new Set('a b strong em i br span sup sub u small code'.split(' '))
const attributes = new Set(['href', 'title', 'lang', 'dir'])
const schemes = /^(?:https?|mailto|tel):/i

/** Matches a possible tag; attributes are parsed only if all are well-formed. */
const tagAt =
  /<(?<end>\/?)(?<name>[a-z][a-z0-9]*)(?<rest>(?:\s+[a-z][-a-z0-9:]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/giy
const attributeIn = /([a-z][-a-z0-9:]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gi
/** An ampersand that starts no character reference. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi

/**
 * Sanitizes a translator's markup: emphasis, superscripts and links are allowed. Everything else becomes text, and
 * every open element is closed. The result is idempotent.
 */
export function allowedMarkup(html: string): string {
  const open: string[] = []
  let result = ''
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next === -1) break
    result += asText(html.slice(at, next))
    tagAt.lastIndex = next
    const groups = tagAt.exec(html)?.groups
    const name = groups?.name?.toLowerCase() ?? ''
    if (!groups || !tags.has(name)) {
      result += '&lt;'
      at = next + 1
      continue
    }
    at = tagAt.lastIndex
    if (!groups.end) {
      result += `<${name}${attributesOf(name, groups.rest ?? '')}>`
      if (name !== 'br') open.push(name)
    } else if (open.includes(name)) {
      // Closes the elements opened inside.
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        result += `</${last}>`
        if (last === name) break
      }
    }
  }
  result += asText(html.slice(at))
  return (
    result +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  )
}

function asText(text: string): string {
  return text.replace(bareAmpersand, '&amp;').replaceAll('>', '&gt;')
}

function attributesOf(tag: string, written: string): string {
  const kept = new Map<string, string>()
  for (const [, name = '', double, single, bare] of written.matchAll(attributeIn)) {
    const key = name.toLowerCase()
    const value = (double ?? single ?? bare ?? '').trim()
    if (!attributes.has(key) || kept.has(key)) continue
    if (key === 'href' && (tag !== 'a' || !isSafeAddress(value))) continue
    if (key === 'dir' && !/^(?:ltr|rtl|auto)$/i.test(value)) continue
    if (key === 'lang' && !/^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(value)) continue
    kept.set(key, value)
  }
  return [...kept]
    .map(([key, value]) => ` ${key}="${asText(value).replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`)
    .join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them.
const unseen = /[\u0000-\u0020\u007F-\u00A0]/g

/** Returns true for a URL of a page, a mailbox or a telephone, in any spelling. */
function isSafeAddress(written: string): boolean {
  // A browser decodes references first, and ignores whitespace and control characters.
  const read = written
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
      character(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/&colon;/gi, ':')
    .replace(/&(?:tab|newline);/gi, '')
    .replace(unseen, '')
  if (schemes.test(read)) return true
  return !/^[^/?#]*:/.test(read)
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
