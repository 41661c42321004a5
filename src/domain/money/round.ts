/**
 * Rounding of exact divisions. All divisions of money in the shop use it.
 *
 * - `half-up`: to the nearest; halves away from zero (commercial rounding).
 * - `half-down`: to the nearest; halves towards zero.
 * - `down`: towards zero.
 */
export type Rounding = 'half-up' | 'half-down' | 'down'

/** @throws RangeError when the denominator is not positive. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator <= 0n) throw new RangeError(`cannot divide by ${denominator}`)
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n || rounding === 'down') return quotient
  const negative = numerator < 0n
  const twice = (negative ? -remainder : remainder) * 2n
  const away = rounding === 'half-up' ? twice >= denominator : twice > denominator
  if (!away) return quotient
  return negative ? quotient - 1n : quotient + 1n
}

export function divideDown(numerator: bigint, denominator: bigint): bigint {
  return divideRounded(numerator, denominator, 'down')
}

/**
 * Multiplies a whole amount by a fraction, rounded once. @throws RangeError when the result is not a safe whole number.
 */
export function multiplyRounded(amount: number, numerator: number, denominator: number, rounding: Rounding): number {
  return toSafeNumber(divideRounded(BigInt(amount) * BigInt(numerator), BigInt(denominator), rounding))
}

/** @throws RangeError beyond 2^53. */
export function toSafeNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large for an exact number`)
  return number
}
