import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { reloadPage } from '../../runtime/navigate.ts'
import { blockAll, unblock } from '../../runtime/overlay.ts'
import { replaceMarkup } from '../../runtime/replace-markup.ts'
import { type Answer, isRecord, parseJson, postForm } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { announceTotal, displayedTotal } from '../cart/announce-total.ts'
import type { CustomButtons } from '../payments/methods/custom-place-order.ts'
import type { PaymentMethods } from '../payments/methods/payment-methods.ts'
import { validateFields } from './field-validation.ts'
import { totalsFields } from './form-fields.ts'

/**
 * Requests totals and payment methods after their inputs have changed. Only the response to the last request counts.
 */

export type RefreshOptions = { updateShippingMethod?: boolean; currentTarget?: Element | undefined }

const debounceMs = 5
const retryPauseMs = 1000

/** The totals of a checkout page. */
export type TotalsRefresh = {
  ask(options?: RefreshOptions): void
  /** Returns true if a request is running or scheduled. */
  isRunning(): boolean
  /** Aborts the current request; the page stays unchanged. */
  stop(): void
}

type Parts = { readonly methods: PaymentMethods; readonly buttons: CustomButtons }

/** Create it before anything in the page is changed: the first response is compared with the printed markup. */
export function createTotalsRefresh({ methods, buttons }: Parts): TotalsRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  let answered = false
  const markup = createMarkupMemory()

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    if (!running) return
    running.abort()
    running = undefined
    for (const panel of panelsOf()) unblock(panel)
  }

  function ask(options: RefreshOptions = {}): void {
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

    const send = () =>
      postForm(ajaxUrl(wc_ajax_url, 'update_order_review'), totalsFields(form, updateShippingMethod), { signal })
    const answer = await send()
      .catch(() => askAgain(send, signal))
      .catch(() => undefined)
    // A newer request has taken over, with its blocked panels.
    if (signal.aborted) return
    // The shown totals do not match the form.
    if (!answer) addEventListener('online', () => ask(), { once: true })

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
      if (isRecord(data)) await show(form, data, { markup, buttons, signal })
      else if (answer) showMessages(form, answer.text)
    } finally {
      if (running === mine) running = undefined
      for (const panel of signal.aborted ? [] : panels) unblock(panel)
    }
    if (signal.aborted) return
    announceTotal(before)
    methods.init()
    // Only a replaced control has lost the focus; a visitor in another field stays there.
    if (currentTarget?.id && document.activeElement === document.body)
      document.getElementById(currentTarget.id)?.focus({ preventScroll: true })
    trigger(document.body, checkoutEvents.updated, data)
  }

  return { ask, stop, isRunning: () => timer !== undefined || running !== undefined }
}

const panelsOf = () => allOf(`${checkoutHooks.payment}, ${checkoutHooks.reviewTable}`)

/** The markup on the page by selector, as printed or as the previous response had it. */
type MarkupMemory = {
  /** Returns true if the page has this markup, which then is not replaced. */
  has(selector: string, markup: string): boolean
  /** Records that the page has it now. */
  set(selector: string, markup: string): void
}

function createMarkupMemory(): MarkupMemory {
  const answered = new Map<string, string>()
  // Serialized by the browser: responses are compared with it in the same form.
  const selectors: readonly string[] = [checkoutHooks.reviewTable, checkoutHooks.payment]
  const printed = new Map(selectors.map((selector) => [selector, document.querySelector(selector)?.outerHTML ?? '']))
  return {
    has(selector, markup) {
      if (answered.get(selector) === markup) return true
      const before = printed.get(selector)
      return before !== undefined && parseMarkup(markup).firstElementChild?.outerHTML === before
    },
    set(selector, markup) {
      printed.delete(selector)
      answered.set(selector, markup)
    },
  }
}

/** Retries a request whose response was lost: it has no effect that a repetition would double. */
async function askAgain(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, retryPauseMs))
  signal.throwIfAborted()
  return send()
}

type Showing = { readonly markup: MarkupMemory; readonly buttons: CustomButtons; readonly signal: AbortSignal }

async function show(
  form: HTMLFormElement,
  data: Record<string, unknown>,
  { markup: page, buttons, signal }: Showing,
): Promise<void> {
  if (data.reload) {
    reloadPage()
    return
  }
  for (const group of allOf(`.${checkoutHooks.reviewGroupClass}`)) group.remove()
  const restore = rememberPaymentFields()
  const fragments = isRecord(data.fragments) ? data.fragments : {}
  for (const [selector, markup] of Object.entries(fragments)) {
    if (signal.aborted) return
    if (typeof markup !== 'string') continue
    for (const element of page.has(selector, markup) ? [] : allOf(selector)) {
      buttons.takeOut(element)
      await replaceMarkup(element, markup)
    }
    page.set(selector, markup)
  }
  restore()
  if (data.result === 'failure') {
    showMessages(form, typeof data.messages === 'string' ? data.messages : '')
    validateFields(form)
  }
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
