import { addressEvents } from '#contract/addresses/events.ts'
import { stateFieldHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { allOf, closestTo } from '../../runtime/elements.ts'
import { listen, type ShopEvent, trigger } from '../../runtime/events.ts'
import { settings } from '../../runtime/settings.ts'
import { clearField } from '../checkout/field-validation.ts'
import { type AddressData, loadAddressData, loadedAddressData } from './address-data.ts'
import { storeTypedValue, typedValueBefore } from './typed-addresses.ts'

/** The state control beside a country: a list of its states, nothing, or a text field. */
type Kind = 'select' | 'hidden' | 'text'
type Control = HTMLSelectElement | HTMLInputElement
type States = AddressData['states'][string]

const carriedOver = [
  'id',
  'name',
  'autocomplete',
  'aria-required',
  'data-input-classes',
  'data-label',
  'data-placeholder',
  'placeholder',
]

/** Keeps the state field of every address on the page in step with its country. */
export function startStateFields(): void {
  recordCountries()
  for (const country of allOf<Control>(stateFieldHooks.country)) restoreState(country)
  listen(document.body, cartPageEvents.totalsReplaced, recordCountries)
  listen(document, 'change', onCountry)
  listen(document, 'refresh', onCountry)
  // Loads the data before the visitor has chosen another country.
  for (const type of ['pointerdown', 'focusin'])
    document.addEventListener(type, (event) => {
      const row = closestTo(event, stateFieldHooks.row)
      if (row?.querySelector(stateFieldHooks.country)) void loadAddressData()
    })
  addEventListener('pagehide', () => {
    for (const country of allOf<Control>(stateFieldHooks.country)) storeState(country)
  })
}

function onCountry(event: ShopEvent): void {
  const country = closestTo(event, stateFieldHooks.country)
  if (country instanceof HTMLSelectElement || country instanceof HTMLInputElement) updateStateField(country)
}

/** Markup from the server matches its country. */
function recordCountries(): void {
  for (const country of allOf<Control>(stateFieldHooks.country)) country.dataset.shown = initialCountry(country)
}

function updateStateField(country: Control): void {
  const data = loadedAddressData()
  if (data || country.value === shownFor(country)) {
    adapt(country, data)
    return
  }
  void loadAddressData().then((data) => {
    if (!country.isConnected) return
    adapt(country, data)
    // The totals were requested with the state of the previous country.
    if (country.closest(checkoutHooks.form)) trigger(document.body, checkoutEvents.update)
  })
}

function adapt(country: Control, data: AddressData | undefined): void {
  const wrapper =
    country.closest<HTMLElement>(stateFieldHooks.wrapper) ?? country.closest(stateFieldHooks.row)?.parentElement
  const field = stateOf(country)
  if (field && data) {
    const states = ownValue(data.states, country.value)
    const kind = kindOf(states)
    const changed = country.value !== shownFor(country)
    if (kind !== kindIn(field) || (kind === 'select' && changed)) {
      storeState(country)
      rebuild(field, kind, country.value, states)
      country.dataset.shown = country.value
      trigger(document.body, addressEvents.stateFieldChanged, country.value, wrapper)
    }
  }
  country.dataset.shown = country.value
  trigger(document.body, addressEvents.stateFieldChanging, country.value, wrapper)
}

/** Stores text for all countries with a text field, and a choice for its own country only. */
function storeState(country: Control): void {
  const field = stateOf(country)
  if (!field) return
  const kind = kindIn(field)
  if (kind !== 'hidden') storeTypedValue(field.id, kind === 'select' ? shownFor(country) : '', field.value)
}

/** A reloaded page lacks values that were not submitted. */
function restoreState(country: Control): void {
  const field = stateOf(country)
  if (!field || field.value || kindIn(field) === 'hidden' || country.value !== shownFor(country)) return
  const typed = typedValueBefore(field.id, kindIn(field) === 'select' ? country.value : '')
  if (!typed) return
  field.value = typed
  if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.selectedIndex = 0
}

/** Replaces a state field by the kind that the country needs, under the same name. */
function rebuild(field: Control, kind: Kind, country: string, states: States | undefined): void {
  clearField(field)
  const next = document.createElement(kind === 'select' ? 'select' : 'input')
  for (const name of carriedOver) {
    const text = field.getAttribute(name)
    if (text !== null) next.setAttribute(name, text)
  }
  const { i18n_select_state_text: selectText = '' } = settings('wc_country_select_params')
  next.className = [stateFieldHooks.classes[kind], field.dataset.inputClasses].filter(Boolean).join(' ')
  if (next instanceof HTMLSelectElement) {
    next.dataset.placeholder ??= next.getAttribute('placeholder') ?? selectText
    next.append(new Option(selectText, ''))
    for (const [code, name] of Object.entries(states ?? {})) next.append(new Option(name, code))
    // Another country's code would choose a place that nobody meant: CA is California, and Cagliari.
    const wanted = typedValueBefore(field.id, country) ?? (kindIn(field) === 'text' ? field.value : '')
    next.value = wanted
    // Before the list existed, the state was typed as a name.
    if (next.selectedIndex < 0)
      next.selectedIndex = Math.max(
        0,
        [...next.options].findIndex(({ text }) => text === wanted),
      )
  } else {
    next.type = kind
    next.dir = 'auto'
    next.value = kind === 'hidden' ? '' : (typedValueBefore(field.id, '') ?? '')
    if (next.placeholder === selectText) next.removeAttribute('placeholder')
    delete next.dataset.placeholder
  }
  const row = field.closest<HTMLElement>(stateFieldHooks.row)
  field.replaceWith(next)
  if (row) row.hidden = kind === 'hidden'
}

function kindOf(states: States | undefined): Kind {
  if (!states) return 'text'
  return Object.keys(states).length > 0 ? 'select' : 'hidden'
}

function kindIn(field: Control): Kind {
  if (field instanceof HTMLSelectElement) return 'select'
  return field.type === 'hidden' ? 'hidden' : 'text'
}

function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** The calculator's country names its field; elsewhere the two share a prefix. */
function stateOf(country: Control): Control | undefined {
  const id = country.getAttribute('rel') ?? country.id.replace(/country$/, 'state')
  const field = id === country.id ? null : document.getElementById(id)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined
}

/** Returns the country for which the fields of its address are built. */
function shownFor(country: Control): string {
  return country.dataset.shown ?? initialCountry(country)
}

function initialCountry(country: Control): string {
  if (country instanceof HTMLInputElement) return country.defaultValue
  return [...country.options].find((option) => option.defaultSelected)?.value ?? country.options[0]?.value ?? ''
}
