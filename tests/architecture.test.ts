import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const guide = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The import table of `docs/architecture.md`: paths of this repository, and a pattern of packages where they are limited. */
const table = [...section('Import table').matchAll(/^\| `([^`]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, part = '', may = '', typesOf = '', packages = '']) => ({
    part: pathOf(part),
    may: may.includes('everything') ? ['src'] : pathsIn(may),
    typesOf: pathsIn(typesOf),
    packages: packagesOf(packages.trim()),
  }),
)

/** Areas of the domain; each may import the ones before it. */
const areas = /Areas of the domain[^:]*:\s([^.]*)\./.exec(guide)?.[1]?.split(/,\s/) ?? []

function section(title: string): string {
  return guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
}

function pathsIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => pathOf(path))
}

function pathOf(path: string): string {
  if (path === 'emulator') return path
  return `src/${path}`
}

function packagesOf(cell: string): RegExp {
  if (cell === 'none') return /^$/
  if (cell === 'browser') return /^(?!node:|hono|pg|kysely)/
  if (cell === 'server') return /./
  return new RegExp(
    `^(?:${pathsIn(cell)
      .map((name) => name.slice('src/'.length))
      .join('|')})$`,
  )
}

/** Where the real clock, chance, network and settings enter. */
function compositionRoot(): readonly string[] {
  return ['src/server/operations/configuration/config.ts', 'src/server/operations/startup/environment.ts']
}

/** Tests that are longer than 420 lines and must still be split by subject. No file may be added. */
const notYetSplit = [
  'tests/calls/content/seo.test.ts',
  'tests/calls/currency/checkout.test.ts',
  'tests/calls/rest/media.test.ts',
  'tests/contract/paypal-cards.browser.test.ts',
  'tests/contract/paypal-emulator.test.ts',
  'tests/contract/paypal-fastlane.browser.test.ts',
  'tests/contract/paypal-wallet-flows.browser.test.ts',
  'tests/journeys/catalog/product.test.ts',
  'tests/journeys/payments/accelerated-checkout.test.ts',
  'tests/journeys/payments/wallet-buttons.test.ts',
  'tests/journeys/payments/wallet-flow.test.ts',
  'tests/recovery/payments/authorizations.test.ts',
  'tests/security/operations/canaries.test.ts',
]

const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const files = globSync('{src,emulator}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !isTest(file))
const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
const sources = files.map((file) => ({ file, code: withoutComments(readFileSync(join(root, file), 'utf8')) }))
const imports = sources.flatMap(({ file, code }) => importsIn(file, code))

type Import = { file: string; target: string; typeOnly: boolean; ofPackage: boolean }

/** Files that import each other's values, directly or by way of others: groups of two and more. */
function cyclesOf(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { file, target, typeOnly, ofPackage } of edges)
    if (!typeOnly && !ofPackage) next.set(file, [...(next.get(file) ?? []), target])
  const reach = (from: string) => {
    const seen = new Set<string>()
    const open = [from]
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const to of next.get(at) ?? []) if (!seen.has(to)) seen.add(to) && open.push(to)
    return seen
  }
  const reached = new Map([...next.keys()].map((file) => [file, reach(file)]))
  const groups = [...reached].flatMap(([file, seen]) =>
    seen.has(file) ? [[...seen].filter((other) => reached.get(other)?.has(file)).sort()] : [],
  )
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

function importsIn(file: string, code: string): Import[] {
  const statements = code.matchAll(
    /^(?:import|export)\s+(?<type>type\s)?(?<names>[^;'"]*?)from\s*'(?<from>[^']+)'|import\s*\(?\s*'(?<alone>[^']+)'/gm,
  )
  return [...statements].map(({ groups }) => {
    const name = groups?.from ?? groups?.alone ?? ''
    const ofPackage = !/^[.#]/.test(name)
    const target = name.startsWith('#')
      ? `src/${name.slice(1)}`
      : name.startsWith('.')
        ? relative(root, join(root, dirname(file), name))
        : name
    return { file, target, typeOnly: groups?.type !== undefined || onlyTypes(groups?.names), ofPackage }
  })
}

const within = (target: string, folder: string) => target === folder || target.startsWith(`${folder}/`)

/** `{ type A, type B }` imports no value. */
function onlyTypes(names: string | undefined): boolean {
  const listed = /^\{(.*)\}\s*$/s.exec(names?.trim() ?? '')?.[1]
  return listed?.split(',').every((name) => /^\s*(?:type\s|$)/.test(name)) ?? false
}

describe('the architecture', () => {
  it('no file imports what its part may not', () => {
    const broken = imports.filter(({ file, target, typeOnly, ofPackage }) => {
      const row = table.find(({ part }) => within(file, part))
      if (!row) return true
      if (ofPackage) return !row.packages.test(target)
      return ![...row.may, ...(typeOnly ? row.typesOf : [])].some((folder) => within(target, folder))
    })
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  it('no area of the domain imports a later one', () => {
    const areaOf = (path: string) => areas.indexOf(path.split('/')[2] ?? '')
    const inDomain = imports.filter(({ file }) => within(file, 'src/domain'))
    const broken = inDomain.filter(({ file, target }) => areaOf(file) === -1 || areaOf(target) > areaOf(file))
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  it('no files import the values of each other', () => {
    expect(cyclesOf(imports)).toEqual([])
  })

  it('finds a cycle over three files, and none of types', () => {
    const edge = (file: string, target: string, typeOnly = false) => ({ file, target, typeOnly, ofPackage: false })
    expect(cyclesOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('d', 'a')])).toEqual([['a', 'b', 'c']])
    expect(cyclesOf([edge('a', 'b'), edge('b', 'a', true)])).toEqual([])
  })

  it('no folder holds more than forty source files', () => {
    const count = new Map<string, number>()
    for (const file of globSync('{src,emulator,tests,bench,scripts}/**/*.{ts,tsx,mjs,css}', { cwd: root }))
      if (!file.includes('node_modules')) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1)
    expect(count.size).toBeGreaterThan(200)
    expect([...count].filter(([, files]) => files > 40)).toEqual([])
  })

  it('no fixtures or fakes lie among the sources', () => {
    const found = globSync('src/**/*', { cwd: root }).filter((file) =>
      /(?:^|\/)fixtures?(?:\/|[.-])|-fixtures?\.|\/fake-/.test(file),
    )
    expect(found).toEqual([])
  })

  it('reads the whole import table and the areas of the domain', () => {
    expect(table.length).toBe(16)
    expect(areas).toHaveLength(17)
    expect(table.find(({ part }) => part === 'src/contract')?.packages.test('zod')).toBe(true)
    expect(table.find(({ part }) => part === 'src/contract')?.packages.test('zod-extra')).toBe(false)
  })

  it('no index.ts stands between a file and its owner', () => {
    expect(files.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([])
  })

  it('time and chance enter through the composition root alone', () => {
    const allowed = [
      ...compositionRoot(),
      'src/server/main.ts',
      'src/cli/execute-command.ts',
      'src/web/browser',
      'src/web/islands',
      'src/web/editor',
      'emulator',
    ]
    // The linter forbids the other globals; it cannot see these.
    const globals = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/
    const broken = sources.filter(
      ({ file, code }) => globals.test(code) && !allowed.some((place) => within(file, place)),
    )
    expect(broken.map(({ file, code }) => `${file} uses ${globals.exec(code)?.[0]}`)).toEqual([])
  })

  it('the database gives no chance of its own, which no seed could repeat', () => {
    const drawing = files.filter(
      (file) =>
        file.startsWith('src/') && /\b(?:random|gen_random_uuid)\(\)/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(drawing).toEqual([])
  })

  it('no file grows past four hundred lines, and no test either', () => {
    const all = globSync('{src,tests,emulator,bench,scripts,demo}/**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !file.includes('node_modules'),
    )
    const long = all.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1 > 420)
    expect(all.length).toBeGreaterThan(files.length)
    // Equality, so that a file leaves the list once it is split.
    expect(long.sort()).toEqual([...notYetSplit].sort())
  })

  it('T14 only login, second factor and the gate of the account know of half logins; everybody else reads a guest', () => {
    const knowing = imports
      .filter(({ target }) => target === 'src/shop/customers/sessions/pending-login.ts')
      .map(({ file }) => file)
    expect([...new Set(knowing)].sort()).toEqual([
      'src/server/pages/customers/customer-page.ts',
      'src/server/pages/customers/log-in.tsx',
      'src/shop/customers/credentials/second-factor.ts',
      'src/shop/customers/sessions/log-in.ts',
      'src/shop/customers/sessions/sign-in.ts',
    ])
  })

  it('the check itself reads imports of every form', () => {
    expect(imports.length).toBeGreaterThan(files.length)
    const code = `import { a } from '#shop/a.ts'\nimport type { B } from '../b.ts'\nimport './c.ts'\nconst d = import('react')\nexport { e } from './e.ts'\nimport {\n  f,\n} from '#domain/f.ts'`
    expect(importsIn('src/web/pages/x.tsx', code).map(({ target, typeOnly }) => [target, typeOnly])).toEqual([
      ['src/shop/a.ts', false],
      ['src/web/b.ts', true],
      ['src/web/pages/c.ts', false],
      ['react', false],
      ['src/web/pages/e.ts', false],
      ['src/domain/f.ts', false],
    ])
  })
})
