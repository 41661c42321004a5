import { listPartitions, partition } from '#database/engine/partition/partitions.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, isConfirmed, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { fail, rejectUsage, warn } from '../shared/messages.ts'
import { tableLines } from '../shared/table.ts'
import { megabytes } from './backup.ts'

const usualOrders = 5_000_000
const fewestOrders = 1_000

export const databaseCommand = commandGroup('database', {
  partitions: {
    usage: '[--json]',
    summary: 'Lists the partitioned tables and the size of each partition.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { db, print, say }) {
      const tables = await listPartitions(db.sql)
      if (json) print(JSON.stringify(tables))
      else if (tables.every(({ partitions }) => partitions.length === 0))
        say('No table is partitioned. Partition them with: database partition')
      else for (const line of linesOf(tables)) print(line)
      return 0
    },
  },

  partition: {
    usage: '[--orders <number>] [--yes]',
    summary:
      'Partitions orders, ledger and statistics by time, for shops with many millions of orders. Nothing is copied or lost; ' +
      'the shop waits meanwhile, and adds further partitions by itself.',
    example: '--orders 1000000',
    options: {
      orders: { type: 'string', value: '<number>', what: `orders in each partition; ${usualOrders}` },
      ...yesOption,
    },
    words: [0, 0],
    run: (_, given, context) => partitionAll(given, context),
  },
})

async function partitionAll(given: Given, context: CommandContext): Promise<number> {
  const { say } = context
  const ordersEach = Number(textGiven(given.orders) ?? usualOrders)
  if (!Number.isSafeInteger(ordersEach) || ordersEach < fewestOrders || ordersEach > 1e12) {
    return rejectUsage(
      context,
      `--orders "${textGiven(given.orders)}" is not a whole number of at least ${fewestOrders}. Example: --orders ${usualOrders}`,
    )
  }
  const consequence = 'Visitors wait meanwhile, and no command undoes it.'
  if (!(await isConfirmed(given, context, 'Partition orders, ledger and statistics', consequence))) return 1
  const unchecked = await partition(context, ordersEach)
  if (unchecked === null) {
    return fail(context, 'the tables are partitioned already. Show them with: database partitions')
  }
  say(`Partitioned orders, ledger and statistics by ${ordersEach} orders. Show them with: database partitions`)
  if (unchecked.length > 0)
    warn(context, `constraints now checked by the shop instead of the database: ${unchecked.join(', ')}.`)
  return 0
}

function linesOf(tables: Awaited<ReturnType<typeof listPartitions>>): string[] {
  const head = ['Table', 'Partition', 'From', 'To', 'Rows, about', 'Size']
  const rows = tables.flatMap(({ table, partitions }) =>
    partitions.map(({ name, from, to, isDefault, rows: count, bytes }) => [
      table,
      name,
      isDefault ? 'the rest' : (from ?? ''),
      to ?? '',
      String(count),
      megabytes(bytes),
    ]),
  )
  return tableLines([head, ...rows], [4, 5])
}
