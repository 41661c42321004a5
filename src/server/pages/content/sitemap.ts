import { urls } from '#contract/shared/urls.ts'
import type { ShopLanguage } from '#contract/translation/languages.ts'
import { categoryChanges, sitemapParts, sitemapProducts } from '#database/catalog/sitemap-rows.ts'
import { catalogTree } from '#shop/catalog/cached-catalog.ts'
import { type CatalogTree, type CountedCategory, categoryTerm } from '#shop/catalog/catalog-tree.ts'
import { addressesIn } from '#shop/translation/localized-paths.ts'
import { cachedText } from '../../cache/cached-text.ts'
import type { Visit } from '../../http/visit.ts'
import { xmlMoment, xmlText } from '../../http/xml-text.ts'
import type { Application } from '../../operations/startup/application.ts'
import { pageLanguages } from '../../translation/alternate-links.ts'
import { comingSoonSlug } from './coming-soon.tsx'

const type = 'application/xml'
const maxAge = 3600
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const sitemaps = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * Answers with the index of sitemaps. Each has a few thousand addresses, far below the limits of fifty thousand and
 * fifty megabytes. Each published language has its own: `sitemap-products-1.xml`, `sitemap-de-products-1.xml`.
 */
export function sitemapIndex(visit: Visit): Promise<Response> {
  return cachedText(visit, { key: urls.sitemap(), type, maxAge }, async () => {
    const { app } = visit
    if (app.tools.settings.comingSoon) return null
    const parts = await sitemapParts(app.tools.db.sql)
    const newest = latest(parts.map(({ changed }) => changed))
    const named = [
      { name: 'pages', changed: newest },
      { name: 'categories', changed: newest },
      ...parts.map(({ part, changed }) => ({ name: `products-${part}`, changed })),
    ]
    const entries = published(app).flatMap(({ slug }) =>
      named.map(({ name, changed }) => {
        const part = urls.sitemapPart(slug === '' ? name : `${slug}-${name}`)
        return `<sitemap><loc>${xmlText(app.tools.publicUrl + part)}</loc>${lastmod(changed)}</sitemap>`
      }),
    )
    return `${head}<sitemapindex xmlns="${sitemaps}">\n${entries.join('\n')}\n</sitemapindex>\n`
  })
}

export function sitemapPart(visit: Visit, { file = '' }: Record<string, string>): Promise<Response> {
  const [, slug = '', name = ''] = /^sitemap-(?:([a-z0-9-]+)-)??([a-z]+(?:-(?:0|[1-9]\d{0,8}))?)\.xml$/.exec(file) ?? []
  return cachedText(visit, { key: `/${file}`, type, maxAge }, async () => {
    const { app } = visit
    if (app.tools.settings.comingSoon) return null
    const languages = published(app)
    const language = languages.find((one) => one.slug === slug)
    const all = language ? await entriesOf(app, name) : null
    if (!language || !all) return null
    const entries = all.filter((entry) => !entry.pageLanguages || entry.pageLanguages.includes(language.tag))
    const origin = app.tools.publicUrl
    const lead = (await addressesIn(app.inLanguage(language.tag).tools)).lead
    const alternates = await alternatesIn(app, languages)
    const images = entries.some((entry) => entry.images)
      ? ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
      : ''
    const lines = entries.map((entry) => {
      const pictures = (entry.images ?? []).map(
        (image) => `<image:image><image:loc>${xmlText(origin + image)}</image:loc></image:image>`,
      )
      const loc = `<loc>${xmlText(origin + lead(entry.url))}</loc>`
      return `<url>${loc}${alternates(entry)}${lastmod(entry.changed)}${pictures.join('')}</url>`
    })
    return `${head}<urlset xmlns="${sitemaps}"${languages.length > 1 ? xhtml : ''}${images}>\n${lines.join('\n')}\n</urlset>\n`
  })
}

const xhtml = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'

const published = (app: Application) => app.languages().filter((one) => one.published)

/** Returns the alternate links of an address in the other languages, by full tags alone. */
async function alternatesIn(app: Application, languages: readonly ShopLanguage[]): Promise<(entry: Entry) => string> {
  if (languages.length < 2) return () => ''
  const all = await Promise.all(
    languages.map(async ({ tag }) => ({ tag, lead: (await addressesIn(app.inLanguage(tag).tools)).lead })),
  )
  const origin = app.tools.publicUrl
  const link = (hreflang: string, path: string) =>
    `<xhtml:link rel="alternate" hreflang="${xmlText(hreflang)}" href="${xmlText(origin + path)}"/>`
  return ({ url, pageLanguages }) =>
    all
      .filter(({ tag }) => !pageLanguages || pageLanguages.includes(tag))
      .map(({ tag, lead }) => link(tag, lead(url)))
      .join('') + link('x-default', url)
}

type Entry = {
  /** Languages in which the page is written; absent: all. */
  pageLanguages?: readonly string[]
  url: string
  changed?: Date | undefined
  images?: readonly string[]
}

/** Null: the part does not exist, or is empty. */
async function entriesOf(app: Application, name: string): Promise<Entry[] | null> {
  if (name === 'pages') return pages(app)
  if (name === 'categories') return categories(app)
  const part = /^products-(0|[1-9]\d*)$/.exec(name)?.[1]
  if (part === undefined) return null
  const rows = await sitemapProducts(app.tools.db.sql, Number(part))
  if (rows.length === 0) return null
  return rows.map(({ slug, changed, images }) => ({
    url: urls.product(encodeURIComponent(slug)),
    changed,
    images: images.map(({ hash, widths }) => urls.media(hash, Math.max(...widths), 'webp')),
  }))
}

function pages(app: Application): Entry[] {
  const { content } = app
  const texts = content
    .contentPages()
    // The announcement before the opening is not indexed.
    .filter(({ slug }) => slug !== comingSoonSlug)
    .map(({ slug }) => ({
      url: urls.page(slug),
      changed: content.find(slug)?.changedAt,
      pageLanguages: pageLanguages(app, slug),
    }))
  return [{ url: urls.home() }, { url: urls.shop() }, ...texts]
}

async function categories({ tools }: Application): Promise<Entry[]> {
  const [tree, own] = await Promise.all([catalogTree(tools), categoryChanges(tools.db.sql)])
  return tree.all
    .filter(({ count }) => count > 0)
    .map((category) => ({ url: categoryTerm(tree, category).url, changed: changedIn(tree, category, own) }))
}

/** Products of subcategories appear in a category, too. */
function changedIn(tree: CatalogTree, category: CountedCategory, own: ReadonlyMap<number, Date>): Date | undefined {
  const below = tree.children(category.id).map((child) => changedIn(tree, child, own))
  return latest([own.get(category.id), ...below])
}

function latest(moments: readonly (Date | undefined)[]): Date | undefined {
  const known = moments.flatMap((moment) => (moment ? [moment.getTime()] : []))
  return known.length > 0 ? new Date(known.reduce((one, other) => Math.max(one, other))) : undefined
}

const lastmod = (changed: Date | undefined) => (changed ? `<lastmod>${xmlMoment(changed)}</lastmod>` : '')
