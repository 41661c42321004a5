import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { changesSince } from '#database/catalog/catalog-version.ts'
import { shortDigest } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { shopOfPicture } from './share-picture-name.ts'

// Separate from the drawing code: a check for due images needs no fonts.

/** The catalog version, and the design, for which every image exists. */
const doneSchema = z.object({ version: z.number(), looks: z.string() })
export type Done = z.output<typeof doneSchema>

/** Beside the images: another machine of the same shop may have a folder of its own. */
export const doneFile = (mediaDir: string) => join(mediaDir, 'share-pictures.json')
export const looksOf = (settings: Tools['settings']) => shortDigest(JSON.stringify(shopOfPicture(settings)))

/**
 * Returns true if an image may be missing: the catalog, or a property of all images, has changed since the last run.
 */
export async function sharePicturesDue(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  mediaDir: string,
): Promise<boolean> {
  const done = await readDone(mediaDir)
  if (done?.looks !== looksOf(settings)) return true
  const { version } = await changesSince(db.sql, done.version)
  return version !== done.version
}

/** A missing or unreadable file means that nothing is done. */
export async function readDone(mediaDir: string): Promise<Done | null> {
  const text = await readFile(doneFile(mediaDir), 'utf8').catch(() => 'null')
  const read = doneSchema.safeParse(parsed(text))
  return read.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
