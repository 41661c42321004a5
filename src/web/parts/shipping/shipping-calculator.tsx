import { fieldMessageId } from '#contract/notices/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import type { CartFacts } from '#shop/cart/cart-facts.ts'
import { FieldMessage } from '../notices/page-notices.tsx'
import { PrintedFor } from '../shared/form-row.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** The shipping calculator: opened by its link, submitted as a form; the response is the cart page with new rates. */
export function ShippingCalculator({ cart, nonce }: { cart: CartFacts; nonce: string }) {
  const { t, shippingCountries, states } = useShop()
  const { refusedPlace } = cart
  const { country, state, city, postcode } = refusedPlace ?? cart.customer
  const invalid = (field: string) => refusedPlace?.field === field || undefined
  const stateChoices = states[country]
  return (
    <form className="woocommerce-shipping-calculator" action={urls.cart()} method="post">
      <LinkButton
        href="#shipping-calculator-form"
        className="shipping-calculator-button"
        aria-expanded={refusedPlace !== null}
        aria-controls="shipping-calculator-form"
      >
        {cart.calculatedShipping ? t('Change address') : t('Calculate shipping')}
      </LinkButton>
      <section id="shipping-calculator-form" className="shipping-calculator-form" hidden={refusedPlace === null}>
        <p className="form-row form-row-wide" id="calc_shipping_country_field">
          <label htmlFor="calc_shipping_country">{t('Country / region')}</label>
          <select
            name="calc_shipping_country"
            id="calc_shipping_country"
            className="country_to_state country_select"
            rel="calc_shipping_state"
            autoComplete="country"
            aria-invalid={invalid('country')}
            aria-describedby={invalid('country') && fieldMessageId('calc_shipping_country')}
            defaultValue={country || 'default'}
          >
            <option value="default">{t('Select a country / region…')}</option>
            {shippingCountries.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <FieldMessage fieldId="calc_shipping_country" />
        </p>
        <p
          className="form-row form-row-wide"
          id="calc_shipping_state_field"
          hidden={stateChoices?.length === 0 || undefined}
        >
          <label htmlFor="calc_shipping_state">{t('State / County')}</label>
          {stateChoices && stateChoices.length > 0 ? (
            <select
              name="calc_shipping_state"
              id="calc_shipping_state"
              className="state_select"
              data-placeholder={t('State / County')}
              autoComplete="address-level1"
              defaultValue={state}
            >
              <option value="">{t('Select an option…')}</option>
              {stateChoices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {choice.label}
                </option>
              ))}
            </select>
          ) : (
            <input
              type={stateChoices ? 'hidden' : 'text'}
              dir={stateChoices ? undefined : 'auto'}
              name="calc_shipping_state"
              id="calc_shipping_state"
              className={stateChoices ? 'hidden' : 'input-text'}
              defaultValue={stateChoices ? '' : state}
              autoComplete="address-level1"
            />
          )}
          <PrintedFor state="calc_shipping_state" country={country} />
        </p>
        <p className="form-row form-row-wide" id="calc_shipping_city_field">
          <label htmlFor="calc_shipping_city">{t('City')}</label>
          <input
            type="text"
            dir="auto"
            className="input-text"
            name="calc_shipping_city"
            id="calc_shipping_city"
            autoComplete="address-level2"
            defaultValue={city}
          />
        </p>
        <p className="form-row form-row-wide" id="calc_shipping_postcode_field">
          <label htmlFor="calc_shipping_postcode">{t('Postcode / ZIP')}</label>
          <input
            type="text"
            dir="ltr"
            className="input-text"
            name="calc_shipping_postcode"
            id="calc_shipping_postcode"
            autoComplete="postal-code"
            aria-invalid={invalid('postcode')}
            aria-describedby={invalid('postcode') && fieldMessageId('calc_shipping_postcode')}
            defaultValue={postcode}
          />
          <FieldMessage fieldId="calc_shipping_postcode" />
        </p>
        <p>
          <button type="submit" name="calc_shipping" value="1" className="button">
            {t('Update')}
          </button>
        </p>
        <input
          type="hidden"
          id="woocommerce-shipping-calculator-nonce"
          name="woocommerce-shipping-calculator-nonce"
          value={nonce}
        />
        <input type="hidden" name="_wp_http_referer" value={urls.cart()} />
      </section>
    </form>
  )
}
