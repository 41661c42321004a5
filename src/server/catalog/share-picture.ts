import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { urls } from '#contract/shared/urls.ts'
import type { ImageFacts } from '#shop/catalog/catalog-facts.ts'
import { sharePictureDigest, sharePictureFile, sharePictureSize } from '#shop/content/share-picture-name.ts'
import type { SharedPicture } from '#web/pages/shared/page-head.tsx'
import type { Application } from '../operations/startup/application.ts'

/**
 * Time until which the existence of an image file is cached, by its digest. A valid file is never deleted; a missing
 * one may exist at the next check.
 */
type Looked = { readonly made: boolean; readonly untilMs: number }
const looked = new WeakMap<Application, Map<string, Looked>>()
const mostLooked = 10_000
const missingMs = 1_000

/** Returns the image of a shared page: its share image once that exists, until then its own image. */
export async function sharedPicture(
  app: Application,
  { name, image }: { name: string; image: ImageFacts | null },
): Promise<SharedPicture | null> {
  const { publicUrl, settings } = app.tools
  const digest = sharePictureDigest(settings, { name, image: image?.hash ?? null })
  const alt = name === '' ? settings.name : `${name} – ${settings.name}`
  if (await isMade(app, digest)) {
    return { url: publicUrl + urls.sharePicture(digest), ...sharePictureSize, alt, type: 'image/jpeg' }
  }
  return image && { ...largest(image, publicUrl), alt }
}

async function isMade(app: Application, digest: string): Promise<boolean> {
  const known = looked.get(app) ?? new Map<string, Looked>()
  looked.set(app, known)
  const nowMs = app.tools.clock.now().getTime()
  const last = known.get(digest)
  if (last && nowMs < last.untilMs) return last.made
  const made = await stat(join(app.mediaFolder, sharePictureFile(digest))).then(
    ({ size }) => size > 0,
    () => false,
  )
  if (known.size >= mostLooked) known.clear()
  known.set(digest, { made, untilMs: made ? Number.POSITIVE_INFINITY : nowMs + missingMs })
  return made
}

/** Returns the widest existing variant of an image. */
export function largest({ hash, width, height, widths }: ImageFacts, publicUrl: string): Omit<SharedPicture, 'alt'> {
  const widest = Math.max(...widths, 1)
  const url = publicUrl + urls.media(hash, widest, 'webp')
  return { url, width: widest, height: Math.round((height * widest) / width), type: 'image/webp' }
}
