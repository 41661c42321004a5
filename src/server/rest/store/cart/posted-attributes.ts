import { productsForCart } from '#database/cart/cart-products.ts'
import type { VisitSession } from '#shop/customers/sessions/visit-session.ts'
import type { Tools } from '#shop/shared/tools.ts'

type Posted = readonly { readonly attribute: string; readonly value: string }[]

/**
 * Returns posted options by attribute slug. Clients name an attribute by its slug, with or without prefixes, or by its
 * label, and a value by its slug or name.
 */
export async function attributesOf(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  session: Pick<VisitSession, 'id'>,
  productId: number,
  posted: Posted,
): Promise<Record<string, string>> {
  if (posted.length === 0) return {}
  const own = { sessionId: session.id }
  const product = (await productsForCart(db, [productId], clock.now(), own)).get(productId)
  const known = product?.attributes ?? []
  return Object.fromEntries(
    posted.map(({ attribute, value }) => {
      const name = attribute.trim()
      const slug = name.replace(/^attribute_/, '')
      const found =
        known.find((one) => one.slug === slug || one.slug === `pa_${slug}`) ??
        known.find(({ label }) => label.toLowerCase() === name.toLowerCase())
      const option =
        found?.options.find((one) => one.value === value) ??
        found?.options.find(({ label }) => label.toLowerCase() === value.trim().toLowerCase())
      return [found?.slug ?? slug, option?.value ?? value]
    }),
  )
}
