import { urls } from '#contract/urls.ts'
import { useShop } from './shop-context.tsx'

/** What stands at the foot of every page. */
export function SiteFooter() {
  const { name, tagline, menu, t } = useShop()
  return (
    <footer className="site-footer" id="colophon">
      <div className="site-footer__inner">
        <div className="site-footer__about">
          <p className="site-footer__name">{name}</p>
          {tagline && <p>{tagline}</p>}
        </div>
        <nav aria-label={t('Shop')}>
          <h2>{t('Shop')}</h2>
          <ul>
            <li>
              <a href={urls.shop()}>{t('All products')}</a>
            </li>
            {menu
              .filter((category) => category.parentId === null)
              .map((category) => (
                <li key={category.id}>
                  <a href={category.url}>{category.name}</a>
                </li>
              ))}
          </ul>
        </nav>
        <nav aria-label={t('Help')}>
          <h2>{t('Help')}</h2>
          <ul>
            <li>
              <a href={urls.cart()}>{t('Cart')}</a>
            </li>
            <li>
              <a href={urls.page('terms')}>{t('Terms and conditions')}</a>
            </li>
            <li>
              <a href={urls.page('privacy-policy')}>{t('Privacy policy')}</a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  )
}
