import type { Transaction } from 'kysely'
import {
  type CouponColumn,
  couponColumns,
  type ImportedCoupon,
  readImportedCoupon,
} from '#contract/coupons/coupons-csv.ts'
import { couponSettings } from '#contract/coupons/settings.ts'
import { type Header, type RowFault, readHeader, type TextRow } from '#contract/shared/record-csv.ts'
import {
  type CouponColumns,
  catalogNames,
  findCoupon,
  foreignNames,
  setEarlierUses,
} from '#database/coupons/coupons.ts'
import type { Row, Schema } from '#database/engine/schema/schema.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { couponCode } from '#domain/coupons/coupon.ts'
import {
  importRecords,
  type RecordImportOptions,
  type RecordImportReport,
  type RecordKind,
  type Written,
} from '../import/import-records.ts'
import { canonicalJson } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { checkCoupon, storeCoupon } from './manage-coupons.ts'

type ImportTools = Pick<Tools, 'db' | 'clock' | 'settings'>

/**
 * Imports coupons with their restrictions. A product or category that is unknown here is a fault: without it the coupon would
 * apply to more than it should. Earlier uses count for new coupons.
 */
export async function importCoupons(
  tools: ImportTools,
  rows: AsyncIterable<TextRow>,
  options: RecordImportOptions,
): Promise<RecordImportReport> {
  return importRecords(tools, rows, couponKind(tools, await readShopMark(tools.db.kysely)), options)
}

function couponKind(tools: ImportTools, shopMark: string): RecordKind<ImportedCoupon> {
  let header: Header<CouponColumn> = { found: new Map(), numbered: [], unknown: [] }
  const rowsOf = new Map<string, number>()
  return {
    open(titles) {
      header = readHeader(titles, couponColumns)
      return header.found.has('code')
        ? { unknown: header.unknown }
        : { unknown: [], missing: 'has no column with the codes of coupons (code or post_title)' }
    },
    read: ([row = { row: 0, cells: [] }]) => readImportedCoupon(header, row, tools.settings),
    async write(tx, coupons, existing) {
      const written: Written[] = []
      // One after the other: each is checked against what those before it have written.
      for (const coupon of coupons) {
        const code = couponCode(coupon.written.code)
        const before = rowsOf.get(code)
        rowsOf.set(code, before ?? coupon.row)
        written.push(
          before === undefined
            ? await writeCoupon(tools, tx, coupon, existing, coupon.shopMark === shopMark)
            : { faults: [faultOf(coupon, 'code', `is the code of row ${before}, too`)] },
        )
      }
      return written
    },
  }

  function faultOf({ row }: ImportedCoupon, key: string, problem: string): RowFault {
    // Keys of a written coupon are columns of the file.
    const title = header.found.get(key.replace(/\W.*/, '') as CouponColumn)?.[0]?.title ?? key
    return { row, column: title, value: '', problem }
  }

  async function writeCoupon(
    { settings, clock }: ImportTools,
    tx: Transaction<Schema>,
    coupon: ImportedCoupon,
    existing: 'update' | 'skip',
    isOwn: boolean,
  ): Promise<Written> {
    const { row, inactive, startsAt } = coupon
    if (inactive !== '')
      return {
        outcome: 'skipped',
        notes: [{ row, column: 'status', value: inactive, problem: 'cannot be used there' }],
      }
    if (startsAt && startsAt > clock.now())
      return { faults: [faultOf(coupon, 'starts', 'is in the future, and a coupon here is valid at once')] }
    const stored = await findCoupon(tx, { code: couponCode(coupon.written.code) })
    if (stored && stored.trashed_at !== null)
      return {
        outcome: 'skipped',
        notes: [{ row, column: 'code', value: stored.code, problem: 'is in the trash here' }],
      }
    if (stored && existing === 'skip') return { outcome: 'skipped' }
    const named = isOwn ? { ok: true as const, value: coupon.written } : await resolved(tx, coupon)
    const checked = named.ok ? await checkCoupon(tx, settings, named.value) : named
    if (!checked.ok) return { faults: checked.faults.map(({ key, problem }) => faultOf(coupon, key, problem)) }
    if (stored && sameCoupon(stored, checked.value)) return { outcome: 'unchanged' }
    const fault = await storeCoupon(tx, checked.value)
    if (fault) return { faults: [faultOf(coupon, fault.key, fault.problem)] }
    if (!stored && coupon.used > 0) await setEarlierUses(tx, checked.value.code, coupon.used)
    return { outcome: stored ? 'updated' : 'created' }
  }
}

function sameCoupon(stored: Row<'coupons'>, columns: CouponColumns): boolean {
  const plain = ({ code, type, amount_ppm, amount_minor, usage_limit, expires_at, settings }: CouponColumns) =>
    canonicalJson({
      ...{ code, type, amount: [amount_ppm ?? null, amount_minor ?? null], limit: usage_limit ?? null },
      expires: expires_at ? new Date(expires_at).toISOString() : null,
      settings: couponSettings.parse(settings),
    })
  return plain(stored) === plain(columns)
}

type Resolved =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly faults: readonly { readonly key: string; readonly problem: string }[] }

/** Replaces the names of another shop by ids of this one. Its numbers are never those of this shop. */
async function resolved(tx: Transaction<Schema>, { written }: ImportedCoupon): Promise<Resolved> {
  const { products, excludeProducts, categories, excludeCategories } = written
  const allProducts = [...products, ...excludeProducts]
  const allCategories = [...categories, ...excludeCategories].map(lastName)
  const ids = allProducts.map(numberIn).filter((id) => id !== null)
  const [known, foreign] = await Promise.all([
    catalogNames(tx, { skus: allProducts, productIds: [], slugs: [], categoryIds: [] }),
    foreignNames(tx, { productIds: ids, categories: allCategories }),
  ])
  const faults: { key: string; problem: string }[] = []
  const each = (key: string, names: readonly string[], find: (name: string) => number[], kind: string) =>
    names.map((name) => {
      const [id, ...others] = find(name)
      if (id === undefined) faults.push({ key, problem: `there is no ${kind} "${name}" here` })
      else if (others.length > 0) faults.push({ key, problem: `there are several ${kind} "${name}" here` })
      return `id:${id ?? 0}`
    })
  const product = (name: string) => {
    const bySku = known.products.filter(({ sku }) => sku === name)
    const id = numberIn(name)
    return (bySku.length > 0 ? bySku : foreign.products.filter((one) => one.imported_id === id)).map((one) => one.id)
  }
  const category = (text: string) => {
    const name = lastName(text)
    const bySlug = foreign.categories.filter(({ slug }) => slug === name)
    return (bySlug.length > 0 ? bySlug : foreign.categories.filter((one) => one.name === name)).map((one) => one.id)
  }
  const value = {
    ...written,
    products: each('products', products, product, 'product'),
    excludeProducts: each('excludeProducts', excludeProducts, product, 'product'),
    categories: each('categories', categories, category, 'category'),
    excludeCategories: each('excludeCategories', excludeCategories, category, 'category'),
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value }
}

/** Returns the last name of a path such as `Table > Cups`, in lower case. */
const lastName = (path: string) => (path.split('>').at(-1) ?? '').trim().toLowerCase()

function numberIn(text: string): number | null {
  const digits = /^(?:id:)?(\d{1,15})$/i.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}
