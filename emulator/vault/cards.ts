import type { Address } from '../orders/order.ts'
import { refuse } from '../rest/error-bodies.ts'
import { type Challenge, challengeOf } from './authentication.ts'

/** What a form of card fields sends, in the provider's own names. */
export type CardRequest = {
  number?: string
  /** `2030-01`. */
  expiry?: string
  security_code?: string
  name?: string
  billing_address?: Address
}

/** A card as it is remembered: its number and security code are gone once it has been read. */
export type Card = {
  brand: CardBrand
  lastDigits: string
  expiry?: string
  name?: string
  billingAddress?: Address
  /** What the bank asks and finds where strong authentication is wanted; absent: it takes no part. */
  challenge?: Challenge
  /** How its bank refuses; absent: it pays. */
  refusal?: CardRefusal
  /** Whether a token of it comes later than the payment that kept it. */
  isVaultedLater?: boolean
}

export type CardRefusal =
  /** The payment is made and declined, with the processor's code. */
  | { kind: 'declined'; responseCode: string; cvvCode?: string }
  /** The call is refused and the order can still be paid. */
  | { kind: 'issue'; issue: string }

export type CardBrand = 'VISA' | 'MASTERCARD' | 'AMEX' | 'DISCOVER' | 'JCB' | 'MAESTRO' | 'CHINA_UNION_PAY'

/** Cardholder names that are refused, with the code the processor gives: the names of the provider's own sandbox. */
export const REFUSED_NAMES: Readonly<Record<string, { responseCode: string; text: string; cvvCode?: string }>> = {
  'CCREJECT-REFUSED': { responseCode: '0500', text: 'refused' },
  'CCREJECT-SF': { responseCode: '9500', text: 'suspected fraud' },
  'CCREJECT-EC': { responseCode: '5400', text: 'expired card' },
  'CCREJECT-IRC': { responseCode: '5180', text: 'check digit wrong' },
  'CCREJECT-IF': { responseCode: '5120', text: 'insufficient funds' },
  'CCREJECT-LS': { responseCode: '9520', text: 'lost or stolen' },
  'CCREJECT-IA': { responseCode: '1330', text: 'account not valid' },
  'CCREJECT-BANK_ERROR': { responseCode: '5100', text: 'declined by the bank' },
  'CCREJECT-CVV_F': { responseCode: '00N7', text: 'security code wrong', cvvCode: 'N' },
}

/** Endings of card numbers (ours) whose payment is refused with an issue, so that the same order can be paid again. */
export const REFUSED_ENDINGS: Readonly<Record<string, string>> = {
  '0002': 'INSTRUMENT_DECLINED',
  '0069': 'CARD_EXPIRED',
  '0119': 'TRANSACTION_REFUSED',
}

/** A cardholder of this name gets the token of a kept card later than the payment. */
export const KEPT_LATER_NAME = 'KEEP-LATER'

const BRANDS: readonly (readonly [RegExp, CardBrand])[] = [
  [/^4/, 'VISA'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'MASTERCARD'],
  [/^3[47]/, 'AMEX'],
  [/^35(2[89]|[3-8])/, 'JCB'],
  [/^(6011|64[4-9]|65)/, 'DISCOVER'],
  [/^62/, 'CHINA_UNION_PAY'],
  [/^(5018|5020|5038|6304|6759|676[1-3])/, 'MAESTRO'],
]

export function brandOf(number: string): CardBrand | undefined {
  return BRANDS.find(([prefix]) => prefix.test(number))?.[1]
}

/** The check over all digits that every card number passes (ISO/IEC 7812-1). */
export function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const figure = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (figure > 9 ? figure - 9 : figure)
  }, 0)
  return sum % 10 === 0
}

/** Reads a card and forgets its number; refuses what no bank would look at. `field` points at the card in the body. */
export function readCard(request: CardRequest, now: Date, field = '/payment_source/card'): Card {
  const { number, expiry, security_code: code, name, billing_address: billingAddress } = request
  const refused = (issue: string, part: string) => refuse(422, issue, { field: `${field}/${part}`, location: 'body' })
  if (number === undefined) throw refused('CARD_NUMBER_REQUIRED', 'number')
  if (expiry === undefined) throw refused('CARD_EXPIRY_REQUIRED', 'expiry')
  const brand = brandOf(number)
  if (!brand || !passesLuhn(number)) throw refused('PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED', 'number')
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(expiry)) throw refused('INVALID_EXPIRY_DATE', 'expiry')
  if (expiry < now.toISOString().slice(0, 7)) throw refused('CARD_EXPIRED', 'expiry')
  if (code !== undefined && code.length !== (brand === 'AMEX' ? 4 : 3)) {
    throw refused('INVALID_SECURITY_CODE_LENGTH', 'security_code')
  }
  const challenge = challengeOf(number)
  const refusal = refusalOf(number, name)
  return {
    brand,
    lastDigits: number.slice(-4),
    expiry,
    ...(name === undefined ? {} : { name }),
    ...(billingAddress === undefined ? {} : { billingAddress }),
    ...(challenge ? { challenge } : {}),
    ...(refusal ? { refusal } : {}),
    ...(name === KEPT_LATER_NAME ? { isVaultedLater: true } : {}),
  }
}

function refusalOf(number: string, name: string | undefined): CardRefusal | undefined {
  const byName = name !== undefined && Object.hasOwn(REFUSED_NAMES, name) ? REFUSED_NAMES[name] : undefined
  if (byName) {
    const { responseCode, cvvCode } = byName
    return { kind: 'declined', responseCode, ...(cvvCode === undefined ? {} : { cvvCode }) }
  }
  const ending = number.slice(-4)
  const issue = Object.hasOwn(REFUSED_ENDINGS, ending) ? REFUSED_ENDINGS[ending] : undefined
  return issue === undefined ? undefined : { kind: 'issue', issue }
}
