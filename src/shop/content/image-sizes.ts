import { readFile, rm } from 'node:fs/promises'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import {
  completeImages,
  countImages,
  type ImageRow,
  keepImage,
  unfinishedImages,
} from '#database/catalog/image-rows.ts'
import { findMedia } from '#database/catalog/media-rows.ts'
import { transaction } from '#database/engine/connect.ts'
import { enqueue, removeJob } from '../shared/jobs.ts'
import { runSerially } from '../shared/serial-queue.ts'
import type { Tools } from '../shared/tools.ts'
import {
  hasVariants,
  imageHash,
  makeFirstSizes,
  originalFile,
  type ResizedImage,
  resizeImage,
  widthsOf,
} from './resize-images.ts'

type ImageTools = Pick<Tools, 'db' | 'chance' | 'clock'>

/** Encodes every size of a kept original. */
export type EncodeImage = (mediaDir: string, hash: string) => Promise<ResizedImage>

/** Pages are made again once for all pictures that are completed in this time. */
const announceMs = 15_000

/**
 * Makes the sizes that pages ask for first and enqueues a job for the others. A picture whose files are on disk is not
 * made twice.
 * @returns its id
 * @throws ImageProblem
 */
export async function takeImage(
  tools: ImageTools,
  mediaDir: string,
  bytes: Uint8Array,
  { source, alt, known }: Pick<ImageRow, 'source' | 'alt'> & { known?: (ImageRow & { id: number }) | undefined },
): Promise<number> {
  if (known && (await hasKnownFiles(mediaDir, known))) return known.id
  const image = await makeFirstSizes(bytes, mediaDir, tools.chance)
  return transaction(tools, async (tx) => {
    const imageId = await keepImage(tx, { ...image, source, alt, sizes: 'first' })
    await enqueue(tx, 'image-sizes', { imageId }, { key: imageJobKey(imageId) })
    return imageId
  })
}

async function hasKnownFiles(mediaDir: string, { hash, widths, sizes }: ImageRow): Promise<boolean> {
  return hasVariants(mediaDir, hash, widths, sizes === 'first' ? ['webp'] : undefined)
}

/**
 * Makes the sizes that a picture still lacks: one step of the background job. It can be stopped at any point and repeated.
 * @returns whether sizes were made; false: the picture is gone or complete
 */
export async function completeImage(
  tools: ImageTools & Pick<Tools, 'serialQueues'>,
  mediaDir: string,
  id: number,
  encode: EncodeImage,
): Promise<boolean> {
  return runSerially(tools.serialQueues, 'media library', async () => {
    const media = await findMedia(tools.db.kysely, id)
    if (media?.sizes !== 'first') return false
    const image = await encode(mediaDir, media.hash)
    await transaction(tools, async (tx) => {
      await keepImage(tx, { ...media, ...image, sizes: 'made' })
      await announceSoon(tx, tools.clock.now())
    })
    await rm(originalFile(mediaDir, media.hash), { force: true })
    return true
  })
}

/**
 * Makes the sizes of all pictures at once, in this process, instead of by jobs.
 * @returns how many pictures could not be completed
 */
export async function completeAllImages(
  tools: ImageTools & Pick<Tools, 'serialQueues'>,
  mediaDir: string,
  onProgress: (made: number, of: number) => void = () => {},
  onProblem: (id: number, error: unknown) => void = () => {},
): Promise<number> {
  const { unfinished } = await countImages(tools.db.kysely)
  const ids = await unfinishedImages(tools.db.kysely, unfinished)
  const encode: EncodeImage = async (_, hash) => resizeImage(await readOriginal(mediaDir, hash), mediaDir, tools.chance)
  let failed = 0
  for (const [made, id] of ids.entries()) {
    onProgress(made, ids.length)
    try {
      await completeImage(tools, mediaDir, id, encode)
      await removeJob(tools.db.kysely, imageJobKey(id))
    } catch (error) {
      failed += 1
      onProblem(id, error)
    }
  }
  await announceImages(tools)
  await removeJob(tools.db.kysely, announceKey)
  return failed
}

const imageJobKey = (id: number) => `image-sizes:${id}`
const announceKey = 'announce-images'

/** Enqueues `announceImages` for the end of the current interval, once for all pictures in it. */
export async function announceSoon(tx: Parameters<typeof enqueue>[0], now: Date): Promise<void> {
  const runAt = new Date(now.getTime() + announceMs)
  await enqueue(tx, 'announce-images', {}, { key: announceKey, runAt })
}

export type ImageProgress = { readonly all: number; readonly unfinished: number }

/**
 * Has the pages made again that show pictures completed since the last call.
 * @returns how many pictures there are and how many still lack sizes; null: nothing was completed
 */
export async function announceImages(tools: ImageTools): Promise<ImageProgress | null> {
  return transaction(tools, async (tx) => {
    const shownBy = await completeImages(tx)
    if (!shownBy) return null
    if (shownBy.categories) await catalogChanged(tx)
    else if (shownBy.products.length > 0) await catalogChanged(tx, shownBy.products)
    return countImages(tx)
  })
}

/** Reads the kept original of a picture. @throws when it is gone */
export async function readOriginal(mediaDir: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(originalFile(mediaDir, hash))
  if (imageHash(bytes) !== hash) throw new Error(`the original of the picture ${hash} is damaged`)
  return bytes
}

/** Files of a picture in any state of its making. */
export const possibleWidths = ({ width, widths }: Pick<ImageRow, 'width' | 'widths'>): number[] => [
  ...new Set([...widths, ...widthsOf(width)]),
]
