import { cartHooks } from '#contract/cart/hooks.ts'
import { termsVersionField } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import type { ButtonPage } from '#contract/payments/constants.ts'
import { paymentFields, walletHooks, walletMethodId, walletOrderField } from '#contract/payments/constants.ts'
import type { PaymentTokensAnswer } from '#contract/payments/vault.ts'
import { cartEvents, cartPageEvents } from '#contract/shared/events.ts'
import { miniCartHooks } from '#contract/shared/hooks.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { PaymentFailure } from '../payment-failure.ts'
import { connectedSettings } from '../payment-settings.ts'
import type { OpenWallet } from '../provider.ts'
import type { PaymentCalls } from '../rest-calls.ts'
import { chosenItem, productForm } from './product-choice.ts'

/** What is bought with the wallet, as far as it differs from page to page. */
export type Purchase = {
  /** Why the wallet must not open now. A failure without message is one that the page shows already. */
  obstacle(): PaymentFailure | undefined
  createOrder(calls: PaymentCalls, press: Press): Promise<string>
  /** What the shop is told beside what a call is about: the page, and all fields of its form. */
  fields(): PurchaseFields
  /** After approval. False: the shopper looks at the order once more, and the form will finish the purchase. */
  settled(wallet: Pick<OpenWallet, 'payer'>): Promise<boolean>
  /** The means is kept, and nothing is charged now. @returns what the page does next */
  kept(token: PaymentTokensAnswer): Promise<() => void>
  /** The wallet has approved this order; undefined: it is of no use any more. */
  remember(walletOrderId: string | undefined): void
  /** An error has been shown. */
  shownError(markup: string): void
  /** The totals on the page are out of date. */
  refresh(): void
  /** Where errors stand. */
  errorContainer(): Element
  /** What is blocked while the order is being placed. */
  regions(): HTMLElement[]
}

export type Press = {
  /** Whose button it was. */
  readonly funding: Funding
  /** The wallet order of an attempt that was cancelled, for the server to take up again. */
  readonly abandoned: string | undefined
}

export type PurchaseFields = Record<string, string> & { payment_method: string; context: ButtonPage }

/** The cart as it stands, paid from the cart page. */
export function cartPurchase(): Purchase {
  return {
    obstacle: () => undefined,
    createOrder: (calls, press) => calls.createOrder(pressFields(paid('cart'), press)),
    fields: () => paid('cart'),
    settled: () => Promise.resolve(true),
    kept: () => Promise.reject(new PaymentFailure('')),
    remember() {},
    shownError() {},
    // With the notices kept: they say why.
    refresh: () => trigger(document, cartPageEvents.update, true),
    errorContainer: noticesWrapper,
    regions: () => [...document.querySelectorAll<HTMLElement>(cartHooks.totals)],
  }
}

/** The cart as it stands, paid from beside another page. */
export function miniCartPurchase(): Purchase {
  return {
    ...cartPurchase(),
    createOrder: (calls, press) => calls.createOrder(pressFields(paid('minicart'), press)),
    fields: () => paid('minicart'),
    refresh: () => trigger(document.body, cartEvents.refreshFragments),
    errorContainer: miniCartBox,
    regions: () => [...document.querySelectorAll<HTMLElement>(miniCartHooks.content)],
  }
}

/** Around what comes with the fragments, so that an error outlives them. */
export function miniCartBox(): Element {
  return document.querySelector(miniCartHooks.content)?.parentElement ?? noticesWrapper()
}

/** One product, put into the cart by the press on the wallet's button. */
export function productPurchase(): Purchase {
  // The form is looked up each time: it may have been rendered anew.
  const choice = () => {
    const form = productForm()
    return form ? chosenItem(form) : undefined
  }
  // What an abandoned attempt has put into the cart already: pressing again must not add it twice.
  let added: string | undefined
  listen(document.body, cartEvents.removed, () => {
    added = undefined
  })
  return {
    ...cartPurchase(),
    obstacle: () => (choice() ? undefined : new PaymentFailure('')),
    async createOrder(calls, press) {
      const item = choice()
      if (!item) throw new PaymentFailure('No variation is chosen.')
      const wanted = JSON.stringify(item)
      if (wanted === added) return calls.createOrder(pressFields(paid('product'), press))
      const walletOrderId = await calls.addItem({ ...item, [fundingField]: press.funding, ...seen() })
      added = wanted
      trigger(document.body, cartEvents.refreshFragments)
      return walletOrderId
    },
    fields: () => paid('product'),
    refresh: () => trigger(document.body, cartEvents.refreshFragments),
    regions: () => [productForm()].filter((form) => form !== null),
  }
}

/** What every call says of a purchase. */
export function paid(context: ButtonPage): PurchaseFields {
  return { payment_method: walletMethodId, context }
}

/** What opens a wallet order says beside. */
export function pressFields(fields: Record<string, string>, { funding, abandoned }: Press): Record<string, string> {
  return { ...withOrder(fields, abandoned), [fundingField]: funding, ...seen() }
}

/** In which currency the buttons charge: the shop refuses when another tab has chosen another one since. */
function seen(): Record<string, string> {
  const currency = connectedSettings()?.queryParams.currency
  return { ...(currency ? { seen_currency: currency } : {}), ...shownTerms() }
}

/** The version of the terms that stands beside the buttons; nothing where the shop asks for no agreement. */
export function shownTerms(): Record<string, string> {
  const { termsVersion } = document.querySelector<HTMLElement>(`.${walletHooks.termsClass}`)?.dataset ?? {}
  return termsVersion ? { [termsVersionField]: termsVersion } : {}
}

export const fundingField = paymentFields(walletMethodId).funding

export function withOrder(fields: Record<string, string>, walletOrderId: string | undefined): Record<string, string> {
  const { [walletOrderField]: _, ...others } = fields
  return walletOrderId ? { ...others, [walletOrderField]: walletOrderId } : others
}

export const noticesWrapper = (): Element => document.querySelector(noticeHooks.wrapper) ?? document.body
