import type { ReactNode } from 'react'
import { urls } from '#contract/shared/urls.ts'
import type { SecondFactorFacts } from '#shop/customers/credentials/second-factor.ts'
import { AccountField } from '../../parts/customers/account-field.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { dayText } from '../../parts/shared/day.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type Page = {
  /** `owed`: a second factor exists, and this login has not passed it yet. */
  factor: SecondFactorFacts | { kind: 'owed' }
  /** The shop requires a second factor before any staff page. */
  required: boolean
  /** The target of this login; '' for none. */
  redirect: string
  /** Ids of fields whose values were rejected. */
  invalid: readonly string[]
  nonce: string
  logOutNonce: string
}

/** The page on which staff enter, set up and manage their second factor. */
export function SecondFactorPage(page: Page) {
  const { t } = useShop()
  const { factor, logOutNonce } = page
  if (factor.kind === 'owed') return <CodeAsked page={page} />
  return (
    <AccountFrame title={t('Second factor')} place="privacy" logOutNonce={logOutNonce}>
      {factor.kind === 'none' && <Beginning page={page} />}
      {factor.kind === 'unconfirmed' && <Enrolment page={page} secret={factor.secret} link={factor.link} />}
      {factor.kind === 'confirmed' && <Confirmed page={page} since={factor.since} codesLeft={factor.recoveryCodes} />}
    </AccountFrame>
  )
}

/** Without navigation: all other pages redirect here. */
function CodeAsked({ page }: { page: Page }) {
  const { t } = useShop()
  return (
    <article className="private-page account-page">
      <h1 className="entry-title">{t('Second factor')}</h1>
      <div className="woocommerce">
        <section>
          <p>{t('Please enter the code that your device shows now, or one of your recovery codes.')}</p>
          <FactorForm page={page} action="show" button={t('Continue')}>
            <CodeField id="factor_code" page={page} label={t('Code')} />
          </FactorForm>
          <p className="account-way-out">
            <a href={urls.logOut(page.logOutNonce)}>{t('Log out')}</a>
          </p>
        </section>
      </div>
    </article>
  )
}

function Beginning({ page }: { page: Page }) {
  const { t } = useShop()
  return (
    <section>
      {page.required && (
        <p>{t('Everyone who works in this shop needs a second factor. Please set one up to continue.')}</p>
      )}
      <p>
        {t(
          'A second factor is a code in addition to your password. An app on your phone or computer creates a new one every 30 seconds.',
        )}
      </p>
      <FactorForm page={page} action="begin" button={t('Set up')}>
        <AccountField
          id="password_current"
          type="password"
          label={t('Current password')}
          autoComplete="current-password"
          invalid={page.invalid.includes('password_current')}
        />
      </FactorForm>
    </section>
  )
}

function Enrolment({ page, secret, link }: { page: Page; secret: string; link: string }) {
  const { t } = useShop()
  const grouped = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return (
    <section>
      <ol className="account-steps">
        <li>
          <p>
            {t(
              'Add an account in the app that creates your codes, and enter this key there. It is shown until you have confirmed it, and never again.',
            )}
          </p>
          <p>
            <code className="account-secret" translate="no" dir="ltr">
              {grouped}
            </code>
          </p>
          <p>
            <a href={link}>{t('Or open this link on the device that will create the codes.')}</a>
          </p>
        </li>
        <li>
          <p>{t('Enter the code that it shows now.')}</p>
          <FactorForm page={page} action="confirm" button={t('Confirm')}>
            <CodeField id="factor_code" page={page} label={t('Code')} />
          </FactorForm>
        </li>
      </ol>
    </section>
  )
}

function Confirmed({ page, since, codesLeft }: { page: Page; since: Date; codesLeft: number }) {
  const shop = useShop()
  const { t, n } = shop
  const day = dayText(shop, since)
  return (
    <>
      <section>
        <p>{t('You have had a second factor since %s.', day)}</p>
      </section>
      <section>
        <h2>{t('Recovery codes')}</h2>
        <p>
          {codesLeft === 0
            ? t('No codes are left. Please create new ones.')
            : n(codesLeft, 'One code is left.', '%s codes are left.')}
        </p>
        <FactorForm page={page} action="renew" button={t('Create new codes')}>
          <CodeField id="renew_code" page={page} label={t('Code')} />
        </FactorForm>
      </section>
      <section>
        <h2>{t('Another device')}</h2>
        <p>{t('Remove the second factor here, then set it up on the other device.')}</p>
        <FactorForm page={page} action="drop" button={t('Remove it')}>
          <CodeField id="drop_code" page={page} label={t('Code')} />
        </FactorForm>
      </section>
    </>
  )
}

/** Recovery codes, which are shown only once. */
export function RecoveryCodesPage({
  codes,
  onwards,
  logOutNonce,
}: {
  codes: readonly string[]
  onwards: string
  logOutNonce: string
}) {
  const { t } = useShop()
  return (
    <AccountFrame title={t('Second factor')} place="privacy" logOutNonce={logOutNonce}>
      <section>
        <h2>{t('Recovery codes')}</h2>
        <p>
          {t(
            'Each of these codes works once in place of one from your device. Print them or write them down now: they are not shown again.',
          )}
        </p>
        <ol className="account-codes" translate="no" dir="ltr">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <p>
          <a href={onwards} className="button alt">
            {t('I have saved them')}
          </a>
        </p>
      </section>
    </AccountFrame>
  )
}

function CodeField({ id, page, label }: { id: string; page: Page; label: string }) {
  return (
    <AccountField id={id} name="code" label={label} autoComplete="one-time-code" invalid={page.invalid.includes(id)} />
  )
}

function FactorForm({
  page,
  action,
  button,
  children,
}: {
  page: Page
  action: 'show' | 'begin' | 'confirm' | 'renew' | 'drop'
  button: string
  children: ReactNode
}) {
  return (
    <form method="post" action={urls.secondFactor()} className="account-action" noValidate>
      {children}
      <input type="hidden" name="second-factor-nonce" value={page.nonce} />
      <input type="hidden" name="action" value={action} />
      {page.redirect !== '' && <input type="hidden" name="redirect" value={page.redirect} />}
      <button type="submit" className="button alt">
        {button}
      </button>
    </form>
  )
}
