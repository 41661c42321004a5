import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'

/**
 * The merchant's notice on every page until the visitor dismisses it. A cookie stores the dismissal, which a cacheable
 * page cannot read: a script checks it, and without scripts the notice stays.
 */
export function StoreNotice() {
  const { storeNotice, t } = useShop()
  if (!storeNotice) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: the public interface has a paragraph here.
    <p
      className="woocommerce-store-notice demo_store"
      role="complementary"
      aria-label={t('Store notice')}
      data-notice-id={storeNotice.id}
    >
      <span>{storeNotice.text}</span>
      <LinkButton className="woocommerce-store-notice__dismiss-link" href="#">
        {t('Dismiss')}
      </LinkButton>
    </p>
  )
}
