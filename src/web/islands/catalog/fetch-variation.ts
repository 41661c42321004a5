import type { WireVariation } from '#contract/catalog/variation.ts'
import type { AttributeValues } from '#domain/catalog/match-variation.ts'
import { block, unblock } from '../../browser/runtime/overlay.ts'
import { parseJson, postForm } from '../../browser/runtime/request.ts'
import { ajaxUrl, settings } from '../../browser/runtime/settings.ts'
import { isVariation } from './variation-choice.ts'

/**
 * Requests a variation of a product with more than thirty, which the page does not include. @returns undefined without
 * a match or a response.
 */
export async function fetchVariation(
  form: HTMLFormElement,
  chosen: AttributeValues,
  signal: AbortSignal,
): Promise<WireVariation | undefined> {
  const { wc_ajax_url } = settings('wc_add_to_cart_variation_params')
  block(form, { colour: 'white' })
  try {
    const answer = await postForm(
      ajaxUrl(wc_ajax_url, 'get_variation'),
      { ...chosen, product_id: form.dataset.product_id ?? '', custom_data: '' },
      { signal },
    )
    const variation = answer.ok ? parseJson(answer.text) : undefined
    return isVariation(variation) ? variation : undefined
  } catch {
    // Aborted for a newer choice, or no connection: the visitor chooses again, or submits the form.
    return undefined
  } finally {
    unblock(form)
  }
}
