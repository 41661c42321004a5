import type { ReactNode } from 'react'
import { ConsentBanner } from '../measure/consent-banner.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { LanguageOffer } from '../translation/language-switcher.tsx'
import { StoreNotice } from './store-notice.tsx'

/**
 * What stays at the bottom of the window: that there is no connection, what the shop has to say (unless it is to be `quiet`), and what only this visitor sees.
 * It has its place at the end of the page and sticks to the window's edge from there, so that nothing lies under it for good.
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
