/** How the tracker's cookies are written and read: `key=value` joined by `|||`, percent-encoded, perhaps in base64 as well. */

/** Stands where a visit has no such value. */
export const none = '(none)'

const delimiter = '|||'

/**
 * Characters of one cookie's value. A link with a query of many kilobytes would otherwise fill five cookies, and a web server
 * refuses every later request whose cookies are longer than 8 KB altogether.
 */
const longest = 1300

/**
 * The text behind percent-encoding; what is not UTF-8 is read byte by byte, so anything gives some text. The six marks that
 * are encoded beyond the usual ones are decoded once more where they still stand encoded, as readers of these cookies do.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replace(/%(?:2[1789A]|7E)/g, unescape)
  } catch {
    return unescape(text)
  }
}

/**
 * A cookie's value for a text: UTF-8, percent-encoded but for letters, digits and `-_.`; half a character becomes U+FFFD.
 * Base64 goes without its padding.
 */
export function cookieValue(text: string, base64: boolean | undefined): string {
  const value = encodeURIComponent(text.toWellFormed())
    .replace(/[!~'()]/g, escape)
    .replaceAll('*', '%2A')
  return base64 ? btoa(value).replaceAll('=', '') : value
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
  const start = `${name}=`
  const found = cookies
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(start))
  return textOf(found?.slice(start.length) ?? '')
}

/** The text of a cookie that says these values, the longest of them cut as far as the cookie would be too long. */
export function packed(values: Readonly<Record<string, string | number>>, base64: boolean | undefined): string {
  for (let most = longest; ; most *= 0.9) {
    const text = Object.entries(values)
      .map(([key, value]) => `${key}=${cut(String(value), most)}`)
      .join(delimiter)
    if (cookieValue(text, base64).length <= longest) return text
  }
}

/** What may have been cut inside of an encoded character, of up to twelve characters, loses the last one altogether. */
const cut = (value: string, most: number) =>
  value.length > most ? value.slice(0, most).replace(/%[C-F]?.?(?:%[89AB]?.?){0,3}$/i, '') : value

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
