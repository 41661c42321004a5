import type { CartItemInput } from '#contract/calls/payment-cart-item.ts'
import { variationEvents } from '#contract/events.ts'
import { walletMethodId } from '#contract/payment-words.ts'
import { listen } from '../events.ts'

/** The form of the page's product. Grouped products are bought piece by piece and have no wallet button. */
export function productForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form.cart:not(.grouped_form)')
}

/** What a product form would add to the cart now; undefined while a variation is still to be chosen. */
export function chosenItem(form: HTMLFormElement): CartItemInput | undefined {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  const submit = form.querySelector<HTMLButtonElement>('button[name="add-to-cart"]')
  const productId = Number(text('product_id') || text('add-to-cart') || submit?.value || 0)
  const variationId = Number(text('variation_id') || 0)
  if (!productId || (isVariable(form) && !variationId)) return undefined
  return {
    payment_method: walletMethodId,
    context: 'product',
    product_id: productId,
    variation_id: variationId,
    qty: Number(text('quantity')) || 1,
    variation: Object.fromEntries(
      [...fields].filter(
        (field): field is [string, string] => field[0].startsWith('attribute_') && typeof field[1] === 'string',
      ),
    ),
  }
}

/** Tells whether the form's choice can be bought, now and at every change. @returns a function that stops watching. */
export function watchChoice(form: HTMLFormElement, tell: (buyable: boolean) => void): () => void {
  if (!isVariable(form)) {
    tell(true)
    return () => {}
  }
  const submit = form.querySelector('.single_add_to_cart_button')
  tell(chosenItem(form) !== undefined && !submit?.classList.contains('disabled'))
  const stops = [
    listen(form, variationEvents.show, (_, __, purchasable) => tell(purchasable === true)),
    listen(form, variationEvents.hide, () => tell(false)),
    listen(form, variationEvents.reset, () => tell(false)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const isVariable = (form: HTMLFormElement) => form.classList.contains('variations_form')
