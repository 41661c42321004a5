/**
 * Returns true for a path that the merchant excludes.
 * @param patterns paths in which `*` matches anything; a trailing slash is ignored
 */
export function isExcludedPath(path: string, patterns: readonly string[]): boolean {
  const asked = bare(path)
  return patterns.some((pattern) => matches(asked, bare(pattern)))
}

const bare = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase()

/** Matches piece by piece from the left: unlike a regular expression it cannot backtrack excessively. */
function matches(path: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return path === first
  const last = rest.pop() ?? ''
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}
