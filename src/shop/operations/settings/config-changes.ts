import { canonicalJson } from '../../shared/digest.ts'

/** One rule of the shop that the configuration file changes. */
export type ConfigChange = {
  readonly area: ConfigArea
  /** In the merchant's terms: `taxes.pricesIncludeTax`, `Bay Area`. */
  readonly rule: string
  readonly action: 'add' | 'change' | 'remove'
  readonly members: readonly { readonly key: string; readonly from: unknown; readonly to: unknown }[]
  /** The file is unchanged since it was last applied: a command has changed the rule since. */
  readonly byCommand: boolean
}

export type ConfigArea = 'setting' | 'file' | 'tax rate' | 'shipping zone' | 'coupon'

export type ConfigItem = { readonly rule: string; readonly value: unknown }

/** Rules by their keys. */
export type ConfigItems = ReadonlyMap<string, ConfigItem>

/** The last applied file: the canonical JSON of each rule, by area and key. */
export type AppliedConfig = Readonly<Partial<Record<ConfigArea, Readonly<Record<string, string>>>>>

/** @param gone whether an existing rule that is not wanted is deleted */
export function configChanges(
  area: ConfigArea,
  current: ConfigItems,
  wanted: ConfigItems,
  applied: AppliedConfig,
  gone: (key: string) => boolean,
): ConfigChange[] {
  const before = applied[area] ?? {}
  const said = (key: string) => (Object.hasOwn(before, key) ? before[key] : undefined)
  const changes: ConfigChange[] = []
  for (const [key, { rule, value }] of wanted) {
    const is = current.get(key)
    if (is && canonicalJson(is.value) === canonicalJson(value)) continue
    const byCommand = said(key) === canonicalJson(value)
    changes.push({ area, rule, action: is ? 'change' : 'add', members: is ? unlike(is.value, value) : [], byCommand })
  }
  for (const [key, { rule }] of current) {
    if (wanted.has(key) || !gone(key)) continue
    changes.push({
      area,
      rule,
      action: 'remove',
      members: [],
      byCommand: said(key) === undefined && applied[area] !== undefined,
    })
  }
  return changes
}

/** Returns the record of applied rules. */
export function appliedItems(items: ConfigItems): Record<string, string> {
  return Object.fromEntries([...items].map(([key, { value }]) => [key, canonicalJson(value)]))
}

/** Formats `+ coupon spring`, `~ setting taxes.pricesIncludeTax: false → true`; values with passwords are hidden. */
export function changeLine({ area, rule, action, members, byCommand }: ConfigChange): string {
  const sign = { add: '+', change: '~', remove: '-' }[action]
  const details = members.map(({ key, from, to }) => {
    const hidden = /smtpUrl|password|secret/i.test(`${rule}.${key}`)
    return `${key === '' ? '' : `${key} `}${hidden ? '… → …' : `${shown(from)} → ${shown(to)}`}`
  })
  const why = byCommand ? ' (a command changed it; the file wins)' : ''
  return `${sign} ${area} ${rule}${details.length > 0 ? `: ${details.join(', ')}` : ''}${why}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Returns the members in which two values differ, at the deepest common level. */
function unlike(from: unknown, to: unknown): { key: string; from: unknown; to: unknown }[] {
  const [before, after] = [leaves(from, ''), leaves(to, '')]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, from: before.get(key), to: after.get(key) }))
    .filter((pair) => JSON.stringify(pair.from) !== JSON.stringify(pair.to))
}

function leaves(value: unknown, key: string): Map<string, unknown> {
  const isList = Array.isArray(value) && value.some((one) => typeof one === 'object')
  if (value === null || typeof value !== 'object' || (Array.isArray(value) && !isList)) return new Map([[key, value]])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...leaves(inner, isList ? `${key}[${name}]` : key === '' ? name : `${key}.${name}`),
    ]),
  )
}
