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

type Rules = { readonly rules: Intl.PluralRules; readonly small: (Intl.LDMLPluralRule | undefined)[] }
const known = new Map<string, Rules>()
/** Numbers of ratings, products and pieces: asking the rules for one takes longer than everything else about its text. */
const smallCounts = 1_000

/** The category of plurals that a count has in a language (CLDR). @param language a BCP 47 tag */
export function pluralForm(language: string, count: number): Intl.LDMLPluralRule {
  let of = known.get(language)
  if (!of) {
    of = { rules: new Intl.PluralRules(language), small: [] }
    known.set(language, of)
  }
  if (!Number.isInteger(count) || count < 0 || count >= smallCounts) return of.rules.select(count)
  const form = of.small[count] ?? of.rules.select(count)
  of.small[count] = form
  return form
}
