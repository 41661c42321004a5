import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { fieldMessageId, messageId } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { settings } from '../../runtime/settings.ts'

/** What can be said of a checkout field without asking the server. */

export type FieldFault = 'required' | 'email' | 'phone'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

// A dot-atom or a quoted text before the @; after it at least two labels in any script, the last beginning and ending
// with a letter or digit; one dot at the very end does no harm.
const localPart = /^(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\]|\\.)+")$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u
// What the server makes digits and dashes of (`plainSigns`, which every page would have to name if this file shared it).
const foreignSigns = /[٠-٩۰-۹\p{Dash}ー]/gu
// What the server counts as nothing (`visibleText`).
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu
const phoneCharacters = /^[\s#0-9_\-+/().]*$/

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const labels = text
    .slice(at + 1)
    .replace(/\.$/, '')
    .split('.')
  // RFC 5321: 64 octets, labels of 63, 254 in all. The server counts letters of other languages as they are sent.
  const fits = new TextEncoder().encode(text.slice(0, Math.max(0, at))).length <= 64 && text.length <= 254
  return (
    fits &&
    at > 0 &&
    localPart.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((it) => it.length <= 63 && domainLabel.test(it))
  )
}

export function isPhone(text: string): boolean {
  return phoneCharacters.test(text)
}

/** @returns what is wrong, or undefined. Only what the field's row asks for is looked at. */
export function faultOf(field: Field, row: Element): FieldFault | undefined {
  const { classList } = row
  const value = field.value.replace(invisible, '').trim()
  const empty = field instanceof HTMLInputElement && field.type === 'checkbox' ? !field.checked : value === ''
  if (empty) return classList.contains(rowHooks.required) ? 'required' : undefined
  // The server keeps what a Japanese or an Arabic keyboard writes in plain signs, so it is no fault here either.
  if (classList.contains(rowHooks.email) && !isEmail(value.normalize('NFKC'))) return 'email'
  if (classList.contains(rowHooks.phone) && !isPhone(value.normalize('NFKC').replace(foreignSigns, '0'))) return 'phone'
  return undefined
}

/** Marks a field as right or wrong for eye and screen reader. */
export function validateField(field: Field): void {
  const row = field.closest(checkoutHooks.row)
  if (!row) return
  const fault = faultOf(field, row)
  clearMarks(field)
  if (!fault) {
    row.classList.add(rowHooks.validated)
    return
  }
  const faultClass = { required: rowHooks.invalidRequired, email: rowHooks.invalidEmail, phone: rowHooks.invalidPhone }
  row.classList.add(rowHooks.invalid, faultClass[fault])
  field.setAttribute('aria-invalid', 'true')
  onceReleased(() => {
    const said = document.getElementById(fieldMessageId(field.id))
    if (!said && field.getAttribute('aria-invalid') === 'true') showInlineError(field.id, textOf(fault))
  })
}

/** As long as a finger or a mouse button stays down on something that is meant to be pressed. */
const pressMs = 400

/**
 * Words that came below a pointer on its way to a button would push the button from under it. A button in the provider's frame
 * tells nothing of its press but that the focus went there, and that only once the field has lost it.
 */
function onceReleased(act: () => void): void {
  if (document.querySelector(':is(a, button, label, input):active')) {
    addEventListener('click', () => setTimeout(act), { once: true, capture: true })
    return
  }
  setTimeout(() => {
    if (document.activeElement instanceof HTMLIFrameElement) setTimeout(act, pressMs)
    else act()
  })
}

function textOf(fault: FieldFault): string {
  const { i18n_field_required, i18n_field_email, i18n_field_phone } = settings('wc_checkout_params')
  return { required: i18n_field_required, email: i18n_field_email, phone: i18n_field_phone }[fault] ?? ''
}

export function validateFields(form: HTMLFormElement): void {
  for (const field of allOf<HTMLInputElement>(checkoutHooks.fields, form))
    if (field.checkVisibility()) validateField(field)
}

/** While a field is being changed it is neither right nor wrong, and what the server said of it is out of date. */
export function clearField(field: Field): void {
  clearMarks(field)
  forgetMessage(field)
}

/** Puts the server's word on a field under it. */
export function showInlineError(fieldId: string, text: string): void {
  const field = document.getElementById(fieldId)
  const row = field?.closest(checkoutHooks.row)
  if (!field || !row || text === '') return
  forgetMessage(field)
  const message = document.createElement('p')
  message.id = fieldMessageId(fieldId)
  message.className = checkoutHooks.inlineErrorClass
  message.textContent = text
  row.append(message)
  field.setAttribute('aria-describedby', [message.id, ...describedBy(field)].join(' '))
  field.setAttribute('aria-invalid', 'true')
}

/** What else describes the field stays; what the page came with above the form does not. */
function forgetMessage(field: HTMLElement): void {
  field.closest(checkoutHooks.row)?.querySelector(`.${checkoutHooks.inlineErrorClass}`)?.remove()
  const messages = [fieldMessageId(field.id), messageId(field.id)]
  const others = describedBy(field).filter((id) => !messages.includes(id))
  if (others.length > 0) field.setAttribute('aria-describedby', others.join(' '))
  else field.removeAttribute('aria-describedby')
}

const describedBy = (field: Element): string[] =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '')

export function isField(target: unknown): target is Field {
  return target instanceof Element && target.matches(checkoutHooks.fields)
}

function clearMarks(field: Field): void {
  field.removeAttribute('aria-invalid')
  const { validated, invalid, invalidRequired, invalidEmail, invalidPhone } = rowHooks
  field.closest(checkoutHooks.row)?.classList.remove(validated, invalid, invalidRequired, invalidEmail, invalidPhone)
}
