import { fieldMessageId } from '#contract/notices/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import type { LoginFacts } from '#shop/customers/account-facts.ts'
import { AccountField } from '../../parts/customers/account-field.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { OwnLogins } from '../../parts/customers/own-logins.tsx'
import { FieldMessage } from '../../parts/notices/page-notices.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The customer's logins and stored data, and the deletion of both. */
export function PrivacyPage({
  logins,
  ticked,
  keepsOrderData,
  isStaff,
  invalid,
  nonce,
  logOutNonce,
}: {
  logins: readonly LoginFacts[]
  /** Logins selected in a rejected form. */
  ticked: readonly string[]
  keepsOrderData: boolean
  /** Accounts of staff are closed by other staff, and have a second factor. */
  isStaff: boolean
  /** Ids of fields whose values were rejected. */
  invalid: readonly string[]
  nonce: string
  logOutNonce: string
}) {
  const { t } = useShop()
  return (
    <AccountFrame title={t('Logins and data')} place="privacy" logOutNonce={logOutNonce}>
      <OwnLogins logins={logins} ticked={ticked} invalid={invalid} nonce={nonce} />
      <section>
        <h2>{t('Your data')}</h2>
        <p>{t('One file with everything that we hold about you: account, addresses, cart, orders and logins.')}</p>
        <form method="post" action={urls.privacy()} className="account-action" noValidate>
          <PasswordField id="export_password" invalid={invalid.includes('export_password')} />
          <Hidden nonce={nonce} action="export" />
          <button type="submit" className="button">
            {t('Download my data')}
          </button>
        </form>
      </section>
      {isStaff && (
        <section>
          <h2>{t('Second factor')}</h2>
          <p>{t('A code in addition to your password protects the shop from anyone who learns the password.')}</p>
          <p>
            <a href={urls.secondFactor()} className="button">
              {t('Manage the second factor')}
            </a>
          </p>
        </section>
      )}
      {!isStaff && (
        <section>
          <h2>{t('Close the account')}</h2>
          <p>
            {keepsOrderData
              ? t(
                  'Your account, addresses, cart and saved payment methods are deleted. Orders stay in our books as the law requires.',
                )
              : t(
                  'Your account, addresses, cart and saved payment methods are deleted, and so are your name and address in all completed orders. Orders on their way to you still arrive.',
                )}{' '}
            {t('This cannot be undone.')}
          </p>
          <form method="post" action={urls.privacy()} className="account-action" noValidate>
            <PasswordField id="erase_password" invalid={invalid.includes('erase_password')} />
            <p className="form-row">
              <label className="checkbox" htmlFor="erase_sure">
                <input
                  type="checkbox"
                  id="erase_sure"
                  name="erase_sure"
                  value="1"
                  aria-invalid={invalid.includes('erase_sure') || undefined}
                  aria-describedby={invalid.includes('erase_sure') ? fieldMessageId('erase_sure') : undefined}
                />{' '}
                <span>{t('Yes, delete my account.')}</span>
              </label>
              <FieldMessage fieldId="erase_sure" />
            </p>
            <Hidden nonce={nonce} action="erase" />
            <button type="submit" className="button">
              {t('Close my account')}
            </button>
          </form>
        </section>
      )}
    </AccountFrame>
  )
}

function PasswordField({ id, invalid }: { id: string; invalid: boolean }) {
  const { t } = useShop()
  return (
    <AccountField
      id={id}
      name="password_current"
      type="password"
      label={t('Current password')}
      autoComplete="current-password"
      invalid={invalid}
    />
  )
}

function Hidden({ nonce, action }: { nonce: string; action: string }) {
  return (
    <>
      <input type="hidden" name="account-privacy-nonce" value={nonce} />
      <input type="hidden" name="action" value={action} />
    </>
  )
}
