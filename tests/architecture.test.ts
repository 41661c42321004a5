import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Who may import whom: `docs/architecture.md` says why. Packages are named where they are limited. */
const table: readonly { part: string; may: readonly string[]; typesOf?: readonly string[]; packages?: RegExp }[] = [
  { part: 'src/domain', may: ['src/domain'], packages: /^$/ },
  { part: 'src/contract', may: ['src/contract', 'src/domain'], packages: /^zod$/ },
  { part: 'src/database', may: ['src/database', 'src/domain', 'src/contract'] },
  { part: 'src/paypal', may: ['src/paypal', 'src/domain', 'src/contract'] },
  { part: 'src/shop', may: ['src/shop', 'src/domain', 'src/contract', 'src/database', 'src/paypal'] },
  {
    part: 'src/web/islands',
    may: ['src/web/islands', 'src/web/browser', 'src/domain', 'src/contract'],
    packages: /^(?!node:|hono|postgres|kysely)/,
  },
  {
    part: 'src/web/browser',
    may: ['src/web/browser', 'src/web/islands', 'src/domain', 'src/contract'],
    packages: /^(?!node:|hono|postgres|kysely)/,
  },
  {
    part: 'src/web/pages',
    may: ['src/web/pages', 'src/web/parts', 'src/web/islands', 'src/domain', 'src/contract'],
    typesOf: ['src/shop'],
  },
  {
    part: 'src/web/parts',
    may: ['src/web/parts', 'src/web/pages', 'src/web/islands', 'src/domain', 'src/contract'],
    typesOf: ['src/shop'],
  },
  {
    part: 'src/web/editor',
    may: ['src/web/editor', 'src/web/browser', 'src/web/pages', 'src/web/parts', 'src/domain', 'src/contract'],
    typesOf: ['src/shop'],
    packages: /^(?!node:|hono|postgres|kysely)/,
  },
  {
    part: 'src/web/statistics',
    may: ['src/web/statistics', 'src/web/browser', 'src/web/parts', 'src/domain', 'src/contract'],
    typesOf: ['src/shop'],
    packages: /^(?!node:|hono|postgres|kysely)/,
  },
  {
    part: 'src/web/mails',
    may: ['src/web/mails', 'src/web/pages/shared/render.tsx', 'src/web/parts', 'src/domain', 'src/contract'],
    typesOf: ['src/shop'],
  },
  {
    part: 'src/cli',
    may: ['src/cli', 'src/domain', 'src/contract', 'src/database', 'src/paypal', 'src/shop', ...compositionRoot()],
  },
  { part: 'src/server', may: ['src'] },
  // A twin must not share its brother's mistakes.
  { part: 'emulator', may: ['emulator', 'src/contract/paypal'] },
]

/** Earlier areas know nothing of later ones. */
const areas =
  'money currency translation catalog customers pricing coupons shipping tax addresses cart checkout orders payments attribution statistics notices'.split(
    ' ',
  )

/** Where the real clock, chance, network and settings enter. */
function compositionRoot(): readonly string[] {
  return ['src/server/operations/configuration/config.ts', 'src/server/operations/startup/environment.ts']
}

const isTest = (file: string) => /\.test\.tsx?$|fixtures?[^/]*\.tsx?$|\/fake-[^/]+\.ts$/.test(file)
const files = globSync('{src,emulator}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !isTest(file))
const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
const sources = files.map((file) => ({ file, code: withoutComments(readFileSync(join(root, file), 'utf8')) }))
const imports = sources.flatMap(({ file, code }) => importsIn(file, code))

type Import = { file: string; target: string; typeOnly: boolean; ofPackage: boolean }

function importsIn(file: string, code: string): Import[] {
  const statements = code.matchAll(
    /^(?:import|export)\s+(?<type>type\s)?[^;'"]*?from\s*'(?<from>[^']+)'|import\s*\(?\s*'(?<alone>[^']+)'/gm,
  )
  return [...statements].map(({ groups }) => {
    const name = groups?.from ?? groups?.alone ?? ''
    const ofPackage = !/^[.#]/.test(name)
    const target = name.startsWith('#')
      ? `src/${name.slice(1)}`
      : name.startsWith('.')
        ? relative(root, join(root, dirname(file), name))
        : name
    return { file, target, typeOnly: groups?.type !== undefined, ofPackage }
  })
}

const within = (target: string, folder: string) => target === folder || target.startsWith(`${folder}/`)

describe('the house', () => {
  it('no file imports what its part may not', () => {
    const broken = imports.filter(({ file, target, typeOnly, ofPackage }) => {
      const row = table.find(({ part }) => within(file, part))
      if (!row) return true
      if (ofPackage) return row.packages !== undefined && !row.packages.test(target)
      return ![...row.may, ...(typeOnly ? (row.typesOf ?? []) : [])].some((folder) => within(target, folder))
    })
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  it('no area of the domain imports a later one', () => {
    const areaOf = (path: string) => areas.indexOf(path.split('/')[2] ?? '')
    const inDomain = imports.filter(({ file }) => within(file, 'src/domain'))
    const broken = inDomain.filter(({ file, target }) => areaOf(file) === -1 || areaOf(target) > areaOf(file))
    expect(broken.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  it('no index.ts stands between a file and its owner', () => {
    expect(files.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([])
  })

  it('time and chance enter through the composition root alone', () => {
    const allowed = [
      ...compositionRoot(),
      'src/server/main.ts',
      'src/cli/main.ts',
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

  it('no file grows past four hundred lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 420)
    expect(long.filter((file) => !file.includes('/openapi/'))).toEqual([])
  })

  it('T14 only login, second factor and the gate of the account know of half logins; everybody else reads a guest', () => {
    const knowing = imports
      .filter(({ target }) => target === 'src/shop/customers/sessions/pending-login.ts')
      .map(({ file }) => file)
    expect([...new Set(knowing)].sort()).toEqual([
      'src/server/pages/customers/log-in.tsx',
      'src/server/pages/customers/customer-page.ts',
      'src/shop/customers/sessions/log-in.ts',
      'src/shop/customers/credentials/second-factor.ts',
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
