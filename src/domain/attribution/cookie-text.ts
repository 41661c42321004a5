/** How the tracker's cookies are written and read: `key=value` joined by `|||`, percent-encoded, perhaps in base64 as well. */

/** Stands where a visit has no such value. */
export const none = '(none)'

const delimiter = '|||'

/**
 * Characters of one cookie's value. A link with a query of many kilobytes would otherwise fill five cookies, and a web server
 * refuses every later request whose cookies are longer than 8 KB altogether. Base64 can be cut after each fourth character.
 */
const longest = 1300

/**
 * The text behind percent-encoding; what is not UTF-8 is read byte by byte, so anything gives some text. The six marks that
 * are encoded beyond the usual ones are decoded once more where they still stand encoded, as readers of these cookies do.
 */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replace(/%(?:2[1789A]|7E)/g, unescape)
  } catch {
    return unescape(text)
  }
}

/**
 * A cookie's value for a text: UTF-8, percent-encoded but for letters, digits and `-_.`; half a character becomes U+FFFD.
 * Base64 goes without its padding. What is too long loses its end, but for half an encoded character.
 */
export function cookieValue(text: string, base64: boolean | undefined): string {
  const value = encodeURIComponent(text.toWellFormed())
    .replace(/[!~'()]/g, escape)
    .replaceAll('*', '%2A')
  return (base64 ? btoa(value).replaceAll('=', '') : value).slice(0, longest).replace(/%.?$/, '')
}

/** The text of a cookie's value, of whichever form: encoded text of ours always holds a `%`, and base64 never does. */
function textOf(value: string): string {
  try {
    return decoded(/^[\w+/]+$/.test(value) ? atob(value) : value)
  } catch {
    return decoded(value)
  }
}

/**
 * What a cookie says, '' without one.
 * @param cookies as `document.cookie` and the request's header have them
 */
export function cookieText(cookies: string, name: string): string {
  // The names are ours: none has a character with a meaning of its own.
  return textOf(new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(cookies)?.[1] ?? '')
}

/** The text of a cookie that says these values. */
export const packed = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map((entry) => entry.join('='))
    .join(delimiter)

/** The values that a cookie's text says. Addresses and campaigns stand in it as the address bar had them: decoded here. */
export function unpacked(text: string): Record<string, string> {
  const parts = text ? text.split(delimiter) : []
  return Object.fromEntries(
    parts.map((part) => {
      const [key, ...value] = part.split('=')
      return [key, decoded(value.join('='))]
    }),
  )
}

/** The values of one cookie, by its value as it stands in a header. Anything may have been written there. */
export const readTrackerCookie = (value: string): Record<string, string> => unpacked(textOf(value))
