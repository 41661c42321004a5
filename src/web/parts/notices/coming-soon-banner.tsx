import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Reminds the staff that the shop is visible only to them. */
export function ComingSoonBanner({ restUrl, nonce }: { restUrl: string; nonce: string }) {
  const { t } = useShop()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the public interface has a plain block here.
    <div id="coming-soon-footer-banner" role="region" aria-label={t('Coming soon')}>
      <span>{t('The shop is not open yet: only you and your staff see this page.')}</span>
      <LinkButton
        className="coming-soon-footer-banner-dismiss"
        href="#"
        data-rest-url={restUrl}
        data-rest-nonce={nonce}
      >
        {t('Dismiss')}
      </LinkButton>
    </div>
  )
}
