import { urls } from '#contract/shared/urls.ts'
import { useShop } from '../shared/shop-context.tsx'
import { AccountField } from './account-field.tsx'

export type LogInFormFacts = {
  nonce: string
  /** URL of the form's page, to return to. */
  referer: string
  /** The target after the login, if it is another page. */
  redirect?: string
  username?: string
  remember?: boolean
  invalid?: readonly string[]
  id?: string
  /** Hidden until it is opened; without scripts it is open. */
  hidden?: boolean
}

/** The login form; it posts to the account page from any page. */
export function LogInForm({ facts }: { facts: LogInFormFacts }) {
  const { t } = useShop()
  const invalid = (id: string) => facts.invalid?.includes(id) ?? false
  return (
    <form
      className="woocommerce-form woocommerce-form-login login"
      method="post"
      action={urls.account()}
      id={facts.id}
      hidden={facts.hidden}
      noValidate
    >
      <AccountField
        id="username"
        label={t('Username or email address')}
        autoComplete="username"
        value={facts.username ?? ''}
        invalid={invalid('username')}
      />
      <AccountField
        id="password"
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        invalid={invalid('password')}
      />
      <p className="form-row account-submit">
        <label className="woocommerce-form__label woocommerce-form__label-for-checkbox woocommerce-form-login__rememberme checkbox">
          <input
            className="woocommerce-form__input woocommerce-form__input-checkbox"
            name="rememberme"
            type="checkbox"
            id="rememberme"
            value="forever"
            defaultChecked={facts.remember}
          />{' '}
          <span>{t('Remember me')}</span>
        </label>
        <input type="hidden" name="woocommerce-login-nonce" value={facts.nonce} />
        <input type="hidden" name="_wp_http_referer" value={facts.referer} />
        {facts.redirect && <input type="hidden" name="redirect" value={facts.redirect} />}
        <button
          type="submit"
          className="woocommerce-button button alt woocommerce-form-login__submit"
          name="login"
          value={t('Log in')}
        >
          {t('Log in')}
        </button>
      </p>
      <p className="woocommerce-LostPassword lost_password">
        <a href={urls.lostPassword()}>{t('Lost your password?')}</a>
      </p>
    </form>
  )
}
