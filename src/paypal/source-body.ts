import type { CardSourceBody, ExperienceBody, OrderSourceBody, StoredCredential } from '#contract/paypal/order.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'

/** Source that pays an order. */
export type PaymentSource =
  /** Approved in the wallet's window, by this funding button. */
  | { readonly kind: 'wallet'; readonly funding: Funding; readonly keep: boolean }
  /** A card that its holder enters in PayPal's fields. */
  | { readonly kind: 'card-fields'; readonly keep: boolean }
  /** Vault token of a saved payment method, wallet or card. */
  | { readonly kind: 'kept'; readonly as: 'wallet' | 'card'; readonly token: string }
  /** Card token of accelerated checkout: single-use, valid for three hours. */
  | { readonly kind: 'single-use'; readonly token: string; readonly keep: boolean }
  /** Token of a billing agreement, from before the vault. */
  | { readonly kind: 'agreement'; readonly token: string }

/** Sources that pay with the call that opens the order, without an approval. */
export type ImmediateSource = Extract<PaymentSource, { kind: 'kept' | 'single-use' | 'agreement' }>

export type SourceContext = {
  readonly experience: ExperienceBody
  /** The buyer's id in PayPal's vault; null where there is none. */
  readonly vaultCustomer: string | null
  /** 3D Secure requirement for cards. */
  readonly verification: 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'
}

/** The buyer is present and pays once with a saved payment method. */
const customerInitiated: StoredCredential = {
  payment_initiator: 'CUSTOMER',
  payment_type: 'ONE_TIME',
  usage: 'SUBSEQUENT',
}

/** Returns PayPal's payment source. An agreement is identified by its id, for which its token was exchanged. */
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
          // Venmo supports only these members.
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
          attributes: { verification: { method: verification }, ...vaultRequest(source, customer) },
          experience_context: urls,
        },
      }
    case 'single-use':
      return {
        card: {
          single_use_token: source.token,
          attributes: { verification: { method: verification }, ...vaultRequest(source, customer) },
          experience_context: urls,
        },
      }
    case 'kept':
      if (source.as === 'wallet') return { paypal: { vault_id: source.token, stored_credential: customerInitiated } }
      return {
        card: {
          vault_id: source.token,
          stored_credential: customerInitiated,
          attributes: { verification: { method: verification } },
          experience_context: urls,
        },
      }
    case 'agreement':
      return { token: { id: source.token, type: 'BILLING_AGREEMENT' } }
  }
}

function vaultRequest(
  { keep }: { keep: boolean },
  customer: { customer?: { id: string } },
): NonNullable<CardSourceBody['attributes']> {
  return keep ? { vault: { store_in_vault: 'ON_SUCCESS' }, ...customer } : {}
}

/** Returns the key of a source. A wallet order serves sources with equal keys only. Contains no token. */
export function sourceKey(source: PaymentSource): string {
  switch (source.kind) {
    case 'wallet': {
      // The wallet itself offers Pay Later and cards.
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
