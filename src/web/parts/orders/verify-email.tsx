import { fieldMessageId } from '#contract/notices/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { FieldMessage } from '../notices/page-notices.tsx'
import { useShop } from '../shared/shop-context.tsx'

export const verifyEmailId = 'email'

/**
 * Asks an unknown visitor with the link for the email address of the order; it posts to the page's URL.
 * @param failed another address was entered: a notice of the page reports it
 */
export function VerifyEmail({ failed, nonce }: { failed: boolean; nonce: string }) {
  const { t } = useShop()
  return (
    <form className="woocommerce-form woocommerce-verify-email" method="post">
      <p>
        {t('To see the order, please enter the email address that it was placed with.')}{' '}
        <a href={urls.shop()}>{t('Return to shop')}</a>
      </p>
      <p className="form-row">
        <label htmlFor={verifyEmailId}>
          {t('Email address')}{' '}
          <span className="required" aria-hidden="true">
            *
          </span>
        </label>
        <input
          type="email"
          dir="ltr"
          className="input-text"
          name="email"
          id={verifyEmailId}
          autoComplete="email"
          aria-required="true"
          aria-invalid={failed || undefined}
          aria-describedby={failed ? fieldMessageId(verifyEmailId) : undefined}
        />
        <FieldMessage fieldId={verifyEmailId} />
      </p>
      <p className="form-row">
        <input type="hidden" name="check_submission" value={nonce} />
        <button type="submit" className="button alt" name="verify" value="1">
          {t('Verify')}
        </button>
      </p>
    </form>
  )
}
