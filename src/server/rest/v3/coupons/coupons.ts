import {
  type V3CouponRecord,
  type V3CouponsInput,
  type V3CouponUpdate,
  v3CouponCreate,
  v3CouponRecord,
  v3CouponsInput,
  v3CouponUpdate,
} from '#contract/coupons/v3-coupons.ts'
import type { RuleFault } from '#contract/shared/merchant-rules.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { deleteCoupon, findCoupon, trashCoupon } from '#database/coupons/coupons.ts'
import { findCouponUsers, listRestCoupons, type RestCouponFilter } from '#database/coupons/rest-coupons.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import { addCoupon, editCouponById, type ProgramColumns } from '#shop/coupons/manage-coupons.ts'
import { couponParameters, restCoupon, writtenByProgram } from '#shop/coupons/rest-coupon.ts'
import { changedMetaData } from '#shop/shared/meta-data.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

type CouponRow = Row<'coupons'>

/** `wc/v3/coupons`: coupons, by the rules of the commands. */
export const v3CouponCalls = v3Resource({
  path: 'coupons',
  title: 'coupon',
  item: v3CouponRecord,
  batch: true,
  list: {
    query: v3CouponsInput,
    async run(context, query) {
      const { tools } = context
      await context.record('coupons list', `list page=${query.page}`)
      const offset = query.offset ?? query.per_page * (query.page - 1)
      const filter = filterOf(query, tools.settings.timeZone)
      const { total, coupons } = await listRestCoupons(tools.db.kysely, filter, { limit: query.per_page, offset })
      return { total, records: await recordsOf(context, coupons) }
    },
  },
  async get(context, id: number) {
    const coupon = await couponOf(context, id)
    await context.record('coupons show', `coupon:${id}`)
    return recordOf(context, coupon)
  },
  create: {
    input: v3CouponCreate,
    async run(context, input) {
      const made = await addCoupon(context.tools, writtenByProgram(context.tools, input), columnsOf(input, {}))
      if (!made.ok) throw couponError(made.faults)
      await context.record('coupons create', `coupon:${made.value.id}`)
      return recordOf(context, await couponOf(context, made.value.id))
    },
  },
  update: {
    input: v3CouponUpdate,
    async run(context, id, input) {
      const { tools } = context
      const before = await couponOf(context, id)
      const columns = columnsOf(input, before.meta_data)
      const changed = await editCouponById(tools, id, writtenByProgram(tools, input), columns)
      if (!changed) throw unknownId('shop_coupon')
      if (!changed.ok) throw couponError(changed.faults)
      await context.record('coupons update', `coupon:${id}`)
      return recordOf(context, await couponOf(context, id))
    },
  },
  remove: {
    trash: true,
    async run(context, id, { force }) {
      const { tools } = context
      const coupon = await couponOf(context, id)
      if (!force && coupon.trashed_at)
        throw new V3Error(410, 'woocommerce_rest_already_trashed', 'The coupon has already been trashed.')
      const record = await recordOf(context, coupon)
      const now = tools.clock.now()
      await transaction(tools, async (tx) => {
        if (force) await deleteCoupon(tx, coupon.code)
        else await trashCoupon(tx, id, now)
      })
      await context.record(force ? 'coupons delete' : 'coupons trash', `coupon:${id}`)
      return force ? record : recordOf(context, await couponOf(context, id))
    },
  },
})

const sequences = {
  date: 'created',
  title: 'code',
  slug: 'code',
  id: 'id',
  modified: 'modified',
  include: 'include',
} as const

function filterOf(query: V3CouponsInput, timeZone: string): RestCouponFilter {
  const moment = (text: string | undefined) =>
    text === undefined ? null : momentIn(text, query.dates_are_gmt ? 'UTC' : timeZone)
  const isAny = query.status.length === 0 || query.status.includes('any')
  return {
    code: query.code ?? null,
    text: query.search,
    statuses: isAny ? null : query.status.filter((status) => status !== 'any' && status !== 'trash'),
    trash: query.status.includes('trash'),
    after: moment(query.after),
    before: moment(query.before),
    modifiedAfter: moment(query.modified_after),
    modifiedBefore: moment(query.modified_before),
    include: query.include,
    exclude: query.exclude,
    orderBy: sequences[query.orderby],
    descending: query.order === 'desc',
  }
}

function columnsOf({ description, status, meta_data: given }: V3CouponUpdate, before: object): ProgramColumns {
  const metaData = given ? changedMetaData(before, given) : null
  if (metaData && !metaData.ok) throw invalidParam('meta_data', metaData.problem)
  return {
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    ...(metaData ? { meta_data: metaData.column } : {}),
  }
}

/** Returns the first fault of a coupon by its parameter; a taken code has a code of its own. */
function couponError(faults: readonly RuleFault[]): V3Error {
  const [fault = { key: '', problem: 'is not valid' }] = faults
  if (fault.key === 'code' && fault.problem.startsWith('is taken'))
    return new V3Error(400, 'woocommerce_rest_coupon_code_already_exists', `The coupon code ${fault.problem}.`)
  const [member = ''] = fault.key.split(/[.[]/)
  return invalidParam(couponParameters[member] ?? member, fault.problem)
}

async function couponOf({ tools }: V3Context, id: number): Promise<CouponRow> {
  const coupon = await findCoupon(tools.db.kysely, { id })
  if (!coupon) throw unknownId('shop_coupon')
  return coupon
}

async function recordOf(context: V3Context, coupon: CouponRow): Promise<V3CouponRecord> {
  const users = await findCouponUsers(context.tools.db.kysely, [coupon.id])
  return restCoupon(context.tools, coupon, users.get(coupon.id) ?? [])
}

async function recordsOf({ tools }: V3Context, coupons: readonly CouponRow[]): Promise<V3CouponRecord[]> {
  const ids = coupons.map(({ id }) => id)
  const users = await findCouponUsers(tools.db.kysely, ids)
  return coupons.map((coupon) => restCoupon(tools, coupon, users.get(coupon.id) ?? []))
}
