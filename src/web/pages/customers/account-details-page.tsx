import { urls } from '#contract/shared/urls.ts'
import { asksFamilyFirst } from '#domain/addresses/full-name.ts'
import type { CustomerFacts } from '#shop/customers/account-facts.ts'
import { AccountField } from '../../parts/customers/account-field.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** Names, address and password. */
export function AccountDetailsPage({
  customer,
  invalid,
  nonce,
  logOutNonce,
}: {
  customer: Pick<CustomerFacts, 'firstName' | 'lastName' | 'displayName' | 'email'>
  invalid: readonly string[]
  nonce: string
  logOutNonce: string
}) {
  const { t, language } = useShop()
  const state = (id: string) => ({ id, invalid: invalid.includes(id) })
  const names = [
    {
      id: 'account_first_name',
      label: t('First name'),
      autoComplete: 'given-name',
      value: customer.firstName,
    },
    {
      id: 'account_last_name',
      label: t('Last name'),
      autoComplete: 'family-name',
      value: customer.lastName,
    },
  ]
  if (asksFamilyFirst(language)) names.reverse()
  return (
    <AccountFrame title={t('Account details')} place="edit-account" logOutNonce={logOutNonce}>
      <form
        className="woocommerce-EditAccountForm edit-account account-form"
        method="post"
        action={urls.editAccount()}
        noValidate
      >
        <div className="account-fields">
          {names.map(({ id, ...field }, nth) => (
            <AccountField key={id} {...state(id)} {...field} place={nth === 0 ? 'first' : 'last'} />
          ))}
          <AccountField
            {...state('account_display_name')}
            label={t('Display name')}
            autoComplete="nickname"
            value={customer.displayName}
          >
            {t('This is how we greet you.')}
          </AccountField>
          <AccountField
            {...state('account_email')}
            type="email"
            label={t('Email address')}
            autoComplete="email"
            value={customer.email}
          />
        </div>
        <fieldset>
          <legend>{t('Password')}</legend>
          <div className="account-fields">
            <AccountField
              {...state('password_current')}
              type="password"
              label={t('Current password')}
              autoComplete="current-password"
              required={false}
            >
              {t('Needed only to change your password or email address.')}
            </AccountField>
            <AccountField
              {...state('password_1')}
              type="password"
              label={t('New password')}
              autoComplete="new-password"
              required={false}
              meter
            >
              {t('Leave blank to keep the current one.')}
            </AccountField>
            <AccountField
              {...state('password_2')}
              type="password"
              label={t('Confirm new password')}
              autoComplete="new-password"
              required={false}
            />
          </div>
        </fieldset>
        <p className="account-submit">
          <input type="hidden" name="save-account-details-nonce" value={nonce} />
          <input type="hidden" name="_wp_http_referer" value={urls.editAccount()} />
          <button
            type="submit"
            className="woocommerce-Button button alt"
            name="save_account_details"
            value={t('Save changes')}
          >
            {t('Save changes')}
          </button>
          <input type="hidden" name="action" value="save_account_details" />
        </p>
      </form>
    </AccountFrame>
  )
}
