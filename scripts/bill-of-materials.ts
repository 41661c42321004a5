import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As much of a package in the lock file as the bill speaks of. */
export type LockedPackage = {
  readonly version?: string
  readonly name?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> }

type Component = {
  type: 'library'
  'bom-ref': string
  group?: string
  name: string
  version: string
  scope: 'required' | 'optional' | 'excluded'
  hashes: { alg: string; content: string }[]
  licenses: ({ license: { id: string } } | { expression: string })[]
  purl: string
}

/** A bill of materials in the form CycloneDX 1.6. */
export type Bill = {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: 1
  metadata: { component: { type: 'application'; 'bom-ref': string; name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const inModules = 'node_modules/'

/**
 * What a release is made of, read from the lock file alone: the same lock file gives the same bytes, so a bill can be
 * compared with one made elsewhere. Packages that only development needs are of scope `excluded`.
 */
export function billOfMaterials(lock: Lock): Bill {
  const { packages } = lock
  const root = packages['']
  if (!root?.name || !root.version) throw new Error('the lock file does not name the project')
  const components = new Map<string, Component>()
  const needs = new Map<string, Set<string>>()
  for (const [path, locked] of Object.entries(packages)) {
    const ref = path === '' ? ownRef(root) : refOf(path, locked)
    // One version in two places is one component; what it needs there is said once.
    const known = components.get(ref)
    if (path !== '' && (!known || known.scope === 'excluded')) components.set(ref, componentOf(path, locked))
    const needed = needs.get(ref) ?? new Set()
    needs.set(ref, needed)
    for (const name of namesNeeded(locked)) {
      const place = placeOf(packages, path, name)
      // What is optional may be missing, as what other systems need is on none of ours.
      if (place !== null) needed.add(refOf(place, packages[place] ?? {}))
    }
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(lock))}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': ownRef(root), name: root.name, version: root.version },
    },
    components: [...components.values()].sort((one, other) => compare(one['bom-ref'], other['bom-ref'])),
    dependencies: [...needs]
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort(compare) }))
      .sort((one, other) => compare(one.ref, other.ref)),
  }
}

/** By code units: an order that no machine's language changes. */
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const ownRef = ({ name, version }: LockedPackage) => `${name}@${version}`
const nameAt = (path: string, locked: LockedPackage) =>
  locked.name ?? path.slice(path.lastIndexOf(inModules) + inModules.length)
const namesNeeded = (locked: LockedPackage) =>
  Object.keys({
    ...locked.dependencies,
    ...locked.devDependencies,
    ...locked.optionalDependencies,
    ...locked.peerDependencies,
  })

/** The package URL; the sign before a group is written as an escape there. */
function refOf(path: string, locked: LockedPackage): string {
  return `pkg:npm/${nameAt(path, locked).replace('@', '%40')}@${locked.version}`
}

function componentOf(path: string, locked: LockedPackage): Component {
  const full = nameAt(path, locked)
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full]
  const purl = refOf(path, locked)
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name: name ?? full,
    version: locked.version ?? '',
    scope: locked.dev ? 'excluded' : locked.optional || locked.devOptional ? 'optional' : 'required',
    hashes: hashesOf(locked.integrity ?? ''),
    licenses: licensesOf(locked.license ?? ''),
    purl,
  }
}

const algorithms: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256' }

function hashesOf(integrity: string): Component['hashes'] {
  return integrity.split(' ').flatMap((entry) => {
    const [algorithm = '', base64 = ''] = entry.split('-', 2)
    const alg = algorithms[algorithm]
    return alg ? [{ alg, content: Buffer.from(base64, 'base64').toString('hex') }] : []
  })
}

function licensesOf(license: string): Component['licenses'] {
  if (license === '') return []
  return / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]
}

/** Where a package finds another: below itself first, then beside each of those that it is below. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${inModules}`)))) {
    const place = `${at === '' ? '' : `${at}/`}${inModules}${name}`
    if (packages[place]) return place
    if (at === '') return null
  }
}

/** A UUID of version 8, which leaves the making of its bits to us. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const folder = join(root, 'reports')
  mkdirSync(folder, { recursive: true })
  const bill = billOfMaterials(lock)
  writeFileSync(join(folder, 'bom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
  process.stdout.write(`reports/bom.cdx.json: ${bill.components.length} components\n`)
}
