import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'

/**
 * What the merchant says on every page until the visitor has dismissed it. Whether that is so stands in a cookie, which a page
 * for everybody does not know: a script looks, and without scripts it stays.
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
