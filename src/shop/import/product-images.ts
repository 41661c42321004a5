import { readFile } from 'node:fs/promises'
import { findImages, findImagesBySource, type ImageRow } from '#database/catalog/image-rows.ts'
import { takeImage } from '../content/image-sizes.ts'
import { checkImage, hasVariants, ImageProblem, imageHash, maxConcurrentImages } from '../content/resize-images.ts'
import { SourceProblem } from '../shared/source-problem.ts'
import { type HostLookup, isRemote, largestImageBytes, remoteImage } from './fetch-remote-file.ts'
import { fileInFolder } from './file-in-folder.ts'
import type { ImportTools } from './import-tools.ts'

export type ImagePlaces = {
  /** Base folder of the file's relative paths. */
  readonly imagesDir: string
  /** Folder of the image variants. */
  readonly mediaDir: string
  readonly lookup: HostLookup
}

/** Pictures fetched at a time: servers are slow, and converting is not. */
const maxConcurrentFetches = 6

/** The first use of an image: for its alternative text, and for error messages. */
export type ImageUse = { readonly row: number; readonly name: string }

/** Checks an image without converting it. @param isKnown true for one that the shop has. @returns the problem, or null */
export async function imageProblem(
  source: string,
  places: ImagePlaces,
  remoteImages: boolean,
  isKnown = false,
): Promise<string | null> {
  if (isRemote(source)) {
    if (!URL.canParse(source)) return 'is not an address'
    if (isKnown) return null
    return remoteImages
      ? null
      : 'is on another server: fetch such images with --fetch-images, or always with the setting remoteImages'
  }
  try {
    await checkImage(await localPath(source, places.imagesDir))
    return null
  } catch (error) {
    if (error instanceof ImageProblem) return error.message
    throw error
  }
}

async function localPath(source: string, imagesDir: string): Promise<string> {
  const found = await fileInFolder(imagesDir, source)
  if (found === 'absent') throw new ImageProblem('is not there')
  if (found === 'outside') throw new ImageProblem('is outside the images folder')
  if (found.size > largestImageBytes) throw new ImageProblem('is larger than 25 MB')
  return found.path
}

/**
 * Makes the first sizes of all pictures that have none yet and returns their ids by source; a job makes the other sizes. A
 * picture that cannot be read is passed to `onProblem`, and the others go on. One of an address that an earlier run has
 * fetched is not fetched again: an import that was interrupted goes on where it was.
 */
export async function convertImages(
  tools: ImportTools,
  uses: ReadonlyMap<string, ImageUse>,
  places: ImagePlaces,
  onProblem: (source: string, use: ImageUse, problem: string) => void,
  onDone: (done: number, of: number) => void,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  // Equal bytes under two names are converted once, also when both are read at the same time.
  const byHash = new Map<string, Promise<number>>()
  const known = await fetchedBefore(tools, [...uses.keys()].filter(isRemote), places.mediaDir)
  for (const [source, id] of known) ids.set(source, id)
  const waiting = [...uses].filter(([source]) => !known.has(source)).values()
  let done = known.size
  let converting = 0
  const queue: (() => void)[] = []

  async function convertOne(source: string, use: ImageUse) {
    const bytes = isRemote(source)
      ? await remoteImage(tools.network, places.lookup, source)
      : await readFile(await localPath(source, places.imagesDir))
    const hash = imageHash(bytes)
    let id = byHash.get(hash)
    if (!id) {
      id = keep(bytes, hash, source, use)
      byHash.set(hash, id)
    }
    ids.set(source, await id)
  }
  async function keep(bytes: Uint8Array, hash: string, source: string, use: ImageUse): Promise<number> {
    if (converting < maxConcurrentImages) converting += 1
    else await new Promise<void>((free) => queue.push(free))
    try {
      const stored = (await findImages(tools.db.kysely, [hash])).get(hash)
      return await takeImage(tools, places.mediaDir, bytes, { source, alt: use.name, known: stored })
    } finally {
      const next = queue.shift()
      if (next) next()
      else converting -= 1
    }
  }
  async function work() {
    for (const [source, use] of waiting) {
      try {
        await convertOne(source, use)
      } catch (error) {
        if (!(error instanceof SourceProblem)) throw error
        onProblem(source, use, error.message)
      }
      done += 1
      onDone(done, uses.size)
    }
  }
  const workers = [...uses.keys()].some(isRemote) ? maxConcurrentFetches : maxConcurrentImages
  await Promise.all(Array.from({ length: workers }, work))
  return ids
}

/** The address of an image of a shop like this one, with the digest of its file. */
const ownImage = /\/media\/([0-9a-f]{64})-\d+\.(?:webp|avif)$/

/**
 * Returns the ids of images that the shop has with their files: those of addresses that it fetched before, and those of its
 * own addresses, as its export writes them.
 */
export async function fetchedBefore(
  { db }: Pick<ImportTools, 'db'>,
  addresses: readonly string[],
  mediaDir: string,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  if (addresses.length === 0) return ids
  const hasFiles = ({ hash, widths, sizes }: Pick<ImageRow, 'hash' | 'widths' | 'sizes'>) =>
    hasVariants(mediaDir, hash, widths, sizes === 'first' ? ['webp'] : undefined)
  for (const image of await findImagesBySource(db.kysely, addresses))
    if (await hasFiles(image)) ids.set(image.source, image.id)
  const hashes = new Map(addresses.flatMap((address) => [[address, ownImage.exec(address)?.[1] ?? ''] as const]))
  const own = await findImages(
    db.kysely,
    [...hashes.values()].filter((hash) => hash !== ''),
  )
  for (const [address, hash] of hashes) {
    const image = own.get(hash)
    if (image && (await hasFiles(image))) ids.set(address, image.id)
  }
  return ids
}
