import { urls } from '#contract/shared/urls.ts'
import { ConsentLink } from '../measure/consent-banner.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { SiteMark } from './site-mark.tsx'

export type BareLink = { url: string; text: string }

/** The header while the shop is not open: only the shop's name. */
export function BareHeader() {
  return (
    <header className="site-header site-header--bare" id="masthead">
      <a className="site-name" href={urls.home()} rel="home" translate="no">
        <SiteMark />
      </a>
    </header>
  )
}

/** The footer while the shop is not open: imprint, privacy policy, and the staff login. */
export function BareFooter({ links }: { links: readonly BareLink[] }) {
  const { t } = useShop()
  return (
    <footer className="site-footer site-footer--bare" id="colophon">
      <nav aria-label={t('About the shop')}>
        <ul>
          {links.map(({ url, text }) => (
            <li key={url}>
              <a href={url}>{text}</a>
            </li>
          ))}
          <li>
            <a href={urls.account()}>{t('Log in')}</a>
          </li>
        </ul>
      </nav>
      <ConsentLink />
    </footer>
  )
}
