/** Marks an English text of the interface where it stands, when it comes to `t` by way of a variable. */
export const message = <Text extends string>(english: Text): Text => english

/** Fills `%s` and `%1$s` of a text, in the order of the values or by their numbers. What a value holds is never read as a place. */
export function fillIn(text: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(/%(?:(\d+)\$)?s/g, (_, place?: string) =>
    String(values[place ? Number(place) - 1 : next++] ?? ''),
  )
}

const rules = new Map<string, Intl.PluralRules>()

/** The category of plurals that a count has in a language (CLDR). @param language a BCP 47 tag */
export function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}
