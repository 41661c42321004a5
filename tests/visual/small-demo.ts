import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { connect } from '#database/engine/connect.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { stockDemo } from '#shop/operations/stock-demo.ts'
import type { Filling } from '#tests/support/database/database.ts'

const demo = join(import.meta.dirname, '../../demo')
/** Wide enough to tell one picture from another; a tenth of the work of the real ones. */
const pictureWidth = 320

const small = (photo: Buffer) =>
  sharp(photo).resize({ width: pictureWidth, withoutEnlargement: true }).webp({ quality: 70, effort: 0 }).toBuffer()

/** Fills an empty database with the demo shop, its pictures made small, or otherwise, beforehand. */
export async function fillWithSmallDemo(
  databaseUrl: string,
  dataDir: string,
  settings: Record<string, unknown> = {},
  made: (photo: Buffer) => Promise<Buffer> = small,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-small-demo-'))
  const db = connect(databaseUrl, { max: 2 })
  try {
    await cp(demo, folder, { recursive: true, filter: (path) => !path.endsWith('/images') })
    await cp(join(demo, 'images'), join(folder, 'images'), { recursive: true, filter: (path) => !isPhoto(path) })
    for (const name of (await readdir(join(demo, 'images'))).filter(isPhoto)) {
      await writeFile(join(folder, 'images', name), await made(await readFile(join(demo, 'images', name))))
    }
    const environment = systemEnvironment(systemLog('silent'))
    const { settings: own } = shopConfiguration(await readConfiguration(db))
    const tools = { ...environment, db, settings: own, pageSlugs: () => new Set<string>() }
    const places = {
      mediaDir: join(dataDir, 'media'),
      downloadsDir: join(dataDir, 'downloads'),
      lookup: async () => [],
    }
    const report = await stockDemo(tools, folder, places, () => {})
    if (!report.ok) throw new Error(`the demo has faults: ${JSON.stringify(report.faults.slice(0, 3))}`)
    await completeAllImages({ ...environment, db, serialQueues: new Map() }, places.mediaDir)
    // In one language and currency, unless more are asked for: what is looked at there is looked at in each of them elsewhere.
    await writeSettings(db, { mail: { from: 'shop@example.test' }, languages: [], currencies: [], ...settings })
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same for `aShop`. */
export const smallDemo: Filling = { key: 'the small demo', fill: (url, folder) => fillWithSmallDemo(url, folder) }

const isPhoto = (path: string) => path.endsWith('.webp')
