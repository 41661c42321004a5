import type { ShopSettings } from '#contract/shared/settings.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { type ClassicSetting, type SettingChange, settingsOf } from './classic-setting.ts'

const of = settingsOf('general')

type Offer = ShopSettings['sellTo']
const isExcept = (offer: Offer): offer is Extract<Offer, { except: unknown }> => !Array.isArray(offer)

/** Settings of where the shop is, where it sells, and of its currency. */
export const generalSettings: readonly ClassicSetting[] = [
  of.text({ id: 'woocommerce_store_city', label: 'City' }, 'base.city'),
  of.text({ id: 'woocommerce_store_postcode', label: 'Postcode / ZIP' }, 'base.postcode'),
  of.custom(
    { id: 'woocommerce_default_country', label: 'Country / State', description: 'A country, or US:CA for one state.' },
    {
      type: 'text',
      read: ({ base }) => (base.state === '' ? base.country : `${base.country}:${base.state}`),
      write: (value, { base }) => {
        const [country = '', state = ''] = of.textIn(value).split(':')
        return { key: 'base', value: { ...base, country, state } }
      },
    },
  ),
  of.custom(
    { id: 'woocommerce_allowed_countries', label: 'Selling locations' },
    {
      type: 'select',
      options: { all: 'All countries', all_except: 'All countries, except for …', specific: 'Specific countries' },
      read: ({ sellTo }) => (isExcept(sellTo) ? 'all_except' : sellTo.length === 0 ? 'all' : 'specific'),
      write: (value, { sellTo }) => {
        if (value === 'all') return { key: 'sellTo', value: [] }
        if (value === 'all_except' && isExcept(sellTo)) return { key: 'sellTo', value: sellTo }
        if (value === 'specific' && !isExcept(sellTo) && sellTo.length > 0) return { key: 'sellTo', value: sellTo }
        const list = value === 'specific' ? 'specific_allowed' : 'all_except'
        return value === 'specific' || value === 'all_except'
          ? `set woocommerce_${list}_countries, which changes this setting as well`
          : 'must be all, all_except or specific'
      },
    },
  ),
  of.custom(
    { id: 'woocommerce_all_except_countries', label: 'Sell to all countries, except for' },
    {
      type: 'multiselect',
      read: ({ sellTo }) => (isExcept(sellTo) ? sellTo.except : []),
      write: (value) => offerChange('sellTo', { except: [...of.listIn(value)] }),
    },
  ),
  of.custom(
    { id: 'woocommerce_specific_allowed_countries', label: 'Sell to specific countries' },
    {
      type: 'multiselect',
      read: ({ sellTo }) => (isExcept(sellTo) ? [] : sellTo),
      write: (value) => offerChange('sellTo', [...of.listIn(value)]),
    },
  ),
  of.custom(
    { id: 'woocommerce_ship_to_countries', label: 'Shipping locations' },
    {
      type: 'select',
      options: {
        '': 'All countries that the shop sells to',
        all: 'All countries',
        specific: 'Specific countries',
        disabled: 'No shipping',
      },
      read: ({ shipTo, shipping }) =>
        shipping.enabled ? (shipTo === null ? '' : isEverywhere(shipTo) ? 'all' : 'specific') : 'disabled',
      write: (value, { shipTo }) => {
        if (value === 'disabled') return { key: 'shipping.enabled', value: false }
        if (value === '') return { key: 'shipTo', value: null }
        if (value === 'all') return { key: 'shipTo', value: [] }
        if (value !== 'specific') return 'must be empty, all, specific or disabled'
        return shipTo !== null && !isEverywhere(shipTo)
          ? { key: 'shipTo', value: shipTo }
          : 'set woocommerce_specific_ship_to_countries, which changes this setting as well'
      },
    },
  ),
  of.custom(
    { id: 'woocommerce_specific_ship_to_countries', label: 'Ship to specific countries' },
    {
      type: 'multiselect',
      read: ({ shipTo }) => (shipTo === null || isExcept(shipTo) ? [] : shipTo),
      write: (value) => offerChange('shipTo', [...of.listIn(value)]),
    },
  ),
  of.choice(
    { id: 'woocommerce_default_customer_address', label: 'Default customer location' },
    'defaultLocation',
    { '': 'No location by default', base: 'Shop country / state' },
    { '': 'none' },
  ),
  of.yesNo({ id: 'woocommerce_calc_taxes', label: 'Enable taxes' }, 'taxes.enabled'),
  of.yesNo({ id: 'woocommerce_enable_coupons', label: 'Enable coupons' }, 'couponsEnabled'),
  of.yesNo(
    {
      id: 'woocommerce_calc_discounts_sequentially',
      label: 'Sequential coupons',
      description: 'Each percent coupon applies to the price after earlier ones.',
    },
    'coupons.sequential',
  ),
  of.text({ id: 'woocommerce_currency', label: 'Currency' }, 'currency'),
  of.choice({ id: 'woocommerce_currency_pos', label: 'Currency position' }, 'priceFormat.position', {
    left: 'Left',
    right: 'Right',
    left_space: 'Left with space',
    right_space: 'Right with space',
  }),
  of.text({ id: 'woocommerce_price_thousand_sep', label: 'Thousand separator' }, 'priceFormat.thousandSeparator'),
  of.text({ id: 'woocommerce_price_decimal_sep', label: 'Decimal separator' }, 'priceFormat.decimalSeparator'),
  of.number({ id: 'woocommerce_price_num_decimals', label: 'Number of decimals' }, 'priceFormat.decimals', (settings) =>
    currencyExponent(settings.currency),
  ),
  of.text({ id: 'vitrine_name', label: 'Name of the shop' }, 'name'),
  of.text({ id: 'vitrine_tagline', label: 'Tagline' }, 'tagline'),
  of.text({ id: 'vitrine_email', label: 'Email address of the shop' }, 'email', 'email'),
  of.text({ id: 'vitrine_language', label: 'Language of products and pages' }, 'language'),
  of.text({ id: 'vitrine_time_zone', label: 'Time zone' }, 'timeZone'),
]

const isEverywhere = (offer: Offer) => !isExcept(offer) && offer.length === 0

/** An empty list would mean all countries, which a program must say itself. */
function offerChange(key: 'sellTo' | 'shipTo', offer: Offer): SettingChange | string {
  const codes = isExcept(offer) ? offer.except : offer
  return codes.length === 0 ? 'must name at least one country' : { key, value: offer }
}
