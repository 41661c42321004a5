import { walletHooks, walletMethodId } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { Island } from '#web/islands/island.tsx'
import { WalletButtons as WalletIsland } from '#web/islands/payments/wallet-buttons.tsx'
import { useShop } from './shop-context.tsx'

export type WalletPage = 'product' | 'cart' | 'checkout'

type WalletButtonsProps = {
  page: WalletPage
  /** Id of the form that a browser without scripts posts to start the wallet: the product's, with quantity and choice. */
  form?: string
  /** On pages of one visitor, the nonce of action `woocommerce-cart` for that post. */
  nonce?: string
}

/** The place where the wallet's buttons stand, and the form post that pays by redirect without scripts. */
export function WalletButtons({ page, form, nonce }: WalletButtonsProps) {
  const { t, wallet } = useShop()
  if (!wallet.enabled || !wallet.sections.includes(page)) return null
  return (
    <div {...(page === 'cart' ? { id: walletHooks.cartContainerId } : {})} className="wc-ppcp-wallet__place">
      <Island
        name="wallet-buttons"
        // Most views of a product end without a purchase: React and the provider's script wait for a person.
        when={page === 'product' ? 'presence' : 'visible'}
        component={WalletIsland}
        props={{
          page,
          startUrl: urls.walletStart(),
          texts: {
            slow: t('PayPal is taking longer than usual…'),
            notLoaded: t('The PayPal button could not be loaded.'),
            notLoadedCheckout: t('The PayPal button could not be loaded. “Place order” takes you to PayPal instead.'),
            retry: t('Try again'),
            redirect: t('Continue to PayPal'),
            unreachable: t('The shop could not be reached. Please check your connection and try again.'),
            failed: t('Something went wrong with this payment. Please try again.'),
            approved: t(
              'You approved the payment, but the shop could not be reached to place your order. Please try again.',
            ),
            finishAgain: t('Finish the order'),
          },
        }}
      />
      {/* The checkout needs none: its own button pays by redirect. */}
      {page === 'product' && form && (
        <noscript>
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
            <button type="submit" name="wallet" value={walletMethodId} className="button">
              {t('Pay with PayPal')}
            </button>
          </form>
        </noscript>
      )}
    </div>
  )
}
