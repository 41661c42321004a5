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

/** The page-specific part of a wallet purchase. */
export type Purchase = {
  /** Returns the reason that the wallet must not open now. A failure without message is already shown on the page. */
  obstacle(): PaymentFailure | undefined
  createOrder(calls: PaymentCalls, press: Press): Promise<string>
  /** Returns the values sent with every call: the page, and all fields of its form. */
  fields(): PurchaseFields
  /** Runs after approval. False: the shopper reviews the order, and the form will finish the purchase. */
  settled(wallet: Pick<OpenWallet, 'payer'>): Promise<boolean>
  /** The payment method is saved, and nothing is charged now. @returns the page's next step */
  kept(token: PaymentTokensAnswer): Promise<() => void>
  /** Stores the approved wallet order; undefined: it is no longer usable. */
  remember(walletOrderId: string | undefined): void
  /** Runs after an error was shown. */
  shownError(markup: string): void
  /** The totals on the page are out of date. */
  refresh(): void
  /** The container of errors. */
  errorContainer(): Element
  /** The elements to block while the order is placed. */
  regions(): HTMLElement[]
}

export type Press = {
  /** The funding source of the pressed button. */
  readonly funding: Funding
  /** The wallet order of a cancelled attempt, for the server to reuse. */
  readonly abandoned: string | undefined
}

export type PurchaseFields = Record<string, string> & { payment_method: string; context: ButtonPage }

/** The current cart, paid on the cart page. */
export function cartPurchase(): Purchase {
  return {
    obstacle: () => undefined,
    createOrder: (calls, press) => calls.createOrder(pressFields(purchaseFields('cart'), press)),
    fields: () => purchaseFields('cart'),
    settled: () => Promise.resolve(true),
    kept: () => Promise.reject(new PaymentFailure('')),
    remember() {},
    shownError() {},
    // Keeps the notices, which contain the reason.
    refresh: () => trigger(document, cartPageEvents.update, true),
    errorContainer: noticesWrapper,
    regions: () => [...document.querySelectorAll<HTMLElement>(cartHooks.totals)],
  }
}

/** The current cart, paid in the mini cart of another page. */
export function miniCartPurchase(): Purchase {
  return {
    ...cartPurchase(),
    createOrder: (calls, press) => calls.createOrder(pressFields(purchaseFields('minicart'), press)),
    fields: () => purchaseFields('minicart'),
    refresh: () => trigger(document.body, cartEvents.refreshFragments),
    errorContainer: miniCartBox,
    regions: () => [...document.querySelectorAll<HTMLElement>(miniCartHooks.content)],
  }
}

/** Returns the element around the fragments, so that an error survives their replacement. */
export function miniCartBox(): Element {
  return document.querySelector(miniCartHooks.content)?.parentElement ?? noticesWrapper()
}

/** A single product, added to the cart by the press on the wallet's button. */
export function productPurchase(): Purchase {
  // The form is looked up each time: it may have been rendered again.
  const choice = () => {
    const form = productForm()
    return form ? chosenItem(form) : undefined
  }
  // The item that a cancelled attempt has already added: another press must not add it twice.
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
      if (wanted === added) return calls.createOrder(pressFields(purchaseFields('product'), press))
      const walletOrderId = await calls.addItem({ ...item, [fundingField]: press.funding, ...seenFields() })
      added = wanted
      trigger(document.body, cartEvents.refreshFragments)
      return walletOrderId
    },
    fields: () => purchaseFields('product'),
    refresh: () => trigger(document.body, cartEvents.refreshFragments),
    regions: () => [productForm()].filter((form) => form !== null),
  }
}

/** Returns the fields of every call about a purchase. */
export function purchaseFields(context: ButtonPage): PurchaseFields {
  return { payment_method: walletMethodId, context }
}

/** Returns the fields of a request that creates a wallet order. */
export function pressFields(fields: Record<string, string>, { funding, abandoned }: Press): Record<string, string> {
  return { ...withOrder(fields, abandoned), [fundingField]: funding, ...seenFields() }
}

/** Returns the currency of the buttons: the shop refuses if another tab has chosen another one since. */
function seenFields(): Record<string, string> {
  const currency = connectedSettings()?.queryParams.currency
  return { ...(currency ? { seen_currency: currency } : {}), ...shownTerms() }
}

/** Returns the version of the terms shown beside the buttons; nothing where the shop requires no acceptance. */
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
