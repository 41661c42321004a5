/** How the tracker's cookies are written and read: `key=value` joined by `|||`, percent-encoded, perhaps in base64 as well. */

/** Stands where a visit has no such value. */
export const none = '(none)'

const delimiter = '|||'

/**
 * Cuts encoded text that is too long for a cookie before its last character, which may be whole. An address bar encodes characters,
 * too, and their `%` is encoded here as `%25`. A link with a query of many kilobytes would otherwise fill five cookies, and a web
 * server refuses every later request whose cookies are longer than 8 KB altogether. Base64 makes four characters of three.
 */
const cut = (encoded: string, most: 1296 | 972) =>
  encoded[most] ? encoded.slice(0, most).replace(/(%2?5?[C-F].(%2?5?[89AB].)*)?(%2?5?.?)?$/, '') : encoded

/**
 * The text behind percent-encoding; what is not UTF-8 is read byte by byte, so anything gives some text. The six marks that
 * are encoded beyond the usual ones are decoded once more where they still stand encoded, as readers of these cookies do.
 */
export function decodeCookieText(text: string): string {
  try {
    return decodeURIComponent(text).replace(/%(2[1789A]|7E)/g, unescape)
  } catch {
    return unescape(text)
  }
}

/**
 * A cookie's value for a text: UTF-8, percent-encoded but for letters, digits and `-_.`; half a character becomes U+FFFD.
 * Base64 goes without its padding. What is too long loses its end, between two characters.
 */
export function cookieValue(text: string, base64: boolean | undefined): string {
  const encoded = encodeURIComponent(text.toWellFormed())
    .replace(/[!~'()]/g, escape)
    .replaceAll('*', '%2A')
  return base64 ? btoa(cut(encoded, 972)).replaceAll('=', '') : cut(encoded, 1296)
}

/**
 * The text of a cookie's value, of whichever form: encoded text of ours always holds a `%`, and base64 never does. An earlier version
 * cut later, and inside of characters, which would make signs of all others: of what is longer the end is not read.
 */
function textOf(value: string): string {
  try {
    return decodeCookieText(/^[\w+/]+$/.test(value) ? cut(atob(value), 972) : cut(value, 1296))
  } catch {
    return decodeCookieText(value)
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
export const packCookie = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map((entry) => entry.join('='))
    .join(delimiter)

/** The values that a cookie's text says. Addresses and campaigns stand in it as the address bar had them: decoded here. */
export function unpackCookie(text: string): Record<string, string> {
  const parts = text ? text.split(delimiter) : []
  return Object.fromEntries(
    parts.map((part) => {
      const [key, ...value] = part.split('=')
      return [key, decodeCookieText(value.join('='))]
    }),
  )
}

/** The values of one cookie, by its value as it stands in a header. Anything may have been written there. */
export const readTrackerCookie = (value: string): Record<string, string> => unpackCookie(textOf(value))
