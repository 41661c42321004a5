import { urls } from '#contract/shared/urls.ts'
import { ComingSoonPage } from '#web/pages/content/coming-soon-page.tsx'
import { renderMarkdown } from '../../content/markdown.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { privatePage } from '../shared/page-answer.tsx'
import { shopAccess } from './shop-visibility.tsx'

/** Slug of the static page that announces the opening. */
export const comingSoonSlug = 'coming-soon'

/** Paths that work before the shop opens: the login for the staff, pages of past orders, and returns from a payment. */
const openPaths =
  /^\/(?:my-account|pay|download|checkout\/(?:order-received|order-pay|wallet-return|wallet-cancel)|metrics)(?:\/|$)/

/** @returns null if the visitor may continue */
export async function comingSoonAnswer(visit: Visit): Promise<Response | null> {
  if ((await shopAccess(visit)) !== 'closed') return null
  const { pathname } = visit.url
  if (openPaths.test(pathname)) return null
  // A sitemap has no page that could replace it.
  if (/^\/sitemap.*\.xml$/.test(pathname)) return notYet()
  if (/\.[a-z0-9]+$/.test(pathname)) return null
  const { content } = visit.app
  await content.look()
  // Legal pages must be reachable before anything is sold.
  const slug = /^\/([a-z0-9-]+)\/?$/.exec(pathname)?.[1]
  if (slug !== undefined && slug !== comingSoonSlug && content.find(slug)) return null
  return visit.request.method === 'POST' ? seeOther(urls.home()) : comingSoonPage(visit)
}

async function comingSoonPage(visit: Visit): Promise<Response> {
  const { t, language, name } = await visit.app.shop()
  const words = visit.app.content.find(comingSoonSlug, language)
  const response = await privatePage(visit, {
    kind: 'content',
    script: 'other',
    title: words?.title ?? t('Coming soon'),
    description: words?.description ?? t('%s opens soon', name),
    bodyClasses: ['coming-soon-page'],
    element: words ? (
      <ComingSoonPage
        title={words.title}
        intro={words.description}
        html={renderMarkdown(words.markdown, t('Table')).html}
      />
    ) : (
      <ComingSoonPage />
    ),
  })
  response.headers.set('X-Robots-Tag', 'noindex')
  return response
}

function notYet(): Response {
  return new Response('Not found', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}
