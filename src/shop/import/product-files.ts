import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { findStoredFile } from '../orders/downloads/stored-file.ts'
import { SourceProblem } from '../shared/source-problem.ts'
import { type HostLookup, isRemote, remoteFile } from './fetch-remote-file.ts'
import { fileInFolder } from './file-in-folder.ts'
import type { ImportTools } from './import-tools.ts'

export type ProductFilePlaces = {
  /** Base folder of relative paths of downloadable files; default: the folder of the product file. */
  readonly filesDir?: string | undefined
  /** Folder of the shop's downloadable files: `<start of the digest>/<name>`, and the merchant's own. */
  readonly downloadsDir: string
  readonly lookup: HostLookup
}

/** The first use of a downloadable file, for error messages. */
export type FileUse = { readonly row: number; readonly column: string }

type Places = ProductFilePlaces & { readonly file: string }

/** Checks a downloadable file without importing it. @returns the problem, or null */
export async function fileProblem(
  source: string,
  places: Places,
  remoteDownloads: ShopSettings['remoteDownloads'],
): Promise<string | null> {
  if (isRemote(source)) {
    if (!URL.canParse(source)) return 'is not an address'
    return remoteDownloads === 'refuse'
      ? 'is on another server: set remoteDownloads to fetch to take such files in, or to link to leave them there'
      : null
  }
  try {
    await localFile(source, places)
    return null
  } catch (error) {
    if (error instanceof SourceProblem) return error.message
    throw error
  }
}

/** @returns the path of a file to import, or null for one that the shop already has under this path */
async function localFile(source: string, { file, filesDir = dirname(file), downloadsDir }: Places) {
  const found = await fileInFolder(filesDir, source)
  if (typeof found === 'object') {
    // A product file may have any author: it must not offer secret files of its folder for sale.
    const hidden = relative(await realpath(filesDir), found.path)
      .split(sep)
      .some((part) => part.startsWith('.'))
    if (hidden) throw new SourceProblem('is a hidden file')
    if (await isPrivate(found.path, downloadsDir)) throw new SourceProblem("is in the shop's own data folder")
    return found.path
  }
  if (found === 'absent' && (await findStoredFile(downloadsDir, source))) return null
  throw new SourceProblem(
    found === 'outside'
      ? `is outside the files folder, ${filesDir}`
      : `is not there: neither in ${filesDir} nor in ${downloadsDir}`,
  )
}

/**
 * Returns true for a private file of the shop, such as its database: in the data folder, but outside of the downloads.
 */
async function isPrivate(path: string, downloadsDir: string): Promise<boolean> {
  const data = await realpath(dirname(downloadsDir)).catch(() => null)
  return data !== null && path.startsWith(data + sep) && !path.startsWith(join(data, basename(downloadsDir)) + sep)
}

/**
 * Copies all downloadable files of a product file into the folder of downloads. Equal bytes are stored once; a file
 * never overwrites one with other bytes, which customers may be downloading.
 * @returns the stored paths by source; an unreadable file is reported to `onProblem`
 */
export async function importSoldFiles(
  { chance, network, settings }: ImportTools,
  uses: ReadonlyMap<string, FileUse>,
  places: Places,
  onProblem: (source: string, use: FileUse, problem: string) => void,
  onDone: (done: number, of: number) => void,
): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  let done = 0
  for (const [source, use] of uses) {
    try {
      if (!isRemote(source)) {
        const path = await localFile(source, places)
        if (path !== null) paths.set(source, await keep(createReadStream(path), basename(path)))
      } else if (settings.remoteDownloads === 'fetch') {
        const name = decoded(new URL(source).pathname.split('/').at(-1) ?? '')
        paths.set(source, await keep(remoteFile(network, places.lookup, source), name))
      }
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error
      onProblem(source, use, error.message)
    }
    done += 1
    onDone(done, uses.size)
  }
  return paths

  async function keep(bytes: AsyncIterable<Uint8Array>, given: string): Promise<string> {
    await mkdir(places.downloadsDir, { recursive: true })
    const partial = join(places.downloadsDir, `${chance.hex(8)}.partial`)
    try {
      const hash = createHash('sha256')
      const copy = await open(partial, 'wx')
      try {
        for await (const chunk of bytes) {
          hash.update(chunk)
          await copy.writeFile(chunk)
        }
        await copy.sync()
      } finally {
        await copy.close()
      }
      const path = `${hash.digest('hex').slice(0, 16)}/${nameOf(given)}`
      const target = join(places.downloadsDir, path)
      if (!(await stat(target).catch(() => null))) {
        await mkdir(dirname(target), { recursive: true })
        await rename(partial, target)
      }
      return path
    } finally {
      await rm(partial, { force: true })
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a name that `findStoredFile` accepts, short enough for every file system. */
function nameOf(given: string): string {
  const plain = given.replace(/[/\\\p{Cc}]/gu, '-').replace(/^[.\s]+/, '')
  const ending = extname(plain).slice(0, 20)
  const stem = plain.slice(0, plain.length - extname(plain).length)
  return `${Array.from(stem).slice(0, 60).join('') || 'file'}${ending}`
}
