import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { reloadPage } from '../../runtime/navigate.ts'
import { blockAll, unblock } from '../../runtime/overlay.ts'
import { replaceMarkup } from '../../runtime/replace-markup.ts'
import { type Answer, type FormFields, isRecord, parseJson, postForm } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { announceTotal, displayedTotal } from '../cart/announce-total.ts'
import { takeButtonOut } from '../payments/methods/custom-place-order.ts'
import { chosenPaymentMethod, initPaymentMethods } from '../payments/methods/payment-methods.ts'
import { chosenShipping } from '../shipping/chosen-shipping.ts'
import { validateFields } from './field-validation.ts'

/**
 * Requests totals and payment methods after their inputs have changed. Only the response to the last request counts.
 */

export type RefreshOptions = { updateShippingMethod?: boolean; currentTarget?: Element | undefined }

/** A visible password is a text field; payment details stand in the block of their method. */
export const secretFields = `[type=password], [autocomplete*=password], [name*=password], [autocomplete*=cc-], ${checkoutHooks.payment} *`

const debounceMs = 5
const retryPauseMs = 1000

let timer: ReturnType<typeof setTimeout> | undefined
let running: AbortController | undefined
let answered = false
/** Markup by selector from the previous response: unchanged markup is not replaced. */
let previous: Readonly<Record<string, string>> = {}
/** The printed markup, serialized by the browser. */
const printed = new Map<string, string>()

/** Stores the printed markup; call it before anything in the page is changed. */
export function storePrintedValues(): void {
  for (const selector of [checkoutHooks.reviewTable, checkoutHooks.payment])
    printed.set(selector, document.querySelector(selector)?.outerHTML ?? '')
}

/** Returns true if a request is running or scheduled. */
export const isRefreshing = (): boolean => timer !== undefined || running !== undefined

/** Aborts the current request; the page stays unchanged. */
export function stopRefresh(): void {
  clearTimeout(timer)
  timer = undefined
  if (!running) return
  running.abort()
  running = undefined
  for (const panel of panelsOf()) unblock(panel)
}

const panelsOf = () => allOf(`${checkoutHooks.payment}, ${checkoutHooks.reviewTable}`)

export function refreshCheckout(options: RefreshOptions = {}): void {
  clearTimeout(timer)
  timer = setTimeout(() => void refresh(options), debounceMs)
}

async function refresh({ updateShippingMethod = true, currentTarget }: RefreshOptions): Promise<void> {
  timer = undefined
  running?.abort()
  running = undefined
  const form = document.querySelector<HTMLFormElement>(checkoutHooks.form)
  if (!form) return
  const mine = new AbortController()
  running = mine
  const { signal } = mine
  const { wc_ajax_url } = settings('wc_checkout_params')
  const panels = panelsOf()
  blockAll(panels, { colour: 'white', cursor: 'default' })

  const ask = () =>
    postForm(ajaxUrl(wc_ajax_url, 'update_order_review'), fieldsOf(form, updateShippingMethod), { signal })
  const answer = await ask()
    .catch(() => askAgain(ask, signal))
    .catch(() => undefined)
  // A newer request has taken over, with its blocked panels.
  if (signal.aborted) return
  // The shown totals do not match the form.
  if (!answer) addEventListener('online', () => refreshCheckout(), { once: true })

  // The page's nonces belong to another session after a login or logout. Directly after loading, a reload would not
  // help.
  if (answer?.status === 403 && answered) {
    reloadPage()
    return
  }
  answered = true
  const data = parseJson(answer?.text ?? '')
  const before = displayedTotal()
  try {
    if (isRecord(data)) await show(form, data, signal)
    else if (answer) showMessages(form, answer.text)
  } finally {
    if (running === mine) running = undefined
    for (const panel of signal.aborted ? [] : panels) unblock(panel)
  }
  if (signal.aborted) return
  announceTotal(before)
  initPaymentMethods()
  // Only a replaced control has lost the focus; a visitor in another field stays there.
  if (currentTarget?.id && document.activeElement === document.body)
    document.getElementById(currentTarget.id)?.focus({ preventScroll: true })
  trigger(document.body, checkoutEvents.updated, data)
}

/** Stores the entered values in the shop without requesting totals. Secret fields are never sent, visible or not. */
export async function keepForm(form: HTMLFormElement): Promise<void> {
  const { wc_ajax_url } = settings('wc_checkout_params')
  const fields = { ...fieldsOf(form, true), post_data: serializeForm(form, secretFields), leaving: '1' }
  await postForm(ajaxUrl(wc_ajax_url, 'update_order_review'), fields, { keepalive: true })
}

/** Retries a request whose response was lost: it has no effect that a repetition would double. */
async function askAgain(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
  signal.throwIfAborted()
  return ask()
}

async function show(form: HTMLFormElement, data: Record<string, unknown>, signal: AbortSignal): Promise<void> {
  if (data.reload) {
    reloadPage()
    return
  }
  for (const group of allOf(`.${checkoutHooks.reviewGroupClass}`)) group.remove()
  const restore = rememberPaymentFields()
  const fragments = isRecord(data.fragments) ? data.fragments : {}
  for (const [selector, markup] of Object.entries(fragments)) {
    if (signal.aborted) return
    if (typeof markup !== 'string' || previous[selector] === markup) continue
    for (const element of isPrinted(selector, markup) ? [] : allOf(selector)) {
      takeButtonOut(element)
      await replaceMarkup(element, markup)
    }
    previous = { ...previous, [selector]: markup }
  }
  restore()
  if (data.result === 'failure') {
    showMessages(form, typeof data.messages === 'string' ? data.messages : '')
    validateFields(form)
  }
}

/** Returns true if a response equals the printed markup. Later responses are compared with the previous one. */
function isPrinted(selector: string, markup: string): boolean {
  const before = printed.get(selector)
  printed.delete(selector)
  return before !== undefined && parseMarkup(markup).firstElementChild?.outerHTML === before
}

function showMessages(form: HTMLFormElement, markup: string): void {
  for (const stale of allOf(`${noticeHooks.errors}, ${noticeHooks.successes}`)) stale.remove()
  const group = document.createElement('div')
  group.className = `${noticeHooks.groupClass} ${checkoutHooks.reviewGroupClass}`
  group.append(parseMarkup(markup))
  form.prepend(group)
  scrollToElement(group)
}

/** Keeps hidden values that scripts set, and text typed for a method, when a payment block arrives without them. */
function rememberPaymentFields(): () => void {
  const fields = allOf<HTMLInputElement>(`${checkoutHooks.payment} input[id]`)
  const values = new Map(fields.filter(({ type }) => type !== 'radio').map((field) => [field.id, field]))
  const before = [...values].map(([id, { value, checked, type }]) => ({
    id,
    value,
    ticked: type === 'checkbox' && checked,
  }))
  return () => {
    for (const { id, value, ticked } of before) {
      const field = document.getElementById(id)
      if (!(field instanceof HTMLInputElement)) continue
      const lost = field.type === 'checkbox' ? ticked && !field.checked : field.value === '' && value !== ''
      if (!lost) continue
      if (field.type === 'checkbox') field.checked = true
      else field.value = value
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}

function fieldsOf(form: HTMLFormElement, updateShippingMethod: boolean): FormFields {
  const value = (id: string) => form.querySelector<HTMLInputElement | HTMLSelectElement>(`#${id}`)?.value ?? ''
  const address = (kind: string) => ({
    country: value(`${kind}_country`),
    state: value(`${kind}_state`),
    postcode: value(`${kind}_postcode`),
    city: value(`${kind}_city`),
    address: value(`${kind}_address_1`),
    address_2: value(`${kind}_address_2`),
  })
  const billing = address('billing')
  const elsewhere = form.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)?.checked
  const shipping = elsewhere ? address('shipping') : billing
  const { update_order_review_nonce } = settings('wc_checkout_params')
  return {
    security: update_order_review_nonce,
    payment_method: chosenPaymentMethod(),
    ...billing,
    ...Object.fromEntries(Object.entries(shipping).map(([name, text]) => [`s_${name}`, text])),
    has_full_address: hasFullAddress(form),
    post_data: serializeForm(form),
    ...(updateShippingMethod && { shipping_method: chosenShipping() }),
  }
}

function hasFullAddress(form: HTMLFormElement): boolean {
  const rows = allOf(`.address-field.${rowHooks.required}`, form).filter((row) => row.checkVisibility())
  return rows.every((row) =>
    [...row.querySelectorAll<HTMLInputElement>('input, select')].every((field) => field.value !== ''),
  )
}

/**
 * Serializes the form as the browser would submit it, without files.
 * @param leftOut selector of fields to leave out
 */
export function serializeForm(form: HTMLFormElement, leftOut?: string): string {
  const out = new Set(
    leftOut ? [...form.elements].map((field) => field.matches(leftOut) && field.getAttribute('name')) : [],
  )
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !out.has(name)) fields.append(name, value)
  return String(fields)
}
