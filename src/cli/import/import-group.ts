import { reviewTitles } from '#contract/catalog/reviews-csv.ts'
import { couponColumns } from '#contract/coupons/coupons-csv.ts'
import { customerTitles } from '#contract/customers/customers-csv.ts'
import { orderTitles } from '#contract/orders/orders-csv-columns.ts'
import { nearest } from '#contract/shared/suggest-word.ts'
import { importReviews } from '#shop/catalog/import-reviews.ts'
import { importCoupons } from '#shop/coupons/import-coupons.ts'
import { importCustomers } from '#shop/customers/import-customers.ts'
import { importOrders } from '#shop/orders/import-orders.ts'
import type { Command } from '../shared/command.ts'
import { commandGroup, textGiven } from '../shared/command-group.ts'
import { importCommand } from './import.ts'
import { recordImport } from './record-import.ts'

const group = commandGroup('import', {
  products: importCommand.single,

  coupons: recordImport({
    summary: 'Imports coupons from a CSV file of a classic export plug-in or of Shopify.',
    example: 'coupons.csv --dry-run',
    options: {},
    titles: couponColumns,
    one: 'coupon',
    use: (context, rows, options) => importCoupons(context, rows, options),
  }),

  customers: recordImport({
    summary: 'Imports customers without passwords and without emails. Their first login mails a link to choose one.',
    example: 'customers.csv --skip-faulty',
    options: {},
    titles: customerTitles,
    one: 'customer',
    use: (context, rows, options) => importCustomers(context, rows, options),
  }),

  orders: recordImport({
    summary: 'Imports orders of another shop as history: shown and exported, never paid, refunded, mailed or counted.',
    example: 'orders.csv --from oldshop.example',
    options: {
      from: { type: 'string', value: '<shop>', what: 'the name of the other shop; woocommerce or shopify' },
    },
    titles: orderTitles,
    one: 'order',
    use: (context, rows, options, given) =>
      importOrders(context, rows, { ...options, from: textGiven(given.from)?.trim() || undefined }),
  }),

  reviews: recordImport({
    summary: 'Imports product reviews with answers from a file of a classic export plug-in or a review app of Shopify.',
    example: 'reviews.csv --dry-run',
    options: {},
    titles: reviewTitles,
    one: 'review',
    use: (context, rows, options) => importReviews(context, rows, options),
  }),
})

const kinds = Object.keys(group.subs ?? {})

/** `import products.csv` imports products. A word that looks like a kind is no name of a file. */
const withProducts = (args: readonly string[]) => {
  const [word] = args
  if (word === undefined || kinds.includes(word)) return args
  return !/[./\\]/.test(word) && !word.startsWith('-') && nearest(word, kinds) !== null ? args : ['products', ...args]
}

export const importGroup: Command = {
  ...group,
  expand: withProducts,
  usageProblem: (args) => group.usageProblem(withProducts(args)),
  run: (args, context) => group.run(withProducts(args), context),
}
