import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { goTo, reloadPage } from '../../runtime/navigate.ts'
import { isProcessing, whileProcessing } from '../../runtime/processing.ts'
import { replaceMarkup } from '../../runtime/replace-markup.ts'
import { type Answer, request } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { parsePage } from '../../runtime/trusted-markup.ts'
import { clearCouponError, couponErrorText, couponField, showCouponError } from '../coupons/coupon-form.ts'
import { focusFirstAlert, noticesIn, removeNotices, showNotices } from '../notices/notices.ts'

/** Submits a form of the cart page with its own method and action, and uses the returned page. */
export async function sendCartForm(form: HTMLFormElement, flags: Readonly<Record<string, string>>): Promise<void> {
  await whileProcessing([form, ...allOf(`div${cartHooks.totals}`)], async () => {
    const answer = await sendForm(form, flags)
    if (answer) await applyPage(answer.text)
    else submitNatively(form, flags)
  })
  scrollToAlert()
}

export type PutInOptions = {
  preserveNotices?: boolean
  /** Keeps the value that the visitor is typing. */
  keepTyped?: boolean
}

/** Submits the cart form for the current page: after a coupon, or when a script triggers it. */
export async function repostCart(options: PutInOptions = {}): Promise<void> {
  const form = document.querySelector<HTMLFormElement>(cartHooks.form)
  if (!form) {
    // The empty cart has items again.
    if (document.querySelector(cartHooks.emptyMessage)) reloadPage()
    return
  }
  if (isProcessing(form)) return
  await whileProcessing([form, ...allOf(`div${cartHooks.totals}`)], async () => {
    const answer = await sendForm(form, {})
    if (answer) await applyPage(answer.text, options)
  })
  scrollToAlert()
}

/** Follows a remove or restore link without leaving the page; on failure it navigates. */
export async function followLink(link: HTMLAnchorElement): Promise<void> {
  const panels = allOf(`${cartHooks.form}, div${cartHooks.totals}`)
  if (panels.some(isProcessing)) return
  await whileProcessing(panels, async () => {
    const answer = await request(link.href).catch(() => undefined)
    if (answer?.ok) await applyPage(answer.text)
    else goTo(link.href)
  })
  scrollToAlert()
}

/** @returns undefined without a usable response. */
async function sendForm(form: HTMLFormElement, flags: Readonly<Record<string, string>>): Promise<Answer | undefined> {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value)
  for (const [name, value] of Object.entries(flags)) fields.append(name, value)
  const url = new URL(form.action, document.baseURI)
  const post = form.method === 'post'
  if (!post) url.search = String(fields)
  const answer = await request(String(url), post ? { method: 'POST', body: fields } : {}).catch(() => undefined)
  return answer?.ok ? answer : undefined
}

/** Replaces form, totals and notices of this page by those of a returned page. */
async function applyPage(html: string, options: PutInOptions = {}): Promise<void> {
  const { preserveNotices = false, keepTyped = false } = options
  const page = parsePage(html)
  const form = document.querySelector<HTMLFormElement>(cartHooks.form)
  const next = page.querySelector(cartHooks.form)
  const notices = noticesIn(page).filter((notice) => !notice.closest(cartHooks.emptyMessage))
  const inCheckout = document.querySelector(checkoutHooks.page) !== null
  // On the empty cart's page a restore link returns a whole cart, which has no place there yet.
  if (!form) {
    reloadPage()
    return
  }
  const couponError = preserveNotices ? couponErrorText() : undefined
  const couponValue = couponField()?.value ?? ''
  if (!preserveNotices) {
    removeNotices()
    clearCouponError()
  }
  if (!next) {
    if (inCheckout || !showEmptyCart(form, page)) {
      reloadPage()
      return
    }
    showNotices(notices)
    trigger(document.body, cartPageEvents.emptied)
  } else {
    if (inCheckout) trigger(document.body, checkoutEvents.update)
    await replaceMarkup(form, next, { keepTyped })
    if (couponError) {
      const field = couponField()
      if (field) field.value = couponValue
      field?.focus({ preventScroll: true })
      showCouponError(couponError)
    }
    showNotices(notices, document.querySelector(cartHooks.form))
    await replaceTotals(page, keepTyped)
    replaceCrossSells(page)
  }
  trigger(document.body, cartPageEvents.replaced)
  focusFirstAlert()
}

/** @returns false when the returned page is not an empty cart. */
function showEmptyCart(form: Element, page: Document): boolean {
  const here = form.closest(`div${cartHooks.wrapper}`)
  const message = page.querySelector(cartHooks.emptyMessage)
  const there = message?.closest(`div${cartHooks.wrapper}`)
  if (!here || !there) return false
  here.replaceWith(document.importNode(there, true))
  return true
}

async function replaceTotals(page: Document, keepTyped: boolean): Promise<void> {
  const totals = document.querySelector(cartHooks.totals)
  const next = page.querySelector(cartHooks.totals)
  if (!totals || !next) return
  await replaceMarkup(totals, next, { keepTyped })
  trigger(document.body, cartPageEvents.totalsReplaced)
}

/** Removes cross-sells that are now in the cart. */
function replaceCrossSells(page: Document): void {
  const here = document.querySelector(cartHooks.crossSells)
  const next = page.querySelector(cartHooks.crossSells)
  if (here && next) here.replaceWith(document.importNode(next, true))
  else if (here) here.remove()
  else if (next) document.querySelector(cartHooks.totals)?.after(document.importNode(next, true))
}

function scrollToAlert(): void {
  const alert = document.querySelector('[role=alert]')
  if (alert) scrollToElement(alert)
}
