import {
  accountMailKinds,
  customerOrderMailKinds,
  filledIn,
  mailKinds,
  shopMailKinds,
} from '#contract/mail/settings.ts'
import { type ClassicSetting, settingsOf } from './classic-setting.ts'

const products = settingsOf('products')
const tax = settingsOf('tax')
const shipping = settingsOf('shipping')
const checkout = settingsOf('checkout')
const account = settingsOf('account')
const email = settingsOf('email')
const advanced = settingsOf('advanced')

const displayOptions = { incl: 'Including tax', excl: 'Excluding tax' }

/** Settings of every group but the general one. */
export const furtherSettings: readonly ClassicSetting[] = [
  products.fixed({ id: 'woocommerce_weight_unit', label: 'Weight unit' }, 'kg', 'kg'),
  products.fixed({ id: 'woocommerce_dimension_unit', label: 'Dimensions unit' }, 'cm', 'cm'),
  products.yesNo(
    { id: 'woocommerce_cart_redirect_after_add', label: 'Redirect to the cart after a product was added' },
    'redirectAfterAdd',
  ),
  products.yesNo({ id: 'woocommerce_enable_ajax_add_to_cart', label: 'Add to the cart without a new page' }, 'ajaxAdd'),
  products.number({ id: 'woocommerce_hold_stock_minutes', label: 'Hold stock (minutes)' }, 'holdStockMinutes'),
  products.number({ id: 'woocommerce_notify_low_stock_amount', label: 'Low stock threshold' }, 'lowStockAmount'),
  products.number({ id: 'woocommerce_notify_no_stock_amount', label: 'Out of stock threshold' }, 'outOfStockAmount'),
  products.yesNo(
    { id: 'woocommerce_hide_out_of_stock_items', label: 'Hide products that are out of stock' },
    'hideOutOfStock',
  ),
  products.choice(
    { id: 'woocommerce_stock_format', label: 'Stock display format' },
    'stockFormat',
    { '': 'Always show the quantity', low_amount: 'Only when it is low', no_amount: 'Never' },
    { '': 'always', low_amount: 'low', no_amount: 'never' },
  ),
  products.number({ id: 'vitrine_products_per_page', label: 'Products of a page' }, 'productsPerPage'),
  products.number(
    { id: 'vitrine_hold_stock_pieces', label: 'Maximum quantity that an unpaid order reserves' },
    'holdStockPieces',
  ),
  products.choice(
    { id: 'vitrine_sold_out_after_payment', label: 'Out of stock after the payment' },
    'soldOutAfterPayment',
    {
      refund: 'Refund',
      'back-order': 'Back-order',
    },
  ),
  products.yesNo({ id: 'vitrine_remote_images', label: 'Imports may download images' }, 'remoteImages'),

  tax.choice(
    { id: 'woocommerce_prices_include_tax', label: 'Prices entered with tax' },
    'taxes.pricesIncludeTax',
    { yes: 'Yes', no: 'No' },
    { yes: true, no: false },
  ),
  tax.choice({ id: 'woocommerce_tax_based_on', label: 'Calculate tax based on' }, 'taxes.basedOn', {
    shipping: 'Shipping address',
    billing: 'Billing address',
    base: 'Address of the shop',
  }),
  tax.text(
    {
      id: 'woocommerce_shipping_tax_class',
      label: 'Shipping tax class',
      description: 'inherit: by the shipped products; empty: the standard class.',
    },
    'taxes.shippingClass',
  ),
  tax.yesNo({ id: 'woocommerce_tax_round_at_subtotal', label: 'Round tax at subtotal level' }, 'taxes.roundAtSubtotal'),
  tax.list(
    { id: 'woocommerce_tax_classes', label: 'Additional tax classes', description: 'One in each line.' },
    'taxes.classes',
    'textarea',
  ),
  tax.choice(
    { id: 'woocommerce_tax_display_shop', label: 'Display prices in the shop' },
    'taxes.displayShop',
    displayOptions,
  ),
  tax.choice(
    { id: 'woocommerce_tax_display_cart', label: 'Display prices in cart and checkout' },
    'taxes.displayCart',
    displayOptions,
  ),
  tax.text({ id: 'woocommerce_price_display_suffix', label: 'Price display suffix' }, 'taxes.priceSuffix'),
  tax.choice(
    { id: 'woocommerce_tax_total_display', label: 'Display tax totals' },
    'taxes.itemised',
    { single: 'As a single total', itemized: 'Itemized' },
    { single: false, itemized: true },
  ),
  tax.yesNo(
    { id: 'vitrine_same_gross_everywhere', label: 'Prices with tax are the same in every country' },
    'taxes.sameGrossEverywhere',
  ),
  tax.yesNo(
    { id: 'vitrine_local_pickup_at_base', label: 'Local pickup is taxed at the shop' },
    'taxes.localPickupAtBase',
  ),

  shipping.yesNo(
    { id: 'woocommerce_shipping_cost_requires_address', label: 'Hide shipping costs until an address is entered' },
    'shipping.hideUntilAddress',
  ),
  shipping.yesNo(
    { id: 'woocommerce_shipping_hide_rates_when_free', label: 'Hide other methods where shipping is free' },
    'shipping.hideOthersWhenFree',
  ),
  shipping.list(
    { id: 'vitrine_packages_by_class', label: 'Shipping classes with packages of their own' },
    'shipping.packagesByClass',
  ),

  checkout.yesNo({ id: 'vitrine_terms_page', label: 'Shoppers accept the terms' }, 'termsPage'),
  checkout.text({ id: 'vitrine_order_prefix', label: 'Prefix of invoice numbers at PayPal' }, 'orderPrefix'),
  checkout.choice({ id: 'vitrine_paypal_intent', label: 'PayPal payments' }, 'paypal.intent', {
    capture: 'Captured with the order',
    authorize: 'Authorized until the merchant captures',
  }),

  account.yesNo({ id: 'woocommerce_enable_guest_checkout', label: 'Guest checkout' }, 'accounts.guestCheckout'),
  account.yesNo(
    { id: 'woocommerce_enable_checkout_login_reminder', label: 'Log in during checkout' },
    'accounts.logInAtCheckout',
  ),
  account.yesNo(
    { id: 'woocommerce_enable_signup_and_login_from_checkout', label: 'Create an account during checkout' },
    'accounts.registrationAtCheckout',
  ),
  account.yesNo(
    { id: 'woocommerce_enable_myaccount_registration', label: 'Create an account on the account page' },
    'accounts.registration',
  ),
  account.yesNo(
    { id: 'woocommerce_registration_generate_username', label: 'Derive the user name from the email address' },
    'accounts.generateUsername',
  ),
  account.yesNo(
    { id: 'woocommerce_registration_generate_password', label: 'Send a link to set the password' },
    'accounts.passwordByMail',
  ),
  account.number({ id: 'vitrine_login_days', label: 'Maximum lifetime of a login (days)' }, 'accounts.loginDays'),
  account.yesNo(
    { id: 'vitrine_link_past_orders', label: 'A verified email address adds its guest orders' },
    'accounts.linkPastOrders',
  ),
  account.yesNo(
    { id: 'vitrine_keep_order_data', label: 'Orders keep personal data after an account is closed' },
    'privacy.keepOrderData',
  ),

  email.text(
    { id: 'woocommerce_email_from_address', label: '"From" address', description: 'Empty: the address of the shop.' },
    'mail.from',
  ),

  advanced.yesNo({ id: 'woocommerce_coming_soon', label: 'Only staff can see the shop' }, 'comingSoon'),
  ...mailKinds.flatMap(mailSettingsOf),
]

/** Settings of one email, in a group of its own: `email_new_order`. */
function mailSettingsOf(kind: (typeof mailKinds)[number]): ClassicSetting[] {
  const of = settingsOf(`email_${kind}`)
  const key = `mail.messages.${kind}`
  const tokens = filledIn(kind)
    .map((token) => `{${token}}`)
    .join(', ')
  const description = `Empty: the default. Filled in: ${tokens}.`
  const isForShop = shopMailKinds.some((one) => one === kind)
  return [
    of.yesNo({ id: 'enabled', label: 'Enable this email' }, `${key}.enabled`),
    ...(isForShop
      ? [
          of.list(
            { id: 'recipient', label: 'Recipients', description: 'Empty: the address of the shop.' },
            `${key}.recipients`,
            'textarea',
          ),
        ]
      : []),
    of.text({ id: 'subject', label: 'Subject', description }, `${key}.subject`),
    of.text({ id: 'heading', label: 'Email heading', description }, `${key}.heading`),
    of.text({ id: 'additional_content', label: 'Additional content', description }, `${key}.additional`),
    of.choice({ id: 'email_type', label: 'Email type' }, `${key}.format`, { html: 'HTML', plain: 'Plain text' }),
  ]
}

/** Emails in the order of the groups. */
export const mailGroups: readonly string[] = [...shopMailKinds, ...customerOrderMailKinds, ...accountMailKinds].map(
  (kind) => `email_${kind}`,
)
