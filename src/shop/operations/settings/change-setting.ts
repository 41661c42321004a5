import { z } from 'zod'
import { issueText, keyOf } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { feeRules } from '../../cart/fee-rules.ts'
import { currencyFaults } from '../../currency/offered-currencies.ts'
import { unworkableOf } from './unusable-settings.ts'

type Name = keyof typeof shopSettings.shape
type Members = Readonly<Record<string, unknown>>

export type ChangedSetting =
  /** `name` and `value` are the row to store; `settings` are the resulting ones. */
  { ok: true; name: Name; value: unknown; settings: ShopSettings } | { ok: false; problem: string }

/** Reads a setting or, with dots, a member of one: `taxes.pricesIncludeTax`. Undefined: an optional one that is not set. */
export function readSetting(
  settings: ShopSettings,
  key: string,
): { ok: true; value: unknown } | { ok: false; problem: string; value?: undefined } {
  let value: unknown = settings
  let schema: z.core.$ZodType | undefined = shopSettings
  for (const part of key.split('.')) {
    schema = memberOf(schema, part)
    if (!isMembers(value) || !(Object.hasOwn(value, part) || schema)) {
      const known = isMembers(value) ? ` Choose one of: ${Object.keys(value).join(', ')}.` : ''
      return { ok: false, problem: `unknown setting "${key}".${known}` }
    }
    value = value[part]
  }
  return { ok: true, value }
}

/**
 * Applies one change to the settings and validates them. A text needs no quotation marks of JSON.
 * @param pages slugs of the static pages, which no language may use as its prefix
 */
export function changedSetting(
  settings: ShopSettings,
  key: string,
  text: string,
  pages?: ReadonlySet<string>,
): ChangedSetting {
  const found = readSetting(settings, key)
  if (!found.ok) return found
  const isText = typeof found.value === 'string' && !text.startsWith('"')
  // For an unset member the schema tells whether it is a string.
  const read = fromJson(text)
  // `null` is a value.
  const value = isText ? text : read === undefined && found.value === undefined ? text : read
  if (value === undefined)
    return {
      ok: false,
      problem: `${key}: ${text} is not valid JSON. Example: settings ${key} '${JSON.stringify(found.value)}'`,
    }

  // The key was found in settings parsed by the schema, so its first part is valid.
  const [name, ...path] = key.split('.') as [Name, ...string[]]
  const wanted = path.length === 0 ? value : withMember(settings[name], path, value)
  const parsed = shopSettings.safeParse({ ...settings, [name]: wanted })
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const given = issue.path.join('.') === key ? `, not ${JSON.stringify(value)}` : ''
      return `${issue.path.join('.')}: ${issueText(issue)}${given}`
    })
    return { ok: false, problem: faults.join('\n') }
  }
  const stored = parsed.data[name]
  const stranger = unknownMember(wanted, stored)
  if (stranger !== null) return { ok: false, problem: `unknown setting "${name}.${stranger}".` }
  const wrong = unworkableOf(parsed.data, [key.split('.')], pages)
  if (wrong.length > 0)
    return { ok: false, problem: wrong.map(({ path, problem }) => `${keyOf(path)}: ${problem}`).join('\n') }
  const unworkable =
    name === 'fees'
      ? feeRules(parsed.data, noExchange(parsed.data.currency)).faults
      : name === 'currencies'
        ? currencyFaults(parsed.data)
        : []
  if (unworkable.length > 0)
    return { ok: false, problem: unworkable.map((fault) => `${fault.rule}: ${fault.problem}`).join('\n') }
  return { ok: true, name, value: stored, settings: parsed.data }
}

/** Returns the schema of a member, whether it is set or not. */
function memberOf(schema: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  return isWrapped ? memberOf(schema.unwrap(), name) : undefined
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fromJson(text: string): unknown {
  try {
    return z.json().parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function withMember(members: unknown, [first = '', ...rest]: readonly string[], value: unknown): Members {
  const before = isMembers(members) ? members : {}
  return { ...before, [first]: rest.length === 0 ? value : withMember(before[first], rest, value) }
}

/** Returns the first given member that the schema does not know, and therefore dropped. */
function unknownMember(given: unknown, parsed: unknown): string | null {
  if (!isMembers(given) || !isMembers(parsed)) return null
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(parsed, name)) return name
    const inner = unknownMember(value, parsed[name])
    if (inner !== null) return `${name}.${inner}`
  }
  return null
}
