import { z } from 'zod'

/** Every message of the shop, by its name in settings and commands. */
export const orderShopMailKinds = ['new_order', 'cancelled_order', 'failed_order'] as const
export const stockMailKinds = ['low_stock', 'no_stock', 'backorder'] as const
export const shopMailKinds = [...orderShopMailKinds, ...stockMailKinds] as const
export const customerOrderMailKinds = [
  'customer_on_hold_order',
  'customer_processing_order',
  'customer_completed_order',
  'customer_failed_order',
  'customer_cancelled_order',
  'customer_refunded_order',
  'customer_partially_refunded_order',
  'customer_invoice',
  'customer_note',
] as const
export const accountMailKinds = ['customer_reset_password', 'customer_new_account', 'customer_account_change'] as const
export const mailKinds = [...shopMailKinds, ...customerOrderMailKinds, ...accountMailKinds] as const

export type OrderShopMailKind = (typeof orderShopMailKinds)[number]
export type StockMailKind = (typeof stockMailKinds)[number]
export type ShopMailKind = (typeof shopMailKinds)[number]
export type CustomerOrderMailKind = (typeof customerOrderMailKinds)[number]
export type AccountMailKind = (typeof accountMailKinds)[number]
export type MailKind = (typeof mailKinds)[number]

const filledInAbout = {
  order: ['site_title', 'order_number', 'order_date', 'customer_first_name'],
  stock: ['site_title', 'product_name', 'order_number'],
  account: ['site_title', 'customer_username'],
} as const

export type FilledIn = (typeof filledInAbout)[keyof typeof filledInAbout][number]

/** @returns the placeholders of a message that are filled in the merchant's texts: `{site_title}` */
export function filledIn(kind: MailKind): readonly FilledIn[] {
  if (stockMailKinds.some((one) => one === kind)) return filledInAbout.stock
  return accountMailKinds.some((one) => one === kind) ? filledInAbout.account : filledInAbout.order
}

/** A line of a message header. Line breaks are rejected when the setting is saved. */
const headLine = z
  .string()
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line')
  .default('')

const words = {
  enabled: z.boolean().default(true),
  subject: headLine.describe('empty: the default; {site_title}, {order_number} and {order_date} are filled in'),
  heading: headLine.describe('same placeholders as subject'),
  additional: z.string().max(2000).default('').describe('text at the end of the message; same placeholders as subject'),
  format: z.enum(['html', 'plain']).default('html').describe('html includes a plain text version'),
}

const address = z.email('must be an email address')
const customerMail = z.object(words).prefault({})
const shopMail = z
  .object({ ...words, recipients: z.array(address).max(20).default([]).describe("empty: the shop's own address") })
  .prefault({})

export const mailSettings = z.object({
  from: z.string().default('').describe('the sender of every message; empty: the address in `email`'),
  smtpUrl: z.string().default('').describe('smtp://…; empty: messages are written to the outbox folder'),
  messages: z
    .object({
      ...only(shopMailKinds, shopMail),
      ...only(customerOrderMailKinds, customerMail),
      ...only(accountMailKinds, customerMail),
    })
    .prefault({}),
})

export type MailSettings = z.infer<typeof mailSettings>

function only<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  // fromEntries loses the types of the names.
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
}
