/** What a phone number may be written with. Whether it rings is not ours to know. */
export function isPhone(phone: string): boolean {
  return /^[\s#0-9_\-+/().]*$/.test(withoutInvisible(phone))
}

/** Soft hyphens, direction marks and the like, which come along when a number is copied from elsewhere. */
export function withoutInvisible(text: string): string {
  return text.replace(/\p{Cf}/gu, '')
}

const longestEmail = 254
const localPart =
  /^(?:[\p{L}\d!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\d!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\\p{C}]|\\[^\p{C}])*")$/u
const label = /^[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?$/u

/** A local part in plain or quoted form, `@`, and at least two labels, letters of any language; a final dot is tolerated. */
export function isEmail(email: string): boolean {
  const at = email.lastIndexOf('@')
  if (at < 1 || email.length > longestEmail) return false
  const labels = email
    .slice(at + 1)
    .replace(/\.$/, '')
    .split('.')
  return (
    localPart.test(email.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((part) => part.length <= 63 && label.test(part))
  )
}
