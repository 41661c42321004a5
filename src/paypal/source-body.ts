import type { CardSourceBody, ExperienceBody, OrderSourceBody, StoredCredential } from '#contract/paypal/order.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'

/** What an order is paid with. */
export type PaymentSource =
  /** Approved in the wallet's window, by the button of this funding. */
  | { readonly kind: 'wallet'; readonly funding: Funding; readonly keep: boolean }
  /** A card that its holder types into the provider's fields. */
  | { readonly kind: 'card-fields'; readonly keep: boolean }
  /** The provider's token of what was kept, and whether it is a wallet or a card. */
  | { readonly kind: 'kept'; readonly as: 'wallet' | 'card'; readonly token: string }
  /** Of accelerated checkout: works once, for three hours. */
  | { readonly kind: 'single-use'; readonly token: string; readonly keep: boolean }
  /** A token of an agreement from before there was a vault. */
  | { readonly kind: 'agreement'; readonly token: string }

/** Sources whose money moves with the call that opens the order: nobody has to approve. */
export type ImmediateSource = Extract<PaymentSource, { kind: 'kept' | 'single-use' | 'agreement' }>

export type SourceContext = {
  readonly experience: ExperienceBody
  /** Who the buyer is in the provider's vault; null for one that it has not met. */
  readonly vaultCustomer: string | null
  /** When the holder of a card is to be asked by their bank. */
  readonly verification: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'
}

/** The buyer is there and pays once with what was kept before. */
const byTheBuyer: StoredCredential = { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' }

/** What pays, in the provider's words. An agreement is named by its id, which its token was exchanged for. */
export function sourceBody(
  source: PaymentSource,
  { experience, vaultCustomer, verification }: SourceContext,
): OrderSourceBody {
  const customer = vaultCustomer === null ? {} : { customer: { id: vaultCustomer } }
  const urls = { return_url: experience.return_url, cancel_url: experience.cancel_url }
  switch (source.kind) {
    case 'wallet': {
      const vault = {
        store_in_vault: 'ON_SUCCESS',
        usage_type: 'MERCHANT',
        customer_type: 'CONSUMER',
        permit_multiple_payment_tokens: false,
      } as const
      const body = {
        experience_context: experience,
        ...(source.keep ? { attributes: { vault, ...customer } } : {}),
      }
      if (source.funding !== 'venmo') return { paypal: body }
      const { brand_name, shipping_preference, user_action, ...others } = experience
      const callback = others.order_update_callback_config
      return {
        venmo: {
          ...body,
          // The app knows no more of these.
          experience_context: {
            ...urls,
            brand_name,
            shipping_preference,
            user_action,
            ...(callback ? { order_update_callback_config: callback } : {}),
          },
        },
      }
    }
    case 'card-fields':
      return {
        card: {
          attributes: { verification: { method: verification }, ...kept(source, customer) },
          experience_context: urls,
        },
      }
    case 'single-use':
      return {
        card: {
          single_use_token: source.token,
          attributes: { verification: { method: verification }, ...kept(source, customer) },
          experience_context: urls,
        },
      }
    case 'kept':
      if (source.as === 'wallet') return { paypal: { vault_id: source.token, stored_credential: byTheBuyer } }
      return {
        card: {
          vault_id: source.token,
          stored_credential: byTheBuyer,
          attributes: { verification: { method: verification } },
          experience_context: urls,
        },
      }
    case 'agreement':
      return { token: { id: source.token, type: 'BILLING_AGREEMENT' } }
  }
}

function kept(
  { keep }: { keep: boolean },
  customer: { customer?: { id: string } },
): NonNullable<CardSourceBody['attributes']> {
  return keep ? { vault: { store_in_vault: 'ON_SUCCESS' }, ...customer } : {}
}

/** One wallet order serves sources with the same key; another key needs another order. Holds no token. */
export function sourceKey(source: PaymentSource): string {
  switch (source.kind) {
    case 'wallet': {
      // The wallet offers paying later and cards by itself.
      const app = source.funding === 'venmo' ? 'venmo' : 'paypal'
      return `wallet:${app}${source.keep ? ':keep' : ''}`
    }
    case 'card-fields':
    case 'single-use':
      return source.keep ? `${source.kind}:keep` : source.kind
    case 'kept':
      return `kept:${source.as}`
    case 'agreement':
      return 'agreement'
  }
}

export const plainWallet: PaymentSource = { kind: 'wallet', funding: 'paypal', keep: false }

export function isImmediateSource(source: PaymentSource): source is ImmediateSource {
  return source.kind === 'kept' || source.kind === 'single-use' || source.kind === 'agreement'
}
