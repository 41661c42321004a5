import { type Exact, whole } from '../currency/fraction.ts'
import { currencyExponent } from '../money/currency-exponent.ts'
import { type Money, money } from '../money/money.ts'
import { divideRounded } from '../money/round.ts'

/**
 * Parsed shipping cost of a merchant: numbers, `+ - * / ( )`, `[qty]`, `[cost]`, `[weight]` (kilograms) and `[fee
 * percent="10" min_fee="20" max_fee="50"]`, a share of the goods' price within bounds. Amounts are in whole currency
 * (`4.95` or `4,95`). An own parser and exact fractions evaluate it, never code.
 */
export type CostFormula =
  | { readonly kind: 'number'; readonly value: Fraction }
  | { readonly kind: 'qty' }
  | { readonly kind: 'cost' }
  | { readonly kind: 'weight' }
  | {
      readonly kind: 'fee'
      readonly percent: Fraction
      readonly least: Fraction | null
      readonly most: Fraction | null
    }
  | { readonly kind: 'negate'; readonly of: CostFormula }
  | { readonly kind: '+' | '-' | '*' | '/'; readonly left: CostFormula; readonly right: CostFormula }

export type ParsedFormula =
  | { readonly ok: true; readonly formula: CostFormula }
  /** `at` counts characters from 0; `found` is empty at the end of the text. */
  | { readonly ok: false; readonly reason: 'unexpected'; readonly at: number; readonly found: string }

/** Goods of a formula. */
export type FormulaGoods = { readonly quantity: number; readonly cost: Money; readonly weightGrams?: number }

export type FormulaCost =
  | { readonly ok: true; readonly cost: Money }
  | { readonly ok: false; readonly reason: 'divided-by-zero' | 'too-large' }

type Fraction = Exact

export function parseCostFormula(text: string): ParsedFormula {
  try {
    return { ok: true, formula: new Reader(text).whole() }
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    return { ok: false, reason: 'unexpected', at: error.at, found: error.found }
  }
}

/**
 * Calculates a formula.
 * @param factor units of the goods' currency per unit of the formula's currency; amounts are converted with it exactly,
 * and only the result is rounded. Default: the same currency
 * @returns the cost in the currency of the goods, rounded half up; never negative.
 */
export function formulaCost(formula: CostFormula, goods: FormulaGoods, factor: Exact = whole(1)): FormulaCost {
  const scale = 10n ** BigInt(currencyExponent(goods.cost.currency))
  const result = evaluate(formula, {
    qty: { n: BigInt(goods.quantity), d: 1n },
    cost: { n: BigInt(goods.cost.minor) * factor.d, d: scale * factor.n },
    weight: { n: BigInt(goods.weightGrams ?? 0), d: 1000n },
  })
  if (result === null) return { ok: false, reason: 'divided-by-zero' }
  const minor = Number(divideRounded(result.n * factor.n * scale, result.d * factor.d, 'half-up'))
  if (!Number.isSafeInteger(minor)) return { ok: false, reason: 'too-large' }
  return { ok: true, cost: money(Math.max(0, minor), goods.cost.currency) }
}

class Unexpected extends Error {
  readonly at: number
  readonly found: string
  constructor(at: number, found: string) {
    super(`unexpected "${found}" at ${at}`)
    this.at = at
    this.found = found
  }
}

/** Limits of length and depth: a hostile formula must not exhaust stack or time. */
export const longestFormula = 500
const maxDepth = 50

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): CostFormula {
    if (this.#text.length > longestFormula) this.#at = longestFormula
    else {
      const formula = this.#sum()
      this.#space()
      if (this.#at === this.#text.length) return formula
    }
    throw this.#unexpected()
  }

  #sum(): CostFormula {
    let left = this.#product()
    for (let kind = this.#take(/[+-]/y); kind !== null; kind = this.#take(/[+-]/y)) {
      left = { kind: kind === '+' ? '+' : '-', left, right: this.#product() }
    }
    return left
  }

  #product(): CostFormula {
    let left = this.#factor()
    for (let kind = this.#take(/[*/]/y); kind !== null; kind = this.#take(/[*/]/y)) {
      left = { kind: kind === '*' ? '*' : '/', left, right: this.#factor() }
    }
    return left
  }

  #factor(): CostFormula {
    if (++this.#depth > maxDepth) throw this.#unexpected()
    const factor = this.#unnested()
    this.#depth--
    return factor
  }

  #unnested(): CostFormula {
    if (this.#take(/-/y) !== null) return { kind: 'negate', of: this.#factor() }
    if (this.#take(/\+/y) !== null) return this.#factor()
    if (this.#take(/\(/y) !== null) {
      const inner = this.#sum()
      if (this.#take(/\)/y) === null) throw this.#unexpected()
      return inner
    }
    if (this.#take(/\[qty\]/y) !== null) return { kind: 'qty' }
    if (this.#take(/\[cost\]/y) !== null) return { kind: 'cost' }
    if (this.#take(/\[weight\]/y) !== null) return { kind: 'weight' }
    if (this.#take(/\[fee(?=[\s\]])/y) !== null) return this.#fee()
    const number = this.#take(/\d+(?:[.,]\d*)?|[.,]\d+/y)
    if (number === null) throw this.#unexpected()
    return { kind: 'number', value: fractionOf(number) }
  }

  #fee(): CostFormula {
    const values = new Map<string, Fraction>()
    while (this.#take(/\]/y) === null) {
      const from = this.#at
      const attribute = this.#take(/(?:percent|min_fee|max_fee)\s*=\s*(?:"[^"]*"|'[^']*')/y)
      const [name, quoted] = attribute?.split('=').map((part) => part.trim()) ?? []
      if (name === undefined || quoted === undefined || values.has(name)) throw this.#unexpected()
      const number = quoted.slice(1, -1).trim()
      if (number === '') continue
      if (!/^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(number)) {
        this.#at = from
        throw this.#unexpected()
      }
      values.set(name, fractionOf(number))
    }
    const most = values.get('max_fee')
    return {
      kind: 'fee',
      percent: values.get('percent') ?? zero,
      least: values.get('min_fee') ?? null,
      // The form expresses "no upper bound" as zero.
      most: most && most.n > 0n ? most : null,
    }
  }

  #take(pattern: RegExp): string | null {
    this.#space()
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (!match) return null
    this.#at = pattern.lastIndex
    return match[0]
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #unexpected(): Unexpected {
    this.#space()
    return new Unexpected(this.#at, this.#text.slice(this.#at, this.#at + 20))
  }
}

const zero: Fraction = { n: 0n, d: 1n }

function fractionOf(number: string): Fraction {
  const [whole = '', decimals = ''] = number.replace(',', '.').split('.')
  return { n: BigInt(`${whole}${decimals}` || '0'), d: 10n ** BigInt(decimals.length) }
}

/** Returns null for a division by zero. */
function evaluate(
  formula: CostFormula,
  values: Readonly<Record<'qty' | 'cost' | 'weight', Fraction>>,
): Fraction | null {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'qty':
    case 'cost':
    case 'weight':
      return values[formula.kind]
    case 'fee':
      return feeOn(values.cost, formula)
    case 'negate': {
      const of = evaluate(formula.of, values)
      return of && { n: -of.n, d: of.d }
    }
    default: {
      const left = evaluate(formula.left, values)
      const right = evaluate(formula.right, values)
      return left && right && calculate(formula.kind, left, right)
    }
  }
}

function calculate(operator: '+' | '-' | '*' | '/', left: Fraction, right: Fraction): Fraction | null {
  switch (operator) {
    case '+':
      return { n: left.n * right.d + right.n * left.d, d: left.d * right.d }
    case '-':
      return { n: left.n * right.d - right.n * left.d, d: left.d * right.d }
    case '*':
      return { n: left.n * right.n, d: left.d * right.d }
    case '/': {
      if (right.n === 0n) return null
      const sign = right.n < 0n ? -1n : 1n
      return { n: left.n * right.d * sign, d: left.d * right.n * sign }
    }
  }
}

function feeOn(
  cost: Fraction,
  { percent, least, most }: { percent: Fraction; least: Fraction | null; most: Fraction | null },
): Fraction {
  const share = { n: cost.n * percent.n, d: cost.d * percent.d * 100n }
  if (least && isBelow(share, least)) return least
  return most && isBelow(most, share) ? most : share
}

function isBelow(left: Fraction, right: Fraction): boolean {
  return left.n * right.d < right.n * left.d
}
