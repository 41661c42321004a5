/** Everything before the last space, and the last word. A single word is a last name. */
export function splitFullName(name: string): { readonly first_name: string; readonly last_name: string } {
  const words = name.trim().split(/\s+/)
  const last = words.pop() ?? ''
  return { first_name: words.join(' '), last_name: last }
}

export function fullName({
  first_name,
  last_name,
}: {
  readonly first_name: string
  readonly last_name: string
}): string {
  return `${first_name} ${last_name}`.trim()
}
