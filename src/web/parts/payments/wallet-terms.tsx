import { termsVersionField } from '#contract/checkout/hooks.ts'
import { walletHooks } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The sentence beside a button that buys without the checkout form, where no box can be ticked. */
export function WalletTerms() {
  const { t, termsVersion } = useShop()
  if (!termsVersion) return null
  // Languages place the link differently; one that lost the placeholder in translation has it last.
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

/** Names the version that the page shows, so that the order records it even where the terms change meanwhile. */
export function TermsVersion({ form }: { form?: string | undefined }) {
  const { termsVersion } = useShop()
  return termsVersion ? <input type="hidden" name={termsVersionField} value={termsVersion} form={form} /> : null
}
