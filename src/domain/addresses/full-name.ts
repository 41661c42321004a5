type Name = { readonly first_name: string; readonly last_name: string }

/**
 * Whether a name is in a script in which the family's stands first wherever it is written: 青木 花 is Hana of the Aokis. Katakana
 * alone say nothing of it: foreigners' names are written so too, and keep their order.
 */
const isFamilyFirst = (name: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(name)

/** Languages in which forms ask for the family's name first. */
export const asksFamilyFirst = (language: string): boolean => /^(?:hu|ja|ko|zh)\b/.test(language)

/**
 * Everything before the last space, and the last word, or the other way about. A single word is a last name.
 * @param known somebody who may be meant: wallets put names together in an order of their own, which then tells nothing
 */
export function splitFullName(name: string, known?: Name): Name {
  if (
    known &&
    [`${known.first_name} ${known.last_name}`, `${known.last_name} ${known.first_name}`].includes(name.trim())
  )
    return { first_name: known.first_name, last_name: known.last_name }
  const words = name.trim().split(/\s+/)
  const last = (isFamilyFirst(name) ? words.shift() : words.pop()) ?? ''
  return { first_name: words.join(' '), last_name: last }
}

export function fullName({ first_name, last_name }: Name): string {
  const parts = isFamilyFirst(last_name) ? [last_name, first_name] : [first_name, last_name]
  return parts.join(' ').trim()
}

/**
 * What a letter calls somebody. Nobody but friends is called by the first name alone in Japanese, Korean and Chinese.
 * @param language of the letter, a BCP 47 tag
 */
export function greetedName(name: Name, language: string): string {
  return isFamilyFirst(name.last_name) || /^(?:ja|ko|zh)\b/.test(language) ? fullName(name) : name.first_name
}
