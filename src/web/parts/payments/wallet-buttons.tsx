import { type ButtonPage, walletHooks, walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { type Funding, fundings, offeredFundings } from '#domain/payments/funding-sources.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { BareIsland } from '../../islands/island.tsx'
import { type ShopContextValue as Shop, useShop } from '../shared/shop-context.tsx'
import { TermsVersion, WalletTerms } from './wallet-terms.tsx'

type WalletButtonsProps = {
  page: ButtonPage
  /**
   * Id of the form that a browser without scripts posts to start the wallet: the product's, with quantity and choice.
   */
  form?: string
  /** On private pages, the nonce of action `woocommerce-cart` for that post. */
  nonce?: string
  /** The payment methods beside it: if the wallet is selected, the page's button has its text. */
  methods?: readonly PaymentMethodFacts[]
}

/** The container of the wallet's buttons, and the form that pays by redirect without scripts. */
export function WalletButtons({ page, form, nonce, methods = [] }: WalletButtonsProps) {
  const { t, wallet, chargedCurrency } = useShop()
  if (walletFundings(wallet, page).length === 0) return null
  return (
    <div {...(page === 'cart' ? { id: walletHooks.cartContainerId } : {})} className="wc-ppcp-wallet__place">
      {agreesByPaying.includes(page) && <WalletTerms />}
      <WalletPlace page={page} ownWords={methods.find(({ id }) => id === walletMethodId)?.orderButtonText} />
      {/* The cart shows it with its total. */}
      {page === 'product' && chargedCurrency && (
        <p className="charged-note">{t('With PayPal you pay in %s.', chargedCurrency)}</p>
      )}
      {/* Not on the checkout: its own button pays by redirect. */}
      {page === 'product' && form && (
        <noscript>
          <TermsVersion form={form} />
          <button
            type="submit"
            form={form}
            formAction={urls.walletStart()}
            formMethod="post"
            name="wallet"
            value={walletMethodId}
            className="button"
          >
            {t('Buy with PayPal')}
          </button>
        </noscript>
      )}
      {page === 'cart' && (
        <noscript>
          <form method="post" action={urls.walletStart()}>
            {nonce && <input type="hidden" name="woocommerce-cart-nonce" value={nonce} />}
            <TermsVersion />
            <button type="submit" name="wallet" value={walletMethodId} className="button">
              {t('Pay with PayPal')}
            </button>
          </form>
        </noscript>
      )}
    </div>
  )
}

/** Above the checkout form: the wallet supplies the form's data. */
export function ExpressCheckout() {
  const { t, wallet } = useShop()
  if (walletFundings(wallet, 'express').length === 0) return null
  return (
    <section className="express-checkout" aria-labelledby="express-checkout-heading">
      <h2 id="express-checkout-heading">{t('Express checkout')}</h2>
      <div id={walletHooks.expressContainerId} className="wc-ppcp-wallet__place">
        <WalletTerms />
        <WalletPlace page="express" />
      </div>
      <p className="express-checkout__or">{t('or fill in your details')}</p>
    </section>
  )
}

/** The template that the browser inserts among the mini cart's buttons after each replacement. */
export function MiniCartWalletTemplate() {
  const { t, wallet, chargedCurrency } = useShop()
  if (walletFundings(wallet, 'minicart').length === 0) return null
  return (
    <template id={walletHooks.miniCartTemplateId}>
      <WalletTerms />
      <WalletPlace page="minicart" />
      {chargedCurrency && <small className="charged-note">{t('With PayPal you pay in %s.', chargedCurrency)}</small>}
    </template>
  )
}

/** The markup that `islands/payments/wallet-buttons.ts` takes over, with the texts of each state. */
function WalletPlace({ page, ownWords }: { page: ButtonPage; ownWords?: string | undefined }) {
  const { t, wallet, path } = useShop()
  const ownButton = ownWords || ownButtonText(t, page)
  return (
    // The provider's script is larger than all of the shop's: it waits for user activity, and does not delay the page.
    <BareIsland name="wallet-buttons" when="presence">
      <div
        className={`wc-ppcp-wallet ${outerClasses[page]}`}
        data-page={page}
        data-phase="idle"
        data-unreachable={t('The shop could not be reached. Please check your connection and try again.')}
        data-failed={t('Something went wrong with this payment. Please try again.')}
        {...(byForm.includes(page)
          ? {
              'data-ready': t('Your payment is ready. Please review your order once more, then place it.'),
              'data-cancel': t('Cancel this payment'),
            }
          : {})}
      >
        <div className="wc-ppcp-wallet__buttons" translate="no">
          {/* Reserves a place for each button, so that nothing shifts when they are rendered. */}
          {walletFundings(wallet, page).map((funding) => (
            <div key={funding} className="wc-ppcp-wallet__button" data-funding={funding} />
          ))}
        </div>
        <p
          className="wc-ppcp-wallet__message"
          role="status"
          data-slow={t('PayPal is taking longer than usual…')}
          data-not-loaded={
            ownButton === undefined
              ? t('The PayPal button could not be loaded.')
              : t('The PayPal button could not be loaded. “%s” takes you to PayPal instead.', ownButton)
          }
          data-approved={t(
            'You approved the payment, but the shop could not be reached to place your order. Please try again.',
          )}
        />
        <button type="button" className="button alt wc-ppcp-wallet__finish" hidden>
          {t('Complete the order')}
        </button>
        <p className="wc-ppcp-wallet__ways" hidden>
          <button type="button" className="button wc-ppcp-wallet__retry" hidden>
            {t('Try again')}
          </button>{' '}
          {ownButton === undefined && (
            <button type="button" className="button wc-ppcp-wallet__redirect" data-url={path(urls.walletStart())}>
              {t('Continue to PayPal')}
            </button>
          )}
        </p>
      </div>
    </BareIsland>
  )
}

/** Besides express checkout and mini cart, the pages without a checkbox before the wallet opens. */
const agreesByPaying: readonly ButtonPage[] = ['product', 'cart']

/** Pages on which a form finishes an approved payment. */
const byForm: readonly ButtonPage[] = ['checkout', 'express']

/** Returns the text of the page's own button, which pays by redirect where the provider's script does not load. */
function ownButtonText(t: Shop['t'], page: ButtonPage): string | undefined {
  if (page === 'checkout') return t('Place order')
  if (page === 'add_payment_method') return t('Add payment method')
  return page === 'order_pay' ? t('Pay for order') : undefined
}

const outerClasses: Readonly<Record<ButtonPage, string>> = {
  product: walletHooks.productContainer,
  cart: walletHooks.cartPaymentsClass,
  checkout: walletHooks.checkoutContainer,
  express: walletHooks.expressClass,
  order_pay: walletHooks.checkoutContainer,
  add_payment_method: walletHooks.addMethodContainer,
  minicart: walletHooks.miniCartClass,
}

/**
 * Returns the buttons that the merchant enabled for a page, in order; the cart and the provider may still refuse some.
 */
function walletFundings({ enabled, sections, buttonsOrder }: Shop['wallet'], page: ButtonPage): readonly Funding[] {
  if (!enabled) return []
  return offeredFundings({ funding: fundings, order: buttonsOrder, sections }, page, {
    vault: false,
    shippingChanges: false,
  })
}
