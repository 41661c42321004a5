/** Values of an `input.qty`: texts of value and attributes, where missing is empty. */
export type QuantityInput = {
  readonly current: string | number
  readonly min?: string | number | undefined
  readonly max?: string | number | undefined
  readonly step?: string | number | undefined
}

/** Returns the value after plus or minus. Counted in units of the smallest decimal, so 0.1 + 0.2 is 0.3. */
export function steppedQuantity(input: QuantityInput, direction: 'plus' | 'minus'): number {
  const current = decimal(input.current) ?? zero
  const min = decimal(input.min) ?? zero
  const max = decimal(input.max)
  const step = positive(decimal(input.step)) ?? one
  const scale = Math.max(current.scale, min.scale, max?.scale ?? 0, step.scale)
  const units = (value: Decimal) => value.units * 10n ** BigInt(scale - value.scale)

  const next = direction === 'plus' ? units(current) + units(step) : larger(units(current) - units(step), units(min))
  // The maximum comes last: sold out (0) stays 0 for any minimum.
  const capped = max !== null && next > units(max) ? units(max) : next
  return toNumber(capped, scale)
}

/** Reports whether a button changes the value. */
export function canStep(input: QuantityInput, direction: 'plus' | 'minus'): boolean {
  const current = decimal(input.current) ?? zero
  const next = steppedQuantity(input, direction)
  const now = toNumber(current.units, current.scale)
  return direction === 'plus' ? next > now : next < now
}

/** Returns the quantity on load: at least the minimum, if that is not negative. */
export function raisedToMin(current: string | number, min: string | number | undefined): number {
  const value = decimal(current) ?? zero
  const least = decimal(min)
  const now = toNumber(value.units, value.scale)
  if (least === null || least.units < 0n) return now
  return Math.max(now, toNumber(least.units, least.scale))
}

type Decimal = { readonly units: bigint; readonly scale: number }

const zero: Decimal = { units: 0n, scale: 0 }
const one: Decimal = { units: 1n, scale: 0 }

/** Parses plain digits or the exponent form of `String(number)`; null for empty, `any` and other texts. */
function decimal(value: string | number | undefined): Decimal | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value ?? '').trim())
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  const digits = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  const units = (sign === '-' ? -digits : digits) * (scale < 0 ? 10n ** BigInt(-scale) : 1n)
  return { units, scale: Math.max(0, scale) }
}

function positive(value: Decimal | null): Decimal | null {
  return value !== null && value.units > 0n ? value : null
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

/** Converts by text: a decimal text parses to the nearest number, a division would add its own error. */
function toNumber(units: bigint, scale: number): number {
  return Number(`${units}e-${scale}`)
}
