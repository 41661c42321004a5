/** Amounts are texts of minor units: `1250` with two decimals is 12.50. */
type Money = { readonly currency_code: string; readonly currency_minor_unit: number }

export type Product = {
  readonly id: number
  readonly name: string
  readonly short_description: string
  readonly images: readonly { readonly src: string; readonly alt: string }[]
  readonly prices: Money & { readonly price: string }
  readonly is_in_stock: boolean
  readonly variations: readonly { readonly id: number; readonly attributes: readonly { readonly value: string }[] }[]
}

export type Cart = {
  readonly items: readonly {
    readonly key: string
    readonly name: string
    readonly quantity: number
    readonly totals: Money & { readonly line_total: string }
  }[]
  readonly items_count: number
  readonly totals: Money & { readonly total_price: string }
  readonly shipping_rates: readonly {
    readonly shipping_rates: readonly (Money & {
      readonly rate_id: string
      readonly name: string
      readonly price: string
      readonly selected: boolean
    })[]
  }[]
  readonly payment_methods: readonly string[]
}

export type Order = {
  readonly order_id: number
  readonly status: string
  readonly payment_result: {
    readonly payment_status: 'success' | 'failure' | 'pending' | 'error' | ''
    readonly payment_details: readonly { readonly key: string; readonly value: string }[]
    readonly redirect_url: string
  } | null
}

export const priceText = (minor: string, { currency_code: currency, currency_minor_unit: digits }: Money) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(minor) / 10 ** digits)

/**
 * A client of the Store API for pages of another origin. The cart is named by a token, so no cookie is needed; each
 * answer about a cart has the next token in a header.
 * @param shop origin of the shop, which must list the origin of this page in `storeApi.origins`
 */
export function storeApi(shop: string) {
  const name = 'cart-token'
  return async function call<Body>(path: string, body?: object): Promise<Body> {
    const token = localStorage.getItem(name)
    const response = await fetch(`${shop}/wp-json/wc/store/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token ? { 'Cart-Token': token } : {}),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const next = response.headers.get('Cart-Token')
    if (next) localStorage.setItem(name, next)
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.message)
    return answer
  }
}
