import type { ReactNode } from 'react'
import { ConsentBanner } from '../measure/consent-banner.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { LanguageOffer } from '../translation/language-switcher.tsx'
import { StoreNotice } from './store-notice.tsx'

/**
 * The bars at the bottom of the window: lost connection, store notice (unless `quiet`), and bars of this visitor. They
 * stand at the end of the page and are sticky, so that they cover nothing permanently.
 */
export function BottomBars({ quiet = false, children }: { quiet?: boolean; children?: ReactNode }) {
  const { t } = useShop()
  return (
    <div className="bottom-bars">
      <p
        className="offline-bar"
        role="status"
        data-offline={t('You are offline. What you typed is still here; try again once you are connected.')}
      />
      {!quiet && <LanguageOffer />}
      {!quiet && <StoreNotice />}
      {children}
      <ConsentBanner />
    </div>
  )
}
