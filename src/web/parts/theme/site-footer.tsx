import { CurrencySwitcher } from '../currency/currency-switcher.tsx'
import { ConsentLink } from '../measure/consent-banner.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { LanguageLinks } from '../translation/language-switcher.tsx'

/** The footer of every page. */
export function SiteFooter() {
  const { name, tagline, menus, switcher, currencyOptions } = useShop()
  return (
    <footer className="site-footer" id="colophon">
      <div className="site-footer__inner">
        <div className="site-footer__about">
          <p className="site-footer__name" translate="no">
            {name}
          </p>
          {tagline && <p>{tagline}</p>}
        </div>
        {menus.footer.map(({ title, items }) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {items.map(({ url, text }) => (
                <li key={`${url} ${text}`}>
                  <a href={url}>{text}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        {currencyOptions?.footer && <CurrencySwitcher place="footer" />}
        <ConsentLink />
        {switcher.footer && <LanguageLinks className="site-footer__languages" />}
      </div>
    </footer>
  )
}
