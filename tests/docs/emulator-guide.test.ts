import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebhookSink, type WebhookSink } from '#tests/contract/fixtures/webhook-sink.ts'
import { MEMBERS } from '../../emulator/sdk/fastlane-members.ts'
import { CHALLENGES } from '../../emulator/vault/authentication.ts'
import { KEPT_LATER_NAME, passesLuhn, REFUSED_ENDINGS, REFUSED_NAMES } from '../../emulator/vault/cards.ts'
import { BUYERS } from '../../emulator/wallet/buyers.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/guides/emulator.md'), 'utf8')
const run = promisify(execFile)
/** Each starts processes of its own, on a machine that may have much else to do. */
const patience = 60_000

const samples = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

/** `curl --json` came with 7.82. */
const hasTools = ['jq --version', 'curl --json {} --version', 'bash --version'].every((line) => {
  const [command = '', ...args] = line.split(' ')
  return spawnSync(command, args).status === 0
})

describe('the guide to the emulator', () => {
  let folder: string
  let sink: WebhookSink
  let emulator: ChildProcess
  let url: string

  /** As the guide's first line says, but on a free port and with a listener of ours. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulator-guide-'))
    sink = await startWebhookSink()
    const [, line = ''] = /^ {4}npm run emulator -- (.+)$/m.exec(guide) ?? []
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const [, main = ''] = /node (\S+)$/.exec(scripts.emulator) ?? []
    const args = line.split(' ').map((word) => (word === '4100' ? '0' : word.startsWith('http:') ? sink.url : word))
    emulator = spawn(process.execPath, [main, ...args, '--follow-parent'], { cwd: root })
    if (!emulator.stdout) throw new Error('the emulator says nothing')
    const [said] = await once(createInterface(emulator.stdout), 'line')
    url = /emulator at (\S+),/.exec(String(said))?.[1] ?? ''
  })
  afterAll(async () => {
    emulator?.kill()
    await sink?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.skipIf(!hasTools)('holds a shell session that ends as it says', { timeout: patience }, async () => {
    const session = samples('sh')
    expect(session.length).toBeGreaterThan(5)
    const marked = session.map((text, number) => `echo "== ${number}"\n${text}`).join('\n')
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', marked.replaceAll('http://127.0.0.1:4100', url)])
    const said = stdout.split(/^== \d+\n/m).slice(1)
    const promised = [...guide.matchAll(/```sh\n(?:(?!```).)*```\n\nprints `(.+?)`/gs)].map(([, word]) => word)
    const last = said.map((text) => text.trim().split('\n').at(-1) ?? '')
    expect(promised.length).toBe(3)
    expect(last.filter((word) => promised.includes(word))).toEqual(promised)
    expect(said.join('')).not.toMatch(/"error"|"debug_id"/)
    expect(JSON.parse(said.at(-1) ?? '')).toEqual({
      USD: { captured: '12.00', refunded: '0.00', pending: '0.00', held: '0.00' },
    })
    const books = await (await fetch(`${url}/__emulator/ledger`)).json()
    const paid = () => sink.received.filter(({ type }) => type === 'PAYMENT.CAPTURE.COMPLETED')
    await expect
      .poll(() => paid().map(({ rawBody }) => JSON.parse(rawBody).resource.id), { timeout: 10_000 })
      .toContain(books.captures[0].id)
  })

  it('holds a test that passes', { timeout: patience }, async () => {
    const [sample = '', ...others] = samples('js')
    expect(others).toEqual([])
    expect(sample).toContain("'./emulator/")
    const file = join(folder, 'sample.mjs')
    await writeFile(file, sample.replace("'./emulator/", `'${root}/emulator/`))
    await expect(run(process.execPath, [file])).resolves.toMatchObject({ stderr: '' })
  })
})

describe("the emulator's own page", () => {
  const page = readFileSync(join(root, 'emulator/README.md'), 'utf8')
  /** The first cells of the tables below a heading, marks and all that is not code left out. */
  const listed = (heading: string, column = 1) => {
    const [section = ''] = page.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? []
    const cells = section.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|')[column] ?? ''] : []))
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
  }

  it('lists every buyer, card and member there is, and no other', () => {
    expect(listed('Buyers')).toEqual(BUYERS.map(({ email }) => `${email.split('@')[0]}@`))
    expect(listed('Members of accelerated checkout')).toEqual(MEMBERS.map(({ email }) => `${email.split('@')[0]}@`))
    const [endings, names] = [listed('Cards').filter((word) => /^\d+$/.test(word)), listed('Cards')]
    const known = [...Object.keys(REFUSED_ENDINGS), ...Object.keys(CHALLENGES)]
    expect(endings.map((number) => number.slice(-4))).toEqual(known.toSorted())
    expect(endings.filter((number) => !passesLuhn(number))).toEqual([])
    expect(names.filter((word) => !/^\d+$/.test(word))).toEqual([...Object.keys(REFUSED_NAMES), KEPT_LATER_NAME])
  })

  it('gives each card the result that it has', () => {
    const rows = [...page.matchAll(/^\| `\d+(\d{4})` \| [^|]+ \| (\S) (\S) (\w+)(?:, or [^|]+)? \|$/gm)]
    const told = rows.map(([, ending = '', enrolled, authenticated, liabilityShift]) => [
      ending,
      { enrolled, authenticated, liabilityShift },
    ])
    const known = Object.entries(CHALLENGES).map(([ending, { result }]) => {
      const { enrollment: enrolled = '–', authentication: authenticated = '–', liabilityShift } = result
      return [ending, { enrolled, authenticated, liabilityShift }]
    })
    expect(told).toEqual(known)
  })

  it('names every path of the control API and every operation', () => {
    const sources = globSync('emulator/control/*.ts', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    )
    const paths = sources.flatMap((text) => [...text.matchAll(/\bpost\('([^']+)'/g)].map(([, path = '']) => path))
    expect(paths.length).toBeGreaterThan(25)
    const named = listed('Control API').filter((word) => word.startsWith('/'))
    expect(named.toSorted()).toEqual(paths.toSorted())

    const rest = globSync('emulator/rest/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
    const operations = rest.flatMap((text) =>
      [...text.matchAll(/'([a-z]+(?:-[a-z]+)?\.[a-z]+)',/g)].map(([, it]) => it),
    )
    const told = [...page.matchAll(/^(?:- | {2})((?:`[a-z.-]+`(?:, )?)+),?$/gm)].flatMap(([, line = '']) =>
      [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    expect(told.filter((name) => !name?.startsWith('sdk.')).toSorted()).toEqual([...new Set(operations)].toSorted())
  })
})
