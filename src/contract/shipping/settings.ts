import { z } from 'zod'
import { parseCostFormula } from '#domain/shipping/cost-formula.ts'
import { formulaFault } from '#domain/shipping/shipping-rates.ts'
import { postcodeRuleIn, regionIn } from '../addresses/place-cells.ts'
import type { CellResult } from '../import/product-csv-cells.ts'
import { type Checked, figure, RuleReader, type RuleUnits, texts } from '../shared/merchant-rules.ts'

/** A method's rules as stored in its `settings`. */
export const methodSettings = z.object({
  /** A formula, as is each cost of a class. */
  cost: z.string().default(''),
  taxable: z.boolean().default(true),
  classCosts: z.record(z.string(), z.string()).default({}),
  classMode: z.enum(['class', 'order']).default('class'),
  requires: z.enum(['', 'coupon', 'min_amount', 'either', 'both']).default(''),
  /** A decimal text in the shop's currency. */
  min_amount: z.string().default(''),
  ignoreDiscounts: z.boolean().default(false),
})

const title = z.string().trim().max(200, 'has more than 200 characters')
const shared = { title: title.default(''), enabled: z.boolean().default(true) }

const writtenFlatRate = z.strictObject({
  ...shared,
  method: z.literal('flat_rate'),
  /**
   * A formula in the shop's currency: `4.95`, `10 + [qty] * 2`, `[fee percent="10" min_fee="4"]`. Empty: only classes
   * cost.
   */
  cost: figure.default(''),
  /** Additional cost of goods by shipping class; `''` is for goods without one. Formulas too. */
  classCosts: z.record(z.string(), figure).default({}),
  /** Charge every class of the order, or only the most expensive one. */
  classMode: z.enum(['class', 'order'], 'must be class or order').default('class'),
  taxable: z.boolean().default(true),
})

const writtenFreeShipping = z.strictObject({
  ...shared,
  method: z.literal('free_shipping'),
  /** '' means no condition; with a minimum and no value here, the minimum decides. */
  requires: z
    .enum(['', 'coupon', 'min_amount', 'either', 'both'], 'must be coupon, min_amount, either or both')
    .default(''),
  minimum: figure.default(''),
  /** Compare the minimum with the price before discounts. */
  ignoreDiscounts: z.boolean().default(false),
})

const writtenLocalPickup = z.strictObject({
  ...shared,
  method: z.literal('local_pickup'),
  cost: figure.default(''),
  taxable: z.boolean().default(true),
})

/** A shipping method in the merchant's notation, in a command or in a file. */
export const writtenMethod = z.discriminatedUnion(
  'method',
  [writtenFlatRate, writtenFreeShipping, writtenLocalPickup],
  {
    error: 'must be flat_rate, free_shipping or local_pickup',
  },
)

export type WrittenMethod = z.output<typeof writtenMethod>
export type MethodInput = z.input<typeof writtenMethod>
export type MethodKind = WrittenMethod['method']

/** The members of each kind of method, besides `method`. */
export const methodMembers: Readonly<Record<MethodKind, readonly string[]>> = {
  flat_rate: membersOf(writtenFlatRate.shape),
  free_shipping: membersOf(writtenFreeShipping.shape),
  local_pickup: membersOf(writtenLocalPickup.shape),
}

export const methodKinds: readonly MethodKind[] = ['flat_rate', 'free_shipping', 'local_pickup']

/**
 * A zone in the merchant's notation. Without countries and continents it covers the world, limited by its postcodes.
 */
export const writtenZone = z.strictObject({
  name: title.min(1, 'is missing'),
  /** `DE`, or `US:CA` for one state. */
  countries: texts.default([]),
  /** AF AN AS EU NA OC SA */
  continents: texts.default([]),
  /** `94110`, `CB23*`, `94102...94134` */
  postcodes: texts.default([]),
  /** Covers everything outside of other zones. There is at most one such zone, and it names no places. */
  fallback: z.boolean().default(false),
  methods: z.array(writtenMethod).default([]),
})

export type WrittenZone = z.output<typeof writtenZone>
export type ZoneInput = z.input<typeof writtenZone>

export type ZonePlaces = {
  readonly name: string
  readonly countries: string[]
  readonly continents: string[]
  readonly postcodes: string[]
}

/** A method as it is stored. */
export type MethodFields = {
  readonly method: MethodKind
  readonly title: string
  readonly enabled: boolean
  readonly settings: Record<string, unknown>
}

const continents = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA']

export function zonePlaces(written: Omit<WrittenZone, 'methods'>): Checked<ZonePlaces> {
  const read = new RuleReader()
  const several = (key: string, texts: readonly string[], reader: (text: string) => CellResult<string>): string[] =>
    texts.flatMap((text, index) => {
      const result = reader(text)
      if ('value' in result) return [result.value]
      read.fault(`${key}[${index}]`, `"${text}" ${result.problem}`)
      return []
    })
  const { fallback } = written
  if (fallback && written.countries.length + written.continents.length + written.postcodes.length > 0)
    read.fault('fallback', 'takes what no other zone covers, so it cannot name places')
  return read.done({
    name: written.name,
    countries: several('countries', written.countries, regionIn),
    continents: several('continents', written.continents, continentIn),
    postcodes: several('postcodes', written.postcodes, postcodeRuleIn),
  })
}

function continentIn(text: string): CellResult<string> {
  const code = text.toUpperCase()
  return continents.includes(code)
    ? { value: code }
    : { problem: `is no continent: there are ${continents.join(', ')}` }
}

const titles: Readonly<Record<MethodKind, string>> = {
  flat_rate: 'Flat rate',
  free_shipping: 'Free shipping',
  local_pickup: 'Local pickup',
}

export function methodFields(
  written: WrittenMethod,
  units: RuleUnits & { readonly currency: string },
): Checked<MethodFields> {
  const read = new RuleReader()
  const { method, enabled } = written
  const formula = (key: string, text: string) => {
    const problem = formulaProblem(text, units.currency)
    if (problem) read.fault(key, problem)
  }
  let settings: Record<string, unknown>
  if (written.method === 'free_shipping') {
    const { requires, minimum, ignoreDiscounts } = written
    read.amount('minimum', minimum, units.decimals)
    if (minimum === '' && requires !== '' && requires !== 'coupon')
      read.fault('minimum', `is missing: "${requires}" looks at it`)
    if (minimum !== '' && requires === 'coupon')
      read.fault('minimum', 'is never looked at when only a coupon is required')
    settings = { requires: requires || (minimum === '' ? '' : 'min_amount'), min_amount: minimum, ignoreDiscounts }
  } else {
    formula('cost', written.cost)
    settings = { cost: written.cost, taxable: written.taxable }
    if (written.method === 'flat_rate') {
      for (const [name, cost] of Object.entries(written.classCosts)) formula(`classCosts.${name || "''"}`, cost)
      settings = { ...settings, classCosts: written.classCosts, classMode: written.classMode }
    }
  }
  return read.done({ method, title: written.title || titles[method], enabled, settings })
}

/** Returns null for a valid formula, else the error with the formula below it and a mark at its position. */
export function formulaProblem(text: string, currency: string): string | null {
  const problem = formulaFault(text, currency)
  const parsed = parseCostFormula(text)
  if (problem === null || parsed.ok || parsed.at > widest) return problem
  return `${problem}\n  ${text.slice(0, widest).replace(/\s/g, ' ')}\n  ${' '.repeat(parsed.at)}^`
}

/** The approximate width of a terminal. */
const widest = 200

function membersOf(shape: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(shape).filter((name) => name !== 'method')
}
