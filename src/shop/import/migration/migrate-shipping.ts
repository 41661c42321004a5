import {
  type SourceZone,
  type SourceZoneMethod,
  sourceZone,
  sourceZoneLocation,
  sourceZoneMethod,
} from '#contract/import/source/source-rules.ts'
import { sourceTerm } from '#contract/import/source/source-terms.ts'
import type { MethodInput, ZoneInput } from '#contract/shipping/settings.ts'
import { addZone, checkZone, showZones } from '../../shipping/manage-shipping-zones.ts'
import { type MigrationRun, sourceRecords, stopAtFaults } from './migration-run.ts'

const kind = 'shipping zones'

/** Brings shipping zones with their methods. A zone whose name is here stays as it is. */
export async function migrateShipping(run: MigrationRun): Promise<void> {
  const zones = await sourceRecords(run, { kind, path: 'shipping/zones' }, sourceZone)
  const known = await run.known(
    kind,
    zones.map(({ id }) => id),
  )
  const fresh = zones.filter(({ id }) => !known.has(String(id)))
  run.report.known(kind, zones.length - fresh.length)
  const classes = fresh.length === 0 ? new Map<number, string>() : await classSlugs(run)
  const matching = fresh.toSorted((a, b) => (a.id === 0 ? 1 : b.id === 0 ? -1 : (a.order ?? 0) - (b.order ?? 0)))
  for (const zone of matching) await bringZone(run, zone, classes)
  stopAtFaults(run)
}

/** Returns the slugs of shipping classes by their ID: prices of a method are named by the ID. */
async function classSlugs(run: MigrationRun): Promise<Map<number, string>> {
  const options = { kind: 'shipping classes', path: 'products/shipping_classes', counted: false }
  return new Map((await sourceRecords(run, options, sourceTerm)).map(({ id, slug }) => [id, slug]))
}

async function bringZone(run: MigrationRun, zone: SourceZone, classes: ReadonlyMap<number, string>): Promise<void> {
  const { id } = zone
  const fallback = id === 0
  const below = (path: string) => ({ kind, path: `shipping/zones/${id}/${path}`, counted: false })
  const locations = fallback ? [] : await sourceRecords(run, below('locations'), sourceZoneLocation)
  const given = await sourceRecords(run, below('methods'), sourceZoneMethod)
  const methods = given
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .flatMap((one) => methodOf(run, zone, one, classes))
  // Without a method the fallback zone says the same as none.
  if (fallback && methods.length === 0) return run.record(kind, [{ sourceId: '0', ownId: null }])

  const here = (await showZones(run.tools())).find((one) => (fallback ? one.fallback : one.name === zone.name))
  if (here) {
    run.report.known(kind)
    run.report.differs(kind, id, `the zone "${here.name}" is here and stays as it is`)
    return run.record(kind, [{ sourceId: String(id), ownId: here.id }])
  }
  const codes = (type: string) => locations.flatMap((place) => (place.type === type ? [place.code] : []))
  const written: ZoneInput = {
    name: zone.name || `Zone ${id}`,
    countries: [...codes('country'), ...codes('state')],
    continents: codes('continent'),
    postcodes: codes('postcode'),
    fallback,
    methods,
  }
  const { dryRun } = run.options
  const added = dryRun ? checkZone(run.tools().settings, written) : await addZone(run.tools(), written)
  if (!added.ok) {
    run.report.fault(kind, id, added.faults.map(({ key, problem }) => `${key} ${problem}`.trim()).join('; '))
    return
  }
  run.report.added(kind)
  await run.record(kind, [{ sourceId: String(id), ownId: 'id' in added.value ? added.value.id : null }])
}

function methodOf(
  run: MigrationRun,
  zone: SourceZone,
  { method_id: method, title, enabled, settings }: SourceZoneMethod,
  classes: ReadonlyMap<number, string>,
): MethodInput[] {
  const value = (name: string) => settings[name]?.value.trim() ?? ''
  const shared = { title: title || value('title'), enabled }
  const taxable = value('tax_status') !== 'none'
  const cost = decimalPoint(value('cost'))
  switch (method) {
    case 'flat_rate': {
      const costs = Object.entries(settings).flatMap(([name, { value: formula }]): [string, string][] => {
        const id = /^class_cost_(\d+)$/.exec(name)?.[1]
        const slug = name === 'no_class_cost' ? '' : id === undefined ? undefined : classes.get(Number(id))
        return slug === undefined || formula.trim() === '' ? [] : [[slug, decimalPoint(formula.trim())]]
      })
      const classMode = value('type') === 'order' ? 'order' : 'class'
      return [{ method, ...shared, cost, classCosts: Object.fromEntries(costs), classMode, taxable }]
    }
    case 'free_shipping': {
      const requires = value('requires')
      const known = (['coupon', 'min_amount', 'either', 'both'] as const).find((word) => word === requires) ?? ''
      const looksAtAmount = known !== '' && known !== 'coupon'
      const minimum = looksAtAmount ? decimalPoint(value('min_amount')) || '0' : ''
      return [{ method, ...shared, requires: known, minimum, ignoreDiscounts: value('ignore_discounts') === 'yes' }]
    }
    case 'local_pickup':
      return [{ method, ...shared, cost, taxable }]
    default:
      run.report.differs(kind, zone.id, `the method "${title || method}" (${method}) is of a plug-in and does not come`)
      return []
  }
}

/** A shop with decimal commas stores costs such as `4,95`. */
const decimalPoint = (cost: string) => cost.replace(/(?<=^|[^\w,.])(\d+),(\d{1,2})(?![\d,])/g, '$1.$2')
