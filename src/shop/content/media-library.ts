import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { keepImage } from '#database/catalog/image-rows.ts'
import { deleteUnusedMedia, describeMedia, findMedia, keepUpload, type MediaRow } from '#database/catalog/media-rows.ts'
import { transaction } from '#database/engine/connect.ts'
import { runSerially } from '../shared/serial-queue.ts'
import type { Tools } from '../shared/tools.ts'
import { announceSoon, possibleWidths, readOriginal } from './image-sizes.ts'
import { hasVariants, ImageProblem, imageFacts, imageHash, originalFile, resizeImage } from './resize-images.ts'

/** Larger files are not read. */
export const largestUploadBytes = 8 * 1024 * 1024

/** Images are decoded as a whole: this many pixels take some 120 MB for a moment. */
const mostPixels = 30_000_000

/** Signatures of accepted files: documents and vector formats can contain programs and are not decoded. */
const beginnings = [
  /^\xff\xd8\xff/,
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF[\s\S]{4}WEBP/,
  /^[\s\S]{4}ftyp(avif|avis|mif1)/,
]

type Library = Pick<Tools, 'db' | 'chance' | 'clock' | 'log' | 'files' | 'serialQueues'>

export type Upload = { readonly bytes: Uint8Array; readonly name: string; readonly alt: string }

export type UploadResult =
  | { readonly ok: true; readonly media: MediaRow }
  /** Stored, but its variants are missing: see `finishUpload`. */
  | { readonly ok: false; readonly reason: 'unfinished'; readonly media: MediaRow }
  | { readonly ok: false; readonly reason: 'no-picture'; readonly problem: string }

/**
 * Adds an image to the library. The file is kept until its variants exist, so that a failed upload can be finished
 * later. An image that is in the library already is not added again.
 * @param mediaDir folder of the variants
 */
export async function uploadPicture(tools: Library, mediaDir: string, upload: Upload): Promise<UploadResult> {
  const { bytes, name, alt } = upload
  let facts: Awaited<ReturnType<typeof imageFacts>>
  try {
    facts = await pictureFacts(bytes)
  } catch (error) {
    if (error instanceof ImageProblem) return { ok: false, reason: 'no-picture', problem: error.message }
    throw error
  }
  const hash = imageHash(bytes)
  await mkdir(mediaDir, { recursive: true })
  const draft = `${originalFile(mediaDir, hash)}.${tools.chance.hex(6)}.tmp`
  await writeFile(draft, bytes)
  await rename(draft, originalFile(mediaDir, hash))
  const { width, height } = facts
  const media = await keepUpload(tools.db.kysely, { hash, source: `${uploadPrefix}${name}`, width, height, alt })
  try {
    return { ok: true, media: await createVariants(tools, mediaDir, media) }
  } catch (error) {
    if (error instanceof ImageProblem) {
      await removePicture(tools, mediaDir, media.id)
      return { ok: false, reason: 'no-picture', problem: error.message }
    }
    tools.log.warn({ media: media.id, error: String(error) }, 'the sizes of an uploadPrefix picture were not made')
    return { ok: false, reason: 'unfinished', media }
  }
}

/** Uploads are told by this from pictures that a file of products named. */
export const uploadPrefix = 'upload:'

/** Creates the missing variants of an upload. @returns null for an unknown id @throws when they cannot be created */
export async function finishUpload(tools: Library, mediaDir: string, id: number): Promise<MediaRow | null> {
  const media = await findMedia(tools.db.kysely, id)
  return media ? createVariants(tools, mediaDir, media) : null
}

/** One image at a time: each uses a core, and much memory for a moment. */
function createVariants(tools: Library, mediaDir: string, { id, hash }: MediaRow): Promise<MediaRow> {
  return runSerially(tools.serialQueues, 'media library', async () => {
    const media = await findMedia(tools.db.kysely, id)
    if (!media) throw new Error(`the picture ${id} is gone`)
    if (media.sizes === 'first' || !(await hasVariants(mediaDir, hash, media.widths))) {
      const image = await resizeImage(await readOriginal(mediaDir, hash), mediaDir, tools.chance)
      await transaction(tools, async (tx) => {
        // Pages that show it name only its first sizes so far.
        const isShown = media.sizes === 'first'
        await keepImage(tx, { ...media, ...image, sizes: isShown ? 'made' : 'all' })
        if (isShown) await announceSoon(tx, tools.clock.now())
      })
    }
    await rm(originalFile(mediaDir, hash), { force: true })
    return (await findMedia(tools.db.kysely, id)) ?? media
  })
}

/** Sets the alternative text of an image; pages that show it are rendered again. @returns null for an unknown id */
export async function describePicture(tools: Library, id: number, alt: string): Promise<MediaRow | null> {
  return transaction(tools, async (tx) => {
    const shownBy = await describeMedia(tx, id, alt)
    if (shownBy.categories) await catalogChanged(tx)
    else if (shownBy.products.length > 0) await catalogChanged(tx, shownBy.products)
    return (await findMedia(tx, id)) ?? null
  })
}

/** Deletes an image and its files, unless a product, a category or the front page uses it. */
export async function removePicture(
  tools: Library,
  mediaDir: string,
  id: number,
): Promise<{ ok: true; media: MediaRow } | { ok: false; reason: 'unknown' | 'in-use' }> {
  return runSerially(tools.serialQueues, 'media library', async () => {
    const media = await findMedia(tools.db.kysely, id)
    if (!media) return { ok: false, reason: 'unknown' }
    const named = Object.values(tools.files).some(({ hash }) => hash === media.hash)
    if (named || !(await deleteUnusedMedia(tools.db.kysely, id))) return { ok: false, reason: 'in-use' }
    const variants = possibleWidths(media).flatMap((width) => [`${width}.avif`, `${width}.webp`])
    const files = [originalFile(mediaDir, media.hash), ...variants.map((end) => join(mediaDir, `${media.hash}-${end}`))]
    await Promise.all(files.map((file) => rm(file, { force: true })))
    return { ok: true, media }
  })
}

async function pictureFacts(bytes: Uint8Array) {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (!beginnings.some((known) => known.test(beginning))) throw new ImageProblem('is not a supported image format')
  const facts = await imageFacts(bytes)
  if (facts.width * facts.height > mostPixels)
    throw new ImageProblem(`has more than ${mostPixels / 1e6} million pixels`)
  return facts
}
