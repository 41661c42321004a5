import type { MenuItem } from '#contract/content/menu-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { type CatalogTree, type CountedCategory, categoryTerm } from '#shop/catalog/catalog-tree.ts'
import type { Say } from '#shop/translation/localize-facts.ts'
import type { MenuEntry, ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { ContentEntry } from '../../content/content-files.ts'

/**
 * Returns the menus as the merchant declared them; by default of the shop's categories and static pages.
 * @param pages static pages in the language of the view, as far as they are translated
 */
export function shopMenus(
  { menus }: Pick<ShopSettings, 'menus'>,
  tree: CatalogTree,
  pages: readonly ContentEntry[],
  t: ShopContextValue['t'],
  say: Say,
): ShopContextValue['menus'] {
  const filled = (categories: readonly CountedCategory[]) => categories.filter(({ count }) => count > 0)
  const ofCategory = (category: CountedCategory, depth: number): MenuEntry => {
    const { name, url } = categoryTerm(tree, category)
    const below = depth > 1 ? filled(tree.children(category.id)) : []
    return { url, text: say.text(name), children: below.map((child) => ofCategory(child, depth - 1)) }
  }
  const ofPage = ({ slug, title }: ContentEntry): MenuEntry => ({ url: urls.page(slug), text: title, children: [] })

  /** A missing target removes its entry; its children move up. */
  const entries = (items: readonly MenuItem[], depth: number): MenuEntry[] =>
    items.flatMap((item): MenuEntry[] => {
      const own = entry(item)
      const children = entries(item.children ?? [], depth - 1)
      if (own === null) return children
      return [
        { ...own, text: item.text === undefined ? own.text : say.text(item.text), children: depth > 1 ? children : [] },
      ]
    })
  const entry = ({ url, category: slug, page: name, text = '' }: MenuItem): MenuEntry | null => {
    if (url !== undefined)
      return { url, text: text || url.replace(/^(?:mailto|tel):|^https:\/\/|\/$/g, ''), children: [] }
    const category = slug === undefined ? undefined : tree.bySlug(slug)
    const page = pages.find((one) => one.slug === name)
    return category ? ofCategory(category, 1) : page ? ofPage(page) : null
  }

  const products = { url: urls.shop(), text: t('All products'), children: [] }
  const inMenu = (menu: ContentEntry['menu']) => pages.filter((page) => page.menu === menu).map(ofPage)
  const top = filled(tree.top)
  return {
    main: menus.main
      ? entries(menus.main, mainLevels)
      : [products, ...top.map((category) => ofCategory(category, mainLevels)), ...inMenu('main')],
    footer: menus.footer?.map(({ title, items }) => ({ title: say.text(title), items: entries(items, 1) })) ?? [
      { title: t('Shop'), items: [products, ...top.map((category) => ofCategory(category, 1))] },
      {
        title: t('Help'),
        items: [
          { url: urls.account(), text: t('My account'), children: [] },
          { url: urls.cart(), text: t('Cart'), children: [] },
          ...inMenu('footer'),
        ],
      },
    ],
  }
}

const mainLevels = 3
