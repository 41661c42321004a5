import { urls } from '#contract/shared/urls.ts'
import { ContentPage } from '#web/pages/content/content-page.tsx'
import { pageTags } from '../../cache/cache-tags.ts'
import { renderMarkdown } from '../../content/markdown.ts'
import type { Visit } from '../../http/visit.ts'
import { pageLanguages } from '../../translation/alternate-links.ts'
import { writtenIn } from '../../translation/content-language.ts'
import { errorPage } from '../shared/error-page.tsx'
import { publicPage } from '../shared/page-answer.tsx'
import { contentAbout } from '../shared/page-metadata.ts'
import { comingSoonSlug } from './coming-soon.tsx'

/** Answers with a static page. */
export async function contentPage(visit: Visit, { slug = '' }: Record<string, string>): Promise<Response> {
  const { content } = visit.app
  await content.look()
  if (!content.find(slug)) return errorPage(visit, 404)
  return publicPage(visit, urls.page(slug), async () => {
    const { t, language } = await visit.app.shop()
    const page = content.find(slug, language)
    if (!page) return errorPage(visit, 404)
    const own = page.language === null ? undefined : content.find(slug)
    const { html, headings } = renderMarkdown(
      page.markdown,
      t('Table'),
      own && renderMarkdown(own.markdown, '').headings,
    )
    return {
      kind: 'content',
      // The share image shows products.
      tags: [pageTags.catalog],
      script: 'other',
      title: page.title,
      description: page.description,
      canonical: urls.page(slug),
      pageLanguages: pageLanguages(visit.app, slug),
      bodyClasses: [`page-${slug}`],
      about: await contentAbout(visit.app),
      // The announcement is not for the index of an open shop.
      ...(slug === comingSoonSlug ? { robots: 'noindex' } : {}),
      element: (
        <ContentPage
          title={page.title}
          intro={page.description}
          html={html}
          headings={headings}
          writtenIn={writtenIn(visit.app, page)}
        />
      ),
    }
  })
}
