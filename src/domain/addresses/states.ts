/** Code → name, in the order of the list. */
export type StateList = ReadonlyMap<string, string>

/** Countries whose addresses have no state at all: the field is hidden. */
const without = new Set(
  'AF AT AX BE BH BI CZ DK EE ET FI FR GF GP IL IM IS KR KW LB LI LK LU MF MQ MT NL NO PL PR PT RE RW SE SG SI SK VN YT'.split(
    ' ',
  ),
)

const listed: Readonly<Record<string, string>> = {
  AU: 'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
  CA: 'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NT Northwest Territories|NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
  US: 'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AA Armed Forces (AA)|AE Armed Forces (AE)|AP Armed Forces (AP)',
}

const none: StateList = new Map()
const lists = new Map<string, StateList>(
  Object.entries(listed).map(([country, text]) => [
    country,
    new Map(text.split('|').map((entry) => splitAtSpace(entry))),
  ]),
)

/** The states of a country: a list, an empty list (it has none), or null (not known: the visitor types). */
export function statesOf(country: string): StateList | null {
  return lists.get(country) ?? (without.has(country) ? none : null)
}

/** All that is known, as pages hand it to the browser. */
export function statesByCountry(): Record<string, Record<string, string>> {
  const empty = [...without].map((country) => [country, {}] as const)
  return Object.fromEntries([
    ...empty,
    ...[...lists].map(([country, states]) => [country, Object.fromEntries(states)] as const),
  ])
}

/**
 * The code of a state given by code or name, in any case. Null: the country has a list and it is not on it; the text
 * itself where the country has none.
 */
export function stateCode(country: string, typed: string): string | null {
  const states = statesOf(country)
  if (!states || states.size === 0) return typed
  const wanted = typed.trim().toUpperCase()
  for (const [code, name] of states) if (code.toUpperCase() === wanted || name.toUpperCase() === wanted) return code
  return null
}

function splitAtSpace(entry: string): [string, string] {
  const space = entry.indexOf(' ')
  return [entry.slice(0, space), entry.slice(space + 1)]
}
