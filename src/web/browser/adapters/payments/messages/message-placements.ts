import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { messageHooks, walletHooks } from '#contract/payments/constants.ts'
import type { MessageLocation, MessageStyle, PaymentSettings } from '#contract/payments/page-settings.ts'
import type { MessagePlacement } from '../provider.ts'
import { chosenItem, productData, productForm } from '../wallet/product-choice.ts'

/** A message and its place. */
export type MessagePlace = {
  readonly location: MessageLocation
  readonly id: string
  readonly placement: MessagePlacement
  readonly style: MessageStyle
  /** Inserts the message. False: its neighbour is not on the page now. */
  attach(message: HTMLElement): boolean
  /** Decimal text; undefined: no message now. */
  amount(): string | undefined
}

/** Returns the messages of a page. */
export function messagePlaces(settings: PaymentSettings): MessagePlace[] {
  const { page } = settings.generalData
  const wanted = settings.payLaterMessage
  const on = (location: MessageLocation, here: boolean, make: () => MessagePlace | MessagePlace[]) =>
    here && wanted[location].enabled ? make() : []
  return [
    on('cart', page === 'cart', () => cartMessage(settings)),
    on('checkout', page === 'checkout', () => checkoutMessage(settings)),
    on('product', page === 'product', () => productMessage(settings)),
    on('minicart', page !== 'cart' && page !== 'checkout', () => miniCartMessage(settings)),
    on('shop', page === 'shop', () => listingMessages(settings)),
  ].flat()
}

const cartTotal = (settings: PaymentSettings) => () => (settings.cart?.isEmpty ? undefined : settings.cart?.total)

function cartMessage(settings: PaymentSettings): MessagePlace {
  const { cart, cartLocation } = settings.payLaterMessage
  return {
    ...named('cart', 'cart', cart.style),
    attach: (message) =>
      cartLocation === 'shop_table'
        ? after('.cart_totals .order-total', inRow(message))
        : before('.cart_totals .checkout-button', message),
    amount: cartTotal(settings),
  }
}

function checkoutMessage(settings: PaymentSettings): MessagePlace {
  const { checkout, checkoutLocation } = settings.payLaterMessage
  return {
    ...named('checkout', 'payment', checkout.style),
    attach: (message) =>
      checkoutLocation === 'shop_table'
        ? after(`${checkoutHooks.reviewTable} .order-total`, inRow(message))
        : before(checkoutHooks.placeOrder, message),
    amount: cartTotal(settings),
  }
}

function miniCartMessage(settings: PaymentSettings): MessagePlace {
  const { minicart, miniCartLocation } = settings.payLaterMessage
  return {
    ...named('minicart', 'cart', minicart.style),
    attach: (message) =>
      miniCartLocation === 'cart_total'
        ? after('.woocommerce-mini-cart__total', message)
        : before(`${walletHooks.miniCartButtons} .checkout`, message),
    amount: cartTotal(settings),
  }
}

function productMessage(settings: PaymentSettings): MessagePlace {
  const { product } = settings
  return {
    ...named('product', 'product', settings.payLaterMessage.product.style),
    attach: (message) => after('.product .summary .price', message),
    amount() {
      const form = productForm()
      if (!form || !product) return undefined
      // Without a choice the message is about the lowest price, like the price line.
      const total = chosenItem(form) ? productData(form, product)?.total : product.price
      return total === '0' ? undefined : total
    },
  }
}

function listingMessages({ payLaterMessage: { shop } }: PaymentSettings): MessagePlace[] {
  return shop.products
    .filter(({ product_type }) => shop.product_types.includes(product_type))
    .map(({ id, total }) => ({
      ...named('shop', 'category', shop.style, String(id)),
      attach: (message) => {
        const card = `.products .post-${id}`
        // Beside the link around image and price, not in it: the message contains a link.
        return shop.msgLocation === 'below_price'
          ? after(`${card} .woocommerce-LoopProduct-link`, message)
          : after(`${card} .button`, message)
      },
      amount: () => total,
    }))
}

function named(location: MessageLocation, placement: MessagePlacement, style: MessageStyle, suffix: string = location) {
  return { location, id: `${messageHooks.idPrefix}${suffix}`, placement, style }
}

function inRow(message: HTMLElement): HTMLElement {
  const row = document.createElement('tr')
  row.className = messageHooks.rowClass
  const cell = row.insertCell()
  cell.colSpan = 2
  cell.append(message)
  return row
}

function after(selector: string, element: HTMLElement): boolean {
  const leader = document.querySelector(selector)
  leader?.after(element)
  return leader !== null
}

function before(selector: string, element: HTMLElement): boolean {
  const follower = document.querySelector(selector)
  follower?.before(element)
  return follower !== null
}
