import { variationEvents } from '#contract/catalog/variation-events.ts'
import type { CartItemInput } from '#contract/payments/cart-item.ts'
import { walletMethodId } from '#contract/payments/constants.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { listen } from '../../../runtime/events.ts'
import { isRecord, parseJson } from '../../../runtime/request.ts'

/** Returns the form of the page's product. Grouped products are added individually and have no wallet button. */
export function productForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('form.cart:not(.grouped_form)')
}

/** Returns the item that a product form would add to the cart; undefined until a variation is selected. */
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

/** The values of a product form that payment code needs. */
export type ProductData = CartItemInput & {
  /** Stock of the chosen variation; always true for other products, whose form exists only when they can be bought. */
  is_in_stock: boolean
  /** Decimal text: the price of the chosen quantity in the currency of the charge. */
  total: string
}

/** The variation that a form found last, or was printed with, since the form itself stores only its id. */
const foundVariations = new WeakMap<HTMLFormElement, FoundVariation>()

type FoundVariation = { id: number; inStock: boolean; price: number | undefined }

/**
 * @param one the unit price of the product without a chosen variation
 * @returns undefined until a variation is selected
 */
export function productData(
  form: HTMLFormElement,
  one: { price: string; currency: string; prices?: Readonly<Record<string, string>> | undefined },
): ProductData | undefined {
  const item = chosenItem(form)
  if (!item) return undefined
  const variation = variationOf(form, Number(item.variation_id))
  const shown = variation?.price === undefined ? one.price : String(variation.price)
  // If the charged currency differs from the shown one, the page has each variation's price in the charged one.
  const price = one.prices ? (one.prices[String(item.variation_id)] ?? one.price) : shown
  return { ...item, is_in_stock: variation?.inStock ?? true, total: totalOf(price, Number(item.qty), one.currency) }
}

/** A preselected variation fires no event before the visitor touches the form. */
function variationOf(form: HTMLFormElement, id: number): FoundVariation | undefined {
  const found = foundVariations.get(form)
  if (!id || found?.id === id) return found
  const printed = parseJson(form.dataset.product_variations ?? '')
  const one = Array.isArray(printed) && printed.find((it) => isRecord(it) && it.variation_id === id)
  if (!one) return undefined
  const variation = foundIn(one)
  foundVariations.set(form, variation)
  return variation
}

/** @returns '0' for an invalid price or quantity */
function totalOf(price: string, quantity: number, currency: string): string {
  const parsed = parseAmount(price, currencyExponent(currency))
  if (!parsed.ok || !Number.isSafeInteger(quantity * parsed.minor)) return '0'
  return decimalString(money(quantity * parsed.minor, currency))
}

/** The kind of change; `found` also when the same variation was found again. */
export type ChoiceChange = 'found' | 'reset' | 'quantity'

/**
 * Reports every change of a form's choice after the form itself has processed it: a form that started later runs its
 * listeners last. @returns a function that stops watching.
 */
export function watchProduct(form: HTMLFormElement, tell: (change: ChoiceChange) => void): () => void {
  const quantity = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.name === 'quantity') tell('quantity')
  }
  const stops = [
    listen(form, variationEvents.found, (_, variation) => {
      if (isRecord(variation)) foundVariations.set(form, foundIn(variation))
      queueMicrotask(() => tell('found'))
    }),
    listen(form, variationEvents.reset, () => {
      foundVariations.delete(form)
      queueMicrotask(() => tell('reset'))
    }),
  ]
  for (const type of ['input', 'change'] as const) form.addEventListener(type, quantity)
  return () => {
    for (const stop of stops) stop()
    for (const type of ['input', 'change'] as const) form.removeEventListener(type, quantity)
  }
}

function foundIn({ variation_id, is_in_stock, display_price }: Record<string, unknown>): FoundVariation {
  return {
    id: Number(variation_id),
    inStock: is_in_stock !== false,
    price: typeof display_price === 'number' ? display_price : undefined,
  }
}

/**
 * Reports whether the form's choice can be bought, now and at every change. @returns a function that stops watching.
 */
export function watchChoice(form: HTMLFormElement, tell: (buyable: boolean) => void): () => void {
  if (!isVariable(form)) {
    tell(true)
    return () => {}
  }
  const submit = form.querySelector('.single_add_to_cart_button')
  tell(chosenItem(form) !== undefined && !submit?.classList.contains('disabled'))
  const stops = [
    listen(form, variationEvents.show, (_, variation, purchasable) =>
      tell(purchasable === true && !(isRecord(variation) && variation.is_in_stock === false)),
    ),
    listen(form, variationEvents.hide, () => tell(false)),
    listen(form, variationEvents.reset, () => tell(false)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const isVariable = (form: HTMLFormElement) => form.classList.contains('variations_form')
