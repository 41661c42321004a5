/** How the tracker's cookies are written and read: `key=value` joined by `|||`, percent-encoded, perhaps in base64 as well. */

/** Stands where a visit has no such value. */
export const none = '(none)'

const delimiter = '|||'

/**
 * Characters of one cookie's value. A link with a query of many kilobytes would otherwise fill five cookies, and a web server
 * refuses every later request whose cookies are longer than 8 KB altogether.
 */
const longest = 1300

/** Percent-encoding of UTF-8 for everything but letters, digits and `-_.`; half a character outside the BMP becomes U+FFFD. */
const encoded = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!~*'()]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * The text behind percent-encoding; what is not UTF-8 is read byte by byte, so anything gives some text. The six marks that
 * `encoded` adds to the usual ones are decoded once more where they still stand encoded, as readers of these cookies do.
 */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text).replace(/%(?:2[1789A]|7E)/g, unescape)
  } catch {
    return unescape(text)
  }
}

/** A cookie's value for a text. Base64 goes without its padding: `=` ends a name. */
export function cookieValue(text: string, base64: boolean): string {
  const value = encoded(text)
  return base64 ? btoa(value).replace(/=+$/, '') : value
}

/** The text of a cookie's value, of whichever form. */
function textOf(value: string): string {
  // Percent-encoded text of ours always holds a `%`, and base64 never does.
  if (!/^[A-Za-z\d+/]+$/.test(value)) return decoded(value)
  try {
    return decoded(atob(value))
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
  return found === undefined ? '' : textOf(found.slice(start.length))
}

/** The text of a cookie that says these values, the longest of them cut as far as the cookie would be too long. */
export function packed(values: Readonly<Record<string, string | number>>, base64 = false): string {
  const parts = Object.entries(values).map(([key, value]) => [key, String(value)] as [string, string])
  for (;;) {
    const text = parts.map((part) => part.join('=')).join(delimiter)
    if (cookieValue(text, base64).length <= longest) return text
    const part = parts.reduce((one, other) => (other[1].length > one[1].length ? other : one))
    part[1] = shortened(part[1])
  }
}

/** The first nine tenths, and less where that ends inside a character: an encoded one has up to twelve. */
function shortened(value: string): string {
  let cut = value.slice(0, value.length * 0.9)
  for (let left = 12; left > 0; left -= 1) {
    try {
      decodeURIComponent(cut)
      return cut
    } catch {
      cut = cut.slice(0, -1)
    }
  }
  return cut
}

/** The values that a cookie's text says. Addresses and campaigns stand in it as the address bar had them: decoded here. */
export function unpacked(text: string): Record<string, string> {
  const parts = text ? text.split(delimiter) : []
  return Object.fromEntries(
    parts.map((part) => {
      const [key = '', ...value] = part.split('=')
      return [key, decoded(value.join('='))]
    }),
  )
}

/** The values of one cookie, by its value as it stands in a header. Anything may have been written there. */
export const readTrackerCookie = (value: string): Record<string, string> => unpacked(textOf(value))
