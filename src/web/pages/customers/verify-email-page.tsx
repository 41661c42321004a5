import { urls } from '#contract/shared/urls.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { UntranslatedText } from '../../parts/translation/untranslated-text.tsx'

/** A single button for the visitor of the emailed link. */
export function ConfirmEmailPage({ email, nonce, logOutNonce }: { email: string; nonce: string; logOutNonce: string }) {
  const { t } = useShop()
  return (
    <AccountFrame title={t('Confirm your email address')} place="edit-account" logOutNonce={logOutNonce}>
      <form method="post" action={urls.confirmEmail()} className="account-form">
        <p>
          <UntranslatedText text={t('Is %s your email address?', email)} part={email} />
        </p>
        <p className="account-submit">
          <input type="hidden" name="confirm-email-nonce" value={nonce} />
          <button type="submit" className="button alt" name="confirm" value="1">
            {t('Yes, confirm it')}
          </button>
        </p>
      </form>
    </AccountFrame>
  )
}

/** Below an unverified address: requests the link again. */
export function ConfirmEmailHint({ email, nonce }: { email: string; nonce: string }) {
  const { t } = useShop()
  return (
    <form method="post" action={urls.confirmEmail()} className="account-note">
      <p>
        <UntranslatedText
          text={t('%s has not been confirmed yet: please open the link that we sent there.', email)}
          part={email}
        />
      </p>
      <input type="hidden" name="confirm-email-nonce" value={nonce} />
      <button type="submit" className="button" name="send" value="1">
        {t('Send the link again')}
      </button>
    </form>
  )
}
