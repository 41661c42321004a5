import { addressEvents } from '#contract/addresses/events.ts'
import { stateFieldHooks } from '#contract/addresses/hooks.ts'
import { cartHooks } from '#contract/cart/hooks.ts'
import { cartEvents, cartPageEvents } from '#contract/shared/events.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'
import { announce, clearLiveRegion } from '../../runtime/live-region.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { isProcessing, whileProcessing } from '../../runtime/processing.ts'
import { replaceMarkup } from '../../runtime/replace-markup.ts'
import { postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { isShown, slideToggle } from '../../runtime/slide.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { startAddressForms } from '../addresses/address-forms.ts'
import { applyCartCoupon, removeCartCoupon } from '../coupons/cart-coupons.ts'
import { clearCouponError } from '../coupons/coupon-form.ts'
import { startCartData } from '../payments/cart-data.ts'
import { chosenShipping } from '../shipping/chosen-shipping.ts'
import { announceTotal, displayedTotal } from './announce-total.ts'
import { followLink, repostCart, sendCartForm } from './cart-form.ts'

/** Starts the cart page. Every change is submitted like the form, and the returned page supplies the changed parts. */
export function startCartPage(): void {
  showUpdatable()
  startAddressForms()
  startCartData()

  for (const type of ['change', 'input']) listen(document, type, onEdit)
  listen(document, 'submit', onSubmit)
  listen(document, 'click', onClick)
  document.addEventListener('keydown', onEnter)
  document.addEventListener('focusout', (event) => {
    const field = closestTo(event, cartHooks.couponField)
    // Blocking a form removes the focus from its field; the visitor has not left the field.
    if (field && !isProcessing(field)) afterPress(clearCouponError)
  })
  listen(document, cartPageEvents.update, (_, preserve) => void repostCart({ preserveNotices: preserve === true }))
  listen(document.body, cartEvents.added, () => void repostCart())
  followOtherTabs(() => void repostCart({ keepTyped: true }))
  listen(document.body, cartPageEvents.replaced, showUpdatable)
}

/** Enables the button after a change; a change made before a server response still counts. */
function showUpdatable(): void {
  const fields = allOf<HTMLInputElement>(`${cartHooks.form} ${cartHooks.itemInputs}`)
  const changed = fields.some((field) => field.matches('input') && field.value !== field.defaultValue)
  for (const button of allOf<HTMLButtonElement>(cartHooks.updateButton)) setUpdatable(button, changed)
}

function setUpdatable(button: HTMLButtonElement, updatable: boolean): void {
  button.disabled = !updatable
  button.setAttribute('aria-disabled', String(!updatable))
}

/** Delays layout shifts below a pressed finger until it is lifted. */
function afterPress(step: () => void): void {
  if (document.querySelector(':active')) addEventListener('pointerup', () => setTimeout(step), { once: true })
  else step()
}

function onEdit(event: ShopEvent): void {
  if (closestTo(event, `${cartHooks.form} ${cartHooks.itemInputs}`)) {
    for (const button of allOf<HTMLButtonElement>(cartHooks.updateButton)) setUpdatable(button, true)
  }
  if (closestTo(event, cartHooks.couponField)) clearCouponError()
  const method = event.type === 'change' ? closestTo(event, cartHooks.shippingMethod) : undefined
  if (method?.closest(cartHooks.totals)) void chooseShipping(method.id)
}

/** Enter in a quantity field updates the cart, although the form's first button belongs to the coupon. */
function onEnter(event: KeyboardEvent): void {
  const input = event.key === 'Enter' ? closestTo(event, `${cartHooks.form} input[type=number]`) : undefined
  const form = input?.closest('form')
  if (!form?.querySelector(cartHooks.table) || !form.checkValidity()) return
  event.preventDefault()
  void updateQuantities(form)
}

function onSubmit(event: ShopEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  if (form.matches(cartHooks.calculator)) {
    event.preventDefault()
    if (!isProcessing(form)) void calculate(form)
    return
  }
  if (!form.matches(cartHooks.form) || !form.querySelector(cartHooks.table)) return
  if (isProcessing(form)) {
    event.preventDefault()
    return
  }
  const pressed = form.querySelector('[type=submit][clicked]')
  const focused = document.activeElement
  if (pressed?.matches(cartHooks.updateButton) || (!pressed && focused?.matches('input.qty'))) {
    event.preventDefault()
    void updateQuantities(form)
  } else if (pressed?.matches(cartHooks.couponButton) || (!pressed && focused?.matches(cartHooks.couponField))) {
    event.preventDefault()
    void applyCartCoupon(form)
  }
}

function updateQuantities(form: HTMLFormElement): Promise<void> {
  return isProcessing(form) ? Promise.resolve() : sendCartForm(form, { update_cart: 'Update Cart' })
}

function onClick(event: ShopEvent): void {
  const button = closestTo(event, `${cartHooks.form} [type=submit]`)
  if (button) {
    for (const other of button.closest('form')?.querySelectorAll('[type=submit]') ?? [])
      other.removeAttribute('clicked')
    button.setAttribute('clicked', 'true')
    return
  }
  if (!isPlainClick(event)) return
  const coupon = closestTo(event, cartHooks.removeCoupon)
  if (coupon instanceof HTMLAnchorElement && coupon.closest(cartHooks.totals)) {
    event.preventDefault()
    void removeCartCoupon(coupon)
    return
  }
  const item = closestTo(event, `${cartHooks.form} ${cartHooks.removeItem}`) ?? closestTo(event, cartHooks.restoreItem)
  if (item instanceof HTMLAnchorElement) {
    event.preventDefault()
    void followItemLink(item)
    return
  }
  const toggle = closestTo(event, cartHooks.calculatorToggle)
  if (toggle) {
    event.preventDefault()
    toggleCalculator(toggle)
  }
}

async function calculate(form: HTMLFormElement): Promise<void> {
  await sendCartForm(form, { calc_shipping: 'x' })
  // The fields collapse together with the focused button.
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>(cartHooks.calculatorToggle)?.focus({ preventScroll: true })
}

async function followItemLink(link: HTMLAnchorElement): Promise<void> {
  const removes = !link.matches(cartHooks.restoreItem)
  await followLink(link)
  if (removes) trigger(document.body, cartPageEvents.itemRemoved)
  else leadToRestored(link)
}

/** The notice with the link is gone, so the focus moves to the restored line. A refusal has a notice of its own. */
function leadToRestored({ search, dataset }: HTMLAnchorElement): void {
  const key = new URLSearchParams(search).get('undo_item')
  const remove = allOf<HTMLAnchorElement>(`${cartHooks.form} ${cartHooks.removeItem}`).find(
    (link) => new URLSearchParams(link.search).get('remove_item') === key,
  )
  if (!remove) return
  const quantity = remove.closest('.cart_item')?.querySelector<HTMLElement>('input.qty:not([type=hidden], [readonly])')
  if (document.activeElement === document.body) (quantity ?? remove).focus()
  clearLiveRegion()
  announce(dataset.restored)
}

async function chooseShipping(id: string): Promise<void> {
  const { wc_ajax_url, update_shipping_method_nonce } = settings('wc_cart_params')
  const shipping_method = chosenShipping()
  await whileProcessing(allOf(cartHooks.totals), async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, 'update_shipping_method'), {
      security: update_shipping_method_nonce,
      shipping_method,
    }).catch(() => undefined)
    const totals = document.querySelector(cartHooks.totals)
    if (answer?.ok && totals) {
      const before = displayedTotal()
      await replaceMarkup(totals, parseMarkup(answer.text).firstElementChild ?? '', { keepTyped: false })
      announceTotal(before)
      trigger(document.body, cartPageEvents.totalsReplaced)
    } else {
      // The choice failed or its result is unknown: the form submits it again, and the returned page shows the result.
      const form = document.querySelector<HTMLFormElement>(cartHooks.form)
      if (form) submitNatively(form, { update_cart: 'Update Cart' }, () => void chooseShipping(id))
    }
  })
  if (id) document.getElementById(id)?.focus({ preventScroll: true })
  trigger(document.body, cartPageEvents.shippingMethodUpdated)
}

function toggleCalculator(toggle: HTMLElement): void {
  const fields = document.querySelector<HTMLElement>(cartHooks.calculatorFields)
  if (!fields) return
  slideToggle(fields, 400)
  toggle.setAttribute('aria-expanded', String(isShown(fields)))
  for (const country of fields.querySelectorAll(stateFieldHooks.country)) trigger(country, 'change')
  trigger(document.body, addressEvents.stateFieldChanged)
}

/** Calls back when another tab changed the cart, or the page returns from the back/forward cache. */
function followOtherTabs(changed: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    const name = settings('wc_cart_fragments_params').cart_hash_key
    if (key !== null && key === name && newValue !== sessionStorage.getItem(name)) changed()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) changed()
  })
}
