/** Identity of a cart line. */
export type LineIdentity = {
  readonly productId: number
  readonly variationId: number | null
  /** Wire names (`attribute_pa_colour`) and values, in the product's order. Empty but for variations. */
  readonly attributes: Readonly<Record<string, string>>
  /** Data that an extension adds to a line: an engraving, a gift note. */
  readonly custom?: Readonly<Record<string, string>>
}

/**
 * Returns the key of a cart line on the wire: a digest of its parts joined by `_`. Equal keys are one line.
 * @param hash md5 in lower-case hexadecimal; injected, since the domain imports none
 */
export function lineKey(
  { productId, variationId, attributes, custom = {} }: LineIdentity,
  hash: (text: string) => string,
): string {
  const parts = [String(productId)]
  if (variationId !== null) parts.push(String(variationId))
  if (Object.keys(attributes).length > 0) parts.push(joined(attributes))
  if (Object.keys(custom).length > 0) parts.push(joined(custom))
  return hash(parts.join('_'))
}

function joined(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => key.trim() + value.trim())
    .join('')
}
