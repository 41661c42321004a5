import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import { pageMarks } from '#contract/shared/hooks.ts'
import { isRecord } from '../../runtime/request.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'

const focusAfterMs = 500

/** Returns the notices of a page or a response, each text once. */
export function noticesIn(root: ParentNode): Element[] {
  const seen = new Set<string>()
  return [...root.querySelectorAll(noticeHooks.all)].filter((notice) => {
    const text = notice.textContent ?? ''
    return !seen.has(text) && seen.add(text)
  })
}

/** Removes earlier notices. The checkout's information notices stay: they contain its coupon and login toggles. */
export function removeNotices(): void {
  const stale = document.querySelector(checkoutHooks.form)
    ? `${noticeHooks.errors}, ${noticeHooks.successes}, ${noticeHooks.couponError}`
    : `${noticeHooks.all}, ${noticeHooks.couponError}`
  for (const notice of document.querySelectorAll(stale)) {
    const group = notice.closest(`.${noticeHooks.groupClass}`)
    notice.remove()
    if (group?.childElementCount === 0) group.remove()
  }
}

/** Inserts notices into the page's first notices wrapper, or before `fallback` on a page without a wrapper. */
export function showNotices(notices: readonly Node[], fallback?: Element | null): void {
  if (notices.length === 0) return
  const wrapper = document.querySelector(noticeHooks.wrapper)
  if (wrapper) wrapper.prepend(...notices)
  else fallback?.before(...notices)
  focusFirstAlert()
}

/**
 * Focuses the first alert after half a second, when a screen reader has finished its current text, unless the visitor
 * has moved on.
 */
export function focusFirstAlert(): void {
  const alert = document.querySelector<HTMLElement>(pageMarks.alert)
  if (!alert) return
  alert.tabIndex = -1
  const before = document.activeElement
  let pressed = false
  const waiting = new AbortController()
  const press = () => {
    pressed = true
  }
  for (const type of ['keydown', 'pointerdown']) {
    addEventListener(type, press, { capture: true, passive: true, signal: waiting.signal })
  }
  setTimeout(() => {
    waiting.abort()
    const now = document.activeElement
    // Scripts move the focus too, as when a form is unblocked: only a press or typing shows that the visitor has moved
    // on.
    if (pressed && (now !== before || now?.matches('input, select, textarea'))) return
    alert.focus({ preventScroll: true })
  }, focusAfterMs)
}

/** Returns the text for an error: a plain string itself, else the message for its code, else its own message. */
export function messageFor(
  error: unknown,
  errorMessages: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (typeof error === 'string') return error
  if (!isRecord(error)) return undefined
  const { code, message } = error
  if (errorMessages && typeof code === 'string' && Object.hasOwn(errorMessages, code)) return errorMessages[code]
  return typeof message === 'string' ? message : undefined
}

/**
 * Shows an error at the top of a container, replaces earlier ones, and scrolls there. Several texts become a list;
 * markup is kept.
 */
export function showError(error: string | readonly string[], container: Element): void {
  removeNotices()
  const group = document.createElement('div')
  group.className = noticeHooks.groupClass
  if (container.matches(checkoutHooks.form)) group.classList.add(checkoutHooks.checkoutGroupClass)
  group.append(errorBlock(typeof error === 'string' ? [error] : error))
  container.prepend(group)
  focusFirstAlert()
  scrollToElement(group.isConnected ? group : container)
}

function errorBlock(texts: readonly string[]): Node {
  const [only = ''] = texts
  if (texts.length === 1 && /<[a-z][^>]*\b(?:woocommerce-(?:error|message|info)|is-error|is-info)\b/i.test(only)) {
    return parseMarkup(only)
  }
  const list = document.createElement('ul')
  list.className = noticeHooks.errorClass
  list.setAttribute('role', 'alert')
  for (const text of texts) {
    const item = document.createElement('li')
    // In an alert it has no list item semantics.
    item.setAttribute('role', 'presentation')
    item.append(parseMarkup(text))
    list.append(item)
  }
  return list
}
