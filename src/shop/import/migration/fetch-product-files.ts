import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { SourceProblem } from '../../shared/source-problem.ts'
import { remoteFile, remoteImage } from '../fetch-remote-file.ts'
import type { MigrationRun } from './migration-run.ts'
import { type StagedProduct, stagedProducts } from './staged-products.ts'

const concurrent = 4
const attempts = 3

/** Returns the path of a fetched picture below the folder of the migration. */
export const pictureName = (address: string) => join('pictures', digest(address).slice(0, 32))

/** Returns the path of a fetched downloadable file below the folder of downloads, with its name for customers. */
export function downloadName(address: string): string {
  const name = decoded(basename(URL.parse(address)?.pathname ?? ''))
    .replace(/[/\\\p{Cc}]/gu, '-')
    .replace(/^[.\s]+/, '')
  const ending = extname(name).slice(0, 20)
  const stem = Array.from(name.slice(0, name.length - extname(name).length)).slice(0, 60)
  return `${digest(address).slice(0, 12)}/${stem.join('') || 'file'}${ending}`
}

/**
 * Fetches the pictures and downloadable files of staged products, several at a time. Those that are there from an earlier
 * run are not fetched again. One that cannot be fetched becomes a difference, and its product comes without it.
 */
export async function fetchProductFiles(
  run: MigrationRun,
  staged: string,
  places: { readonly folder: string; readonly downloadsDir: string },
): Promise<void> {
  const files = distinctFiles(staged)
  let [done, fetched] = [0, 0]
  async function work() {
    for await (const { product, kind, address } of files) {
      const path =
        kind === 'pictures'
          ? join(places.folder, pictureName(address))
          : join(places.downloadsDir, downloadName(address))
      if (!(await stat(path).catch(() => null))) {
        const problem = await fetchOne(run, kind, address, path)
        if (problem !== null)
          run.report.differs(kind, product, `${address.slice(0, 300)} ${problem}: the product comes without it`)
        else fetched += 1
      }
      done += 1
      run.progress({ kind: 'pictures and files', done, of: null })
    }
  }
  await Promise.all(Array.from({ length: concurrent }, work))
  run.report.found('pictures and files', done)
  run.report.added('pictures and files', fetched)
}

type WantedFile = { readonly product: number; readonly kind: 'pictures' | 'files'; readonly address: string }

/** Yields each address once. Several readers share the generator: each gets another file. */
async function* distinctFiles(staged: string): AsyncGenerator<WantedFile> {
  const seen = new Set<string>()
  const isNew = (address: string) => {
    const key = digest(address)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
  for await (const product of stagedProducts(staged)) yield* filesOf(product).filter(({ address }) => isNew(address))
}

function filesOf({ id, images, downloads }: StagedProduct): WantedFile[] {
  return [
    ...images.map((address) => ({ product: id, kind: 'pictures' as const, address })),
    ...downloads.map(({ url }) => ({ product: id, kind: 'files' as const, address: url })),
  ]
}

/** @returns the problem, or null */
async function fetchOne(
  run: MigrationRun,
  kind: WantedFile['kind'],
  address: string,
  path: string,
): Promise<string | null> {
  if (!URL.canParse(address)) return 'is not an address'
  const { network, clock } = run.tools()
  const { location } = run.source
  const trusted = location.loopback ? location.origin : undefined
  const partial = `${path}.partial`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (kind === 'pictures')
        await writeFile(partial, await remoteImage(network, run.options.lookup, address, trusted))
      else {
        await using handle = await open(partial, 'w', 0o600)
        for await (const chunk of remoteFile(network, run.options.lookup, address, trusted)) await handle.write(chunk)
      }
      await rename(partial, path)
      return null
    } catch (error) {
      await rm(partial, { force: true })
      if (!(error instanceof SourceProblem)) throw error
      const isPassing = /status (?:429|5\d\d)|broke off|could not be fetched \([^s]/.test(error.message)
      if (!isPassing || attempt === attempts) return error.message
      await clock.sleep(1000 * 2 ** attempt)
    }
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
