import type { WireVariation } from '#contract/variation.ts'

/** Attribute → value; '' where nothing is chosen, or on a variation: any value. */
export type Chosen = Readonly<Record<string, string>>
type Variation = { readonly attributes: Chosen; readonly variation_is_active: boolean }

/** Empty on either side matches. */
export function matches(attributes: Chosen, chosen: Chosen): boolean {
  return Object.entries(attributes).every(([name, value]) => {
    const wanted = chosen[name]
    return !value || !wanted || value === wanted
  })
}

/** The first in menu order. */
export function matchingVariation<V extends Variation>(variations: readonly V[], chosen: Chosen): V | undefined {
  return variations.find(({ attributes }) => matches(attributes, chosen))
}

export type OptionState = 'attached' | 'enabled'

/** What is still open for one attribute when the others stay as they are. A value without a state is impossible. */
export function openOptions(
  variations: readonly Variation[],
  chosen: Chosen,
  name: string,
  values: readonly string[],
): ReadonlyMap<string, OptionState> {
  const others = { ...chosen, [name]: '' }
  const open = new Map<string, OptionState>()
  for (const { attributes, variation_is_active } of variations) {
    if (!matches(attributes, others)) continue
    for (const value of attributes[name] ? [attributes[name]] : values) {
      if (variation_is_active || !open.has(value)) open.set(value, variation_is_active ? 'enabled' : 'attached')
    }
  }
  return open
}

/** Proof enough: the server made the list with the type's own maker; scripts may hand in something else entirely. */
export function isVariation(value: unknown): value is WireVariation {
  return typeof value === 'object' && value !== null && 'variation_id' in value && 'attributes' in value
}
