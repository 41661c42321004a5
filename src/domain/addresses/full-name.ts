type Name = { readonly first_name: string; readonly last_name: string }

/**
 * Returns true for a name in a script in which the family name always comes first: in 青木 花 Aoki is the family name.
 * Katakana alone does not decide: foreign names are written in it in their own order.
 */
const isFamilyFirst = (name: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(name)

/** Languages whose forms list the family name first. */
export const asksFamilyFirst = (language: string): boolean => /^(?:hu|ja|ko|zh)\b/.test(language)

/**
 * Splits at the last space, or in reverse for family-first scripts. A single word is a last name.
 * @param known a person who may have this name: wallets join names in an order of their own, which then does not decide
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
 * Returns the name of a salutation. In Japanese, Korean and Chinese only friends use the first name alone.
 * @param language of the message, a BCP 47 tag
 */
export function greetedName(name: Name, language: string): string {
  return isFamilyFirst(name.last_name) || /^(?:ja|ko|zh)\b/.test(language) ? fullName(name) : name.first_name
}
