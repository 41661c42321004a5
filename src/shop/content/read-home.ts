import { type HomeSection, usualHome } from '#contract/content/home-settings.ts'
import { storedAssetOf } from '#contract/shared/file-setting.ts'
import { type CatalogTools, catalogTree } from '../catalog/cached-catalog.ts'
import type { ImageFacts } from '../catalog/catalog-facts.ts'
import { categoryFacts } from '../catalog/catalog-tree.ts'
import { localizeCard, localizeCategory } from '../catalog/localize-catalog.ts'
import { readShelves } from '../catalog/read-product-sections.ts'
import type { Tools } from '../shared/tools.ts'
import { localizeFacts, type Say } from '../translation/localize-facts.ts'
import type { HomeFacts, HomeSectionFacts, LinkFacts, WrittenIn } from './home-facts.ts'

/** The sources of the front page's texts. */
export type Texts = {
  page(slug: string): { title: string; markdown: string; writtenIn: WrittenIn | null } | undefined
  html(markdown: string): string
}

/** Returns the merchant's front page, localized. Empty sections are left out. */
export async function readHome(tools: CatalogTools & Pick<Tools, 'files'>, texts: Texts): Promise<HomeFacts> {
  const { name, tagline, home } = tools.settings
  const sections = home.sections ?? usualHome
  const tree = await catalogTree(tools)
  const rows = sections.filter((section) => section.kind === 'products')
  const shelves = new Map(
    (await readShelves(tools, rows)).map((products, at) => [rows[at] as HomeSection | undefined, products]),
  )
  const facts = (section: HomeSection, say: Say): HomeSectionFacts | null => {
    const { kind } = section
    const linkOf = (link: LinkFacts | undefined) => (link ? { ...link, text: say.text(link.text) } : null)
    const shown = (path: string | undefined, alt: string): ImageFacts | null => {
      const kept = storedAssetOf(tools.files, path, 'picture')
      return kept ? { ...kept, avif: true, alt: say.text(alt) } : null
    }
    switch (kind) {
      case 'hero':
        return {
          kind,
          title: section.title ? say.text(section.title) : name,
          text: say.text(section.text || (section.title ? '' : tagline)),
          image: shown(section.image, section.alt),
          link: linkOf(section.link),
        }
      case 'categories': {
        const chosen = section.categories?.flatMap((slug) => tree.bySlug(slug) ?? []) ?? tree.top
        const categories = chosen
          .filter(({ count }) => count > 0)
          .map((category) => localizeCategory(say, categoryFacts(tree, category)))
        return categories.length > 0 ? { kind, title: say.text(section.title), categories } : null
      }
      case 'products': {
        const products = (shelves.get(section) ?? []).map((card) => localizeCard(say, card))
        const shelf = section.from ?? null
        const named = section.category === undefined ? undefined : tree.bySlug(section.category)
        const title = say.text(section.title || named?.name || '')
        const link = linkOf(section.link)
        return products.length > 0 ? { kind, title, shelf, products, link } : null
      }
      case 'picture': {
        const image = shown(section.image, section.alt)
        const { text, link, side } = section
        const html = say.markup(texts.html(text))
        return image && { kind, title: say.text(section.title), html, image, link: linkOf(link), side }
      }
      case 'text': {
        const page = section.page === undefined ? undefined : texts.page(section.page)
        const markdown = section.markdown ?? page?.markdown
        if (markdown === undefined) return null
        const html = texts.html(markdown)
        const title = section.title ? say.text(section.title) : (page?.title ?? '')
        // A static page has a separate file for each language.
        if (section.markdown !== undefined) return { kind, title, html: say.markup(html) }
        return { kind, title, html, writtenIn: page?.writtenIn ?? null }
      }
      case 'quote':
        return { kind, text: say.text(section.text), by: say.text(section.by) }
      case 'banner':
        return { kind, title: say.text(section.title), text: say.text(section.text), link: linkOf(section.link) }
    }
  }
  return localizeFacts(tools, (say) => ({ sections: sections.flatMap((section) => facts(section, say) ?? []) }))
}
