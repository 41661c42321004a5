import { couponTypes } from '#contract/coupons/settings.ts'
import { type SourceCoupon, sourceCoupon } from '#contract/import/source/source-rules.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { importCoupons } from '../../coupons/import-coupons.ts'
import { byId, eachPage, type MigrationRun, sinceQuery } from './migration-run.ts'
import { type RecordCells, reportRecords, textRows } from './record-rows.ts'

const kind = 'coupons'

/** Brings coupons. A code that is here stays as it is. */
export async function migrateCoupons(run: MigrationRun): Promise<void> {
  const { dryRun } = run.options
  // The rows name products and categories by their IDs here.
  const mark = await readShopMark(run.tools().db.kysely)
  const query = { ...byId, ...sinceQuery(run) }
  await eachPage(run, { kind, path: 'coupons', query }, sourceCoupon, async (coupons) => {
    const known = await run.known(
      kind,
      coupons.map(({ id }) => id),
    )
    run.report.known(kind, known.size)
    const records: RecordCells[] = []
    for (const coupon of coupons) {
      if (known.has(String(coupon.id))) continue
      const cells = await couponCells(run, coupon)
      if (cells) records.push({ id: coupon.id, cells: { 'Shop mark': mark, ...cells } })
    }
    if (records.length === 0) return
    const result = await importCoupons(run.tools(), textRows(records), { existing: 'skip', skipFaulty: true, dryRun })
    const ids = reportRecords(run, kind, records, result)
    await run.record(
      kind,
      ids.map((id) => ({ sourceId: String(id), ownId: null })),
    )
  })
}

/** @returns null for a coupon that does not come, with the reason in the report */
async function couponCells(run: MigrationRun, given: SourceCoupon): Promise<Record<string, string> | null> {
  const { id, status, discount_type: type } = given
  const leave = (reason: string) => {
    run.report.left(kind, id, reason)
    return null
  }
  if (status !== '' && status !== 'publish') return leave(`has the status "${status}" and does not come`)
  const known = couponTypes.find((one) => one === type)
  if (!known) return leave(`has the type "${type}", which does not exist here`)
  const lists: Record<string, string> = {}
  for (const [column, of, wanted] of [
    ['products', 'products', given.product_ids],
    ['exclude products', 'products', given.excluded_product_ids],
    ['product categories', 'categories', given.product_categories],
    ['exclude product categories', 'categories', given.excluded_product_categories],
  ] as const) {
    const { names, missing } = await ownNames(run, of, wanted)
    lists[column] = names.join(', ')
    if (missing.length === 0) continue
    // Without its last product a coupon would apply to everything.
    if (names.length === 0 && !column.startsWith('exclude')) {
      run.report.fault(kind, id, `${column} ${missing.join(', ')} are not here: the coupon would apply to everything`)
      return null
    }
    run.report.differs(kind, id, `${column} ${missing.join(', ')} are not here`)
  }
  return {
    code: given.code,
    'discount type': known,
    'coupon amount': given.amount || '0',
    'individual use': yesNo(given.individual_use),
    ...lists,
    'usage count': String(given.usage_count ?? 0),
    'usage limit': figure(given.usage_limit),
    'usage limit per user': figure(given.usage_limit_per_user),
    'limit usage to x items': known === 'fixed_cart' ? '' : figure(given.limit_usage_to_x_items),
    'date expires': given.date_expires_gmt?.toISOString() ?? '',
    'free shipping': yesNo(given.free_shipping),
    'minimum amount': positive(given.minimum_amount),
    'maximum amount': positive(given.maximum_amount),
    'exclude sale items': yesNo(given.exclude_sale_items),
    'customer email': given.email_restrictions.join(', '),
  }
}

async function ownNames(
  run: MigrationRun,
  of: 'products' | 'categories',
  ids: readonly number[],
): Promise<{ readonly names: string[]; readonly missing: number[] }> {
  const own = await run.known(of, ids)
  const has = (id: number) => own.get(String(id)) ?? null
  // Nothing came yet in a dry run: the importer would look for records that are not here.
  const name = (id: number) => (run.options.dryRun ? [] : [`id:${has(id)}`])
  return {
    names: ids.flatMap((id) => (has(id) === null ? [] : name(id))),
    missing: ids.filter((id) => has(id) === null),
  }
}

/** The classic shop writes "no limit" as `0.00`. */
const positive = (amount: string) => (/^0*\.?0*$/.test(amount) ? '' : amount)
const figure = (limit: number | null) => (limit ? String(limit) : '')
const yesNo = (flag: boolean) => (flag ? 'yes' : 'no')
