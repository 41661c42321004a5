import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { saveTranslations } from '#shop/translation/save-translation.ts'
import type { SlugKind } from '#shop/translation/translator.ts'
import type { TestShop } from '#tests/support/shop.ts'

/** Gives parts of addresses in a language, as a translator would. Pages follow as soon as the shop has heard of it. */
export async function saveSlugTranslations(
  shop: TestShop,
  language: string,
  slugs: Readonly<Partial<Record<SlugKind, Readonly<Record<string, string>>>>>,
): Promise<void> {
  const said = Object.entries(slugs).flatMap(([context, all]) =>
    Object.entries(all).map(([text, translated]) => ({
      original: { area: 'slug' as const, context, text },
      translated,
    })),
  )
  const ids = await saveOriginalsForIds(
    shop.db.kysely,
    said.map(({ original }) => original),
    new Date(),
  )
  const results = await saveTranslations(
    shop.shop.application.tools,
    said.map(({ translated }, index) => ({
      originalId: ids[index] ?? 0,
      language,
      translated,
      status: 2 as const,
      revision: null,
      by: null,
    })),
  )
  const refused = results.filter(({ ok }) => !ok)
  if (refused.length > 0) throw new Error(`slugs were refused: ${JSON.stringify(refused)}`)
}
