import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { vi } from 'vitest'
import { connect } from '#database/engine/connect.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { importContentTranslations, importInterfaceWords } from '#shop/translation/translation-seeds.ts'
import type { Filling } from '#tests/support/database/database.ts'
import type { TestShop } from '#tests/support/shop.ts'
import { fillWithSmallDemo } from '#tests/visual/small-demo.ts'

const root = join(import.meta.dirname, '../../..')

/** Every language that the demo is translated into. */
export const demoLanguages = [
  { tag: 'de-DE', slug: 'de' },
  { tag: 'fr-FR', slug: 'fr' },
  { tag: 'es-ES', slug: 'es' },
  { tag: 'ja-JP', slug: 'ja' },
  { tag: 'ar', slug: 'ar' },
] as const

/** A made-up language that puts every text into brackets: what stands outside of them goes through no translation. */
export const bracketed = { tag: 'en-x-pseudo', slug: 'xx' } as const

/** One picture for everything: nobody looks at it here. */
const anyPicture = sharp({ create: { width: 64, height: 80, channels: 3, background: '#b9c4bd' } })
  .webp()
  .toBuffer()

/** The demo shop, its texts in all those languages. */
export const demoInLanguages: Filling = { key: 'the demo in languages', fill: fillWithLanguages }

async function fillWithLanguages(databaseUrl: string, dataDir: string): Promise<void> {
  const languages = [...demoLanguages, bracketed]
  await fillWithSmallDemo(databaseUrl, dataDir, { languages }, () => anyPicture)
  const db = connect(databaseUrl, { max: 2 })
  try {
    const tools = {
      ...systemEnvironment(systemLog('silent')),
      db,
      pageSlugs: () => new Set<string>(),
      settings: shopConfiguration(await readConfiguration(db)).settings,
    }
    await importContentTranslations(
      tools,
      join(root, 'demo/translations'),
      demoLanguages.map(({ tag }) => tag),
    )
  } finally {
    await db.close()
  }
}

/** Gives the made-up language its words: once the shop runs, which takes in its own when it starts. */
export async function translateInBrackets({ dataDir, shop, url }: TestShop): Promise<void> {
  const { tools } = shop.application
  const made = join(dataDir, 'made-up-words')
  await mkdir(join(made, 'content'), { recursive: true })
  await bracket(join(root, 'translations/de.json'), join(made, `${bracketed.tag}.json`))
  await bracket(join(root, 'demo/translations/de.json'), join(made, `content/${bracketed.tag}.json`))
  await importInterfaceWords(tools, made, [bracketed.tag])
  await importContentTranslations(tools, join(made, 'content'), [bracketed.tag])
  const page = async () => (await fetch(`${url}/${bracketed.slug}/shop/`)).text()
  await vi.waitUntil(async () => {
    const html = await page()
    return html.includes('⟦Add to cart') && html.includes('⟦Tidal Vase⟧')
  }, 10_000)
}

async function bracket(file: string, to: string): Promise<void> {
  // Proof of the cast: it is one of the shop's own files, which tests of their own read.
  const words = JSON.parse(await readFile(file, 'utf8')) as Record<string, string | object>
  const said = Object.entries(words).map(([original, text]) => {
    const put = `⟦${original}⟧`
    return [original, typeof text === 'string' ? put : { one: put, other: put }]
  })
  await writeFile(to, JSON.stringify(Object.fromEntries(said)))
}
