import { couponFields, couponTypes, type WrittenCoupon } from '#contract/coupons/settings.ts'
import {
  addCoupon,
  editCoupon,
  removeCoupon,
  ruleUnits,
  type ShownCoupon,
  showCoupons,
} from '#shop/coupons/manage-coupons.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, jsonOption, listGiven, type Options, printFaults } from '../shared/command-group.ts'
import { type Column, listOptions, pageGiven, printList } from '../shared/listing.ts'
import { fail, rejectUsage, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'

const rules = {
  type: {
    type: 'string',
    value: '<type>',
    completes: couponTypes,
    what: 'percent, fixed_cart (an amount off the cart) or fixed_product (an amount off each piece)',
  },
  amount: { type: 'string', value: '<figure>', what: 'a percentage, or an amount in the shop currency' },
  minimum: { type: 'string', value: '<amount>', what: 'the least value of the cart before discounts' },
  maximum: { type: 'string', value: '<amount>', what: 'the largest value of the cart' },
  products: {
    type: 'string',
    multiple: true,
    completes: 'product',
    value: '<SKU>',
    what: 'applies to these products only, by SKU or id:12',
  },
  'exclude-products': {
    type: 'string',
    multiple: true,
    completes: 'product',
    value: '<SKU>',
    what: 'does not apply to these products',
  },
  categories: {
    type: 'string',
    multiple: true,
    completes: 'category',
    value: '<slug>',
    what: 'applies to these categories and their subcategories only',
  },
  'exclude-categories': {
    type: 'string',
    multiple: true,
    completes: 'category',
    value: '<slug>',
    what: 'does not apply to these categories',
  },
  'exclude-sale': { type: 'boolean', what: 'does not apply to products on sale' },
  emails: {
    type: 'string',
    multiple: true,
    value: '<address>',
    what: 'for these customers only; patterns like *@club.example',
  },
  individual: { type: 'boolean', what: 'cannot be combined with other coupons' },
  limit: { type: 'string', value: '<number>', what: 'the number of orders that may use it; 0 for any number' },
  'limit-per-customer': { type: 'string', value: '<number>', what: 'the number of orders of one customer' },
  'limit-items': { type: 'string', value: '<number>', what: 'the number of pieces in a cart that it discounts' },
  expires: {
    type: 'string',
    value: '<date>',
    what: 'the first day on which it is invalid, as 2026-12-31; "" for never',
  },
  'free-shipping': { type: 'boolean', what: 'enables shipping methods that require such a coupon' },
} as const satisfies Options

/** Options by which `edit` clears a rule. */
const off = {
  'no-exclude-sale': { type: 'boolean', what: 'applies to products on sale as well' },
  'no-individual': { type: 'boolean', what: 'can be combined with other coupons' },
  'no-free-shipping': { type: 'boolean', what: 'enables no shipping methods' },
} as const satisfies Options

const memberOf: Readonly<Record<string, keyof WrittenCoupon>> = {
  type: 'type',
  amount: 'amount',
  minimum: 'minimum',
  maximum: 'maximum',
  products: 'products',
  'exclude-products': 'excludeProducts',
  categories: 'categories',
  'exclude-categories': 'excludeCategories',
  'exclude-sale': 'excludeSale',
  emails: 'emails',
  individual: 'individual',
  limit: 'limit',
  'limit-per-customer': 'limitPerCustomer',
  'limit-items': 'limitItems',
  expires: 'expires',
  'free-shipping': 'freeShipping',
}

const optionOf = Object.fromEntries(Object.entries(memberOf).map(([option, member]) => [member, `--${option}`]))

export const couponsCommand = commandGroup('coupons', {
  list: {
    usage: '[options]',
    summary: 'Lists coupons with their uses, oldest first.',
    example: '',
    options: { ...listOptions },
    words: [0, 0],
    async run(_, given, context) {
      const page = pageGiven(given)
      if (typeof page === 'string') return rejectUsage(context, page)
      const coupons = await showCoupons(context)
      printList(context, given, page, {
        items: coupons.slice(page.offset, page.offset + page.limit),
        count: coupons.length,
        columns: couponColumns(context),
        json: asJson,
        none: 'There are no coupons yet. Add one: coupons add spring --type percent --amount 15',
      })
      return 0
    },
  },

  show: {
    usage: '<code> [--json]',
    summary: 'Shows one coupon with all its rules.',
    example: 'spring',
    options: jsonOption,
    words: [1, 1],
    completes: ['coupon'],
    async run([code = ''], { json }, context) {
      const [coupon] = await showCoupons(context, code)
      if (!coupon) return unknown(code, context)
      print(coupon, json === true, context)
      return 0
    },
  },

  add: {
    usage: '<code> --type percent --amount 15 [options]',
    summary: 'Creates a coupon.',
    example: 'spring --type percent --amount 15',
    options: {
      code: { type: 'string', value: '<code>', what: 'the code that customers type, if it is not the first word' },
      ...rules,
      ...jsonOption,
    },
    words: [0, 1],
    async run([word], given, context) {
      const code = word ?? given.code
      if (typeof code !== 'string')
        return rejectUsage(context, 'the code is missing. Example: coupons add spring --type percent --amount 15')
      // Without them the coupon would have no effect.
      const missing = ['type', 'amount'].filter((option) => given[option] === undefined && !given['free-shipping'])
      if (missing.length > 0) {
        const options = missing.map((option) => `--${option}`).join(' and ')
        return fail(
          context,
          `${options} missing for "${code}". Example: coupons add ${code} --type percent --amount 15`,
        )
      }
      return printSaved(await addCoupon(context, { code, ...changes(given) }), given, context)
    },
  },

  edit: {
    usage: '<code> [options]',
    summary: 'Changes the given values of a coupon; "" empties a value or a list.',
    example: 'spring --amount 20',
    options: { ...rules, ...off, ...jsonOption },
    words: [1, 1],
    completes: ['coupon'],
    async run([code = ''], given, context) {
      const wanted = changes(given)
      if (Object.keys(wanted).length === 0) {
        return rejectUsage(context, `no option to change was given. Example: coupons edit ${code} --amount 20`)
      }
      return printSaved(await editCoupon(context, code, wanted), given, context)
    },
  },

  remove: {
    usage: '<code>',
    summary: 'Removes a coupon. Orders keep its discount.',
    example: 'spring',
    options: {},
    words: [1, 1],
    completes: ['coupon'],
    async run([code = ''], _, context) {
      if (!(await removeCoupon(context, code))) return unknown(code, context)
      context.say(`Removed coupon ${code}.`)
      return 0
    },
  },
})

function changes(given: Given): Record<string, unknown> {
  const wanted: Record<string, unknown> = {}
  for (const [option, value] of Object.entries(given)) {
    const positive = option.replace(/^no-/, '')
    const member = memberOf[positive]
    if (member === undefined || value === undefined) continue
    wanted[member] = listGiven(value) ?? (typeof value === 'boolean' ? positive === option : value)
  }
  return wanted
}

function printSaved(saved: Awaited<ReturnType<typeof addCoupon>>, given: Given, context: CommandContext): number {
  if (!saved.ok) return printFaults(context, saved.faults, optionOf, given)
  print(saved.value, given.json === true, context)
  for (const note of notes(saved.value, context)) warn(context, `${note}.`)
  return 0
}

/** Valid rules that are probably a mistake. */
function notes({ written }: ShownCoupon, { settings, clock }: CommandContext): string[] {
  const fields = couponFields(written, ruleUnits(settings))
  const expiresAt = fields.ok ? fields.value.expiresAt : null
  const both = (one: readonly string[], other: readonly string[]) =>
    one.filter((name) => other.includes(name)).join(', ')
  const products = both(written.products, written.excludeProducts)
  const categories = both(written.categories, written.excludeCategories)
  return [
    ...(products === '' ? [] : [`${products} is in --products and in --exclude-products, so it gets no discount`]),
    ...(categories === ''
      ? []
      : [`${categories} is in --categories and in --exclude-categories, so its products get no discount`]),
    ...(expiresAt !== null && expiresAt <= clock.now() ? [`${written.code} has expired already`] : []),
  ]
}

function unknown(code: string, context: CommandContext): number {
  return fail(context, `coupon "${code}" does not exist. List coupons: coupons list`)
}

function asJson({ id, written, used }: Pick<ShownCoupon, 'id' | 'written' | 'used'>) {
  return { id, ...written, used }
}

function takesOff({ type, amount }: WrittenCoupon, currency: string): string {
  if (type === 'percent') return `${amount} %`
  return `${amount} ${currency}${type === 'fixed_product' ? ' each' : ''}`
}

function couponColumns({ settings }: CommandContext): readonly Column<ShownCoupon>[] {
  return [
    { title: 'Code', cell: ({ written }) => written.code },
    { title: 'Takes off', cell: ({ written }) => takesOff(written, settings.currency) },
    { title: 'Used', cell: ({ written, used }) => usedText(written, used), csv: ({ used }) => String(used) },
    { title: 'Limit', csv: ({ written }) => written.limit },
    { title: 'Expires', cell: ({ written }) => written.expires },
    { title: 'Rules', cell: ({ written }) => rulesText(written) },
  ]
}

const usedText = ({ limit }: WrittenCoupon, used: number) => (limit ? `${used} of ${limit}` : String(used))

/** The restrictions of a coupon, by their options. */
function rulesText(written: WrittenCoupon): string {
  const restricts = Object.entries(written).filter(([member, value]) => {
    const isShown = ['code', 'type', 'amount', 'limit', 'expires'].includes(member)
    return !isShown && (Array.isArray(value) ? value.length > 0 : value !== '' && value !== false)
  })
  return restricts
    .map(([member, value]) => (value === true ? wordOf(member) : `${wordOf(member)} ${String(value)}`))
    .join('; ')
}

function print({ id, written, used }: ShownCoupon, json: boolean, context: CommandContext): void {
  if (json) {
    context.print(JSON.stringify(asJson({ id, written, used })))
    return
  }
  const rows = [
    ['Code', written.code],
    ['Takes off', takesOff(written, context.settings.currency)],
    ['Type', written.type],
    ['Used', usedText(written, used)],
    ...Object.entries(written)
      .filter(([member]) => !['code', 'type', 'amount', 'limit'].includes(member))
      .map(([member, value]) => [wordOf(member), shown(value)]),
  ]
  for (const line of tableLines(rows)) context.print(line)
}

/** `excludeSale` as `exclude-sale`, the option that changes it. */
function wordOf(member: string): string {
  return (optionOf[member] ?? member).replace(/^--/, '')
}

function shown(value: string | boolean | readonly string[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return (Array.isArray(value) ? value.join(', ') : String(value)) || '-'
}
