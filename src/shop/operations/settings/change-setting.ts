import { z } from 'zod'
import { keyOf } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { feeRules } from '../../cart/fee-rules.ts'
import { currencyFaults } from '../../currency/offered-currencies.ts'
import { unworkableOf } from './unusable-settings.ts'

type Name = keyof typeof shopSettings.shape
type Members = Readonly<Record<string, unknown>>

export type ChangedSetting =
  /** `name` and `value` are the row to store; `settings` are all of them as they will be. */
  { ok: true; name: Name; value: unknown; settings: ShopSettings } | { ok: false; problem: string }

/** A setting or, with dots, a member of one: `taxes.pricesIncludeTax`. Undefined: one that may be left out, and is. */
export function readSetting(
  settings: ShopSettings,
  key: string,
): { ok: true; value: unknown } | { ok: false; problem: string; value?: undefined } {
  let value: unknown = settings
  let schema: z.core.$ZodType | undefined = shopSettings
  for (const part of key.split('.')) {
    schema = memberOf(schema, part)
    if (!isMembers(value) || !(Object.hasOwn(value, part) || schema)) {
      const known = isMembers(value) ? ` There are: ${Object.keys(value).join(', ')}.` : ''
      return { ok: false, problem: `There is no setting "${key}".${known}` }
    }
    value = value[part]
  }
  return { ok: true, value }
}

/**
 * What one change makes of the settings, checked by their schema. A text needs no quotation marks of its own: what is
 * no JSON is taken as it stands where a text is wanted.
 * @param pages slugs of the static pages, which no language may begin its addresses with
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
  // Of what is not set yet the schema says whether it is a text.
  const value = isText ? text : (fromJson(text) ?? (found.value === undefined ? text : undefined))
  if (value === undefined) return { ok: false, problem: `${key}: ${text} is not valid JSON.` }

  // The key was found in settings that the schema itself made, so its first part is one of theirs.
  const [name, ...path] = key.split('.') as [Name, ...string[]]
  const wanted = path.length === 0 ? value : withMember(settings[name], path, value)
  const parsed = shopSettings.safeParse({ ...settings, [name]: wanted })
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
    return { ok: false, problem: faults.join('\n') }
  }
  const stored = parsed.data[name]
  const stranger = unknownMember(wanted, stored)
  if (stranger !== null) return { ok: false, problem: `There is no setting "${name}.${stranger}".` }
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

/** What a member has to be, whether it is there or not. */
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

/** The first member that was given but that the schema does not know, and so left out. */
function unknownMember(given: unknown, parsed: unknown): string | null {
  if (!isMembers(given) || !isMembers(parsed)) return null
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(parsed, name)) return name
    const inner = unknownMember(value, parsed[name])
    if (inner !== null) return `${name}.${inner}`
  }
  return null
}
