import { addressEvents } from '#contract/addresses/events.ts'
import { rowHooks, stateFieldHooks } from '#contract/addresses/hooks.ts'
import { missingAttribute } from '#contract/notices/hooks.ts'
import type { AddressKey } from '#domain/addresses/address-fields.ts'
import type { FieldLocale } from '#domain/addresses/address-locale.ts'
import { allOf } from '../../runtime/elements.ts'
import { listen } from '../../runtime/events.ts'
import { isRecord, parseJson } from '../../runtime/request.ts'
import { settings } from '../../runtime/settings.ts'
import { clearField } from '../checkout/field-validation.ts'
import { loadedAddressData } from './address-data.ts'
import { storeTypedValue, typedValueBefore } from './typed-addresses.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const inCheckout = (key: string) => `#billing_${key}_field, #shipping_${key}_field`
const inCalculator = (key: string) => `${inCheckout(key)}, #calc_shipping_${key}_field`

/** The rows that a country's rules change. Some countries swap the two name rows. */
const rowsOf: Readonly<Record<string, string>> = {
  first_name: inCheckout('first_name'),
  last_name: inCheckout('last_name'),
  address_1: inCheckout('address_1'),
  address_2: inCheckout('address_2'),
  phone: inCheckout('phone'),
  state: inCalculator('state'),
  postcode: inCalculator('postcode'),
  city: inCalculator('city'),
  country: inCalculator('country'),
}

/** Makes labels, marks, order and width of an address's rows follow its country. */
export function startAddressFields(): void {
  listen(document.body, addressEvents.stateFieldChanging, (_, country, wrapper) => {
    if (typeof country === 'string' && wrapper instanceof HTMLElement) applyCountry(country, wrapper)
  })
}

function applyCountry(country: string, wrapper: HTMLElement): void {
  const locale = loadedAddressData()?.locale ?? {}
  const rules = Object.hasOwn(locale, country) ? locale[country] : undefined
  for (const [key, selectors] of Object.entries({ ...rowsOf, ...printedRows() })) {
    const row = wrapper.querySelector<HTMLElement>(selectors)
    // Proof of the cast: a key without rules finds none.
    const rule = { ...locale.default?.[key as AddressKey], ...rules?.[key as AddressKey] }
    if (row && Object.keys(rule).length > 0) applyRule(row, key, rule)
  }
  for (const rows of [wrapper, ...allOf(stateFieldHooks.rows, wrapper)])
    if (rows.matches(stateFieldHooks.rows)) sortRows(rows)
}

function printedRows(): Record<string, string> {
  const printed = parseJson(settings('wc_address_i18n_params').locale_fields ?? '')
  const rows = Object.entries(isRecord(printed) ? printed : {})
  return Object.fromEntries(rows.filter((row): row is [string, string] => typeof row[1] === 'string'))
}

function applyRule(row: HTMLElement, key: string, rule: FieldLocale): void {
  const label = row.querySelector('label')
  const field = row.querySelector<Field>('input, select, textarea')
  if (rule.label !== undefined && label && textBefore(label) !== rule.label) label.replaceChildren(rule.label, ' ')

  if (rule.missing !== undefined) row.setAttribute(missingAttribute, rule.missing)

  const unseen = !label || label.matches('.screen-reader-text')
  const placeholder = rule.placeholder ?? (unseen ? rule.label : undefined)
  if (placeholder !== undefined && field) {
    // A select shows its own placeholder until an option is chosen.
    if (!(field instanceof HTMLSelectElement)) field.placeholder = placeholder
    field.dataset.placeholder = placeholder
  }

  // The shop's setting decides about the phone number, and an address always needs a country.
  if (key !== 'phone' && key !== 'country') setRequired(row, label, rule.required === true)
  else if (label) mark(label, row.classList.contains(rowHooks.required))

  if (rule.priority !== undefined) row.dataset.priority = String(rule.priority)
  if (key !== 'state' && key !== 'country') setHidden(row, rule.hidden === true)
  if (rule.class) {
    row.dataset.o_class ??= row.className
    row.classList.remove('form-row-first', 'form-row-last', 'form-row-wide')
    row.classList.add(...rule.class)
  }
}

function textBefore(label: HTMLElement): string {
  return label.firstChild?.nodeType === Node.TEXT_NODE ? (label.firstChild.textContent ?? '').trim() : ''
}

function setRequired(row: HTMLElement, label: HTMLElement | null, required: boolean): void {
  row.classList.toggle(rowHooks.required, required)
  if (label) mark(label, required)
  for (const field of row.querySelectorAll<Field>('input, select, textarea')) {
    if (required) field.setAttribute('aria-required', 'true')
    else field.removeAttribute('aria-required')
    if (!required && row.matches(`.${rowHooks.invalidRequired}`)) clearField(field)
  }
}

/** The mark shows visually what `aria-required` tells screen readers. */
function mark(label: HTMLElement, required: boolean): void {
  label.classList.toggle('required_field', required)
  label.querySelector(required ? '.optional' : '.required')?.remove()
  if (label.querySelector(required ? '.required' : '.optional')) return
  const { i18n_optional_text: optional = 'optional' } = settings('wc_address_i18n_params')
  const sign = document.createElement('span')
  sign.className = required ? 'required' : 'optional'
  sign.textContent = required ? '*' : `(${optional})`
  if (required) sign.setAttribute('aria-hidden', 'true')
  if (!/\s$/.test(label.lastChild?.textContent ?? '')) label.append(' ')
  label.append(sign)
}

/** A field that the country does not use is not submitted; its value returns with the next country that uses it. */
function setHidden(row: HTMLElement, hidden: boolean): void {
  row.hidden = hidden
  for (const field of row.querySelectorAll<HTMLInputElement>('input, textarea')) {
    if (hidden) {
      if (field.value) storeTypedValue(field.id, '', field.value)
      field.value = ''
    } else if (!field.value && typedValueBefore(field.id, '')) {
      field.value = typedValueBefore(field.id, '') ?? ''
      storeTypedValue(field.id, '', '')
    }
  }
}

/**
 * Sorts by priority; a row without one follows the row before it. The focused row is not moved, as it would lose focus.
 */
function sortRows(wrapper: HTMLElement): void {
  let last = 0
  const rows = [...wrapper.children]
    .filter((row): row is HTMLElement => row instanceof HTMLElement && row.matches(stateFieldHooks.row))
    .map((row) => {
      const priority = Number.parseInt(row.dataset.priority ?? '', 10)
      last = Number.isNaN(priority) ? last + 1 : priority
      return { row, priority: last }
    })
  const sorted = rows.toSorted((a, b) => a.priority - b.priority)
  if (sorted.every(({ row }, index) => row === rows[index]?.row)) return
  const focused = sorted.findIndex(({ row }) => row.contains(document.activeElement))
  for (const [index, { row }] of sorted.entries()) {
    if (index < focused) sorted[focused]?.row.before(row)
    else if (index > focused) wrapper.append(row)
  }
}
