import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import { canonicalTaxRate, configFile, taxRateCell, taxRateMember, writtenTaxRate } from '#contract/config-file.ts'
import type { StoredAssets } from '#contract/shared/file-setting.ts'
import { type Checked, type RuleFault, schemaFaults } from '#contract/shared/merchant-rules.ts'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import { type TaxRateFields, taxRateOf } from '#contract/tax/tax-rates-csv.ts'
import { type CouponColumns, deleteCoupon, listCoupons } from '#database/coupons/coupons.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import {
  configurationChanged,
  lockSettings,
  readSettingRows,
  saveSettings,
} from '#database/operations/configuration.ts'
import { listShippingZones } from '#database/shipping/shipping-zones.ts'
import { listTaxRates, lockTaxRates, writeTaxRates } from '#database/tax/tax-rates.ts'
import { canonicalCoupon, checkCoupon, storeCoupon } from '../../coupons/manage-coupons.ts'
import { canonicalJson } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import {
  type CheckedZone,
  canonicalZone,
  checkZone,
  replaceZones,
  shownZone,
} from '../../shipping/manage-shipping-zones.ts'
import { type StoredTaxRate, taxRateChanges, taxRateFrom } from '../../tax/manage-tax-rates.ts'
import { themeWarnings } from './appearance-warnings.ts'
import {
  type AppliedConfig,
  appliedItems,
  type ConfigArea,
  type ConfigChange,
  type ConfigItems,
  configChanges,
} from './config-changes.ts'
import { declaredSettings, settingAt } from './declared-settings.ts'
import { type FilePlaces, filesKey, storeAssets, storedFiles } from './store-configured-files.ts'
import { workableSettings } from './unusable-settings.ts'

type Tx = Transaction<Schema>

/** Settings row with the last applied configuration. */
const appliedKey = 'configFile'

const applied = z.record(z.string(), z.record(z.string(), z.string())).catch({})

/** Ends a dry run: the transaction is rolled back. */
class DryRunRollback extends Error {
  readonly changes: readonly ConfigChange[]
  constructor(changes: readonly ConfigChange[]) {
    super('a dry run')
    this.changes = changes
  }
}

class Refused extends Error {
  readonly faults: readonly RuleFault[]
  constructor(faults: readonly RuleFault[]) {
    super('a rule was refused')
    this.faults = faults
  }
}

export type ApplyOptions = {
  readonly dryRun?: boolean
  /** Folders of the files named in settings; null or absent: only stored files can be named. */
  readonly places?: FilePlaces | null
  /** Called for probably unintended settings. */
  readonly onWarning?: ((warning: string) => void) | undefined
}

/**
 * Applies a configuration file completely, or not at all if a rule has a fault. Only differences are written. Changes
 * by commands since the last application are reverted, and the result reports them.
 * @param declared the file's export, of any type
 */
export async function applyConfig(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'> & Partial<Pick<Tools, 'pageSlugs'>>,
  declared: unknown,
  { dryRun = false, places = null, onWarning }: ApplyOptions = {},
): Promise<Checked<readonly ConfigChange[]>> {
  const parsed = configFile.safeParse(declared)
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error) }
  try {
    const changes = await transaction(tools, async (tx) => {
      // If several processes start together, one applies the file, and the others find it done.
      await lockSettings(tx)
      const changes = await apply(tx, parsed.data, { tools, dryRun, places, onWarning })
      if (dryRun) throw new DryRunRollback(changes)
      return changes
    })
    return { ok: true, value: changes }
  } catch (error) {
    if (error instanceof DryRunRollback) return { ok: true, value: error.changes }
    if (error instanceof Refused) return { ok: false, faults: error.faults }
    throw error
  }
}

/** A part of the file, validated against the shop's current state. */
type Part = {
  readonly area: ConfigArea
  readonly current: ConfigItems
  readonly wanted: ConfigItems
  /** True if an existing rule that the file does not name is deleted. */
  gone(key: string): boolean
  /** @param changed the rules that differ */
  write(tx: Tx, changed: ReadonlySet<string>): Promise<void>
}

async function apply(
  tx: Tx,
  declared: z.output<typeof configFile>,
  {
    tools,
    dryRun,
    places,
    onWarning,
  }: Required<ApplyOptions> & { readonly tools: Pick<Tools, 'chance'> & Partial<Pick<Tools, 'pageSlugs'>> },
): Promise<readonly ConfigChange[]> {
  const stored = await readSettingRows(tx)
  const last: AppliedConfig = applied.parse(stored[appliedKey])
  const faults: RuleFault[] = []
  const settings = declaredSettings(shopSettings.parse(stored), declared, tools.pageSlugs?.())
  if (!settings.ok) faults.push(...settings.faults)
  // Amounts are parsed in the currency of the file.
  const next = workableSettings(settings.ok ? settings.value.settings : shopSettings.parse(stored))
  const parts: Part[] = settings.ok ? [settingsPart(shopSettings.parse(stored), settings.value)] : []
  if (settings.ok) {
    const before = storedFiles(stored)
    const kept = await storeAssets(tools, next, before, places, dryRun)
    faults.push(...under('settings', kept.faults))
    parts.push(filesPart(before, kept.files))
  }
  if (declared.taxRates) parts.push(await taxPart(tx, declared.taxRates, next, faults))
  if (declared.shippingZones) parts.push(await zonesPart(tx, declared.shippingZones, next, faults))
  if (declared.coupons) parts.push(await couponsPart(tx, declared.coupons, next, last, faults))
  if (faults.length > 0) throw new Refused(faults)

  const changes: ConfigChange[] = []
  for (const part of parts) {
    const own = configChanges(part.area, part.current, part.wanted, last, part.gone)
    if (own.length > 0) await part.write(tx, new Set(own.map(({ rule }) => rule)))
    changes.push(...own)
  }
  const said = Object.fromEntries(parts.map(({ area, wanted }) => [area, appliedItems(wanted)]))
  if (canonicalJson(said) !== canonicalJson(last)) await saveSettings(tx, { [appliedKey]: said })
  if (changes.length > 0) await configurationChanged(tx)
  if (onWarning) for (const warning of await themeWarnings(tx, next)) onWarning(warning)
  return changes
}

function settingsPart(
  before: ShopSettings,
  {
    settings,
    names,
    members,
  }: { settings: ShopSettings; names: readonly (keyof ShopSettings)[]; members: ReadonlyMap<string, unknown> },
): Part {
  const items = (value: (key: string) => unknown): ConfigItems =>
    new Map([...members.keys()].map((key) => [key, { rule: key, value: value(key) }]))
  return {
    area: 'setting',
    current: items((key) => settingAt(before, key)),
    wanted: items((key) => members.get(key)),
    gone: () => false,
    write(tx, changed) {
      const touched = names.filter((name) => [...changed].some((rule) => rule === name || rule.startsWith(`${name}.`)))
      return saveSettings(tx, Object.fromEntries(touched.map((name) => [name, settings[name]])))
    },
  }
}

/** In a dry run the resulting images are unknown: their content is compared. */
function filesPart(before: StoredAssets, files: StoredAssets): Part {
  const items = (all: StoredAssets): ConfigItems =>
    new Map(Object.entries(all).map(([path, { kind, hash }]) => [path, { rule: path, value: { kind, hash } }]))
  return {
    area: 'file',
    current: items(before),
    wanted: items(files),
    gone: () => true,
    write: (tx) => saveSettings(tx, { [filesKey]: files }),
  }
}

async function taxPart(
  tx: Tx,
  written: readonly unknown[],
  { taxes }: ShopSettings,
  faults: RuleFault[],
): Promise<Part> {
  await lockTaxRates(tx)
  const rates = written.flatMap((given, index) => {
    const checked = checkTaxRate(given, taxes.classes)
    if (checked.ok) return [checked.value]
    faults.push(...under(`taxRates[${index}]`, checked.faults))
    return []
  })
  const stored: readonly StoredTaxRate[] = (await listTaxRates(tx)).map(taxRateFrom)
  return {
    area: 'tax rate',
    current: taxItems(stored),
    wanted: taxItems(rates),
    gone: () => true,
    write: (tx) => writeTaxRates(tx, taxRateChanges(stored, rates, 'replace').changes),
  }
}

function checkTaxRate(given: unknown, classes: readonly string[]): Checked<TaxRateFields> {
  const parsed = writtenTaxRate.safeParse(given)
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error) }
  const { rate, faults } = taxRateOf((column) => taxRateCell(parsed.data, column), classes)
  if (faults.length === 0) return { ok: true, value: rate }
  return {
    ok: false,
    faults: faults.map(({ column, value, problem }) => ({
      key: taxRateMember[column],
      problem: value === '' ? problem : `"${value}" ${problem}`,
    })),
  }
}

/** Numbered by place, class and priority: the first, second … rate of the same. */
function taxItems(rates: readonly TaxRateFields[]): ConfigItems {
  const seen = new Map<string, number>()
  return new Map(
    rates.map((rate) => {
      const where = [rate.country, rate.state, rate.postcodes.join(' '), rate.cities.join(' '), rate.class]
      const place = [...where.filter(Boolean), rate.priority === 1 ? '' : `priority ${rate.priority}`].filter(Boolean)
      const turn = (seen.get(place.join(' ')) ?? 0) + 1
      seen.set(place.join(' '), turn)
      const rule = `${rate.name} ${place.length > 0 ? place.join(' ') : 'everywhere'}${turn > 1 ? ` (${turn})` : ''}`
      return [`${place.join(' ')} ${turn}`, { rule, value: canonicalTaxRate(rate) }]
    }),
  )
}

async function zonesPart(
  tx: Tx,
  written: readonly unknown[],
  settings: ShopSettings,
  faults: RuleFault[],
): Promise<Part> {
  const zones: CheckedZone[] = []
  for (const [index, given] of written.entries()) {
    const checked = checkZone(settings, given)
    if (!checked.ok) {
      faults.push(...under(`shippingZones[${index}]`, checked.faults))
      continue
    }
    const { fallback, places } = checked.value
    if (zones.some((other) => (fallback ? other.fallback : other.places.name === places.name)))
      faults.push({
        key: `shippingZones[${index}].${fallback ? 'fallback' : 'name'}`,
        problem: fallback ? 'another zone is the fallback already' : `another zone is called "${places.name}"`,
      })
    zones.push(checked.value)
  }
  const stored = (await listShippingZones(tx)).map(shownZone)
  const items = (all: readonly Omit<ReturnType<typeof canonicalZone>, never>[]): ConfigItems =>
    new Map(
      [...all.filter(({ fallback }) => !fallback), ...all.filter(({ fallback }) => fallback)].map((zone, index) => [
        zone.fallback ? '*' : zone.name,
        { rule: zone.name, value: { place: zone.fallback ? 0 : index + 1, ...zone } },
      ]),
    )
  return {
    area: 'shipping zone',
    current: items(
      stored.map(({ id: _, methods, ...zone }) => ({
        ...zone,
        methods: methods.map(({ instanceId: __, ...method }) => method),
      })),
    ),
    wanted: items(zones.map(canonicalZone)),
    gone: () => true,
    write: (tx) => replaceZones(tx, zones),
  }
}

async function couponsPart(
  tx: Tx,
  written: readonly unknown[],
  settings: ShopSettings,
  last: AppliedConfig,
  faults: RuleFault[],
): Promise<Part> {
  const coupons: { columns: CouponColumns; key: string }[] = []
  for (const [index, given] of written.entries()) {
    const key = `coupons[${index}]`
    const checked = await checkCoupon(tx, settings, given)
    if (!checked.ok) faults.push(...under(key, checked.faults))
    else if (coupons.some(({ columns }) => columns.code === checked.value.code))
      faults.push({ key: `${key}.code`, problem: `another coupon has the code "${checked.value.code}"` })
    else coupons.push({ columns: checked.value, key })
  }
  const stored = await listCoupons(tx)
  const named = new Set(coupons.map(({ columns }) => columns.code))
  // Coupons created by commands stay; those that the file no longer names are deleted.
  const gone = (code: string) => Object.hasOwn(last.coupon ?? {}, code) && !named.has(code)
  return {
    area: 'coupon',
    current: await couponItems(tx, settings, stored),
    wanted: await couponItems(
      tx,
      settings,
      coupons.map(({ columns }) => columns),
    ),
    gone,
    async write(tx, changed) {
      for (const { code } of stored) if (gone(code)) await deleteCoupon(tx, code)
      for (const { columns, key } of coupons) {
        if (!changed.has(columns.code)) continue
        const fault = await storeCoupon(tx, columns)
        if (fault) throw new Refused(under(key, [fault]))
      }
    },
  }
}

async function couponItems(
  tx: Kysely<Schema>,
  settings: ShopSettings,
  all: readonly CouponColumns[],
): Promise<ConfigItems> {
  const items = new Map<string, { rule: string; value: unknown }>()
  for (const columns of all)
    items.set(columns.code, { rule: columns.code, value: await canonicalCoupon(tx, settings, columns) })
  return items
}

function under(key: string, faults: readonly RuleFault[]): RuleFault[] {
  return faults.map((fault) => ({ key: fault.key === '' ? key : `${key}.${fault.key}`, problem: fault.problem }))
}
