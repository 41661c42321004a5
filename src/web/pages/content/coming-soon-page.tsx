import { Html } from '../../parts/shared/html.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The page of a shop that is not open yet. The merchant's own text overrides the default. */
export function ComingSoonPage({ title, intro, html }: { title?: string; intro?: string; html?: string }) {
  const { name, tagline, t } = useShop()
  return (
    <article className="coming-soon">
      <div className="coming-soon__sky" aria-hidden="true" />
      <div className="coming-soon__words">
        <p className="coming-soon__name">{t('Coming soon')}</p>
        <h1>{title ?? t('%s opens soon', name)}</h1>
        <p className="coming-soon__intro">
          {intro ?? (tagline || t('We are still unpacking. Please come back soon.'))}
        </p>
        {html && <Html className="entry-content" html={html} />}
      </div>
    </article>
  )
}
