import { ContentPage } from '#web/pages/content-page.tsx'
import { escapeHtml } from '../cart-notices.tsx'
import { publicPage } from '../page-answer.tsx'
import type { Visit } from '../visit.ts'

/** Texts that the shop links to from the start. They are placeholders and say so; the merchant writes the real ones. */
const texts: Readonly<Record<string, { title: string; paragraphs: readonly string[] }>> = {
  terms: {
    title: 'Terms and conditions',
    paragraphs: [
      'This is a placeholder. Before you sell anything, put your own terms here: who you are, how a contract comes about, prices, delivery, withdrawal and liability.',
    ],
  },
  'privacy-policy': {
    title: 'Privacy policy',
    paragraphs: [
      'This is a placeholder. Before you sell anything, say here which personal data your shop keeps, why, for how long, and whom to ask.',
      'As it is delivered, the shop keeps what a visitor enters for an order, and one cookie that recognises the cart.',
    ],
  },
}

export function contentPage(slug: keyof typeof texts & string) {
  return (visit: Visit): Promise<Response> =>
    publicPage(visit, `/${slug}/`, async () => {
      const { t } = await visit.app.shop()
      const text = texts[slug]
      if (!text) throw new Error(`there is no text for ${slug}`)
      const html = text.paragraphs.map((paragraph) => `<p>${escapeHtml(t(paragraph))}</p>`).join('')
      return {
        kind: 'content',
        script: 'other',
        title: t(text.title),
        canonical: `/${slug}/`,
        element: <ContentPage title={t(text.title)} html={html} />,
      }
    })
}
