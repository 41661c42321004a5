import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands, loadCommand } from '#cli/commands.ts'
import { wantedEvents } from '#contract/paypal/webhook-event.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { threeDSecureDecision } from '#domain/payments/three-d-secure.ts'
import { readSetting } from '#shop/operations/settings/change-setting.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = globSync('**/*.md', {
  cwd: root,
  exclude: (name) => /^(node_modules|dist|data|reports|openapi|content)$/.test(name),
}).map((file) => ({ file, text: read(file) }))
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

describe('the documents', () => {
  it('link to files and headings that are there', () => {
    const broken = pages.flatMap(({ file, text }) =>
      [...withoutCode(text).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(([, path = '', heading]) => {
          const target = path === '' ? file : join(dirname(file), path)
          if (!existsSync(join(root, target))) return true
          return heading !== undefined && !headings(read(target)).includes(heading)
        })
        .map(([link]) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  it('name files that are there', () => {
    const named = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/`((?:src|tests|emulator|demo|bench|scripts|docs)\/[\w./-]+)`/g)].map(([, path = '']) => ({
        file,
        path,
      })),
    )
    // The architecture and the emulator's page name files from their own part on.
    const within = { 'docs/architecture.md': 'src', 'emulator/README.md': 'emulator' }
    const parts = Object.entries(within).flatMap(([file, part]) =>
      [...read(file).matchAll(/`((?:[a-z][\w-]*\/)+[\w-]+\.tsx?)`/g)]
        .filter(([, path = '']) => !/^(?:tests|src)\//.test(path))
        .map(([, path = '']) => ({ file, path: join(part, path) })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(parts.length).toBeGreaterThan(20)
    expect([...named, ...parts].filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
  })

  it('name npm scripts and commands of the shop that exist', () => {
    const named = pages.flatMap(({ text }) => [...text.matchAll(/npm (?:run ([\w:]*\w)|(start|test))/g)])
    expect(named.length).toBeGreaterThan(5)
    const unknown = named.filter(([, run, short]) => !scripts.includes(run ?? short ?? ''))
    expect(unknown.map(([whole]) => whole)).toEqual([])
    const ofShop = pages.flatMap(({ text }) => [...text.matchAll(/npm run shop -- ([\w-]+)/g)])
    expect(
      ofShop.map(([, name = '']) => name).filter((name) => name !== 'help' && !Object.hasOwn(commands, name)),
    ).toEqual([])
  })

  it('list every setting of the environment, and no other', () => {
    const [, schema = ''] =
      /const variables = z\.object\(\{(.*?)\n\}\)/s.exec(read('src/server/operations/configuration/config.ts')) ?? []
    const known = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)
    const table = read('README.md').split('## Settings')[1]?.split('\n## ')[0] ?? ''
    const listed = [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
    )
    expect(listed.toSorted()).toEqual(known.toSorted())
  })

  it('name settings of the shop that exist', () => {
    const defaults = shopSettings.parse({})
    const groups = Object.entries(defaults).flatMap(([name, value]) => (isGroup(value) ? [name] : []))
    const guides = pages.filter(({ file }) => file.startsWith('docs/guides/'))
    const pattern = new RegExp(`(?:\`|settings )((?:${groups.join('|')})(?:\\.[\\w-]+)*)[\` \n]`, 'g')
    const named = guides.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, key = '']) => key))
    expect(named.filter((key) => key.startsWith('paypal.')).length).toBeGreaterThan(30)
    // `staff.ts` is a file.
    expect(named.filter((key) => !key.endsWith('.ts') && !readSetting(defaults, key).ok)).toEqual([])
  })

  it('name the events that the shop acts on, and where they are sent', () => {
    const [, section = ''] = /^## 3\. (.*?)^## /ms.exec(read('docs/guides/going-live.md')) ?? []
    const events = [...section.matchAll(/`([A-Z]+(?:[.-][A-Z-]+)+)`/g)].map(([, name]) => name)
    expect(events).toEqual(wantedEvents)
    expect(section).toContain(`https://your.shop${urls.paypalWebhook()}`)
  })

  it("say of a bank's answer what the shop does about it", () => {
    const [, table = ''] = /^(\| enrolled .*?)\n\n/ms.exec(read('docs/guides/payments.md')) ?? []
    const rows = table
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()))
    expect(rows.length).toBe(8)
    const words = { takes: 'continue', rejects: 'reject', asks: 'retry' } as const
    const some = (cell: string) => cell.split(', ').map((word) => word || undefined)
    for (const [, enrolledIn = '', authenticatedIn = '', liabilityIn = '', does = ''] of rows) {
      const told = Object.entries(words).find(([verb]) => does.startsWith(verb))?.[1]
      for (const enrolled of some(enrolledIn))
        for (const authenticated of some(authenticatedIn))
          for (const liability of some(liabilityIn)) {
            const said = { enrolled, authenticated, liability }
            const decision = threeDSecureDecision(said, { request: 'SCA_WHEN_REQUIRED', decisions: {} })
            expect({ said, decision }).toEqual({ said, decision: told })
          }
    }
  })

  it('say of each decision what was met, chosen and turned down, and when to look again', () => {
    const decisions = pages.filter(({ file }) => file.startsWith('docs/decisions/'))
    const numbers = decisions.map(({ file }) => file.slice('docs/decisions/'.length, 'docs/decisions/0000'.length))
    expect(new Set(numbers).size).toBe(decisions.length)
    for (const { file, text } of decisions) {
      for (const part of ['Met.', 'Chose.', 'Turned down.', 'Look again']) expect(text, file).toContain(`**${part}**`)
    }
  })
})

describe('the guides', () => {
  let db: TestDatabase
  let folder: string
  beforeAll(async () => {
    db = await aDatabase()
    folder = await mkdtemp(join(tmpdir(), 'guides-'))
  })
  afterAll(async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('hold commands that do what they say', async () => {
    const samples = { 'products.csv': 'docs/guides/import-products.md', 'rates.csv': 'docs/guides/taxes.md' }
    for (const [name, guide] of Object.entries(samples)) {
      const [, sample = ''] = /```csv\n(.*?)```/s.exec(read(guide)) ?? []
      await writeFile(join(folder, name), sample)
    }
    const [, stock = ''] = /such as this `stock.csv`.*?```text\n(.*?)```/s.exec(read(samples['products.csv'])) ?? []
    await writeFile(join(folder, 'stock.csv'), stock)
    for (const [, name = '', sample = ''] of read('docs/guides/moving.md').matchAll(
      /`(\w+\.csv)`:\n\n```csv\n(.*?)```/gs,
    ))
      await writeFile(join(folder, name), sample)
    const files = new Set([...Object.keys(samples), 'stock.csv', 'stock.columns.yaml'])
    const guides = pages.filter(({ file }) => file.startsWith('docs/guides/'))
    const lines = guides.flatMap(({ text }) => [...text.matchAll(/^ {4}npm run shop -- (.+)$/gm)])
    expect(lines.length).toBeGreaterThan(10)
    for (const [, line = ''] of lines) {
      const [name = '', ...args] = words(line)
      const command = await loadCommand(name)
      if (!command) throw new Error(`there is no command ${name}`)
      const result = await runCommandWith(
        { dataDir: folder },
        command,
        db,
        ...args.map((word) => (files.has(word) || word.endsWith('.csv') ? join(folder, word) : word)),
      )
      // A shop without credentials is not ready for real money, and is told so.
      const code = line === 'doctor --live' ? 1 : 0
      expect({ line, ...result }).toMatchObject({ line, code })
    }
    const products = await db.sql`select sku, type, min_price from products order by sku`
    expect(products.map(({ sku, min_price }) => [sku, min_price])).toEqual([
      ['BOWL', 2400],
      ['MUG', 1500],
      ['MUG-SAND', 1500],
      ['MUG-SEA', 1800],
    ])
  })
})

/** A line as a shell takes it apart. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

const isGroup = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutCode = (text: string) => text.replace(/```.*?```/gs, '').replace(/`[^`\n]*`/g, '')

/** The anchors of a page's headings. */
function headings(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
