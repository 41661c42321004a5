import { z } from 'zod'
import { type Checked, issueText, keyOf, type RuleFault } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { feeRules } from '../../cart/fee-rules.ts'
import { currencyFaults } from '../../currency/offered-currencies.ts'
import { unworkableOf } from './unusable-settings.ts'

export type DeclaredSettings = {
  /** The resulting settings, complete. */
  readonly settings: ShopSettings
  /** Names of the settings in the file. */
  readonly names: readonly (keyof ShopSettings)[]
  /** The resulting value of each member in the file, by path. */
  readonly members: ReadonlyMap<string, unknown>
}

/** Settings with a section of their own in the file. */
const own = ['fees', 'swatches'] as const

/**
 * Merges a file's settings into the existing ones: members of settings one by one, lists and tables as a whole.
 * @param pages slugs of the static pages
 */
export function declaredSettings(
  current: ShopSettings,
  declared: {
    readonly settings?: Readonly<Record<string, unknown>> | undefined
    readonly fees?: unknown
    readonly swatches?: unknown
  },
  pages?: ReadonlySet<string>,
): Checked<DeclaredSettings> {
  const faults: RuleFault[] = []
  const given: Record<string, unknown> = { ...declared.settings }
  for (const name of own) {
    if (Object.hasOwn(given, name))
      faults.push({ key: `settings.${name}`, problem: `stands beside the settings, as ${name}` })
    delete given[name]
    if (declared[name] !== undefined) given[name] = declared[name]
  }
  const paths = membersIn(given, shopSettings, [], faults)
  const wanted = paths.reduce<unknown>((all, { path, value }) => withMember(all, path, value), current)
  const parsed = shopSettings.safeParse(wanted)
  if (!parsed.success)
    faults.push(...parsed.error.issues.map((issue) => ({ key: fileKey(issue.path), problem: issueText(issue) })))
  if (!parsed.success || faults.length > 0) return { ok: false, faults }

  const spokenOf = paths.map(({ path }) => path)
  for (const { path, problem } of unworkableOf(parsed.data, spokenOf, pages))
    faults.push({ key: fileKey(path), problem })
  for (const { rule, problem } of feeRules(parsed.data, noExchange(parsed.data.currency)).faults)
    faults.push({ key: rule.split(' ')[0] ?? 'fees', problem })
  // Faults of currencies that are not in the file are only logged: they must not keep the shop from starting.
  for (const { rule, problem } of paths.some(({ path }) => path[0] === 'currencies') ? currencyFaults(parsed.data) : [])
    faults.push({ key: 'currencies', problem: `${rule}: ${problem}` })
  if (faults.length > 0) return { ok: false, faults }
  const members = new Map(paths.map(({ path }) => [path.join('.'), at(parsed.data, path)]))
  // membersIn leaves out every name that the schema does not have.
  const names = [...new Set(paths.map(({ path }) => path[0]))] as (keyof ShopSettings)[]
  return { ok: true, value: { settings: parsed.data, names, members } }
}

/** Returns a member of the settings by path, `taxes.pricesIncludeTax`. */
export function settingAt(settings: ShopSettings, key: string): unknown {
  return at(settings, key.split('.'))
}

type Member = { readonly path: readonly string[]; readonly value: unknown }

/** Descends as long as the schema names the members: a table of the schema is one value here. */
function membersIn(given: unknown, schema: unknown, path: readonly string[], faults: RuleFault[]): Member[] {
  const shape = shapeOf(schema)
  if (shape === null || !isObject(given)) return [{ path, value: given }]
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (Object.hasOwn(shape, name)) return membersIn(value, shape[name], [...path, name], faults)
    faults.push({ key: fileKey([...path, name]), problem: 'is no setting' })
    return []
  })
}

/** Returns the members of an object schema within default wrappers; null for any other schema. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | null {
  let inner = schema
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap()
  }
  return inner instanceof z.ZodObject ? inner.shape : null
}

function fileKey(path: readonly PropertyKey[]): string {
  const key = keyOf(path)
  return own.some((name) => name === path[0]) ? key : `settings.${key}`
}

function withMember(all: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const before = isObject(all) ? all : {}
  return { ...before, [name]: withMember(Object.hasOwn(before, name) ? before[name] : undefined, rest, value) }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
