import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'

let bench: ImportBench
let db: ImportBench['db']
let store: string
beforeAll(async () => {
  bench = await anImportBench()
  db = bench.db
  store = join(bench.folder, 'data/downloads')
  await mkdir(join(bench.folder, 'books'), { recursive: true })
  await writeFile(join(bench.folder, 'books/Tee für zwei.pdf'), 'tea')
  await writeFile(join(bench.folder, 'copy.pdf'), 'tea')
  await writeFile(join(tmpdir(), 'outside.pdf'), 'secret')
  for (const secret of ['.env', '.git/config', 'data/outbox/1.eml']) {
    await mkdir(dirname(join(bench.folder, secret)), { recursive: true })
    await writeFile(join(bench.folder, secret), 'secret')
  }
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.empty()
  await rm(store, { recursive: true, force: true })
})

const header = ['Type', 'SKU', 'Name', 'Regular price', 'Download 1 ID', 'Download 1 name', 'Download 1 URL']
const book = (url: string, sku = 'BOOK') => ['simple, virtual, downloadable', sku, 'Book', '9', '', 'The book', url]
const urls = async (): Promise<string[]> =>
  (await db.sql`select downloads from products order by sku`).flatMap(({ downloads }) =>
    downloads.map(({ url }: { url: string }) => url),
  )
const stored = async () => {
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
/** Creates a bench whose network answers by URL, and records its requests. */
function networked(remoteDownloads: string, answer: (url: string) => Response) {
  const asked: string[] = []
  const network = {
    async fetch(url: string | URL) {
      asked.push(String(url))
      return answer(String(url))
    },
  }
  return { asked, tools: { ...bench.toolsAt(today, { remoteDownloads }), network } }
}

describe('files that are sold', () => {
  it('are taken into the folder of downloads under their own name, once for the same bytes', async () => {
    const content = csv(header, book('books/Tee für zwei.pdf'), book('books/Tee für zwei.pdf', 'SAME'))
    expect(await bench.importing(content)).toMatchObject({ ok: true, created: 2, files: 1 })
    const [first = '', second] = await urls()
    expect(first).toMatch(/^[0-9a-f]{16}\/Tee für zwei\.pdf$/)
    expect(second).toBe(first)
    expect(await readFile(join(store, first), 'utf8')).toBe('tea')
    expect(await stored()).toEqual(['Tee für zwei.pdf'])
    expect(await bench.importing(content)).toMatchObject({ ok: true, unchanged: 2 })
  })

  it('get another place when their bytes change, so that nothing is overwritten that is being fetched', async () => {
    await writeFile(join(bench.folder, 'draft.txt'), 'one')
    await bench.importing(csv(header, book('draft.txt')))
    await writeFile(join(bench.folder, 'draft.txt'), 'two')
    expect(await bench.importing(csv(header, book('draft.txt')))).toMatchObject({ updated: 1 })
    const [url = ''] = await urls()
    expect(await readFile(join(store, url), 'utf8')).toBe('two')
    expect(await stored()).toEqual(['draft.txt', 'draft.txt'])
  })

  it('may stand in the folder of downloads already', async () => {
    await mkdir(join(store, 'music'), { recursive: true })
    await writeFile(join(store, 'music/song.mp3'), 'la')
    expect(await bench.importing(csv(header, book('music/song.mp3')))).toMatchObject({ ok: true, created: 1 })
    expect(await urls()).toEqual(['music/song.mp3'])
  })

  it.each([
    ['gone.pdf', /is not there: neither in .* nor in/],
    ['../outside.pdf', /is outside the files folder/],
    [join(tmpdir(), 'outside.pdf'), /is outside the files folder/],
    ['books', /is not there/],
    ['.env', /hidden/],
    ['.git/config', /hidden/],
    ['data/outbox/1.eml', /own data folder/],
    ['https://shop.example/a.pdf', /remoteDownloads/],
  ])('that are missing are faults with their row, in the dry run too: %s', async (url, problem) => {
    const content = csv(header, book('copy.pdf', 'FINE'), book(url))
    for (const dryRun of [true, false]) {
      const { ok, faults } = await bench.importing(content, { dryRun })
      expect(ok).toBe(false)
      expect(faults).toEqual([
        { row: 3, column: 'Download 1 URL', value: url, problem: expect.stringMatching(problem) },
      ])
    }
    expect(await urls()).toEqual([])
    expect(await stored()).toEqual([])
  })

  it('are not looked for where the row is skipped', async () => {
    await bench.importing(csv(['SKU', 'Name'], ['BOOK', 'Book']))
    expect(await bench.importing(csv(header, book('gone.pdf')), { existing: 'skip' })).toMatchObject({
      ok: true,
      skipped: 1,
    })
  })

  it('T22 are fetched from other servers only when allowed, and never from inside the network', async () => {
    const { asked, tools } = networked('fetch', (url) => {
      if (url.includes('gone')) return new Response('no', { status: 404 })
      if (url.includes('login'))
        return new Response('<form>', { headers: { 'content-type': 'text/html; charset=UTF-8' } })
      return new Response('chapter one', { headers: { 'content-type': 'application/pdf' } })
    })
    const lookup = async (host: string) => (host === 'inside.example' ? ['10.0.0.7'] : ['93.184.216.34'])
    const addresses = [
      'https://shop.example/gone.pdf',
      'https://shop.example/login.pdf',
      'https://inside.example/a.pdf',
      'http://127.0.0.1/a.pdf',
    ]
    const content = csv(header, ...addresses.map((url, row) => book(url, `S${row}`)))
    const refused = await bench.importing(content, { lookup }, tools)
    expect(refused.faults.map(({ row, problem }) => `${row} ${problem}`).toSorted()).toEqual([
      '2 could not be fetched (status 404)',
      '3 is a web page ("text/html; charset=UTF-8"), not a file: the server may require a login',
      '4 resolves to a private address (inside.example)',
      '5 resolves to a private address (127.0.0.1)',
    ])
    expect(asked.toSorted()).toEqual(addresses.slice(0, 2))
    expect([await urls(), await stored()]).toEqual([[], []])

    const good = csv(header, book('https://shop.example/files/A%20%2F..%2F%20book.pdf?token=1'))
    expect(await bench.importing(good, { lookup }, tools)).toMatchObject({ ok: true, created: 1, files: 1 })
    const [url = ''] = await urls()
    expect(url).toMatch(/^[0-9a-f]{16}\/A -..- book\.pdf$/)
    expect(await readFile(join(store, url), 'utf8')).toBe('chapter one')
  })

  it('stay on another server where the merchant says so', async () => {
    const { asked, tools } = networked('link', () => new Response('no', { status: 500 }))
    const content = csv(header, book('https://files.example/tea.mp3'))
    expect(await bench.importing(content, {}, tools)).toMatchObject({ ok: true, created: 1, files: 0 })
    expect([asked, await urls()]).toEqual([[], ['https://files.example/tea.mp3']])
  })

  it('are not taken in by a dry run', async () => {
    expect(await bench.importing(csv(header, book('copy.pdf')), { dryRun: true })).toMatchObject({
      ok: true,
      created: 1,
    })
    expect(await stored()).toEqual([])
  })
})
