/** Marks an English interface text for extraction, if it reaches `t` through a variable. */
export const message = <Text extends string>(english: Text): Text => english

/**
 * Fills `%s` and `%1$s` of a text, by the order of the values or by number. Placeholders within a value are not filled.
 */
export function fillIn(text: string, values: readonly (string | number)[]): string {
  if (values.length === 0) return text
  let next = 0
  return text.replace(/%(?:(\d+)\$)?s/g, (_, place?: string) =>
    String(values[place ? Number(place) - 1 : next++] ?? ''),
  )
}

type Rules = { readonly rules: Intl.PluralRules; readonly small: (Intl.LDMLPluralRule | undefined)[] }
const known = new Map<string, Rules>()
/** Usual counts of ratings, products and items: `Intl.PluralRules` takes longer than all other work on a text. */
const smallCounts = 1_000

/** Returns the plural category of a count in a language (CLDR). @param language a BCP 47 tag */
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
