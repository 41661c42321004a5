import { urls } from '#contract/shared/urls.ts'
import { AttributionInputs } from '../attribution/attribution-inputs.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { AccountField } from './account-field.tsx'

export type RegisterFormFacts = {
  nonce: string
  referer: string
  asksUsername: boolean
  /** False: a link to choose one is emailed. */
  asksPassword: boolean
  username?: string
  email?: string
  invalid?: readonly string[]
  /** True if the form submits attribution data. */
  attribution?: boolean
}

/** The registration form. */
export function RegisterForm({ facts }: { facts: RegisterFormFacts }) {
  const { t } = useShop()
  const invalid = (id: string) => facts.invalid?.includes(id) ?? false
  return (
    <form
      className="woocommerce-form woocommerce-form-register register"
      method="post"
      action={urls.account()}
      noValidate
    >
      {facts.asksUsername && (
        <AccountField
          id="reg_username"
          name="username"
          label={t('Username')}
          autoComplete="username"
          value={facts.username ?? ''}
          invalid={invalid('reg_username')}
        />
      )}
      <AccountField
        id="reg_email"
        name="email"
        type="email"
        label={t('Email address')}
        autoComplete="email"
        value={facts.email ?? ''}
        invalid={invalid('reg_email')}
      />
      {facts.asksPassword ? (
        <AccountField
          id="reg_password"
          name="password"
          type="password"
          label={t('Password')}
          autoComplete="new-password"
          invalid={invalid('reg_password')}
          meter
        >
          {t('Several words in a row are easy to remember and hard to guess.')}
        </AccountField>
      ) : (
        <p className="account-hint">{t('We will send you a link to choose your password.')}</p>
      )}
      {facts.attribution && <AttributionInputs />}
      <p className="woocommerce-form-row form-row account-submit">
        <input type="hidden" name="woocommerce-register-nonce" value={facts.nonce} />
        <input type="hidden" name="_wp_http_referer" value={facts.referer} />
        <button
          type="submit"
          className="woocommerce-Button woocommerce-button button woocommerce-form-register__submit"
          name="register"
          value={t('Register')}
        >
          {t('Register')}
        </button>
      </p>
    </form>
  )
}
