import { parseArgs } from 'node:util'
import { listOrders } from '#database/orders.ts'
import { type OrderStatus, orderStatuses } from '#domain/orders/order-status.ts'
import { readOrderRecord } from '#shop/read-order-record.ts'
import type { Command, CommandContext } from './command.ts'
import { orderLines, orderListLines } from './order-text.ts'

export const ordersCommand: Command = {
  usage: 'orders [<id>] [--status processing] [--limit 20] [--before <id>] [--json]',
  summary: 'Lists orders, newest first, or shows one with its payments, ledger and notes.',

  async run(args, context) {
    const asked = parse(args)
    if (typeof asked === 'string') {
      context.say(asked)
      return 2
    }
    return asked.id === null ? list(asked, context) : show(asked.id, asked.json, context)
  },
}

type Asked = {
  id: number | null
  status: OrderStatus | undefined
  limit: number
  before: number | undefined
  json: boolean
}

function parse(args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        status: { type: 'string' },
        limit: { type: 'string', default: '20' },
        before: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [idText, ...more] = positionals
    const id = idText === undefined ? null : orderId(idText)
    if (id === undefined || more.length > 0) return 'Name one order by its number: npm run shop -- orders 1001'
    const status = orderStatuses.find((known) => known === values.status)
    if (values.status !== undefined && !status) {
      return `There is no status "${values.status}". An order is ${orderStatuses.join(', ')}.`
    }
    const limit = Number(values.limit)
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) return '--limit is a whole number from 1 to 10000.'
    const before = values.before === undefined ? undefined : orderId(values.before)
    if (values.before !== undefined && before === undefined) return "--before is an order's number."
    return { id, status, limit, before, json: values.json }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const orderId = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

async function list({ status, limit, before, json }: Asked, { db, print, say }: CommandContext): Promise<number> {
  const orders = await listOrders(db.kysely, { status, limit, before })
  if (json) print(JSON.stringify(orders))
  else if (orders.length === 0) say(status ? `There is no ${status} order.` : 'There is no order yet.')
  else {
    for (const line of orderListLines(orders)) print(line)
    const last = orders.at(-1)
    if (orders.length === limit && last) say(`Older ones: --before ${last.id}`)
  }
  return 0
}

async function show(id: number, json: boolean, { db, print, say }: CommandContext): Promise<number> {
  const record = await readOrderRecord(db, id)
  if (!record) {
    say(`There is no order ${id}.`)
    return 1
  }
  if (json) print(JSON.stringify(record))
  else for (const line of orderLines(record)) print(line)
  return 0
}
