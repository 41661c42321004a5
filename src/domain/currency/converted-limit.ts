import { currencyExponent } from '../money/currency-exponent.ts'
import { type Money, money } from '../money/money.ts'
import { toSafeNumber } from '../money/round.ts'
import { type Exchange, isOwnCurrency } from './exchange.ts'
import { addExact, type Exact, multiplyExact, subtractExact, toWhole, whole } from './fraction.ts'

/** How far the subtotal of a cart can lie from the exact conversion of the same cart in the shop's own currency. */
export type SubtotalSpread = {
  /** Each piece has a price with an ending of its own. */
  readonly pieces: number
  /** The tax that a price bears where the subtotal shows it, in parts per million; else 0. */
  readonly taxPpm: number
  /** Roundings of a piece to minor units, in either currency, that taxes bring along. */
  readonly roundings: number
}

/**
 * An amount in the visitor's currency that reaches a minimum of the shop's own: every cart with so many pieces that comes to it
 * comes to the minimum. It is the conversion rounded up where that is true, else somewhat more.
 */
export function statedMinimum(minimum: Money, exchange: Exchange, spread: SubtotalSpread): Money {
  if (isOwnCurrency(exchange)) return minimum
  const highestBelow = addExact(converted(minimum.minor - 1, exchange), deviation(exchange, spread, exchange.maxExcess))
  const plain = units(converted(minimum.minor, exchange), exchange, 'up')
  const enough = units(highestBelow, exchange, 'down') + 1n
  return inUnits(enough <= plain ? plain : threeDigits(enough, 'up'), exchange)
}

/**
 * An amount in the visitor's currency that keeps within a maximum of the shop's own, by the same rule; null where endings leave
 * none that is certain.
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

/** In whole currency, of all pieces together. */
function deviation(exchange: Exchange, { pieces, taxPpm, roundings }: SubtotalSpread, ofPrice: Exact): Exact {
  const taxed = multiplyExact(ofPrice, { n: BigInt(1_000_000 + taxPpm), d: 1_000_000n })
  const halfMinor = { n: 1n, d: 2n * 10n ** BigInt(currencyExponent(exchange.to)) }
  const rounded = addExact(halfMinor, multiplyExact(converted(1, exchange), { n: 1n, d: 2n }))
  return multiplyExact(addExact(taxed, multiplyExact(rounded, whole(roundings))), whole(pieces))
}

/** In the smallest amounts that are shown. */
function units(value: Exact, { to, shownUnit }: Exchange, how: 'up' | 'down'): bigint {
  return toWhole({ n: value.n * 10n ** BigInt(currencyExponent(to)), d: value.d * BigInt(shownUnit) }, how)
}

function inUnits(count: bigint, { to, shownUnit }: Exchange): Money {
  return money(toSafeNumber(count * BigInt(shownUnit)), to)
}

/** 95.46 reads as 95.50, and 11213 as 11300. */
function threeDigits(count: bigint, how: 'up' | 'down'): bigint {
  const size = 10n ** BigInt(Math.max(0, count.toString().length - 3))
  return count > 0n ? toWhole({ n: count, d: size }, how) * size : count
}
