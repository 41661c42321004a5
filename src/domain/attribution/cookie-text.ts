/** The format of the tracker's cookies: `key=value` joined by `|||`, percent-encoded, optionally in base64. */

/** The value of a missing property. */
export const none = '(none)'

const delimiter = '|||'

/**
 * Cuts encoded text that is too long for a cookie before its last character, which may be whole. An address bar encodes
 * characters, too, and their `%` is encoded here as `%25`. A link with a query of many kilobytes would otherwise fill
 * five cookies, and a web server refuses every later request whose cookies exceed 8 KB in total. Base64 makes four
 * characters of three.
 */
const cut = (encoded: string, most: 1296 | 972) =>
  encoded[most] ? encoded.slice(0, most).replace(/(%2?5?[C-F].(%2?5?[89AB].)*)?(%2?5?.?)?$/, '') : encoded

/**
 * Decodes percent-encoding; text that is not UTF-8 is decoded byte by byte, so any input yields a text. The six
 * additionally encoded characters are decoded twice where necessary, as by other readers of these cookies.
 */
export function decodeCookieText(text: string): string {
  try {
    return decodeURIComponent(text).replace(/%(2[1789A]|7E)/g, unescape)
  } catch {
    return unescape(text)
  }
}

/**
 * Encodes a text as a cookie value: UTF-8, percent-encoded except for letters, digits and `-_.`; a lone surrogate
 * becomes U+FFFD. Base64 has no padding. A text that is too long is cut between two characters.
 */
export function cookieValue(text: string, base64: boolean | undefined): string {
  const encoded = encodeURIComponent(text.toWellFormed())
    .replace(/[!~'()]/g, escape)
    .replaceAll('*', '%2A')
  return base64 ? btoa(cut(encoded, 972)).replaceAll('=', '') : cut(encoded, 1296)
}

/**
 * Decodes a cookie value of either form: percent-encoded text always contains a `%`, and base64 never does. An earlier
 * version cut later, and within characters, which would corrupt the rest: of a longer value the end is ignored.
 */
function textOf(value: string): string {
  try {
    return decodeCookieText(/^[\w+/]+$/.test(value) ? cut(atob(value), 972) : cut(value, 1296))
  } catch {
    return decodeCookieText(value)
  }
}

/**
 * Returns the text of a cookie, '' without one.
 * @param cookies in the format of `document.cookie` and the request header
 */
export function cookieText(cookies: string, name: string): string {
  // The names are constants: none contains a character with a meaning in a pattern.
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
