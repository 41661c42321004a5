import { z } from 'zod'
import { parseAmount } from '#domain/money/parse-amount.ts'

/**
 * Rules of the shop in the merchant's notation, in a command or in a file: both share the format and the validation. An
 * error names the member (`amount`, `methods[0].cost`) and the problem.
 */
export type RuleFault = { readonly key: string; readonly problem: string }

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly RuleFault[] }

/** The units of written figures and dates. */
export type RuleUnits = {
  /** Decimal places of the shop's currency: 2 for USD, 0 for JPY. */
  readonly decimals: number
  /** An IANA name: days start in this time zone. */
  readonly timeZone: string
}

/**
 * A figure as text or as a number literal. A literal has its shortest text, which equals the typed one, so no binary
 * fraction is ever used.
 */
export const figure = z.union([z.string(), z.number()], 'must be a number').transform((given) => String(given).trim())

export const texts = z.array(z.string().trim())

/** Returns the problems of a schema by member: `coupons[2].amount`. */
export function schemaFaults(error: z.ZodError): RuleFault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ key: keyOf([...issue.path, key]), problem: 'is unknown' }))
    return [{ key: keyOf(issue.path), problem: issueText(issue) }]
  })
}

/** Describes a problem of a schema. Messages of our own are kept; those of the library become plain words. */
export function issueText(issue: z.core.$ZodIssue): string {
  if (!/^(?:Invalid|Too) /.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `must ${sizeVerb(issue.origin)} at least ${issue.minimum}${sizeUnit(issue.origin)}`
    case 'too_big':
      return `must ${sizeVerb(issue.origin)} at most ${issue.maximum}${sizeUnit(issue.origin)}`
    default:
      return issue.message
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list, as ["a", "b"]',
  object: 'an object, as {"a": 1}',
  record: 'an object, as {"a": 1}',
}

const sizeVerb = (origin: string) => (origin === 'string' || origin === 'array' ? 'have' : 'be')
const sizeUnit = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '')

/** `['coupons', 2, 'amount']` as `coupons[2].amount`. */
export function keyOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((key, part) => {
    if (typeof part === 'number') return `${key}[${part}]`
    return key === '' ? String(part) : `${key}.${String(part)}`
  }, '')
}

/** Collects the errors of a rule while its members are parsed; a member with an error has its empty value. */
export class RuleReader {
  readonly faults: RuleFault[] = []

  fault(key: string, problem: string): void {
    this.faults.push({ key, problem })
  }

  /** Parses to whole minor units, null if empty. */
  amount(key: string, written: string, decimals: number): number | null {
    if (written === '') return null
    const parsed = parseAmount(written, decimals)
    if (parsed.ok && parsed.minor >= 0) return parsed.minor
    this.fault(key, parsed.ok ? 'must not be negative' : amountProblem(parsed.reason, decimals))
    return null
  }

  /** Parses a whole number from 1 on, null if empty or 0: no limit. */
  limit(key: string, written: string): number | null {
    if (/^0*$/.test(written)) return null
    if (/^\d{1,9}$/.test(written)) return Number(written)
    this.fault(key, 'must be a whole number from 1 on; 0 or nothing means no limit')
    return null
  }

  done<Value>(value: Value): Checked<Value> {
    return this.faults.length > 0 ? { ok: false, faults: this.faults } : { ok: true, value }
  }
}

export function amountProblem(reason: 'empty' | 'not-a-number' | 'too-many-decimals' | 'too-large', decimals: number) {
  switch (reason) {
    case 'empty':
      return 'is missing'
    case 'too-many-decimals':
      return decimals === 0
        ? 'must be a whole amount: the currency has no decimals'
        : `has more than ${decimals} decimals`
    case 'too-large':
      return 'is too large'
    case 'not-a-number':
      return 'must be a number like 12.50, with a point and without thousands separators'
  }
}

const percentDecimals = 4

/** Parses a percentage to parts per million: `7.25` is 72500. */
export function ppmOf(written: string): { readonly ppm: number } | { readonly problem: string } {
  const parsed = parseAmount(written, percentDecimals)
  if (!parsed.ok) return { problem: amountProblem(parsed.reason, percentDecimals) }
  return parsed.minor < 0 ? { problem: 'must not be negative' } : { ppm: parsed.minor }
}

/** Formats 72500 parts per million as `7.25`. */
export function percentText(ppm: number): string {
  const digits = String(ppm).padStart(percentDecimals + 1, '0')
  const fraction = digits.slice(-percentDecimals).replace(/0+$/, '')
  return `${digits.slice(0, -percentDecimals)}${fraction === '' ? '' : `.${fraction}`}`
}
