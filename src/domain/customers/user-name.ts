const longest = 60

/** Letters, digits, blank and `_ . - @`, as the public interface allows in user names. */
export function isUserName(name: string): boolean {
  return name.length <= longest && /^[A-Za-z0-9_.\-@]+(?: [A-Za-z0-9_.\-@]+)*$/.test(name)
}

/** What a user name is made from when the customer chooses none: the names, else what stands before the @ of the address. */
export function userNameBase(email: string, names: { readonly first: string; readonly last: string }): string {
  const fromNames = plain([names.first, names.last].map(plain).filter(Boolean).join('.'))
  const local = plain(email.slice(0, email.lastIndexOf('@')))
  return (fromNames || local || 'customer').slice(0, longest - 6)
}

/** `name`, or the first of `name2`, `name3` … that is free; null when all of those are taken. */
export function freeUserName(candidates: readonly string[], taken: ReadonlySet<string>): string | null {
  return candidates.find((name) => !taken.has(name)) ?? null
}

/** A name and its numbered followers. */
export function userNameCandidates(base: string, count: number): string[] {
  return Array.from({ length: count }, (_, place) => (place === 0 ? base : `${base}${place + 1}`))
}

/** Accents off, lower case, only what a user name may hold. */
function plain(text: string): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return ascii.replace(/[^a-z0-9_.-]+/g, '').replace(/^[.-]+|[.-]+$/g, '')
}
