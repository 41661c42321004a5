import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('P15 every table of the database has its class on the page of data, once', () => {
  const [, tables = ''] = /export type Schema = \{(.*?)\n\}/s.exec(read('src/database/engine/schema/schema.ts')) ?? []
  const known = [...tables.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name)
  expect(known.length).toBeGreaterThan(50)
  const [, places = ''] = /## Tables and retention\n(.*?)\n## /s.exec(read('docs/security/data.md')) ?? []
  const rows = [...places.matchAll(/^\| [^|]+ \| (`[^|]+`) \| [^|]+ \|$/gm)].map(([, names = '']) => names)
  const named = rows.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  expect(named.toSorted()).toEqual(known.toSorted())
})

it('T22 everything that opens a connection is on the page of connections', () => {
  const opens =
    /\bnetwork\s*\.fetch\(|\bfetch: \(url, init\)|createTransport\(|openPool\(|connectionString: queueAddress\(/
  // They pass on what others ask for, count or trace it, or look at connections that there are.
  const between = [
    'src/server/operations/metrics/tracer.ts',
    'src/server/operations/load/load-gate.ts',
    'src/database/engine/driver/sql.ts',
  ]
  const opening = globSync('src/{server,shop,paypal,database,cli}/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !between.includes(file) && opens.test(read(file)))
  const named = [...read('docs/security/connections.md').matchAll(/\| `(src\/[^`]+)` \|$/gm)].map(
    ([, file = '']) => file,
  )
  expect([...new Set(named)].toSorted()).toEqual(opening.toSorted())
})
