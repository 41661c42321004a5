const longest = 60

/** Returns true for letters, digits, spaces and `_ . - @`, the characters of user names in the public interface. */
export function isUserName(name: string): boolean {
  return name.length <= longest && /^[A-Za-z0-9_.\-@]+(?: [A-Za-z0-9_.\-@]+)*$/.test(name)
}

/** Returns the base of a generated user name: the names, else the local part of the email address. */
export function userNameBase(email: string, names: { readonly first: string; readonly last: string }): string {
  const fromNames = plain([names.first, names.last].map(plain).filter(Boolean).join('.'))
  const local = plain(email.slice(0, email.lastIndexOf('@')))
  return (fromNames || local || 'customer').slice(0, longest - 6)
}

/** Returns `name`, or the first free one of `name2`, `name3` …; null when all are taken. */
export function freeUserName(candidates: readonly string[], taken: ReadonlySet<string>): string | null {
  return candidates.find((name) => !taken.has(name)) ?? null
}

/** Returns a name and its numbered variants. */
export function userNameCandidates(base: string, count: number): string[] {
  return Array.from({ length: count }, (_, place) => (place === 0 ? base : `${base}${place + 1}`))
}

/** Returns lower case without accents, with only the characters of a user name. */
function plain(text: string): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return ascii.replace(/[^a-z0-9_.-]+/g, '').replace(/^[.-]+|[.-]+$/g, '')
}
