import { UpIcon } from '../shared/icons.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Links to the top of a long page. A link at the page's end; with scripts it floats once the page is scrolled. */
export function ScrollToTop() {
  const { header, t } = useShop()
  if (!header.scrollToTop) return null
  return (
    <nav aria-label={t('This page')}>
      <a className="scroll-to-top" href="#main">
        <UpIcon />
        <span className="screen-reader-text">{t('Back to top')}</span>
      </a>
    </nav>
  )
}
