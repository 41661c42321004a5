import { urls } from '#contract/shared/urls.ts'
import type { AddressFormFacts } from '#shop/customers/account-facts.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { FormRow } from '../../parts/shared/form-row.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The form of one address, by the rules of the checkout. */
export function AddressFormPage({
  facts,
  invalid = [],
  nonce,
  logOutNonce,
}: {
  facts: AddressFormFacts
  /** Ids of the rejected fields. */
  invalid?: readonly string[]
  nonce: string
  logOutNonce: string
}) {
  const { t } = useShop()
  const title = facts.kind === 'billing' ? t('Billing address') : t('Shipping address')
  return (
    <AccountFrame title={title} place="edit-address" logOutNonce={logOutNonce}>
      <form method="post" action={urls.editAddress(facts.kind)} noValidate className="account-form">
        <div className="woocommerce-address-fields">
          <div className="woocommerce-address-fields__field-wrapper">
            {facts.fields.map((field) => (
              <FormRow key={field.id} field={field} invalid={invalid.includes(field.id)} />
            ))}
          </div>
          <p className="account-submit">
            <button type="submit" className="button alt" name="save_address" value={t('Save address')}>
              {t('Save address')}
            </button>
            <input type="hidden" name="woocommerce-edit-address-nonce" value={nonce} />
            <input type="hidden" name="_wp_http_referer" value={urls.editAddress(facts.kind)} />
            <input type="hidden" name="action" value="edit_address" />
          </p>
        </div>
      </form>
    </AccountFrame>
  )
}
