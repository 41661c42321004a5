import { walletHooks } from '#contract/payment-words.ts'
import { type ButtonPage, redirectFrom } from '#web/browser/payments/wallet-page.ts'
import { useWallet, type Wallet } from './use-wallet.ts'

export type WalletTexts = {
  slow: string
  notLoaded: string
  /** On the checkout, whose own button then pays by redirect. */
  notLoadedCheckout: string
  retry: string
  redirect: string
  unreachable: string
  failed: string
  /** Approved, and not yet handed to the shop. */
  approved: string
  finishAgain: string
}

export type WalletButtonsProps = {
  page: ButtonPage
  /** Pays by redirect where the provider's script does not load. */
  startUrl: string
  texts: WalletTexts
}

/** The wallet's button on one page, and what is said around it. */
export function WalletButtons({ page, startUrl, texts }: WalletButtonsProps) {
  const wallet = useWallet(page, texts)
  const { container, shown, drawn, slow, phase } = wallet
  return (
    <div className={outerClasses[page]} data-phase={phase} hidden={!shown || drawn === 'not-offered'}>
      <div ref={container} className="wc-ppcp-wallet__button" hidden={phase === 'failed' || drawn === 'failed'} />
      <p className="wc-ppcp-wallet__message" role="status">
        {messageOf(wallet, page, texts)}
      </p>
      {phase === 'failed' && (
        <button type="button" className="button alt" onClick={wallet.finishAgain}>
          {texts.finishAgain}
        </button>
      )}
      {phase !== 'failed' && (drawn === 'failed' || slow) && (
        <p className="wc-ppcp-wallet__ways">
          {drawn === 'failed' && (
            <button type="button" className="button" onClick={wallet.drawAgain}>
              {texts.retry}
            </button>
          )}{' '}
          {page !== 'checkout' && (
            <button type="button" className="button" onClick={() => redirectFrom(page, startUrl)}>
              {texts.redirect}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

const outerClasses: Readonly<Record<ButtonPage, string>> = {
  product: `wc-ppcp-wallet ${walletHooks.productContainer}`,
  cart: `wc-ppcp-wallet ${walletHooks.cartPaymentsClass}`,
  checkout: `wc-ppcp-wallet ${walletHooks.checkoutContainer}`,
}

function messageOf({ phase, drawn, slow }: Wallet, page: ButtonPage, texts: WalletTexts): string {
  if (phase === 'failed') return texts.approved
  if (drawn === 'failed') return page === 'checkout' ? texts.notLoadedCheckout : texts.notLoaded
  return drawn === 'waiting' && slow ? texts.slow : ''
}
