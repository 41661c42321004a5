import { withoutInvisible } from '../translation/visible-text.ts'

/** Returns true if a phone number has only allowed characters. Its existence is not checked. */
export function isPhone(phone: string): boolean {
  return /^[\s#0-9_\-+/().]*$/.test(withoutInvisible(phone))
}

// RFC 5321, 4.5.3.1, and RFC 1035, 2.3.4: all in octets, without the angle brackets of a path.
const longestEmail = 254
const longestLocalPart = 64
const longestDomain = 255
const longestLabel = 63
const localPart =
  /^(?:[\p{L}\d!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\d!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\\p{C}]|\\[^\p{C}])*")$/u
const label = /^[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?$/u

/**
 * Returns true for a local part in plain or quoted form, `@`, and at least two labels, in any language. No final dot:
 * see `cleanEmail`.
 */
export function isEmail(email: string): boolean {
  const at = email.lastIndexOf('@')
  if (at < 1 || email.length > longestEmail) return false
  const domain = email.slice(at + 1)
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((part) => label.test(part)) || !localPart.test(email.slice(0, at)))
    return false
  const ascii = asciiDomain(domain)
  const localOctets = octets(email.slice(0, at))
  return (
    localOctets <= longestLocalPart &&
    ascii.length <= longestDomain &&
    localOctets + 1 + ascii.length <= longestEmail &&
    ascii.split('.').every((part) => part.length <= longestLabel)
  )
}

/** Returns a domain in its DNS form, with encoded international letters; unchanged if it cannot be encoded. */
function asciiDomain(domain: string): string {
  const ofUrl = `http://${domain}`
  return URL.canParse(ofUrl) && /[^\p{ASCII}]/u.test(domain) ? new URL(ofUrl).hostname : domain
}

const octets = (text: string) => new TextEncoder().encode(text).length
