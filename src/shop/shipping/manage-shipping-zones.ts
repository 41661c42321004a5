import type { Transaction } from 'kysely'
import { type Checked, type RuleFault, schemaFaults } from '#contract/shared/merchant-rules.ts'
import {
  type MethodFields,
  methodFields,
  methodSettings,
  type WrittenMethod,
  type WrittenZone,
  writtenMethod,
  writtenZone,
  type ZonePlaces,
  zonePlaces,
} from '#contract/shipping/settings.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import {
  configurationChanged,
  type ShippingMethodRow,
  type ShippingZoneRow,
} from '#database/operations/configuration.ts'
import {
  deleteMethod,
  deleteZone,
  insertMethod,
  insertZone,
  listShippingZones,
  lockShippingZones,
  updateMethod,
  updateZone,
} from '#database/shipping/shipping-zones.ts'
import { ruleUnits } from '../coupons/manage-coupons.ts'
import type { Tools } from '../shared/tools.ts'

type ShippingTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'chance'>
type Tx = Transaction<Schema>

/** A zone in its writable form. Number 0 is the fallback zone. */
export type ShownZone = Omit<WrittenZone, 'methods'> & {
  readonly id: number
  readonly methods: readonly (WrittenMethod & { readonly instanceId: number })[]
}

/** Lists zones in matching order; the fallback zone last. */
export async function showZones({ db }: Pick<Tools, 'db'>): Promise<ShownZone[]> {
  return inOrder(await listShippingZones(db.kysely)).map(shownZone)
}

/** @param place position in the matching order, from 1; last by default */
export function addZone(tools: ShippingTools, given: unknown, place?: number): Promise<Checked<ShownZone>> {
  return change(tools, async (tx, zones) => {
    const checked = checkZone(tools.settings, given)
    if (!checked.ok) return checked
    const { places, fallback, methods } = checked.value
    if (fallback && zones.some(({ id }) => id === 0))
      return refused('fallback', `is there already: the zone "${zones.find(({ id }) => id === 0)?.name}"`)
    const id = fallback ? 0 : Math.max(0, ...zones.map((zone) => zone.id)) + 1
    await insertZone(tx, { id, ...places })
    for (const [position, method] of methods.entries()) await insertMethod(tx, { zone_id: id, position, ...method })
    if (!fallback) await arrange(tx, zones, id, place ?? zones.length + 1)
    return { ok: true, value: id }
  })
}

/** @param changes members of a written zone except `fallback` and `methods`; missing ones stay unchanged */
export function editZone(
  tools: ShippingTools,
  id: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<Checked<ShownZone>> {
  return change(tools, async (tx, zones) => {
    const zone = zones.find((one) => one.id === id)
    if (!zone) return noZone(id)
    const { id: _, methods: __, ...before } = shownZone(zone)
    const checked = checkZone(tools.settings, { ...before, ...changes })
    if (!checked.ok) return checked
    await updateZone(tx, id, checked.value.places)
    return { ok: true, value: id }
  })
}

export function moveZone(tools: ShippingTools, id: number, place: number): Promise<Checked<ShownZone>> {
  return change(tools, async (tx, zones) => {
    if (!zones.some((zone) => zone.id === id)) return noZone(id)
    if (id === 0) return refused('', 'The fallback zone takes what the others leave: it has no place among them.')
    await arrange(tx, zones, id, place)
    return { ok: true, value: id }
  })
}

/** Deletes a zone with its methods. @returns the deleted zone */
export async function removeZone(tools: ShippingTools, id: number): Promise<ShownZone | null> {
  return transaction(tools, async (tx) => {
    await lockShippingZones(tx)
    const zone = (await listShippingZones(tx)).find((one) => one.id === id)
    if (!zone) return null
    await deleteZone(tx, id)
    await configurationChanged(tx)
    return shownZone(zone)
  })
}

/** @param place position in the zone's methods, from 1; last by default */
export function addMethod(
  tools: ShippingTools,
  zoneId: number,
  given: unknown,
  place?: number,
): Promise<Checked<ShownZone>> {
  return change(tools, async (tx, zones) => {
    const zone = zones.find(({ id }) => id === zoneId)
    if (!zone) return noZone(zoneId)
    const checked = checkMethod(tools.settings, given)
    if (!checked.ok) return checked
    const instanceId = await insertMethod(tx, { zone_id: zoneId, ...checked.value })
    await arrangeMethods(tx, zone.methods, instanceId, place ?? zone.methods.length + 1)
    return { ok: true, value: zoneId }
  })
}

export function editMethod(
  tools: ShippingTools,
  instanceId: number,
  changes: Readonly<Record<string, unknown>>,
): Promise<Checked<ShownZone>> {
  return changeMethod(tools, instanceId, async (tx, _, row) => {
    const { instanceId: __, ...before } = shownMethod(row)
    const checked = checkMethod(tools.settings, { ...before, ...changes })
    if (checked.ok) await updateMethod(tx, instanceId, checked.value)
    return checked
  })
}

export function moveMethod(tools: ShippingTools, instanceId: number, place: number): Promise<Checked<ShownZone>> {
  return changeMethod(tools, instanceId, async (tx, zone) => {
    await arrangeMethods(tx, zone.methods, instanceId, place)
    return { ok: true, value: null }
  })
}

export function removeMethod(tools: ShippingTools, instanceId: number): Promise<Checked<ShownZone>> {
  return changeMethod(tools, instanceId, async (tx) => {
    await deleteMethod(tx, instanceId)
    return { ok: true, value: null }
  })
}

/**
 * Replaces all zones, in this order. A zone of the same name keeps its number, and a method of the same kind and title
 * too, so that visitors' choices stay valid.
 */
export async function replaceZones(tx: Tx, wanted: readonly CheckedZone[]): Promise<void> {
  await lockShippingZones(tx)
  const stored = await listShippingZones(tx)
  const kept = new Set<number>()
  let nextId = Math.max(0, ...stored.map(({ id }) => id)) + 1
  for (const [index, { places, fallback, methods }] of wanted.entries()) {
    const before = stored.find(
      ({ id, name }) => !kept.has(id) && (fallback ? id === 0 : id !== 0 && name === places.name),
    )
    const id = before?.id ?? (fallback ? 0 : nextId++)
    kept.add(id)
    const row = { ...places, zone_order: fallback ? 0 : index + 1 }
    if (before) await updateZone(tx, id, row)
    else await insertZone(tx, { id, ...row })
    await replaceMethods(tx, id, before?.methods ?? [], methods)
  }
  for (const { id } of stored) if (!kept.has(id)) await deleteZone(tx, id)
}

async function replaceMethods(
  tx: Tx,
  zoneId: number,
  stored: readonly ShippingMethodRow[],
  wanted: readonly MethodFields[],
): Promise<void> {
  const free = [...stored]
  for (const [position, method] of wanted.entries()) {
    const at = free.findIndex((row) => row.method === method.method && row.title === method.title)
    const before = at < 0 ? undefined : free.splice(at, 1)[0]
    if (before) await updateMethod(tx, before.instance_id, { ...method, position })
    else await insertMethod(tx, { zone_id: zoneId, position, ...method })
  }
  for (const { instance_id } of free) await deleteMethod(tx, instance_id)
}

export type CheckedZone = {
  readonly places: ZonePlaces
  readonly fallback: boolean
  readonly methods: readonly MethodFields[]
}

export function checkZone(settings: Tools['settings'], given: unknown): Checked<CheckedZone> {
  const parsed = writtenZone.safeParse(given)
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error) }
  const places = zonePlaces(parsed.data)
  const methods = parsed.data.methods.map((method) => methodFields(method, ruleUnits(settings)))
  const faults = [
    ...(places.ok ? [] : places.faults),
    ...methods.flatMap((method, index) =>
      method.ok ? [] : method.faults.map(({ key, problem }) => ({ key: `methods[${index}].${key}`, problem })),
    ),
  ]
  if (!places.ok || faults.length > 0) return { ok: false, faults }
  const { fallback } = parsed.data
  return {
    ok: true,
    value: { places: places.value, fallback, methods: methods.flatMap((one) => (one.ok ? one.value : [])) },
  }
}

function checkMethod(settings: Tools['settings'], given: unknown): Checked<MethodFields> {
  const parsed = writtenMethod.safeParse(given)
  return parsed.success
    ? methodFields(parsed.data, ruleUnits(settings))
    : { ok: false, faults: schemaFaults(parsed.error) }
}

/** Returns the canonical written form of a zone: equal zones give equal texts. */
export function canonicalZone({ places, fallback, methods }: CheckedZone): WrittenZone {
  return { ...places, fallback, methods: methods.map(writtenFrom) }
}

export function shownZone({ methods, ...zone }: ShippingZoneRow): ShownZone {
  const { id, name, countries, continents, postcodes } = zone
  return { id, name, countries, continents, postcodes, fallback: id === 0, methods: methods.map(shownMethod) }
}

function shownMethod(row: ShippingMethodRow): ShownZone['methods'][number] {
  return { instanceId: row.instance_id, ...writtenFrom(row) }
}

function writtenFrom({ method, title, enabled, settings }: MethodFields): WrittenMethod {
  const set = methodSettings.parse(settings)
  switch (method) {
    case 'flat_rate': {
      const { cost, classMode, taxable } = set
      // PostgreSQL orders the members itself.
      const classCosts = Object.fromEntries(Object.entries(set.classCosts).sort(([a], [b]) => (a < b ? -1 : 1)))
      return { method, title, enabled, cost, classCosts, classMode, taxable }
    }
    case 'free_shipping':
      return {
        method,
        title,
        enabled,
        requires: set.requires || (set.min_amount === '' ? '' : 'min_amount'),
        minimum: set.min_amount,
        ignoreDiscounts: set.ignoreDiscounts,
      }
    case 'local_pickup':
      return { method, title, enabled, cost: set.cost, taxable: set.taxable }
  }
}

/** @param work returns the number of the changed zone */
async function change(
  tools: ShippingTools,
  work: (tx: Tx, zones: readonly ShippingZoneRow[]) => Promise<Checked<number>>,
): Promise<Checked<ShownZone>> {
  return transaction(tools, async (tx) => {
    await lockShippingZones(tx)
    const changed = await work(tx, inOrder(await listShippingZones(tx)))
    if (!changed.ok) return changed
    await configurationChanged(tx)
    const zone = (await listShippingZones(tx)).find(({ id }) => id === changed.value)
    if (!zone) throw new Error(`the zone ${changed.value} is missing after the write`)
    return { ok: true, value: shownZone(zone) }
  })
}

function changeMethod(
  tools: ShippingTools,
  instanceId: number,
  work: (tx: Tx, zone: ShippingZoneRow, row: ShippingMethodRow) => Promise<Checked<unknown>>,
): Promise<Checked<ShownZone>> {
  return change(tools, async (tx, zones) => {
    for (const zone of zones) {
      const row = zone.methods.find(({ instance_id }) => instance_id === instanceId)
      if (!row) continue
      const done = await work(tx, zone, row)
      return done.ok ? { ok: true, value: zone.id } : done
    }
    return refused('', `There is no shipping method ${instanceId}.`)
  })
}

/** Moves a zone to its position, from 1, and renumbers all. */
async function arrange(tx: Tx, zones: readonly ShippingZoneRow[], id: number, place: number): Promise<void> {
  const ids = zones.map((zone) => zone.id).filter((other) => other !== 0 && other !== id)
  ids.splice(Math.max(0, place - 1), 0, id)
  for (const [index, one] of ids.entries()) await updateZone(tx, one, { zone_order: index + 1 })
}

async function arrangeMethods(
  tx: Tx,
  methods: readonly ShippingMethodRow[],
  instanceId: number,
  place: number,
): Promise<void> {
  const ids = methods.map(({ instance_id }) => instance_id).filter((other) => other !== instanceId)
  ids.splice(Math.max(0, place - 1), 0, instanceId)
  for (const [position, one] of ids.entries()) await updateMethod(tx, one, { position })
}

function inOrder(zones: readonly ShippingZoneRow[]): ShippingZoneRow[] {
  return [...zones.filter(({ id }) => id !== 0), ...zones.filter(({ id }) => id === 0)]
}

function noZone(id: number) {
  return refused('', `There is no shipping zone ${id}.`)
}

function refused(key: string, problem: string): { ok: false; faults: RuleFault[] } {
  return { ok: false, faults: [{ key, problem }] }
}
