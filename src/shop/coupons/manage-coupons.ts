import type { Kysely, Transaction } from 'kysely'
import {
  couponFields,
  couponSettings,
  expiryText,
  type WrittenCoupon,
  writtenCoupon,
} from '#contract/coupons/settings.ts'
import {
  type Checked,
  percentText,
  type RuleFault,
  type RuleUnits,
  schemaFaults,
} from '#contract/shared/merchant-rules.ts'
import {
  type CatalogNames,
  type CouponColumns,
  catalogNames,
  deleteCoupon,
  findCoupon,
  limitConstraint,
  listCoupons,
  listCouponsAfter,
  saveCoupon,
} from '#database/coupons/coupons.ts'
import { brokenConstraint } from '#database/engine/connect.ts'
import type { Row, Schema } from '#database/engine/schema/schema.ts'
import { couponCode } from '#domain/coupons/coupon.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { Tools } from '../shared/tools.ts'

export type RuleTools = Pick<Tools, 'db' | 'settings'>

/** A coupon in its writable form, with its number of uses. */
export type ShownCoupon = {
  readonly id: number
  readonly written: WrittenCoupon
  readonly used: number
  /** `publish`: the coupon can be used. */
  readonly status: Row<'coupons'>['status']
}

export function ruleUnits({ currency, timeZone }: Tools['settings']): RuleUnits & { readonly currency: string } {
  return { decimals: currencyExponent(currency), timeZone, currency }
}

/** Lists all coupons, the oldest first, or the one of a code. */
export async function showCoupons({ db, settings }: RuleTools, code?: string): Promise<ShownCoupon[]> {
  return shownCoupons(db.kysely, settings, await listCoupons(db.kysely, code === undefined ? code : couponCode(code)))
}

/** Lists coupons after an id, in the order of their ids. */
export async function couponsAfter({ db, settings }: RuleTools, after: number, limit: number): Promise<ShownCoupon[]> {
  return shownCoupons(db.kysely, settings, await listCouponsAfter(db.kysely, after, limit))
}

/** Columns that only programs write. */
export type ProgramColumns = Pick<CouponColumns, 'description' | 'status' | 'meta_data'>

export async function addCoupon(
  tools: RuleTools,
  given: unknown,
  columns: ProgramColumns = {},
): Promise<Checked<ShownCoupon>> {
  return changeCoupon(tools, async (tx) => {
    const checked = await checkCoupon(tx, tools.settings, given)
    if (!checked.ok) return checked
    return (await codeFault(tx, checked.value.code)) ?? { ok: true, value: { ...checked.value, ...columns } }
  })
}

/** Refuses a code that another coupon has, perhaps in the trash. */
async function codeFault(tx: Transaction<Schema>, code: string): Promise<ReturnType<typeof refused> | null> {
  const other = await findCoupon(tx, { code })
  if (!other) return null
  return refused('code', `is taken: there is a coupon "${code}"${other.trashed_at ? ' in the trash' : ''}`)
}

/**
 * Like `editCoupon`, for programs: by id, also from the trash, which the coupon leaves; its code may change. Null: there
 * is no such coupon.
 */
export async function editCouponById(
  tools: RuleTools,
  id: number,
  changes: Readonly<Record<string, unknown>>,
  columns: ProgramColumns,
): Promise<Checked<ShownCoupon> | null> {
  const before = await findCoupon(tools.db.kysely, { id })
  if (!before) return null
  return changeCoupon(
    tools,
    async (tx) => {
      const checked = await checkEdit(tx, tools.settings, before, changes)
      if (!checked.ok) return checked
      const { code } = checked.value
      const fault = code === before.code ? null : await codeFault(tx, code)
      return fault ?? { ok: true, value: { ...checked.value, ...columns } }
    },
    id,
  )
}

/** @param changes members of a written coupon; missing ones stay unchanged */
export async function editCoupon(
  tools: RuleTools,
  code: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<Checked<ShownCoupon>> {
  return changeCoupon(tools, async (tx) => {
    const [before] = await listCoupons(tx, couponCode(code))
    if (!before) return refused('', `There is no coupon "${couponCode(code)}".`)
    return checkEdit(tx, tools.settings, before, changes)
  })
}

async function checkEdit(
  tx: Transaction<Schema>,
  settings: Tools['settings'],
  before: Row<'coupons'>,
  changes: Readonly<Record<string, unknown>>,
): Promise<Checked<CouponColumns>> {
  const [shown] = await shownCoupons(tx, settings, [before])
  // An item limit has no meaning for the new type.
  const moved = changes.type === 'fixed_cart' && changes.limitItems === undefined ? { limitItems: '' } : {}
  return checkCoupon(tx, settings, { ...shown?.written, ...moved, ...changes })
}

/** @returns whether it existed */
export function removeCoupon({ db }: RuleTools, code: string): Promise<boolean> {
  return db.kysely.transaction().execute((tx) => deleteCoupon(tx, couponCode(code)))
}

async function changeCoupon(
  { db, settings }: RuleTools,
  wanted: (tx: Transaction<Schema>) => Promise<Checked<CouponColumns>>,
  id?: number,
): Promise<Checked<ShownCoupon>> {
  return db.kysely.transaction().execute(async (tx) => {
    const checked = await wanted(tx)
    if (!checked.ok) return checked
    const fault = await storeCoupon(tx, checked.value, id)
    if (fault) return { ok: false, faults: [fault] }
    const [shown] = await shownCoupons(tx, settings, await listCoupons(tx, checked.value.code))
    if (!shown) throw new Error(`the coupon ${checked.value.code} is missing after the write`)
    return { ok: true, value: shown }
  })
}

/** Writes a validated coupon. @returns the fault that prevents it, or null */
export async function storeCoupon(
  tx: Transaction<Schema>,
  columns: CouponColumns,
  id?: number,
): Promise<RuleFault | null> {
  // Orders count uses concurrently: the row is locked between read and write.
  const row = await tx
    .selectFrom('coupons')
    .select('used')
    .where(id === undefined ? 'code' : 'id', '=', id ?? columns.code)
    .forUpdate()
    .executeTakeFirst()
  const { usage_limit: limit } = columns
  if (row && typeof limit === 'number' && limit < row.used)
    return { key: 'limit', problem: `must be at least ${row.used}: so often it has been used` }
  try {
    await saveCoupon(tx, columns, id)
    return null
  } catch (error) {
    if (brokenConstraint(error) !== limitConstraint) throw error
    return { key: 'limit', problem: 'is below the number of its uses' }
  }
}

/** Converts a written coupon to columns: figures parsed, products and categories resolved. */
export async function checkCoupon(
  db: Kysely<Schema>,
  settings: Tools['settings'],
  given: unknown,
): Promise<Checked<CouponColumns>> {
  const parsed = writtenCoupon.safeParse(given)
  if (!parsed.success) return { ok: false, faults: schemaFaults(parsed.error) }
  const fields = couponFields(parsed.data, ruleUnits(settings))
  const named = await resolveNames(db, parsed.data)
  if (!fields.ok || !named.ok) {
    return { ok: false, faults: [...(fields.ok ? [] : fields.faults), ...(named.ok ? [] : named.faults)] }
  }
  const { code, type, amountPpm, amountMinor, usageLimit, expiresAt } = fields.value
  return {
    ok: true,
    value: {
      code,
      type,
      amount_ppm: amountPpm,
      amount_minor: amountMinor,
      usage_limit: usageLimit,
      expires_at: expiresAt,
      settings: { ...fields.value.settings, ...named.value },
    },
  }
}

type Named = Record<'productIds' | 'excludedProductIds' | 'categoryIds' | 'excludedCategoryIds', number[]>

async function resolveNames(db: Kysely<Schema>, written: WrittenCoupon): Promise<Checked<Named>> {
  const products = [...written.products, ...written.excludeProducts]
  const categories = [...written.categories, ...written.excludeCategories]
  const numbers = (texts: readonly string[]) => texts.map(numberOf).filter((id) => id !== null)
  const found = await catalogNames(db, {
    skus: products,
    productIds: numbers(products),
    slugs: categories,
    categoryIds: numbers(categories),
  })
  const faults: RuleFault[] = []
  const idsOf = (key: string, texts: readonly string[], find: (text: string) => number | undefined, what: string) => {
    const ids = texts.map((text) => {
      const id = find(text)
      if (id === undefined) faults.push({ key, problem: `there is no ${what} "${text}"` })
      return id ?? 0
    })
    return [...new Set(ids)].sort((a, b) => a - b)
  }
  const product = (text: string) =>
    (found.products.find(({ sku }) => sku === text) ?? found.products.find(({ id }) => id === numberOf(text)))?.id
  const category = (text: string) =>
    (found.categories.find(({ slug }) => slug === text) ?? found.categories.find(({ id }) => id === numberOf(text)))?.id
  const value = {
    productIds: idsOf('products', written.products, product, 'product with the SKU or number'),
    excludedProductIds: idsOf('excludeProducts', written.excludeProducts, product, 'product with the SKU or number'),
    categoryIds: idsOf('categories', written.categories, category, 'category'),
    excludedCategoryIds: idsOf('excludeCategories', written.excludeCategories, category, 'category'),
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value }
}

/** Parses `id:12` and `12` as 12. */
function numberOf(text: string): number | null {
  const digits = /^(?:id:)?(\d{1,15})$/i.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}

async function shownCoupons(
  db: Kysely<Schema>,
  settings: Tools['settings'],
  rows: readonly Row<'coupons'>[],
): Promise<ShownCoupon[]> {
  const parsed = rows.map((row) => ({ row, set: couponSettings.parse(row.settings) }))
  const names = await catalogNames(db, {
    skus: [],
    productIds: parsed.flatMap(({ set }) => [...set.productIds, ...set.excludedProductIds]),
    slugs: [],
    categoryIds: parsed.flatMap(({ set }) => [...set.categoryIds, ...set.excludedCategoryIds]),
  })
  return rows.map((row) => ({
    id: row.id,
    used: row.used,
    status: row.status,
    written: writtenFrom({ ...row }, settings, names),
  }))
}

/** Returns the canonical written form of a coupon: equal columns give equal texts. */
export async function canonicalCoupon(
  db: Kysely<Schema>,
  settings: Tools['settings'],
  columns: CouponColumns,
): Promise<WrittenCoupon> {
  const { productIds, excludedProductIds, categoryIds, excludedCategoryIds } = couponSettings.parse(columns.settings)
  const names = await catalogNames(db, {
    skus: [],
    productIds: [...productIds, ...excludedProductIds],
    slugs: [],
    categoryIds: [...categoryIds, ...excludedCategoryIds],
  })
  return writtenFrom(columns, settings, names)
}

function writtenFrom(
  row: Pick<CouponColumns, 'code' | 'type' | 'settings'> & {
    amount_ppm?: number | null
    amount_minor?: number | null
    usage_limit?: number | null
    expires_at?: Date | string | null
  },
  { currency, timeZone }: Tools['settings'],
  names: CatalogNames,
): WrittenCoupon {
  const set = couponSettings.parse(row.settings)
  const amount = (minor: number | null | undefined) =>
    minor === null || minor === undefined ? '' : decimalString(money(minor, currency))
  const number = (limit: number | null | undefined) => (limit ? String(limit) : '')
  const skus = new Map(names.products.map(({ id, sku }) => [id, sku]))
  const slugs = new Map(names.categories.map(({ id, slug }) => [id, slug]))
  // A name of digits would be read as an id: the id is written instead.
  const named = (ids: readonly number[], of: ReadonlyMap<number, string | null>) =>
    ids.map((id) => {
      const name = of.get(id)
      return name && numberOf(name) === null ? name : `id:${id}`
    })
  return {
    code: row.code,
    type: row.type,
    amount: row.type === 'percent' ? percentText(row.amount_ppm ?? 0) : amount(row.amount_minor ?? 0),
    minimum: amount(set.minimumAmount),
    maximum: amount(set.maximumAmount),
    products: named(set.productIds, skus),
    excludeProducts: named(set.excludedProductIds, skus),
    categories: named(set.categoryIds, slugs),
    excludeCategories: named(set.excludedCategoryIds, slugs),
    excludeSale: set.excludeSaleItems,
    emails: set.emails,
    individual: set.individualUse,
    limit: number(row.usage_limit),
    limitPerCustomer: number(set.usageLimitPerUser),
    limitItems: number(set.limitToItems),
    expires: expiryText(row.expires_at ? new Date(row.expires_at) : null, timeZone),
    freeShipping: set.freeShipping,
  }
}

function refused(key: string, problem: string): { ok: false; faults: RuleFault[] } {
  return { ok: false, faults: [{ key, problem }] }
}
