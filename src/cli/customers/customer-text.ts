import type { DeskCustomer } from '#database/customers/desk-customers.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { addressLines } from '#shop/addresses/address-lines.ts'
import { storedAttribution } from '#shop/attribution/attribution-intake.ts'
import { originInEnglish, originOfOrder } from '#shop/attribution/attribution-origin.ts'
import type { DeskCustomerRecord } from '#shop/customers/desk-customers.ts'
import { type AddressState, emptyAddress } from '#shop/customers/sessions/session-state.ts'
import type { CommandContext } from '../shared/command.ts'
import type { Column } from '../shared/listing.ts'
import { minute, section } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

type Settings = CommandContext['settings']

const figure = (minor: number, currency: string) => decimalString(money(minor, currency))
const nameOf = (customer: Pick<DeskCustomer, 'first_name' | 'last_name' | 'display_name'>) =>
  `${customer.first_name} ${customer.last_name}`.trim() || customer.display_name

export function customerColumns({ currency }: Settings): Column<DeskCustomer>[] {
  return [
    { title: 'Number', cell: ({ id }) => String(id), right: true },
    { title: 'Name', cell: nameOf },
    { title: 'Email', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Orders', cell: ({ orders }) => String(orders), right: true },
    { title: `Spent (${currency})`, cell: ({ spent }) => figure(spent, currency), right: true },
    { title: 'Last order (UTC)', cell: ({ last_order_at: at }) => (at ? minute(at) : '') },
    { title: 'Since (UTC)', cell: ({ created_at: at }) => minute(at) },
  ]
}

/** A customer for programs, without the digests of passwords and links. */
export function customerJson(
  { customer, bought, orders, logins }: Pick<DeskCustomerRecord, 'bought'> & Partial<DeskCustomerRecord>,
  { currency }: Settings,
) {
  const { id, email, username, role } = bought
  return {
    ...{ id, email, username, role },
    firstName: bought.first_name,
    lastName: bought.last_name,
    displayName: bought.display_name,
    vatExempt: bought.vat_exempt,
    since: bought.created_at,
    orderCount: bought.orders,
    spent: figure(bought.spent, currency),
    currency,
    lastOrderAt: bought.last_order_at,
    // null: the language of the shop.
    ...(customer
      ? {
          language: customer.language || null,
          billing: customer.billing,
          shipping: customer.shipping,
          logins,
          attribution: storedAttribution(customer.attribution),
        }
      : {}),
    ...(orders
      ? {
          orders: orders.map((order) => ({
            id: order.id,
            status: order.status,
            total: figure(order.total, order.currency),
            currency: order.currency,
            placedAt: order.created_at,
          })),
        }
      : {}),
  }
}

/** The page of one customer. */
export function customerLines({ customer, bought, orders, logins }: DeskCustomerRecord, settings: Settings): string[] {
  const rows = [
    ['Number', String(customer.id)],
    ['Email', customer.email],
    ['User name', customer.username],
    ['Role', customer.role],
    ['Language', customer.language],
    ['Since', `${minute(customer.created_at)} UTC`],
    ['Came from', storedAttribution(customer.attribution).source_type ? originInEnglish(originOfOrder(customer)) : ''],
    ['Password', customer.password === null ? 'none was chosen yet' : 'chosen'],
    ['Logged in', logins === 1 ? 'on 1 device' : `on ${logins} devices`],
    ['Tax', customer.vat_exempt ? 'pays none' : ''],
    [
      'Bought',
      `${bought.orders} orders, ${figure(bought.spent, settings.currency)} ${settings.currency} paid and kept`,
    ],
  ]
  return [
    nameOf(customer),
    ...tableLines(rows.filter(([, value]) => value !== '')),
    ...addressSection('Billing', customer.billing, settings),
    ...addressSection('Shipping', customer.shipping, settings),
    ...section(
      'Last orders (UTC)',
      orders.map((order) => [
        String(order.id),
        minute(order.created_at),
        order.status,
        `${figure(order.total, order.currency)} ${order.currency}`,
      ]),
      [3],
    ),
  ]
}

function addressSection(title: string, stored: object, settings: Settings): string[] {
  // Only the address forms and the checkout write it, with this type; later members may be missing.
  const address = { ...emptyAddress, ...(stored as Partial<AddressState>) }
  const lines = addressLines(settings, address).filter((line) => line.trim() !== '')
  const contact = [address.email, address.phone].filter((line) => line !== undefined && line !== '')
  return lines.length === 0
    ? []
    : section(
        title,
        [...lines, ...contact].map((line) => [String(line)]),
      )
}
