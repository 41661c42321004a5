import { divideRounded, multiplyRounded, toSafeNumber } from '../money/round.ts'
import { appliesToItem, type Coupon, type CouponItem } from './coupon.ts'

/** A line as coupons use it. */
export type DiscountLine = CouponItem & {
  /** The whole line before discounts, in minor units, with tax if prices are entered so. */
  readonly price: number
  /** Whole pieces, at least 1. */
  readonly quantity: number
}

/**
 * Discount of each coupon on each line, in minor units: code → line key → amount. Lines without a discount are absent.
 */
export type CouponDiscounts = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Distributes coupons over the lines of a cart. No line gets a discount above its price.
 * @param sequential each percentage coupon applies to the rest after earlier coupons, not to the full price
 */
export function couponDiscounts(
  coupons: readonly Coupon[],
  lines: readonly DiscountLine[],
  sequential: boolean,
): CouponDiscounts {
  const byUnitPrice = lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => compareUnitPrice(b.line, a.line) || a.index - b.index)
  const left = new Map(lines.map((line) => [line.key, line.price]))
  const discounts = new Map<string, Map<string, number>>()

  for (const coupon of coupons.toSorted(compareApplication)) {
    const given = new Map<string, number>()
    discounts.set(coupon.code, given)
    const spread: Spread = {
      lines: byUnitPrice
        .map(({ line }) => line)
        .filter(
          (line) =>
            (left.get(line.key) ?? 0) > 0 && (coupon.takesOff.type === 'fixed_cart' || appliesToItem(coupon, line)),
        ),
      left: (line) => left.get(line.key) ?? 0,
      give(line, wanted) {
        const available = left.get(line.key) ?? 0
        const amount = Math.min(wanted, available)
        if (amount <= 0) return 0
        left.set(line.key, available - amount)
        given.set(line.key, (given.get(line.key) ?? 0) + amount)
        return amount
      },
    }
    const { takesOff } = coupon
    if (takesOff.type === 'percent') givePercent(spread, takesOff.ppm, coupon.limitToItems, sequential)
    else if (takesOff.type === 'fixed_product') givePerPiece(spread, takesOff.amount.minor, coupon.limitToItems)
    else giveFixedCart(spread, takesOff.amount.minor)
  }
  return discounts
}

/** Lines of one coupon, dearest piece first, and the only way to discount them. */
type Spread = {
  readonly lines: readonly DiscountLine[]
  left(line: DiscountLine): number
  /** Discounts a line by as much of the wanted amount as it has left; returns the discount. */
  give(line: DiscountLine, wanted: number): number
}

const million = 1_000_000

function givePercent(spread: Spread, ppm: number, limit: number | null, sequential: boolean): void {
  let given = 0
  let pieces = 0
  // Exact base of all covered pieces: a limit may cut a line that does not divide evenly.
  let numerator = 0n
  let denominator = 1n
  for (const line of spread.lines) {
    const covered = coveredPieces(line, limit, pieces)
    const price = sequential ? spread.left(line) : line.price
    const base = BigInt(price) * BigInt(covered)
    const quantity = BigInt(line.quantity)
    numerator = numerator * quantity + base * denominator
    denominator *= quantity
    given += spread.give(line, toSafeNumber(divideRounded(base * BigInt(ppm), quantity * BigInt(million), 'down')))
    pieces += covered
  }
  // Every line was rounded down; the rest of the whole follows in single units.
  const owed = toSafeNumber(divideRounded(numerator * BigInt(ppm), denominator * BigInt(million), 'half-down'))
  if (given < owed) giveOneByOne(spread, owed - given)
}

function givePerPiece(spread: Spread, amount: number, limit: number | null): number {
  let given = 0
  let pieces = 0
  for (const line of spread.lines) {
    const covered = coveredPieces(line, limit, pieces)
    // With a limit, the discount of covered pieces never exceeds their price.
    const cap = limit ? multiplyRounded(line.price, covered, line.quantity, 'half-down') : Number.POSITIVE_INFINITY
    given += spread.give(line, Math.min(amount * covered, cap))
    pieces += covered
  }
  return given
}

function giveFixedCart(spread: Spread, amount: number): void {
  let rest = amount
  while (rest > 0) {
    const lines = spread.lines.filter((line) => spread.left(line) > 0)
    const pieces = lines.reduce((total, line) => total + line.quantity, 0)
    if (pieces === 0) return
    const perPiece = Math.floor(rest / pieces)
    if (perPiece === 0) {
      giveOneByOne({ ...spread, lines }, rest)
      return
    }
    rest -= givePerPiece({ ...spread, lines }, perPiece, null)
  }
}

/** Discounts one minor unit a piece, dearest line first, in one round. */
function giveOneByOne(spread: Spread, amount: number): void {
  let rest = amount
  for (const line of spread.lines) {
    if (rest <= 0) return
    rest -= spread.give(line, Math.min(line.quantity, rest))
  }
}

function coveredPieces(line: DiscountLine, limit: number | null, used: number): number {
  return limit ? Math.max(0, Math.min(line.quantity, limit - used)) : line.quantity
}

function compareUnitPrice(a: DiscountLine, b: DiscountLine): number {
  // Cross products: unit prices of lines need not be whole.
  const difference = BigInt(a.price) * BigInt(b.quantity) - BigInt(b.price) * BigInt(a.quantity)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const kindOrder = { fixed_product: 0, percent: 1, fixed_cart: 2 } as const

/** Compares by kind, lower limit of pieces (none counts as lowest), lower amount, newer coupon. */
function compareApplication(a: Coupon, b: Coupon): number {
  return (
    kindOrder[a.takesOff.type] - kindOrder[b.takesOff.type] ||
    (a.limitToItems ?? 0) - (b.limitToItems ?? 0) ||
    size(a) - size(b) ||
    b.id - a.id
  )
}

function size({ takesOff }: Coupon): number {
  return takesOff.type === 'percent' ? takesOff.ppm : takesOff.amount.minor
}
