import type { BillingTokenAnswer, PaymentTokensAnswer } from '#contract/payments/vault.ts'
import { splitFullName } from '#domain/addresses/full-name.ts'
import { formatPostcode } from '#domain/addresses/postcode.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { fromProviderAddress } from '#domain/payments/provider-address.ts'
import { isRecord } from '../../../runtime/request.ts'
import type { WalletPayer, WalletPlace } from '../provider.ts'

/** Parses the payer of an order from the provider's script, which is untyped. */
export function payerOfOrder(order: unknown): WalletPayer | undefined {
  if (!isRecord(order)) return undefined
  const payer = record(order.payer)
  const [unit] = Array.isArray(order.purchase_units) ? order.purchase_units : []
  return payerOf(payer, record(record(unit).shipping), nationalNumber(payer.phone))
}

/** Returns the owner of a wallet that is saved for later. */
export function payerOfToken({ payment_source: { paypal } }: PaymentTokensAnswer): WalletPayer | undefined {
  return paypal && payerOf(paypal, record(paypal.shipping), nationalNumber(paypal.phone))
}

export function payerOfAgreement({ payer, shipping }: BillingTokenAnswer): WalletPayer {
  return payerOf(record(payer), record(shipping), text(payer?.phone))
}

function payerOf(payer: Record<string, unknown>, to: Record<string, unknown>, phone: string): WalletPayer {
  const name = record(payer.name)
  const person = text(name.full_name)
    ? splitFullName(text(name.full_name))
    : { first_name: text(name.given_name), last_name: text(name.surname) }
  const receiver = record(to.name)
  const shipping = placeOf(to.address)
  // Wallets usually share only the country of the billing address.
  const billing = placeOf(payer.address)
  const whole = billing?.address_1 ? billing : (shipping ?? billing)
  return {
    ...person,
    email: text(payer.email_address),
    phone,
    ...(whole ? { billing: whole } : {}),
    ...(shipping
      ? {
          shipping: {
            ...shipping,
            ...(text(receiver.full_name) ? splitFullName(text(receiver.full_name), person) : person),
          },
        }
      : {}),
  }
}

/** Normalizes to the shop's spelling: states by code, postcodes in their country's format. */
export function placeOf(address: unknown): WalletPlace | undefined {
  const place = fromProviderAddress(record(address))
  if (place.country === '') return undefined
  return {
    ...place,
    state: stateCode(place.country, place.state) ?? place.state,
    postcode: formatPostcode(place.postcode, place.country),
  }
}

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const nationalNumber = (phone: unknown): string => text(record(record(phone).phone_number).national_number)
