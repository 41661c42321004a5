import { type ButtonPage, walletHooks, walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { type Funding, fundings, offeredFundings } from '#domain/payments/funding-sources.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { Island } from '../../islands/island.tsx'
import { WalletButtons as WalletButtonsIsland } from '../../islands/payments/wallet-buttons.tsx'
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

function WalletPlace({ page, ownWords }: { page: ButtonPage; ownWords?: string | undefined }) {
  const { t, wallet, path } = useShop()
  const ownButton = ownWords || ownButtonText(t, page)
  return (
    // The provider's script is larger than all of the shop's: it waits for user activity, and does not delay the page.
    <Island
      name="wallet-buttons"
      prefix={page}
      when="presence"
      component={WalletButtonsIsland}
      props={{
        page,
        className: outerClasses[page],
        fundings: walletFundings(wallet, page),
        ...(ownButton === undefined
          ? { redirect: { url: path(urls.walletStart()), text: t('Continue to PayPal') } }
          : {}),
        texts: {
          slow: t('PayPal is taking longer than usual…'),
          notLoaded:
            ownButton === undefined
              ? t('The PayPal button could not be loaded.')
              : t('The PayPal button could not be loaded. “%s” takes you to PayPal instead.', ownButton),
          unfinished: t(
            'You approved the payment, but the shop could not be reached to place your order. Please try again.',
          ),
          unreachable: t('The shop could not be reached. Please check your connection and try again.'),
          failed: t('Something went wrong with this payment. Please try again.'),
          finish: t('Complete the order'),
          retry: t('Try again'),
          ...(byForm.includes(page)
            ? {
                ready: t('Your payment is ready. Please review your order once more, then place it.'),
                cancel: t('Cancel this payment'),
              }
            : {}),
        },
      }}
    />
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
