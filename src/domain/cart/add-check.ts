import { largestGoods } from '../money/bounds.ts'
import { isInStock, type StockFacts } from './stock.ts'

/** A product that can be added, or a variation with its own facts. */
export type AddedProduct = StockFacts & {
  readonly id: number
  /** Set for a variation. */
  readonly parentId: number | null
  readonly type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  readonly status: 'publish' | 'private' | 'draft' | 'trash'
  /** Null: no price, not for sale. */
  readonly price: number | null
  readonly soldIndividually: boolean
  readonly attributes: readonly {
    readonly slug: string
    readonly label: string
    readonly forVariations: boolean
    readonly options: readonly { readonly value: string }[]
  }[]
  /** Attributes of a variation: slug → value, `''` for any. */
  readonly chosen: Readonly<Record<string, string>>
}

export type AddRequest = {
  readonly quantity: number
  /** Product of the page or button; null: it does not exist. */
  readonly product: AddedProduct | null
  /** Requested variation; null: none, or it does not exist. */
  readonly variation: AddedProduct | null
  /** Attribute slug → posted value. */
  readonly attributes: Readonly<Record<string, string>>
  /** Current cart; `key` is that of the line which the addition would make or grow. */
  readonly cart: readonly { readonly key: string; readonly stockOwner: number | null; readonly quantity: number }[]
  /** Stock threshold at which a product is sold out. */
  readonly soldOutAt?: number
  readonly keyOf: (attributes: Readonly<Record<string, string>>) => string
}

export type AddRefusal =
  /** No notice for the visitor. */
  | { readonly reason: 'nothing-to-add' }
  | { readonly reason: 'choose-options' }
  | { readonly reason: 'invalid-option'; readonly label: string }
  | { readonly reason: 'missing-options'; readonly labels: readonly string[] }
  | { readonly reason: 'not-a-variation' }
  | { readonly reason: 'only-one' }
  | { readonly reason: 'not-purchasable' }
  | { readonly reason: 'out-of-stock' }
  | { readonly reason: 'not-enough-stock'; readonly inStock: number }
  | { readonly reason: 'not-enough-with-cart'; readonly inStock: number; readonly inCart: number }

export type AddDecision =
  | {
      readonly ok: true
      readonly key: string
      /** 1 for a product that is sold individually. */
      readonly quantity: number
      /** Complete: fixed attributes of the variation and chosen ones, in the product's order. */
      readonly attributes: Readonly<Record<string, string>>
    }
  | ({ readonly ok: false } & AddRefusal)

/** Decides whether a product may be added; returns the first refusal. */
export function addCheck(request: AddRequest): AddDecision {
  const { product, variation, cart } = request
  if (!product || product.status === 'trash' || !Number.isSafeInteger(request.quantity) || request.quantity <= 0)
    return refused({ reason: 'nothing-to-add' })

  if (product.type === 'variable' && !variation) return refused({ reason: 'choose-options' })
  const options = variation
    ? chosenOptions(product, variation, request.attributes)
    : { ok: true as const, attributes: {} }
  if (!options.ok) return options
  if (variation && variation.parentId !== product.id) return refused({ reason: 'not-a-variation' })

  const sold = variation ?? product
  const key = request.keyOf(options.attributes)
  const alone = product.soldIndividually || sold.soldIndividually
  if (alone && cart.some((line) => line.key === key && line.quantity > 0)) return refused({ reason: 'only-one' })
  const quantity = alone ? 1 : request.quantity

  const buyable = sold.price !== null && sold.status === 'publish' && product.status === 'publish'
  if (!buyable || sold.type === 'grouped' || sold.type === 'external') return refused({ reason: 'not-purchasable' })

  // No cart can pay that, and no number represents it exactly.
  const pieces = cart.reduce((sum, line) => (line.key === key ? sum + line.quantity : sum), quantity)
  if (pieces * (sold.price ?? 0) > largestGoods) return refused({ reason: 'not-purchasable' })

  const shortage = stockRefusal(sold, quantity, request)
  return shortage ? refused(shortage) : { ok: true, key, quantity, attributes: options.attributes }
}

function chosenOptions(
  product: AddedProduct,
  variation: AddedProduct,
  posted: Readonly<Record<string, string>>,
):
  | { readonly ok: true; readonly attributes: Readonly<Record<string, string>> }
  | ({ readonly ok: false } & AddRefusal) {
  const attributes: Record<string, string> = {}
  const missing: string[] = []
  for (const { slug, label, options } of product.attributes.filter(({ forVariations }) => forVariations)) {
    const fixed = Object.hasOwn(variation.chosen, slug) ? (variation.chosen[slug] ?? '') : ''
    const value = Object.hasOwn(posted, slug) ? (posted[slug] ?? '') : ''
    if (value === '') {
      // A variation has its own fixed values: a link to it need not repeat them.
      if (fixed === '') missing.push(label)
      else attributes[slug] = fixed
      continue
    }
    const allowed = fixed === '' ? options.some((option) => option.value === value) : value === fixed
    if (!allowed) return refused({ reason: 'invalid-option', label })
    attributes[slug] = value
  }
  return missing.length > 0 ? refused({ reason: 'missing-options', labels: missing }) : { ok: true, attributes }
}

function stockRefusal(
  sold: AddedProduct,
  quantity: number,
  { cart, soldOutAt }: Pick<AddRequest, 'cart' | 'soldOutAt'>,
): AddRefusal | null {
  if (!isInStock(sold, soldOutAt)) return { reason: 'out-of-stock' }
  if (sold.stockOwner === null || sold.backorders !== 'no') return null
  const inStock = sold.stockQuantity ?? 0
  if (inStock < quantity) return { reason: 'not-enough-stock', inStock }
  const inCart = cart.reduce(
    (pieces, line) => (line.stockOwner === sold.stockOwner ? pieces + line.quantity : pieces),
    0,
  )
  return inStock < inCart + quantity ? { reason: 'not-enough-with-cart', inStock, inCart } : null
}

function refused(refusal: AddRefusal): { readonly ok: false } & AddRefusal {
  return { ok: false, ...refusal }
}
