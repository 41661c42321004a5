import { termsVersionField } from '#contract/checkout/hooks.ts'
import { walletHooks } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The consent text beside a button that buys without the checkout form, where no checkbox is possible. */
export function WalletTerms() {
  const { t, termsVersion } = useShop()
  if (!termsVersion) return null
  // Languages place the link differently; a translation without the placeholder has it last.
  const [before = '', after = ''] = t('By paying you agree to the %s.', '%s').split('%s')
  return (
    // Inline, because it also stands in the paragraph of the mini cart's buttons.
    <small className={walletHooks.termsClass} data-terms-version={termsVersion}>
      {before}
      <a href={urls.page('terms')} target="_blank" rel="noopener">
        {t('terms and conditions')}
      </a>
      {after}
    </small>
  )
}

/** Submits the version shown on the page, so that the order records it even if the terms change meanwhile. */
export function TermsVersion({ form }: { form?: string | undefined }) {
  const { termsVersion } = useShop()
  return termsVersion ? <input type="hidden" name={termsVersionField} value={termsVersion} form={form} /> : null
}
