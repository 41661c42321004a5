import { messageId } from '#contract/notices/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import type { LoginFacts } from '#shop/customers/account-facts.ts'
import { Day } from '../shared/day.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { AccountField } from './account-field.tsx'

/** Returns the field name of a login in the form that ends it. */
export const loginField = (ref: string) => `end_login_${ref}`

/** The customer's logins. With the password, selected other logins or all of them can be ended. */
export function OwnLogins({
  logins,
  ticked,
  invalid,
  nonce,
}: {
  logins: readonly LoginFacts[]
  /** The selection in a rejected form. */
  ticked: readonly string[]
  /** Ids of fields whose values were rejected. */
  invalid: readonly string[]
  nonce: string
}) {
  const { t } = useShop()
  const list = (
    <ul className="account-logins" aria-labelledby="logins_title">
      {logins.map((login) => (
        <li key={login.ref}>
          <Login
            login={login}
            isTicked={ticked.includes(login.ref)}
            invalid={invalid.includes(loginField(login.ref))}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <section>
      <h2 id="logins_title">{t('Where you are logged in')}</h2>
      {logins.length === 1 ? (
        list
      ) : (
        <form method="post" action={urls.privacy()} noValidate>
          <p>{t('Select the devices that you do not recognize or no longer use, then enter your password.')}</p>
          {list}
          <div className="account-action">
            <AccountField
              id="logins_password"
              name="password_current"
              type="password"
              label={t('Current password')}
              autoComplete="current-password"
              invalid={invalid.includes('logins_password')}
            />
            <input type="hidden" name="account-privacy-nonce" value={nonce} />
            {/* The first button is the one of the Enter key: it ends only selected logins. */}
            <button type="submit" name="action" value="log_out_ticked" className="button">
              {t('Log out of the selected devices')}
            </button>
            <button type="submit" name="action" value="log_out_elsewhere" className="button">
              {t('Log out of all other devices')}
            </button>
          </div>
        </form>
      )}
    </section>
  )
}

function Login({ login, isTicked, invalid }: { login: LoginFacts; isTicked: boolean; invalid: boolean }) {
  const { t } = useShop()
  const { ref, browser, system, since, lastSeen, isThis } = login
  const time = (at: Date) => <Day at={at} />
  const id = loginField(ref)
  const device = <strong>{deviceText(t, browser, system)}</strong>
  return (
    <>
      {isThis ? (
        <>
          {device} <span className="account-badge">{t('this device')}</span>
        </>
      ) : (
        <label className="checkbox" htmlFor={id}>
          <input
            type="checkbox"
            id={id}
            name={id}
            value="1"
            defaultChecked={isTicked}
            aria-invalid={invalid || undefined}
            aria-describedby={`${invalid ? `${messageId(id)} ` : ''}${id}_hint`}
          />{' '}
          {device}
        </label>
      )}
      <span className="account-hint" id={`${id}_hint`}>
        {t('Since')} {time(since)} · {t('last seen')} {time(lastSeen)}
      </span>
    </>
  )
}

function deviceText(t: ReturnType<typeof useShop>['t'], browser: string, system: string): string {
  if (browser && system) return t('%s on %s', browser, system)
  return browser || system || t('Unknown device')
}
