import { listPartitions, partition } from '#database/engine/partition/partitions.ts'
import type { CommandContext } from '../shared/command.ts'
import { commandGroup, type Given, isMeant, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { tableLines } from '../shared/table.ts'
import { megabytes } from './backup.ts'

const usualOrders = 5_000_000
const fewestOrders = 1_000

export const databaseCommand = commandGroup('database', {
  partitions: {
    usage: '[--json]',
    summary: 'Which tables are partitioned by time, and how large each partition is.',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { db, print, say }) {
      const tables = await listPartitions(db.sql)
      if (json) print(JSON.stringify(tables))
      else if (tables.every(({ partitions }) => partitions.length === 0)) say('Every table is whole.')
      else for (const line of linesOf(tables)) print(line)
      return 0
    },
  },

  partition: {
    usage: '[--orders <number>] [--yes]',
    summary:
      'Partitions orders, ledger and statistics by time, for shops of many million orders. Nothing is copied or lost; ' +
      'the shop waits meanwhile, and adds further partitions by itself.',
    options: {
      orders: { type: 'string', value: '<number>', what: `orders in each partition, ${usualOrders} unless told` },
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
    say(`--orders: a whole number of at least ${fewestOrders}`)
    return 2
  }
  const question =
    'Partition orders, ledger and statistics? Visitors wait meanwhile, and it cannot be undone by a command.'
  if (!(await isMeant(given, context, question))) return 1
  const unchecked = await partition(context, ordersEach)
  if (unchecked === null) {
    say('They are partitioned already: database partitions shows how.')
    return 1
  }
  say('Done. database partitions shows how they lie now.')
  if (unchecked.length > 0) say(`Left to the shop instead of the database from now on: ${unchecked.join(', ')}.`)
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
