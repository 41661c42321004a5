import { urls } from '#contract/shared/urls.ts'
import type { Nonces } from '../cart/cart-form.tsx'
import { LogInForm } from '../customers/log-in-form.tsx'

/** Asks a visitor to log in before they see an order of an account; `text` says why. */
export function OrderLogIn({ text, nonces, returnTo }: { text: string; nonces: Nonces; returnTo: string }) {
  return (
    <>
      <p className="woocommerce-info" role="status">
        {text}
      </p>
      <LogInForm facts={{ nonce: nonces['woocommerce-login'] ?? '', referer: urls.account(), redirect: returnTo }} />
    </>
  )
}
