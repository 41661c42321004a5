const bytes = /^[\0-\xff]*$/

/**
 * Copies a string: V8 slices retain the whole original, such as a page that contained a link, or a cookie header. Use
 * it for strings that outlive their request.
 */
export function ownCopy(text: string): string {
  const encoding = bytes.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}
