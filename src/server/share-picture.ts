import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { urls } from '#contract/urls.ts'
import type { ImageFacts } from '#shop/catalog-facts.ts'
import { sharePictureDigest, sharePictureFile, sharePictureSize } from '#shop/share-picture-name.ts'
import type { SharedPicture } from '#web/pages/page-head.tsx'
import type { Application } from './application.ts'

/** Digests of pictures that were seen on disk. They are never taken away while they are right. */
const seen = new WeakMap<Application, Set<string>>()
const mostSeen = 10_000

/** What is shown of a page where it is shared: its card when that has been made, until then its own picture. */
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
  const known = seen.get(app) ?? new Set<string>()
  seen.set(app, known)
  if (known.has(digest)) return true
  const made = await stat(join(app.mediaFolder, sharePictureFile(digest))).then(
    ({ size }) => size > 0,
    () => false,
  )
  if (made) {
    if (known.size >= mostSeen) known.clear()
    known.add(digest)
  }
  return made
}

/** The widest variant of a picture that is on disk. */
export function largest({ hash, width, height, widths }: ImageFacts, publicUrl: string): Omit<SharedPicture, 'alt'> {
  const widest = Math.max(...widths, 1)
  const url = publicUrl + urls.media(hash, widest, 'webp')
  return { url, width: widest, height: Math.round((height * widest) / width), type: 'image/webp' }
}
