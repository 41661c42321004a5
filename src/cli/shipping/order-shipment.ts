import { findOrderItems } from '#database/orders/orders.ts'
import { reportShipment, type ShipmentRefusal } from '#shop/shipping/report-shipment.ts'
import { orderIdOf, unknownOrder } from '../orders/order-id.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, jsonOption, listGiven, type SubCommand, textGiven } from '../shared/command-group.ts'
import { fail, rejectUsage } from '../shared/messages.ts'

export const shipmentCommand: SubCommand = {
  usage: '<number> --tracking <number> --carrier <carrier> [options]',
  summary: 'Reports the shipment of an order to PayPal, where it was paid by PayPal.',
  example: '1042 --tracking 443844607820 --carrier FEDEX',
  options: {
    tracking: { type: 'string', value: '<number>', what: 'the tracking number of the parcel' },
    carrier: {
      type: 'string',
      value: '<carrier>',
      what: 'a carrier code of PayPal such as DHL or FEDEX, or a name',
    },
    lines: {
      type: 'string',
      multiple: true,
      value: '<SKU>:<pieces>',
      completes: 'product',
      what: 'the content of the parcel, as MUG:1; the whole order',
    },
    'notify-payer': { type: 'boolean', what: 'PayPal emails the payer' },
    ...jsonOption,
  },
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const items = await itemsGiven(id, given, context)
    if (typeof items === 'string') return rejectUsage(context, items)
    const trackingNumber = textGiven(given.tracking) ?? ''
    const carrier = textGiven(given.carrier) ?? ''
    const shipment = { trackingNumber, carrier, items, notifyPayer: given['notify-payer'] === true }
    const result = await reportShipment(context, id, shipment)
    if (!result.ok) {
      if (result.reason === 'not-found') return unknownOrder(id, context)
      return fail(context, `order ${id}: ${refusals[result.reason].replace(/orders show$/, `$& ${id}`)}`)
    }
    if (given.json) context.print(JSON.stringify({ order: id, tracking: trackingNumber, carrier }))
    context.say(`Order ${id}: the running shop reports shipment ${trackingNumber} to PayPal.`)
    return 0
  },
}

const refusals: Readonly<Record<Exclude<ShipmentRefusal, 'not-found'>, string>> = {
  'not-captured': 'PayPal has no captured payment for it. Only such orders can be reported.',
  'number-invalid': 'a tracking number has 1 to 64 characters: --tracking 443844607820',
  'carrier-invalid': 'a carrier has 1 to 64 characters: --carrier DHL',
  'items-invalid': 'more pieces than were ordered. See: orders show',
}

/** Finds the order items by SKU; an error where the order has none with it. */
async function itemsGiven(
  orderId: number,
  given: Given,
  context: CommandContext,
): Promise<{ itemId: number; quantity: number }[] | string> {
  const ordered = (await findOrderItems(context.db.kysely, orderId)).filter(({ type }) => type === 'line_item')
  const items: { itemId: number; quantity: number }[] = []
  for (const line of listGiven(given.lines) ?? []) {
    const [, sku = '', pieces] = /^(.+?)(?::(\d{1,9}))?$/.exec(line) ?? []
    const item = ordered.find((one) => one.sku === sku)
    if (!item)
      return `order ${orderId} has no line "${sku}". Choose one of: ${ordered.map((one) => one.sku).join(', ')}`
    items.push({ itemId: item.id, quantity: pieces === undefined ? item.quantity : Number(pieces) })
  }
  return items
}
