import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changesSince } from '#database/catalog/catalog-version.ts'
import { type SharedRow, sharedCategories, sharedProducts, shopImage } from '#database/catalog/share-rows.ts'
import type { Tools } from '../shared/tools.ts'
import { drawSharePicture } from './draw-share-picture.ts'
import { type Done, doneFile, looksOf, readDone } from './due-share-pictures.ts'
import { sharePictureDigest, sharePictureFile, shopOfPicture } from './share-picture-name.ts'
import { type Letters, openFonts } from './share-picture-text.ts'

type PictureTools = Pick<Tools, 'db' | 'settings' | 'chance' | 'clock' | 'log'>

/** Other sites cache an old URL for a while. */
const keepOldMs = 30 * 24 * 60 * 60 * 1000

export type ShareReport = {
  readonly made: number
  readonly kept: number
  readonly failed: number
  readonly removed: number
}

const isPicture = (name: string) => /^share-[0-9a-f]{32}\.jpg$/.test(name)

/**
 * Creates the share images of the shop, of every category and product. Existing ones stay, so it can be stopped and
 * restarted at any time.
 * @param options.anew also recreates existing images
 */
export async function makeSharePictures(
  tools: PictureTools,
  mediaDir: string,
  options: { anew?: boolean; onProgress?: (made: number, looked: number) => void } = {},
): Promise<ShareReport> {
  const { db, settings } = tools
  await mkdir(mediaDir, { recursive: true })
  const looks = looksOf(settings)
  const done = options.anew ? null : await readDone(mediaDir)
  // Read before the products: changes during the run are handled by the next run.
  const { version, products } = await changesSince(db.sql, done?.version ?? 0)
  const only = done?.looks === looks ? products : null
  const there = new Set(options.anew ? [] : (await readdir(mediaDir)).filter(isPicture))
  const wanted = new Set<string>()
  const count = { made: 0, kept: 0, failed: 0, removed: 0 }
  let letters: Letters | null = null

  const one = async ({ name, image, widths }: Omit<SharedRow, 'id'>) => {
    const file = sharePictureFile(sharePictureDigest(settings, { name, image }))
    if (wanted.has(file)) return
    wanted.add(file)
    if (there.has(file)) {
      count.kept += 1
    } else {
      letters ??= await openFonts()
      const drawing = { ...shopOfPicture(settings), name, image: image === null ? null : { hash: image, widths } }
      try {
        await writeWhole(join(mediaDir, file), await drawSharePicture(letters, drawing, mediaDir), tools.chance.hex(6))
        count.made += 1
      } catch (error) {
        count.failed += 1
        tools.log.warn({ name, error: String(error) }, 'share image not created')
      }
    }
    options.onProgress?.(count.made, wanted.size)
  }

  const shop = await shopImage(db.sql)
  await one({ name: '', image: shop?.hash ?? null, widths: shop?.widths ?? [] })
  for (const category of await sharedCategories(db.sql)) await one(category)
  for await (const rows of sharedProducts(db.sql, only)) {
    for (const row of rows) await one(row)
  }
  // Only a full run knows which images are unused.
  if (only === null) count.removed = await removeOld(tools, mediaDir, wanted)
  // Failed images are retried after a change, or by hand: most likely they would fail again.
  const now: Done = { version, looks }
  await writeWhole(doneFile(mediaDir), JSON.stringify(now), tools.chance.hex(6))
  return count
}

async function removeOld({ clock }: PictureTools, mediaDir: string, wanted: ReadonlySet<string>): Promise<number> {
  let removed = 0
  for (const name of await readdir(mediaDir)) {
    if (!isPicture(name) || wanted.has(name)) continue
    const path = join(mediaDir, name)
    const facts = await stat(path).catch(() => null)
    if (!facts || clock.now().getTime() - facts.mtimeMs < keepOldMs) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

async function writeWhole(path: string, content: string | Uint8Array, draft: string): Promise<void> {
  await writeFile(`${path}.${draft}.tmp`, content)
  await rename(`${path}.${draft}.tmp`, path)
}
