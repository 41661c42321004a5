import { LogInForm, type LogInFormFacts } from '../../parts/customers/log-in-form.tsx'
import { RegisterForm, type RegisterFormFacts } from '../../parts/customers/register-form.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The account page of a visitor without a login. `register` is null where registration is disabled. */
export function LogInPage({ login, register }: { login: LogInFormFacts; register: RegisterFormFacts | null }) {
  const { t } = useShop()
  return (
    <article className="private-page account-page">
      <h1 className="entry-title">{t('My account')}</h1>
      <div className="woocommerce">
        <div className="u-columns col2-set" id="customer_login">
          <section className="u-column1 col-1">
            <h2>{t('Log in')}</h2>
            <LogInForm facts={login} />
          </section>
          {register && (
            <section className="u-column2 col-2">
              <h2>{t('Register')}</h2>
              <RegisterForm facts={register} />
            </section>
          )}
        </div>
      </div>
    </article>
  )
}
