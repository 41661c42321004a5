import { urls } from '#contract/shared/urls.ts'
import type { AddRefusal } from '#shop/cart/add-to-cart.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'

/** Escapes text for use in markup. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')
}

const viewCart = ({ t }: ShopContextValue) =>
  ` <a href="${urls.cart()}" class="button wc-forward">${escapeHtml(t('View cart'))}</a>`

/** Builds the notice "“Hat” has been added to your cart." with a link to the cart. */
export function addedNotice(
  shop: ShopContextValue,
  added: readonly { name: string; quantity: number }[],
  toCart: boolean,
): NoticeFacts {
  const { t } = shop
  const names = added.map(({ name, quantity }) => `${quantity === 1 ? '' : `${quantity} × `}${t('“%s”', name)}`)
  const list = new Intl.ListFormat(shop.language, { type: 'conjunction' }).format(names)
  const many = added.length > 1 || added.some(({ quantity }) => quantity > 1)
  const text = many ? t('%s have been added to your cart.', list) : t('%s has been added to your cart.', list)
  const link = toCart
    ? ` <a href="${urls.shop()}" class="button wc-forward">${escapeHtml(t('Continue shopping'))}</a>`
    : viewCart(shop)
  return { kind: 'success', html: `${escapeHtml(text)}${link}` }
}

/** @param atField the text under the field; default: the same */
export function errorNotice(text: string, field?: string, atField?: string): NoticeFacts {
  return { kind: 'error', html: escapeHtml(text), ...(field ? { field } : {}), ...(atField ? { atField } : {}) }
}

/** Builds the notice for a request that refers to an expired cart. */
export function expiredNotice(t: ShopContextValue['t']): NoticeFacts {
  const link = `<a href="${urls.shop()}" class="wc-backward">${escapeHtml(t('Return to shop'))}</a>`
  return { kind: 'error', html: `${escapeHtml(t('Your cart is empty, or your session has expired.'))} ${link}` }
}

/** Builds the notices that explain why a product was not added; empty if there is nothing to explain. */
export function refusalNotice(shop: ShopContextValue, refusal: AddRefusal): NoticeFacts[] {
  const { t, n, language } = shop
  const { name, slug } = refusal
  const list = (words: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(words)
  switch (refusal.reason) {
    case 'nothing-to-add':
      return []
    case 'choose-options':
    case 'not-a-variation': {
      const link = slug ? `<a href="${urls.product(slug)}">${escapeHtml(name)}</a>` : escapeHtml(name)
      return [{ kind: 'error', html: escapeHtml(t('Please choose the options of %s.')).replace('%s', () => link) }]
    }
    case 'invalid-option':
      return [errorNotice(t('Invalid value posted for %s', refusal.label))]
    case 'missing-options': {
      const { length } = refusal.labels
      return [errorNotice(n(length, '%2$s is a required field', '%2$s are required fields', list(refusal.labels)))]
    }
    case 'only-one':
      return [withLink(t('You cannot add another “%s” to your cart.', name), viewCart(shop))]
    case 'not-purchasable':
      return [errorNotice(t('This product cannot be purchased.'))]
    case 'out-of-stock':
      return [errorNotice(t('“%s” cannot be added: it is out of stock.', name))]
    case 'not-enough-stock': {
      return [errorNotice(t('There is not enough of “%s” in stock (%s remaining).', name, refusal.inStock))]
    }
    case 'not-enough-with-cart': {
      const { inStock, inCart } = refusal
      return [withLink(t('We have %s in stock and you already have %s in your cart.', inStock, inCart), viewCart(shop))]
    }
  }
}

function withLink(text: string, link: string): NoticeFacts {
  return { kind: 'error', html: escapeHtml(text) + link }
}
