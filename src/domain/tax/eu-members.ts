const members: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

/** Reports whether a country is a member of the European Union, by its ISO code. */
export function isEuMember(country: string): boolean {
  return members.has(country)
}
