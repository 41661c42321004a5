import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { fieldMessageId, messageId, missingAttribute } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { settings } from '../../runtime/settings.ts'

/** A validation result that needs no request to the server. */

export type FieldFault = 'required' | 'email' | 'phone'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

// A dot-atom or a quoted string before the @; after it at least two labels in any script, the last starting and ending
// with a letter or digit. A single trailing dot is accepted.
const localPart = /^(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\]|\\.)+")$/u
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u
// Characters that the server turns into digits and dashes (`plainSigns`; sharing this file would load it on every
// page).
const foreignSigns = /[٠-٩۰-۹\p{Dash}ー]/gu
// Characters that the server ignores (`visibleText`).
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

/** @returns the fault, or undefined. Only the rules of the field's row are checked. */
export function faultOf(field: Field, row: Element): FieldFault | undefined {
  const { classList } = row
  const value = field.value.replace(invisible, '').trim()
  const empty = field instanceof HTMLInputElement && field.type === 'checkbox' ? !field.checked : value === ''
  if (empty) return classList.contains(rowHooks.required) ? 'required' : undefined
  // The server normalizes full-width input of Japanese and Arabic keyboards, so it is no fault here.
  if (classList.contains(rowHooks.email) && !isEmail(value.normalize('NFKC'))) return 'email'
  if (classList.contains(rowHooks.phone) && !isPhone(value.normalize('NFKC').replace(foreignSigns, '0'))) return 'phone'
  return undefined
}

/** Marks a field as valid or invalid, visually and for screen readers. */
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
    if (!said && field.getAttribute('aria-invalid') === 'true') showInlineError(field.id, textOf(fault, row))
  })
}

/** Typical time that a finger or mouse button stays down during a press. */
const pressMs = 400

/**
 * A message inserted above a button would move the button away from the pointer. A button in the provider's frame
 * reports its press only by the focus, and only after the field has lost it.
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

function textOf(fault: FieldFault, row: Element): string {
  const { i18n_field_required, i18n_field_email, i18n_field_phone } = settings('wc_checkout_params')
  const missing = row.getAttribute(missingAttribute) ?? i18n_field_required
  return { required: missing, email: i18n_field_email, phone: i18n_field_phone }[fault] ?? ''
}

export function validateFields(form: HTMLFormElement): void {
  for (const field of allOf<HTMLInputElement>(checkoutHooks.fields, form))
    if (field.checkVisibility()) validateField(field)
}

/** A field being edited is neither valid nor invalid, and its server message is out of date. */
export function clearField(field: Field): void {
  clearMarks(field)
  forgetMessage(field)
}

/** Shows the server's message under a field. */
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

/** Removes a message of the field, also the link to one printed above the form. Its other descriptions stay. */
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
