import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { saveTranslations } from '#shop/translation/save-translation.ts'
import type { TestShop } from '#tests/support/shop.ts'

/** Translates what the merchant wrote, as a translator would: original → translation. Originals with elements are markup. */
export async function say(shop: TestShop, language: string, said: Readonly<Record<string, string>>): Promise<void> {
  const originals = Object.keys(said).map((text) => ({ area: 'content' as const, text, markup: /<\w/.test(text) }))
  const ids = await saveOriginalsForIds(shop.db.kysely, originals, new Date())
  const results = await saveTranslations(
    shop.shop.application.tools,
    Object.values(said).map((translated, at) => ({
      originalId: ids[at] ?? 0,
      language,
      translated,
      status: 2 as const,
      revision: null,
      by: null,
    })),
  )
  const refused = results.filter(({ ok }) => !ok)
  if (refused.length > 0) throw new Error(`translations were refused: ${JSON.stringify(refused)}`)
}
