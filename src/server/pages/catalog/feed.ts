import { urls } from '#contract/shared/urls.ts'
import { newestProducts } from '#database/catalog/sitemap-rows.ts'
import { localizeFacts } from '#shop/translation/localize-facts.ts'
import { cachedText } from '../../cache/cached-text.ts'
import { largest } from '../../catalog/share-picture.ts'
import type { Visit } from '../../http/visit.ts'
import { xmlMoment, xmlText } from '../../http/xml-text.ts'
import { plainText } from '../shared/plain-text.ts'

const shown = 20

/** Answers with the newest products, as an Atom feed. */
export function newProductsFeed(visit: Visit): Promise<Response> {
  return cachedText(visit, { key: urls.feed(), type: 'application/atom+xml', maxAge: 1800 }, async () => {
    const { tools } = visit.app
    const { settings, publicUrl, db } = tools
    if (settings.comingSoon) return null
    const { tagline } = await visit.app.shop()
    const feed = xmlText(publicUrl + visit.path(urls.feed()))
    const home = xmlText(publicUrl + visit.path(urls.home()))
    const written = await newestProducts(db.sql, shown)
    const rows = await localizeFacts(tools, (say) =>
      written.map((row) => ({ ...row, name: say.text(row.name), short: say.markup(row.short) })),
    )
    const newest = rows.reduce((latest, { changed }) => (changed > latest ? changed : latest), new Date(0))
    const entries = rows.map(({ id, name, slug, short, created, changed, image }) => {
      const link = xmlText(publicUrl + visit.path(urls.product(encodeURIComponent(slug))))
      const picture = image
        ? `<link rel="enclosure" type="image/webp" href="${xmlText(largest(image, publicUrl).url)}"/>`
        : ''
      return [
        // The id must stay the same when the slug changes.
        `<entry><id>${xmlText(`${publicUrl}/?p=${id}`)}</id><title>${xmlText(name)}</title><link href="${link}"/>${picture}`,
        `<published>${xmlMoment(created)}</published><updated>${xmlMoment(changed)}</updated>`,
        `<summary>${xmlText(plainText(short, 400))}</summary></entry>`,
      ].join('')
    })
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(settings.language)}">`,
      `<id>${feed}</id><title>${xmlText(settings.name)}</title>`,
      tagline ? `<subtitle>${xmlText(tagline)}</subtitle>` : '',
      `<link rel="self" href="${feed}"/><link href="${home}"/>`,
      `<author><name>${xmlText(settings.name)}</name></author><updated>${xmlMoment(newest)}</updated>`,
      ...entries,
      '</feed>\n',
    ].join('\n')
  })
}
