import { createHash } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chance } from '#contract/shared/environment.ts'
import { SourceProblem } from '../shared/source-problem.ts'

/** Widths used on pages. An image is never enlarged: the last variant has its own width. */
export const imageWidths = [160, 320, 640, 960, 1440] as const

/** The range of widths that product cards and the gallery on a phone request. */
const firstFrom = 320
const firstUpTo = 640

/** Pictures converted at a time: each takes one core and some 60 MB. */
export const maxConcurrentImages = 2

const formats = ['avif', 'webp'] as const
export type ImageFormat = (typeof formats)[number]

// More effort takes twice the time and saves one part in a hundred (AVIF), or in twenty of the fallback (WebP).
const avif = { quality: 52, effort: 1 }
const webp = { quality: 76, effort: 2 }
// Vector and document formats can contain programs; they are not accepted from outside.
const readable = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif', 'tiff'])
const largestPixels = 80_000_000
const widest = 1440

export type ResizedImage = {
  hash: string
  width: number
  height: number
  /** Dominant colour as #rrggbb. */
  placeholder: string
  widths: number[]
}

/** The image cannot be used; the message has the reason. */
export class ImageProblem extends SourceProblem {}

export function imageHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** All widths that a picture of this width is made in. */
export const widthsOf = (width: number): number[] => [...imageWidths.filter((one) => one < width), width]

/** Those that a page asks for first. */
export function firstWidthsOf(width: number): number[] {
  const first = widthsOf(width).filter((one) => one >= firstFrom && one <= firstUpTo)
  return first.length > 0 ? first : [width]
}

/**
 * Reads the header only.
 * @returns its size once it stands upright
 * @throws ImageProblem
 */
export async function checkImage(source: string | Uint8Array): Promise<{ width: number; height: number }> {
  const { format, autoOrient } = await (await openImage(source)).metadata().catch(throwUnreadable)
  if (!readable.has(format ?? '')) throw new ImageProblem(`is a ${format ?? 'file'} and not a picture the shop takes`)
  return autoOrient
}

/**
 * Returns format and size from the header of an image.
 * @throws ImageProblem
 */
export async function imageFacts(bytes: Uint8Array): Promise<{ format: string; width: number; height: number }> {
  const { format = 'file', width, height } = await (await openImage(bytes)).metadata().catch(throwUnreadable)
  if (!width || !height) throw new ImageProblem('has no width or height')
  return { format, width, height }
}

export const variantFile = (mediaDir: string, hash: string, width: number, format: ImageFormat) =>
  join(mediaDir, `${hash}-${width}.${format}`)

/** The picture as it came, kept until all its variants are made. It has no address. */
export const originalFile = (mediaDir: string, hash: string) => join(mediaDir, `${hash}.upload`)

/** Checks whether every variant of a known image is on disk. An image without widths has none yet. */
export async function hasVariants(
  mediaDir: string,
  hash: string,
  widths: readonly number[],
  wanted: readonly ImageFormat[] = formats,
): Promise<boolean> {
  const files = widths.flatMap((width) => wanted.map((format) => variantFile(mediaDir, hash, width, format)))
  const found = await Promise.all(files.map(isFile))
  return widths.length > 0 && found.every(Boolean)
}

const isFile = (path: string) =>
  stat(path).then(
    (facts) => facts.isFile() && facts.size > 0,
    () => false,
  )

/**
 * Makes the variants `<hash>-<width>.avif` and `.webp` in `mediaDir`: upright by the camera's note, and without what else
 * the file says about camera, place and people. Each file appears whole or not at all; one that is there stays.
 * @throws ImageProblem
 */
export async function resizeImage(bytes: Uint8Array, mediaDir: string, chance: Chance): Promise<ResizedImage> {
  const { pixels, image } = await decoded(bytes, mediaDir, widest)
  for (const width of image.widths) {
    const small = await pixels().resize({ width }).raw().toBuffer({ resolveWithObject: true })
    const sharp = await loadSharp()
    for (const format of formats) {
      const file = variantFile(mediaDir, image.hash, width, format)
      if (await isFile(file)) continue
      const variant = sharp(small.data, { raw: rawOf(small.info) })
      const encoded = format === 'avif' ? variant.avif(avif) : variant.webp(webp)
      await writeWhole(file, await encoded.toBuffer(), chance)
    }
  }
  return image
}

/**
 * Makes the variants that pages ask for first, as WebP, and keeps the picture as it came for `resizeImage`. It takes a tenth
 * of the time.
 * @returns the picture with the widths that were made
 * @throws ImageProblem
 */
export async function makeFirstSizes(bytes: Uint8Array, mediaDir: string, chance: Chance): Promise<ResizedImage> {
  const { pixels, image } = await decoded(bytes, mediaDir, firstUpTo)
  const widths = firstWidthsOf(image.width)
  for (const width of widths) {
    const encoded = await pixels().resize({ width }).webp(webp).toBuffer()
    await writeWhole(variantFile(mediaDir, image.hash, width, 'webp'), encoded, chance)
  }
  await writeWhole(originalFile(mediaDir, image.hash), bytes, chance)
  return { ...image, widths }
}

/** Decodes a picture once, no wider than `most`; every variant starts from these pixels. */
async function decoded(bytes: Uint8Array, mediaDir: string, most: number) {
  const upright = await checkImage(bytes)
  await mkdir(mediaDir, { recursive: true })
  const picture = await openImage(bytes)
  const { data, info } = await picture
    .autoOrient()
    .toColourspace('srgb')
    .resize({ width: most, withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(throwUnreadable)
  const sharp = await loadSharp()
  const pixels = () => sharp(data, { raw: rawOf(info) })
  const { dominant } = await pixels().resize({ width: 80 }).removeAlpha().stats()
  const placeholder = `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  const width = Math.min(widest, upright.width)
  const height = Math.max(1, Math.round((upright.height * width) / upright.width))
  return { pixels, image: { hash: imageHash(bytes), width, height, placeholder, widths: widthsOf(width) } }
}

const rawOf = ({ width, height, channels }: { width: number; height: number; channels: 1 | 2 | 3 | 4 }) => ({
  width,
  height,
  channels,
})

/** Loaded when the first picture comes: a server that imports none saves 20 MB and a part of its start. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  return sharp
}

async function openImage(source: string | Uint8Array) {
  const sharp = await loadSharp()
  // One thread per image: two at a time use two cores, and leave time for the server.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(source, { limitInputPixels: largestPixels, failOn: 'error', pages: 1 })
}

function throwUnreadable(error: unknown): never {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
  throw new ImageProblem(`cannot be decoded as an image (${reason})`)
}

async function writeWhole(path: string, bytes: Uint8Array, chance: Chance) {
  const draft = `${path}.${chance.hex(6)}.tmp`
  try {
    await writeFile(draft, bytes)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
