import { csvLine } from '#contract/shared/csv-line.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import type { BookedPeriod } from '#database/orders/booked-orders.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { netByRate } from '#domain/orders/booked-parts.ts'
import { isEuMember } from '#domain/tax/eu-members.ts'
import { bookedEntries } from '../orders/booked-orders.ts'
import type { Tools } from '../shared/tools.ts'

/** One row of the report, in minor units of the shop's currency. `ratePpm` null: the rate is unknown. */
export type OssRow = {
  readonly country: string
  readonly kind: 'goods' | 'services'
  readonly ratePpm: number | null
  readonly currency: string
  readonly net: number
  readonly tax: number
}

/**
 * Returns the taxed sales of a period to other member states of the European Union, by country, kind and rate. Refunds
 * are subtracted in the period in which they were paid out. Amounts of other currencies count at the rate of their
 * order. Sales without tax, such as those to businesses, are not part of the scheme.
 */
export async function ossReport(tools: Pick<Tools, 'db' | 'settings'>, period: BookedPeriod): Promise<OssRow[]> {
  const rows = new Map<string, { -readonly [Key in keyof OssRow]: OssRow[Key] }>()
  const home = tools.settings.base.country
  for await (const { country, ownParts, ownCurrency: currency } of bookedEntries(tools, period)) {
    if (country === home || !isEuMember(country)) continue
    for (const part of ownParts) {
      for (const { ratePpm, net, tax } of netByRate(part)) {
        const kind = part.isService ? 'services' : 'goods'
        const key = [country, kind, ratePpm ?? '', currency].join(' ')
        const row = rows.get(key) ?? { country, kind, ratePpm, currency, net: 0, tax: 0 }
        row.net += net
        row.tax += tax
        rows.set(key, row)
      }
    }
  }
  const rank = ({ country, kind, ratePpm }: OssRow) =>
    `${country} ${kind} ${String(ratePpm ?? 9_999_999).padStart(8, '0')}`
  return [...rows.values()].toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Yields the lines of the report as a file. */
export async function* exportOss(tools: Pick<Tools, 'db' | 'settings'>, period: BookedPeriod): AsyncGenerator<string> {
  yield csvLine(['Country', 'Kind', 'Rate %', 'Currency', 'Net', 'Tax', 'Total'])
  for (const { country, kind, ratePpm, currency, net, tax } of await ossReport(tools, period)) {
    const figures = [net, tax, net + tax].map((minor) => decimalString(money(minor, currency)))
    yield csvLine([country, kind, ratePpm === null ? '' : percentText(ratePpm), currency, ...figures])
  }
}
