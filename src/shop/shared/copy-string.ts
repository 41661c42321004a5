const bytes = /^[\0-\xff]*$/

/**
 * The same text apart from the one that it was cut out of: V8 keeps that whole as long as any part of it is kept, be it the page
 * that a link stood in or the header of a cookie. For whatever outlives the request that it came with.
 */
export function ownCopy(text: string): string {
  const encoding = bytes.test(text) ? 'latin1' : 'utf16le'
  return Buffer.from(text, encoding).toString(encoding)
}
