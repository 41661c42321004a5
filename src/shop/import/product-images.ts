import { readFile } from 'node:fs/promises'
import { findImages } from '#database/catalog/image-rows.ts'
import { takeImage } from '../content/image-sizes.ts'
import { checkImage, ImageProblem, imageHash, maxConcurrentImages } from '../content/resize-images.ts'
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

/** The first use of an image: for its alternative text, and for error messages. */
export type ImageUse = { readonly row: number; readonly name: string }

/** Checks an image without converting it. @returns the problem, or null */
export async function imageProblem(source: string, places: ImagePlaces, remoteImages: boolean): Promise<string | null> {
  if (isRemote(source)) {
    if (!URL.canParse(source)) return 'is not an address'
    return remoteImages ? null : 'is on another server, and the setting remoteImages is off'
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
 * picture that cannot be read is passed to `onProblem`, and the others go on.
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
  const waiting = uses.entries()
  let done = 0

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
    const known = (await findImages(tools.db.kysely, [hash])).get(hash)
    return takeImage(tools, places.mediaDir, bytes, { source, alt: use.name, known })
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
  await Promise.all(Array.from({ length: maxConcurrentImages }, work))
  return ids
}
