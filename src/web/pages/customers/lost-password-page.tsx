import { urls } from '#contract/shared/urls.ts'
import { AccountField } from '../../parts/customers/account-field.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

export type LostPasswordFacts =
  | { kind: 'ask'; nonce: string; login: string; invalid: readonly string[] }
  | { kind: 'sent' }
  /** The link's cookie authorizes the form; its own key field exists only for compatibility. */
  | { kind: 'choose'; nonce: string; login: string; invalid: readonly string[] }

/** The request of a link, its confirmation, and the choice of a new password. */
export function LostPasswordPage({ facts }: { facts: LostPasswordFacts }) {
  const { t } = useShop()
  return (
    <article className="private-page account-page">
      <h1 className="entry-title">{facts.kind === 'choose' ? t('Choose a password') : t('Lost password')}</h1>
      <div className="woocommerce">
        <div className="account-narrow">{content(facts, t)}</div>
      </div>
    </article>
  )
}

function content(facts: LostPasswordFacts, t: ReturnType<typeof useShop>['t']) {
  if (facts.kind === 'sent') {
    return (
      <>
        <p className="account-lead" role="status">
          {t(
            'If there is an account with this username or email address, a link to choose a new password is on its way.',
          )}
        </p>
        <p>{t('It may take a few minutes to arrive. Please check your spam folder before you request another one.')}</p>
        <p>
          <a href={urls.account()}>{t('Back to log in')}</a>
        </p>
      </>
    )
  }
  const invalid = (id: string) => facts.invalid.includes(id)
  if (facts.kind === 'ask') {
    return (
      <form
        method="post"
        className="woocommerce-ResetPassword lost_reset_password"
        action={urls.lostPassword()}
        noValidate
      >
        <p>{t('Enter your username or email address, and we will send you a link to choose a new password.')}</p>
        <AccountField
          id="user_login"
          label={t('Username or email')}
          autoComplete="username"
          value={facts.login}
          invalid={invalid('user_login')}
        />
        <p className="account-submit">
          <input type="hidden" name="wc_reset_password" value="true" />
          <input type="hidden" name="woocommerce-lost-password-nonce" value={facts.nonce} />
          <input type="hidden" name="_wp_http_referer" value={urls.lostPassword()} />
          <button type="submit" className="woocommerce-Button button alt" value={t('Reset password')}>
            {t('Reset password')}
          </button>
        </p>
      </form>
    )
  }
  return (
    <form
      method="post"
      className="woocommerce-ResetPassword lost_reset_password"
      action={urls.lostPassword()}
      noValidate
    >
      <AccountField
        id="password_1"
        type="password"
        label={t('New password')}
        autoComplete="new-password"
        invalid={invalid('password_1')}
        meter
      >
        {t('Several words in a row are easy to remember and hard to guess.')}
      </AccountField>
      <AccountField
        id="password_2"
        type="password"
        label={t('Re-enter new password')}
        autoComplete="new-password"
        invalid={invalid('password_2')}
      />
      <p className="account-submit">
        <input type="hidden" name="reset_key" value="" />
        <input type="hidden" name="reset_login" value={facts.login} />
        <input type="hidden" name="wc_reset_password" value="true" />
        <input type="hidden" name="woocommerce-reset-password-nonce" value={facts.nonce} />
        <input type="hidden" name="_wp_http_referer" value={urls.lostPassword({ 'show-reset-form': 'true' })} />
        <button type="submit" className="woocommerce-Button button alt" value={t('Save')}>
          {t('Save')}
        </button>
      </p>
    </form>
  )
}
