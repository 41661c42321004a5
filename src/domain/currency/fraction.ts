import { divideRounded } from '../money/round.ts'

/** An exact fraction. The denominator is always positive. */
export type Exact = { readonly n: bigint; readonly d: bigint }

/** Parses a decimal: `1.0845`, `-3`. @throws RangeError for anything else, exponents too */
export function exact(text: string): Exact {
  const read = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text.trim())
  if (!read) throw new RangeError(`not a decimal: "${text.slice(0, 60)}"`)
  const [, sign = '', whole = '', fraction = ''] = read
  return { n: BigInt(`${sign}${whole}${fraction}`), d: 10n ** BigInt(fraction.length) }
}

export const whole = (n: bigint | number): Exact => ({ n: BigInt(n), d: 1n })

export function addExact(a: Exact, b: Exact): Exact {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d }
}

export function subtractExact(a: Exact, b: Exact): Exact {
  return { n: a.n * b.d - b.n * a.d, d: a.d * b.d }
}

export function multiplyExact(a: Exact, b: Exact): Exact {
  return { n: a.n * b.n, d: a.d * b.d }
}

/** @throws RangeError unless the divisor is more than zero */
export function divideExact(a: Exact, b: Exact): Exact {
  if (b.n <= 0n) throw new RangeError('cannot divide by zero or a negative number')
  return { n: a.n * b.d, d: a.d * b.n }
}

/** @returns a negative number, 0 or a positive one, as `a` is less than, equal to or more than `b` */
export function compareExact(a: Exact, b: Exact): number {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Rounds to a whole number: up and down as on a number line, `nearest` takes halves up. */
export function toWhole({ n, d }: Exact, how: 'up' | 'down' | 'nearest'): bigint {
  switch (how) {
    case 'down':
      return floor(n, d)
    case 'up':
      return -floor(-n, d)
    case 'nearest':
      return floor(2n * n + d, 2n * d)
  }
}

/** Returns the shortest decimal text with at most `decimals` decimals, rounded half up. */
export function decimalText(value: Exact, decimals: number): string {
  const scaled = divideRounded(value.n * 10n ** BigInt(decimals), value.d, 'half-up')
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const fraction = digits.slice(cut).replace(/0+$/, '')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction && `.${fraction}`}`
}

function floor(n: bigint, d: bigint): bigint {
  const quotient = n / d
  return n < 0n && n % d !== 0n ? quotient - 1n : quotient
}
