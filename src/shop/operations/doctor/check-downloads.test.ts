import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { doctorCommand } from '#cli/operations/doctor.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'

it('the doctor names each sold file that is gone, with its product, and products sold without one', async () => {
  await using db = await aDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vitrine-downloads-'))
  const store = join(folder.path, 'downloads')
  await mkdir(store)
  await writeFile(join(store, 'tea.pdf'), 'tea')
  const asked: string[] = []
  const network = {
    async fetch(url: string | URL, { method = 'GET' }: RequestInit = {}) {
      if (!String(url).includes('files.example')) return new Response('ok')
      asked.push(`${method} ${url}`)
      return new Response(null, { status: String(url).endsWith('gone.mp3') ? 404 : 200 })
    },
  }
  const mailDesk = { reach: async () => ({ to: null, fault: null }) }
  const doctor = (...args: string[]) =>
    runCommandWith(
      { dataDir: folder.path, network, mailDesk: async () => mailDesk } as never,
      doctorCommand,
      db,
      ...args,
    )
  const sell = (sku: string, status: string, ...urls: string[]) => {
    const files = urls.map((url) => ({ id: '', name: '', url }))
    return db.sql`insert into products (type, sku, name, slug, status, virtual, downloadable, downloads)
      values ('simple', ${sku}, ${`The ${sku}`}, ${sku}, ${status}, true, true, ${db.sql.json(files)})`
  }
  await sell('BOOK', 'publish', 'tea.pdf')
  const well = await doctor('--machine')
  expect(well.out).toContain('ok       1 sold file is there')

  await sell('SONG', 'publish', 'tea.pdf', 'songs/low-sun.mp3', 'https://files.example/song.mp3')
  await sell('LINK', 'publish', 'https://files.example/gone.mp3')
  await sell('NONE', 'publish')
  await sell('AWAY', 'trash', 'away.pdf')
  await rm(join(store, 'tea.pdf'))
  const lost = [
    `the file tea.pdf of "The BOOK" (BOOK) is not in ${store}`,
    `the file tea.pdf of "The SONG" (SONG) is not in ${store}`,
    `the file songs/low-sun.mp3 of "The SONG" (SONG) is not in ${store}`,
  ]
  // Files on other servers are checked with --machine only, by a HEAD request.
  const plain = await doctor()
  for (const line of lost) expect(plain.err).toContain(line)
  expect(asked).toEqual([])
  const machine = await doctor('--machine')
  expect(machine.code).toBe(1)
  for (const line of lost) expect(machine.out).toContain(`MISSING  ${line}`)
  expect(machine.out).toContain(
    'MISSING  the file https://files.example/gone.mp3 of "The LINK" (LINK) is gone (status 404)',
  )
  expect(machine.out).toContain('look     "The NONE" (NONE) is downloadable and sold without a file')
  expect(machine.out).not.toContain('away.pdf')
  expect(asked.toSorted()).toEqual(['HEAD https://files.example/gone.mp3', 'HEAD https://files.example/song.mp3'])
})

it('the doctor names files that orders may fetch and that their product no longer has', async () => {
  await using db = await aDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'vitrine-downloads-'))
  await db.sql`insert into products (id, type, sku, name, slug, downloadable, downloads)
    values (7, 'simple', 'BOOK', 'The book', 'book', true, '[]')`
  await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
    billing, shipping, payment_method, payment_method_title, created_at, updated_at)
    values (1, 'k', 'completed', 's', 'i', '', 'USD', false, 1, '{}', '{}', 'cod', 'Cash', now(), now())`
  await db.sql`insert into download_permissions (order_id, product_id, file_id, name, token, created_at)
    values (1, 7, 'file-1', 'Chapter one', 'token', now())`
  const { err } = await runCommandWith({ dataDir: folder.path }, doctorCommand, db)
  expect(err).toContain('1 order may fetch "Chapter one", which "The book" (BOOK) no longer has')
})
