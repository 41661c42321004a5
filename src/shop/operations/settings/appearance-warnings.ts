import type { Kysely } from 'kysely'
import type { MenuItem } from '#contract/content/menu-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { contrastWarnings } from '#contract/theme/theme-contrast.ts'
import { namesThatExist } from '#database/catalog/find-references.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { priceWarnings } from '../../currency/price-warnings.ts'

/**
 * Returns warnings about valid but probably unintended settings: unreadable colours, prices that hide their decimals,
 * and menus and sections with missing targets. One sentence each.
 * @param hasPage checks whether a static page exists; absent if unknown
 */
export async function themeWarnings(
  db: Kysely<Schema>,
  settings: Pick<ShopSettings, 'theme' | 'menus' | 'home' | 'currency' | 'priceFormat' | 'currencies'>,
  hasPage: (slug: string) => boolean = () => true,
): Promise<string[]> {
  const { theme, menus, home } = settings
  const named: { where: string; what: 'category' | 'tag' | 'product' | 'page'; name: string }[] = []
  const name = (where: string, what: (typeof named)[number]['what'], names: readonly (string | undefined)[]) =>
    named.push(...names.flatMap((one) => (one === undefined ? [] : [{ where, what, name: one }])))
  const fromItems = (where: string, items: readonly MenuItem[]) => {
    for (const [at, { category, page, children = [] }] of items.entries()) {
      name(`${where}[${at}]`, 'category', [category])
      name(`${where}[${at}]`, 'page', [page])
      fromItems(`${where}[${at}].children`, children)
    }
  }
  fromItems('menus.main', menus.main ?? [])
  for (const [at, { items }] of (menus.footer ?? []).entries()) fromItems(`menus.footer[${at}].items`, items)
  for (const [at, section] of (home.sections ?? []).entries()) {
    const where = `home.sections[${at}]`
    if (section.kind === 'categories') name(where, 'category', section.categories ?? [])
    if (section.kind === 'text') name(where, 'page', [section.page])
    if (section.kind !== 'products') continue
    name(where, 'category', [section.category])
    name(where, 'tag', [section.tag])
    name(where, 'product', section.skus ?? [])
  }
  const of = (wanted: string) => named.flatMap(({ what, name }) => (what === wanted ? [name] : []))
  const there = await namesThatExist(db, { categories: of('category'), tags: of('tag'), skus: of('product') })
  const exists = {
    category: (slug: string) => there.categories.has(slug),
    tag: (slug: string) => there.tags.has(slug),
    product: (sku: string) => there.skus.has(sku.toLowerCase()),
    page: hasPage,
  }
  return [
    ...contrastWarnings(theme),
    ...priceWarnings(settings),
    ...named
      .filter(({ what, name }) => !exists[what](name))
      .map(({ where, what, name }) => `${where}: there is no ${what} "${name}", so it is left out`),
  ]
}
