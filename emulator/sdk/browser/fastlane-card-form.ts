import {
  checkCvv,
  checkExpiry,
  checkName,
  checkNumber,
  digitsOf,
  formattedExpiry,
  formattedNumber,
  isoExpiry,
  possibleBrands,
} from './card-frame-rules.ts'
import type { FastlanePlace } from './fastlane-wire.ts'

export type TypedCard = { number: string; expiry: string; securityCode: string; name?: string }

/** The inputs of a card inside a frame's form: formats while typing, and reads them when asked. */
export function cardForm(form: HTMLFormElement) {
  const input = (name: string) => form.querySelector<HTMLInputElement>(`.new-card input[name=${name}]`)
  const number = input('number')
  const expiry = input('expiry')
  const cvv = input('cvv')
  const name = input('name')
  const wrong = form.querySelector<HTMLElement>('.new-card')?.dataset.wrong ?? ''

  const sizes = () => possibleBrands(number?.value ?? '').map(({ code }) => code.size)
  number?.addEventListener('input', () => {
    if (number.selectionStart === number.value.length) number.value = formattedNumber(number.value)
  })
  number?.addEventListener('blur', () => {
    number.value = formattedNumber(number.value)
  })
  expiry?.addEventListener('input', () => {
    expiry.value = formattedExpiry(expiry.value)
  })
  cvv?.addEventListener('input', () => {
    cvv.value = digitsOf(cvv.value).slice(0, Math.max(3, ...sizes()))
  })
  for (const one of [number, expiry, cvv, name]) one?.addEventListener('input', () => markField(one, ''))

  return {
    /** @throws Error with the codes of what does not hold, which is then marked */
    read(refusedBrands: readonly string[]): TypedCard {
      const checks: [string, HTMLInputElement | null, boolean][] = [
        ['INVALID_NAME', name, checkName(name?.value ?? '').isValid && name?.value.trim() !== ''],
        ['INVALID_NUMBER', number, checkNumber(number?.value ?? '', refusedBrands).isValid],
        ['INVALID_EXPIRY', expiry, checkExpiry(expiry?.value ?? '', new Date()).isValid],
        ['INVALID_CVV', cvv, checkCvv(cvv?.value ?? '', sizes()).isValid],
      ]
      const faults = checks.filter(([, , holds]) => !holds)
      for (const [, field, holds] of checks) markField(field, holds ? '' : wrong)
      faults[0]?.[1]?.focus()
      if (faults.length > 0) throw new Error(faults.map(([code]) => code).join(', '))
      return {
        number: digitsOf(number?.value ?? ''),
        expiry: isoExpiry(expiry?.value ?? '') ?? '',
        securityCode: cvv?.value ?? '',
        ...(name ? { name: name.value.trim() } : {}),
      }
    },
    fillName(text: string): void {
      if (name && name.value === '') name.value = text
    },
  }
}

const REQUIRED_PLACE = ['addressLine1', 'adminArea2', 'postalCode', 'countryCode']
const PLACE_KEYS = ['addressLine1', 'addressLine2', 'adminArea1', 'adminArea2', 'postalCode', 'countryCode']

/** The address typed into a frame's form. @throws Error when a part is missing, which is then marked */
export function readPlace(form: HTMLElement, wrong: string): FastlanePlace {
  const inputs = PLACE_KEYS.map((key) => form.querySelector<HTMLInputElement>(`input[name=${key}]`))
  const isMissing = (input: HTMLInputElement | null) =>
    input !== null &&
    REQUIRED_PLACE.includes(input.name) &&
    (input.name === 'countryCode' ? !/^[A-Za-z]{2}$/.test(input.value.trim()) : input.value.trim() === '')
  const missing = inputs.filter(isMissing)
  for (const input of inputs) markField(input, isMissing(input) ? wrong : '')
  missing[0]?.focus()
  if (missing.length > 0) throw new Error('INVALID_ADDRESS')
  const entries = inputs.flatMap((input) => (input ? [[input.name, input.value.trim()]] : []))
  const place: FastlanePlace = Object.fromEntries(entries)
  return { ...place, countryCode: (place.countryCode ?? 'US').toUpperCase() }
}

let markedFields = 0

/** Says under a field what is wrong with it; an empty text takes that away. */
export function markField(input: HTMLInputElement | null, text: string): void {
  if (!input) return
  const label = input.closest('label')
  let note = label?.querySelector('em')
  if (text === '') {
    note?.remove()
    input.removeAttribute('aria-invalid')
    input.removeAttribute('aria-describedby')
    return
  }
  if (!note) {
    markedFields += 1
    note = document.createElement('em')
    note.id = `note-${markedFields}`
    label?.append(note)
  }
  note.textContent = text
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', note.id)
}
