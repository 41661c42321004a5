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
import { tableLines } from '../shared/table.ts'

const rules = {
  type: {
    type: 'string',
    value: '<type>',
    completes: couponTypes,
    what: 'percent, fixed_cart (off the whole cart) or fixed_product (off each piece)',
  },
  amount: { type: 'string', value: '<figure>', what: 'the percentage, or the amount in the currency of the shop' },
  minimum: { type: 'string', value: '<amount>', what: 'the cart must come to so much before discounts' },
  maximum: { type: 'string', value: '<amount>', what: 'the cart must not come to more' },
  products: {
    type: 'string',
    multiple: true,
    completes: 'product',
    value: '<SKU>',
    what: 'for these products alone, by SKU or id:12',
  },
  'exclude-products': {
    type: 'string',
    multiple: true,
    completes: 'product',
    value: '<SKU>',
    what: 'not for these products',
  },
  categories: {
    type: 'string',
    multiple: true,
    completes: 'category',
    value: '<slug>',
    what: 'for these categories and those below',
  },
  'exclude-categories': {
    type: 'string',
    multiple: true,
    completes: 'category',
    value: '<slug>',
    what: 'not for these categories',
  },
  'exclude-sale': { type: 'boolean', what: 'not for what is on sale' },
  emails: {
    type: 'string',
    multiple: true,
    value: '<address>',
    what: 'for these customers alone; patterns like *@club.example',
  },
  individual: { type: 'boolean', what: 'not together with other coupons' },
  limit: { type: 'string', value: '<number>', what: 'how many orders may use it; 0: any number' },
  'limit-per-customer': { type: 'string', value: '<number>', what: 'how often one customer may use it' },
  'limit-items': { type: 'string', value: '<number>', what: 'how many pieces of a cart it discounts' },
  expires: { type: 'string', value: '<date>', what: '2026-12-31: no longer valid on that day; "" for never' },
  'free-shipping': { type: 'boolean', what: 'opens shipping methods that ask for such a coupon' },
} as const satisfies Options

/** Switches that `edit` can turn off again. */
const off = {
  'no-exclude-sale': { type: 'boolean', what: 'also for what is on sale' },
  'no-individual': { type: 'boolean', what: 'together with other coupons' },
  'no-free-shipping': { type: 'boolean', what: 'does not open shipping methods' },
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
    summary: 'Coupons, the oldest first, with how often each was used.',
    options: { ...listOptions },
    words: [0, 0],
    async run(_, given, context) {
      const page = pageGiven(given)
      if (typeof page === 'string') {
        context.say(page)
        return 2
      }
      const coupons = await showCoupons(context)
      printList(context, given, page, {
        items: coupons.slice(page.offset, page.offset + page.limit),
        count: coupons.length,
        columns: couponColumns(context),
        json: asJson,
        none: 'There is no coupon yet: coupons add spring --type percent --amount 15',
      })
      return 0
    },
  },

  show: {
    usage: '<code> [--json]',
    summary: 'One coupon with all its rules.',
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
    summary: 'Sets up a coupon.',
    options: {
      code: { type: 'string', value: '<code>', what: 'what customers type; it may also stand first' },
      ...rules,
      ...jsonOption,
    },
    words: [0, 1],
    async run([word], given, context) {
      const code = word ?? given.code
      if (typeof code !== 'string') {
        context.say('Say the code that customers will type: coupons add spring --type percent --amount 15')
        return 2
      }
      // Without them the coupon would take nothing off, which nobody means.
      const missing = ['type', 'amount'].filter((option) => given[option] === undefined && !given['free-shipping'])
      for (const option of missing) context.say(`--${option}: is missing`)
      if (missing.length > 0) return 1
      return told(await addCoupon(context, { code, ...changes(given) }), given, context)
    },
  },

  edit: {
    usage: '<code> [options]',
    summary: 'Changes what is given and leaves the rest; "" empties a value or a list.',
    options: { ...rules, ...off, ...jsonOption },
    words: [1, 1],
    completes: ['coupon'],
    async run([code = ''], given, context) {
      const wanted = changes(given)
      if (Object.keys(wanted).length === 0) {
        context.say('Nothing was given to change.')
        return 2
      }
      return told(await editCoupon(context, code, wanted), given, context)
    },
  },

  remove: {
    usage: '<code>',
    summary: 'Takes a coupon away. Orders keep what it took off.',
    options: {},
    words: [1, 1],
    completes: ['coupon'],
    async run([code = ''], _, context) {
      if (!(await removeCoupon(context, code))) return unknown(code, context)
      context.say(`${code} is gone.`)
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

function told(saved: Awaited<ReturnType<typeof addCoupon>>, { json }: Given, context: CommandContext): number {
  if (!saved.ok) {
    printFaults(context, saved.faults, optionOf)
    return 1
  }
  print(saved.value, json === true, context)
  for (const note of notes(saved.value, context)) context.say(`Note: ${note}.`)
  return 0
}

/** What can be meant, and hardly is. */
function notes({ written }: ShownCoupon, { settings, clock }: CommandContext): string[] {
  const fields = couponFields(written, ruleUnits(settings))
  const expiresAt = fields.ok ? fields.value.expiresAt : null
  const both = (one: readonly string[], other: readonly string[]) =>
    one.filter((name) => other.includes(name)).join(', ')
  const products = both(written.products, written.excludeProducts)
  const categories = both(written.categories, written.excludeCategories)
  return [
    ...(products === '' ? [] : [`${products} is in --products and in --exclude-products, so nothing is taken off it`]),
    ...(categories === ''
      ? []
      : [`${categories} is in --categories and in --exclude-categories, so nothing is taken off what is there`]),
    ...(expiresAt !== null && expiresAt <= clock.now() ? ['it has expired already'] : []),
  ]
}

function unknown(code: string, { say }: CommandContext): number {
  say(`There is no coupon "${code}".`)
  return 1
}

function asJson({ id, written, used }: ShownCoupon) {
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

/** What restricts a coupon, in the words that set it. */
function rulesText(written: WrittenCoupon): string {
  const restricts = Object.entries(written).filter(([member, value]) => {
    const told = ['code', 'type', 'amount', 'limit', 'expires'].includes(member)
    return !told && (Array.isArray(value) ? value.length > 0 : value !== '' && value !== false)
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

/** `excludeSale` as `exclude-sale`: the word that changes it. */
function wordOf(member: string): string {
  return (optionOf[member] ?? member).replace(/^--/, '')
}

function shown(value: string | boolean | readonly string[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return (Array.isArray(value) ? value.join(', ') : String(value)) || '-'
}
