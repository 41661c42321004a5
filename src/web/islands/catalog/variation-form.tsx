import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { variationEvents } from '#contract/events.ts'
import type { WireVariation } from '#contract/variation.ts'
import { trigger } from '#web/browser/events.ts'
import { QuantityField, type QuantityFieldProps } from './quantity-field.tsx'
import { type OpenOptions, VariationDriver } from './variation-driver.ts'
import { VariationSelects } from './variation-selects.tsx'

export type VariationAttribute = {
  slug: string
  label: string
  options: readonly { value: string; label: string }[]
  defaultOption: string
}

export type VariationTexts = {
  choose: string
  clear: string
  clearLabel: string
  addToCart: string
  quantity: QuantityFieldProps['texts']
  noMatch: string
  makeSelection: string
  unavailable: string
  reset: string
}

export type VariationFormProps = {
  id: string
  productId: number
  action: string
  attributes: readonly VariationAttribute[]
  /** What the default options lead to. */
  initial: WireVariation | null
  soldIndividually: boolean
  texts: VariationTexts
  /**
   * Every variation as JSON, or `false` when the server is to be asked. Only the server passes it: the browser finds
   * it in the form's attribute, so that the page does not carry it twice.
   */
  variations?: string
}

/** The price and the rest appear a moment after the choice, when listeners have had their say. */
const SHOW_AFTER_MS = 300

/**
 * Choosing a variation. What happens is told through the events of the public interface, and done by this form's own
 * listeners to them, so that other scripts may drive it the same way.
 */
export function VariationForm(props: VariationFormProps) {
  const { id, productId, action, attributes, initial, soldIndividually, texts } = props
  const form = useRef<HTMLFormElement>(null)
  const single = useRef<HTMLDivElement>(null)
  const [found, setFound] = useState<WireVariation | null>(initial)
  const [shown, setShown] = useState<WireVariation | null>(initial)
  const [open, setOpen] = useState<OpenOptions | null>(null)
  const [chosenCount, setChosenCount] = useState(attributes.filter(({ defaultOption }) => defaultOption).length)
  const [noMatch, setNoMatch] = useState(false)
  const [announced, setAnnounced] = useState(false)

  useEffect(() => {
    const element = form.current
    if (!element) return
    const driver = new VariationDriver(element, attributes, {
      found: setFound,
      open: setOpen,
      chosenCount: setChosenCount,
      noMatch: setNoMatch,
      announced: setAnnounced,
    })
    return driver.start()
  }, [attributes])

  const firstOpen = useRef(true)
  useEffect(() => {
    if (!open || !form.current) return
    if (!firstOpen.current) trigger(form.current, variationEvents.valuesUpdated)
    firstOpen.current = false
  }, [open])

  useEffect(() => {
    if (!found) {
      setShown(null)
      return
    }
    const timer = setTimeout(() => setShown(found), SHOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [found])

  useEffect(() => {
    if (!single.current) return
    if (shown) trigger(single.current, variationEvents.show, shown, isBuyable(shown))
    else trigger(single.current, variationEvents.hide)
  }, [shown])

  const variationId = found?.variation_id ?? 0
  const idField = useRef<HTMLInputElement>(null)
  const toldId = useRef(variationId)
  useEffect(() => {
    if (toldId.current === variationId) return
    toldId.current = variationId
    idField.current?.dispatchEvent(new Event('change', { bubbles: true }))
  }, [variationId])

  const buyable = shown !== null && isBuyable(shown)
  const trouble = buyable
    ? ''
    : shown
      ? 'disabled wc-variation-is-unavailable'
      : 'disabled wc-variation-selection-needed'

  function refuse(event: MouseEvent) {
    // Chosen, and not shown yet: the form already holds it.
    if (!trouble || (!shown && found && isBuyable(found))) return
    event.preventDefault()
    if (shown) {
      alert(texts.unavailable)
      return
    }
    alert(texts.makeSelection)
    const selects = form.current?.querySelectorAll<HTMLSelectElement>('.variations select') ?? []
    for (const select of selects) {
      if (select.value) continue
      select.focus()
      break
    }
  }

  return (
    <form
      ref={form}
      id={id}
      className="variations_form cart"
      action={action}
      method="post"
      encType="multipart/form-data"
      data-product_id={productId}
      data-product_variations={props.variations}
      suppressHydrationWarning
    >
      <VariationSelects
        attributes={attributes}
        open={open}
        texts={texts}
        resettable={chosenCount > 0}
        onReset={() => {
          if (!form.current) return
          for (const select of form.current.querySelectorAll<HTMLSelectElement>('.variations select')) {
            select.value = ''
            select.dispatchEvent(new Event('change', { bubbles: true }))
          }
          trigger(form.current, variationEvents.announceReset)
          trigger(form.current, variationEvents.reset)
          trigger(form.current, variationEvents.resetFocus)
        }}
      />
      <div className="reset_variations_alert screen-reader-text" role="alert" aria-live="polite" aria-relevant="all">
        {announced && texts.reset}
      </div>
      <div className="single_variation_wrap">
        <div ref={single} className="woocommerce-variation single_variation" role="alert" aria-relevant="additions">
          {shown && <VariationText variation={shown} unavailable={texts.unavailable} />}
        </div>
        {noMatch && (
          <div role="alert">
            <p className="wc-no-matching-variations woocommerce-info">{texts.noMatch}</p>
          </div>
        )}
        <div
          className={`woocommerce-variation-add-to-cart variations_button woocommerce-variation-add-to-cart-${buyable ? 'enabled' : 'disabled'}`}
        >
          <QuantityField
            id={`quantity_${productId}`}
            name="quantity"
            value={1}
            min={1}
            max={initial && initial.max_qty !== '' ? initial.max_qty : null}
            fixed={soldIndividually}
            texts={texts.quantity}
          />
          <button
            type="submit"
            className={
              trouble ? `single_add_to_cart_button button alt ${trouble}` : 'single_add_to_cart_button button alt'
            }
            onClick={refuse}
          >
            {texts.addToCart}
          </button>
          <input type="hidden" name="add-to-cart" value={productId} />
          <input type="hidden" name="product_id" value={productId} />
          <input ref={idField} type="hidden" name="variation_id" className="variation_id" value={variationId} />
        </div>
      </div>
    </form>
  )
}

/** The same three blocks as the template that other scripts fill. */
function VariationText({ variation, unavailable }: { variation: WireVariation; unavailable: string }) {
  if (!variation.variation_is_visible) return <p role="alert">{unavailable}</p>
  return (
    <>
      <ServerMarkup className="woocommerce-variation-description" html={variation.variation_description} />
      <ServerMarkup className="woocommerce-variation-price" html={variation.price_html} />
      <ServerMarkup className="woocommerce-variation-availability" html={variation.availability_html} />
    </>
  )
}

function ServerMarkup({ className, html }: { className: string; html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server's own parts.
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}

export function isBuyable(variation: WireVariation): boolean {
  return variation.is_purchasable && variation.is_in_stock && variation.variation_is_visible
}
