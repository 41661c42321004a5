import { divideDown } from './round.ts'

/**
 * A whole number of minor units (cents) with its currency. Compared and added only by functions that check the
 * currency.
 */
export type Money = { readonly minor: number; readonly currency: CurrencyCode }

/** ISO 4217, upper case. */
export type CurrencyCode = string

/** @throws RangeError when `minor` is not a safe whole number. */
export function money(minor: number, currency: CurrencyCode): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`money needs whole minor units, got ${minor} ${currency}`)
  // Adding 0 turns -0 into 0, so that equal amounts are equal in every comparison.
  return { minor: minor + 0, currency }
}

export function add(left: Money, right: Money): Money {
  return money(left.minor + sameCurrency(left, right, 'add').minor, left.currency)
}

export function subtract(left: Money, right: Money): Money {
  return money(left.minor - sameCurrency(left, right, 'subtract').minor, left.currency)
}

/** @throws RangeError when `count` is not a whole number: a price times 1.5 has no exact answer. */
export function times(amount: Money, count: number): Money {
  if (!Number.isSafeInteger(count)) throw new RangeError(`money is multiplied by whole numbers only, got ${count}`)
  return money(amount.minor * count, amount.currency)
}

export function negate(amount: Money): Money {
  return money(-amount.minor, amount.currency)
}

/** Returns the sum; the currency is required because an empty sum is zero. */
export function sum(amounts: readonly Money[], currency: CurrencyCode): Money {
  return amounts.reduce(add, money(0, currency))
}

/** Returns a negative number, zero or a positive one, for `Array.sort`. */
export function compare(left: Money, right: Money): number {
  return left.minor - sameCurrency(left, right, 'compare').minor
}

export function isLess(left: Money, right: Money): boolean {
  return compare(left, right) < 0
}

export function sameMoney(left: Money, right: Money): boolean {
  return left.currency === right.currency && left.minor === right.minor
}

export function smaller(left: Money, right: Money): Money {
  return compare(left, right) <= 0 ? left : right
}

export function larger(left: Money, right: Money): Money {
  return compare(left, right) >= 0 ? left : right
}

/**
 * Allocates an amount in proportion to whole weights; the shares always sum to the amount.
 * Left-over units go to the largest remainders; on a tie to the earlier line, so a cart always splits the same way.
 * @throws RangeError when a weight is negative or no weight is positive.
 */
export function allocate(amount: Money, weights: readonly number[]): Money[] {
  const parts = weights.map((weight) => {
    if (!Number.isSafeInteger(weight) || weight < 0)
      throw new RangeError(`a weight must be a whole number from 0 on, got ${weight}`)
    return BigInt(weight)
  })
  const whole = parts.reduce((total, part) => total + part, 0n)
  if (whole === 0n) throw new RangeError(`cannot share ${amount.minor} ${amount.currency} out over nothing`)

  const size = BigInt(Math.abs(amount.minor))
  const shares = parts.map((part, index) => {
    // BigInt: the product of two safe integers need not be one.
    const product = size * part
    return { index, share: divideDown(product, whole), remainder: product % whole }
  })
  let left = size - shares.reduce((total, { share }) => total + share, 0n)
  const byRemainder = shares.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const entry of byRemainder) {
    if (left === 0n) break
    entry.share += 1n
    left -= 1n
  }
  const sign = amount.minor < 0 ? -1 : 1
  return shares.map(({ share }) => money(sign * Number(share), amount.currency))
}

function sameCurrency(left: Money, right: Money, verb: string): Money {
  if (left.currency !== right.currency) throw new RangeError(`cannot ${verb} ${left.currency} and ${right.currency}`)
  return right
}
