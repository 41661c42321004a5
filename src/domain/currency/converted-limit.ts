import { currencyExponent } from '../money/currency-exponent.ts'
import { type Money, money } from '../money/money.ts'
import { toSafeNumber } from '../money/round.ts'
import { type Exchange, isOwnCurrency } from './exchange.ts'
import { addExact, type Exact, multiplyExact, subtractExact, toWhole, whole } from './fraction.ts'

/** Maximum distance of a cart's subtotal from the exact conversion of the same cart in the shop's own currency. */
export type SubtotalSpread = {
  /** Pieces, each with a rounded price. */
  readonly pieces: number
  /** Tax on a price where the subtotal includes it, in parts per million; else 0. */
  readonly taxPpm: number
  /** Roundings of a piece to minor units, in either currency, caused by taxes. */
  readonly roundings: number
}

/**
 * Returns an amount in the visitor's currency that guarantees a minimum of the shop's own: every such cart that reaches
 * it reaches the minimum. It is the rounded-up conversion where that holds, else slightly more.
 */
export function statedMinimum(minimum: Money, exchange: Exchange, spread: SubtotalSpread): Money {
  if (isOwnCurrency(exchange)) return minimum
  const highestBelow = addExact(converted(minimum.minor - 1, exchange), deviation(exchange, spread, exchange.maxExcess))
  const plain = units(converted(minimum.minor, exchange), exchange, 'up')
  const enough = units(highestBelow, exchange, 'down') + 1n
  return inUnits(enough <= plain ? plain : threeDigits(enough, 'up'), exchange)
}

/**
 * Returns an amount in the visitor's currency that guarantees a maximum of the shop's own; null where price endings
 * allow none.
 */
export function statedMaximum(maximum: Money, exchange: Exchange, spread: SubtotalSpread): Money | null {
  if (isOwnCurrency(exchange)) return maximum
  const lowestAbove = subtractExact(
    converted(maximum.minor + 1, exchange),
    deviation(exchange, spread, exchange.maxShortfall),
  )
  const plain = units(converted(maximum.minor, exchange), exchange, 'down')
  const within = units(lowestAbove, exchange, 'up') - 1n
  const most = within >= plain ? plain : threeDigits(within, 'down')
  return most > 0n ? inUnits(most, exchange) : null
}

function converted(minor: number, { factor, from }: Exchange): Exact {
  return { n: BigInt(minor) * factor.n, d: 10n ** BigInt(currencyExponent(from)) * factor.d }
}

/** Returns the deviation in whole currency, for all pieces together. */
function deviation(exchange: Exchange, { pieces, taxPpm, roundings }: SubtotalSpread, ofPrice: Exact): Exact {
  const taxed = multiplyExact(ofPrice, { n: BigInt(1_000_000 + taxPpm), d: 1_000_000n })
  const halfMinor = { n: 1n, d: 2n * 10n ** BigInt(currencyExponent(exchange.to)) }
  const rounded = addExact(halfMinor, multiplyExact(converted(1, exchange), { n: 1n, d: 2n }))
  return multiplyExact(addExact(taxed, multiplyExact(rounded, whole(roundings))), whole(pieces))
}

/** Converts to the smallest displayed amounts. */
function units(value: Exact, { to, shownUnit }: Exchange, how: 'up' | 'down'): bigint {
  return toWhole({ n: value.n * 10n ** BigInt(currencyExponent(to)), d: value.d * BigInt(shownUnit) }, how)
}

function inUnits(count: bigint, { to, shownUnit }: Exchange): Money {
  return money(toSafeNumber(count * BigInt(shownUnit)), to)
}

/** Rounds to three digits: 95.46 becomes 95.50, and 11213 becomes 11300. */
function threeDigits(count: bigint, how: 'up' | 'down'): bigint {
  const size = 10n ** BigInt(Math.max(0, count.toString().length - 3))
  return count > 0n ? toWhole({ n: count, d: size }, how) * size : count
}
