import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aDatabase, partitioned } from '#tests/support/database/database.ts'

const source = [
  'schema.ts',
  'after-sales.ts',
  'api-keys.ts',
  'catalog-terms.ts',
  'currency.ts',
  'migrations.ts',
  'orders.ts',
  'payments.ts',
  'statistics.ts',
  'translation.ts',
  'visitors.ts',
  'webhooks.ts',
]
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n')

/** `products` → its columns, and whether their type includes null, as in schema.ts. */
function typedColumns(): Record<string, Record<string, boolean>> {
  const tables = /export type Schema = \{(.*?)\n\}/s.exec(source)?.[1]?.matchAll(/^ {2}(\w+): (\w+)$/gm) ?? []
  return Object.fromEntries(
    [...tables].map(([, table = '', type]) => {
      const body = new RegExp(`type ${type} = \\{(.*?)\\n?\\}\\n`, 's').exec(source)?.[1] ?? ''
      const columns = body.matchAll(/(?:^|[{;\n])\s*(\w+): ([^;\n]+)/g)
      return [table, Object.fromEntries([...columns].map(([, name = '', of = '']) => [name, /\bnull\b/.test(of)]))]
    }),
  )
}

it.skipIf(partitioned)(
  'every table and column of the migrations has its type, and may be null where the type says so',
  async () => {
    await using db = await aDatabase()
    const rows = await db.sql<{ table: string; column: string; nullable: boolean }[]>`
    select table_name as table, column_name as column, is_nullable = 'YES' as nullable from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations'`
    const made: Record<string, Record<string, boolean>> = {}
    for (const { table, column, nullable } of rows) {
      // A computed column is never null for us.
      made[table] = { ...made[table], [column]: nullable && !(table === 'products' && column === 'search') }
    }
    expect(typedColumns()).toEqual(made)
  },
)
