import type { WalletPage } from '#contract/payments/constants.ts'
import type { CardSettings } from '#contract/payments/page-settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { cardMark, markedBrands } from '#domain/payments/card-marks.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Application } from '../operations/startup/application.ts'

const cardPages: readonly WalletPage[] = ['checkout', 'order_pay', 'add_payment_method']

/** Reports whether a page has card fields: the shop takes cards without a wallet, and the page pays or saves a card. */
export function hasCardFields({ provider, tools }: Pick<Application, 'provider' | 'tools'>, page: WalletPage): boolean {
  const { paypal } = tools.settings
  return provider !== null && paypal.enabled && paypal.cards.enabled && cardPages.includes(page)
}

/**
 * Returns the card part of the payment settings; undefined on pages without card fields.
 * @param needsSetupToken nothing is charged: the card is saved for later
 */
export function cardSettingsFor(
  app: Application,
  page: WalletPage,
  t: ShopContextValue['t'],
  needsSetupToken: boolean,
): CardSettings | undefined {
  if (!hasCardFields(app, page)) return undefined
  const { cards, fastlane } = app.tools.settings.paypal
  const { placeholders } = cards
  return {
    title: t(cards.title),
    fields: {
      ...(cards.nameField ? { nameField: { placeholder: placeholders.name } } : {}),
      numberField: { placeholder: placeholders.number },
      expiryField: { placeholder: placeholders.expiry },
      cvvField: { placeholder: placeholders.cvv },
    },
    styles: cardStyles(cards.styles),
    cardNameRequired: cards.nameField && cards.nameRequired,
    canKeep: cards.keep,
    needsSetupToken,
    i18n: {
      error_codes: {
        INVALID_NAME: t('Enter the name as it appears on the card'),
        INVALID_NUMBER: t('Enter a complete and valid card number'),
        INVALID_EXPIRY: t('Enter a valid expiration date'),
        INVALID_CVV: t('Enter the security code'),
        INELIGIBLE_CARD_VENDOR: t('We do not accept cards of this brand. Please use another one.'),
      },
      incomplete_card_form: t('Please complete your card details.'),
      unavailable: t('Card payments are not available at the moment. Please choose another payment method.'),
      unavailable_alone: t('Card payments are not available at the moment. Please try again in a few minutes.'),
      slow: t('The card fields are taking longer than usual…'),
      email_empty: t('Enter your email address'),
      email_invalid: t('Enter a valid email address'),
    },
    fastlane_enabled: false,
    fastlane_flow: fastlane.flow,
    fastlane_pageload: fastlane.pageload ? '1' : '',
    fastlane_signup: fastlane.signUp,
    fastlane_cardholder_name: fastlane.cardholderName,
    payment_format: fastlane.paymentFormat,
    html: { modal: '', tokenized_card: '' },
    icons: cardIcons,
  }
}

const cardIcons = Object.fromEntries(markedBrands.map((brand) => [brand, urls.cardIcon(cardMark(brand) ?? brand)]))

type Styles = CardSettings['styles']

/**
 * Light-scheme styles of the form's own fields: PayPal's frame has a white background that no style can change, so dark
 * pages use these colours too.
 */
const ownStyles: Styles = {
  body: { padding: '0' },
  input: {
    padding: '0.7rem 0.875rem',
    border: '1px solid #7a8783',
    borderRadius: '3px',
    color: '#14231f',
    'font-family': 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    'font-size': '1rem',
    'line-height': '1.5rem',
  },
  '::placeholder': { color: '#55635f' },
  'input:focus': { border: '1px solid #14594a', boxShadow: 'inset 0 0 0 1px #14594a', outline: 'none' },
  'input.invalid': { border: '1px solid #b3261e', color: '#14231f' },
  'input.invalid:focus': { boxShadow: 'inset 0 0 0 1px #b3261e' },
}

/** Merges the merchant's styles over ours, property by property. */
function cardStyles(set: Styles): Styles {
  const selectors = new Set([...Object.keys(ownStyles), ...Object.keys(set)])
  return Object.fromEntries([...selectors].map((name) => [name, { ...ownStyles[name], ...set[name] }]))
}
