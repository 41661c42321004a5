import { describe, expect, it } from 'vitest'
import { isImmediateSource, sourceBody, sourceKey } from './source-body.ts'

const context = {
  experience: {
    brand_name: 'Shop',
    locale: 'en-US',
    shipping_preference: 'NO_SHIPPING',
    user_action: 'PAY_NOW',
    landing_page: 'NO_PREFERENCE',
    return_url: 'https://shop.example/return',
    cancel_url: 'https://shop.example/cancel',
  },
  vaultCustomer: 'cust_123',
  verification: 'SCA_WHEN_REQUIRED',
} as const

describe('PayPal’s payment source', () => {
  it('a wallet is kept for the provider’s customer only where that is wanted', () => {
    expect(sourceBody({ kind: 'wallet', funding: 'paypal', keep: false }, context)).toEqual({
      paypal: { experience_context: context.experience },
    })
    expect(sourceBody({ kind: 'wallet', funding: 'paylater', keep: true }, context)).toMatchObject({
      paypal: {
        attributes: {
          vault: {
            store_in_vault: 'ON_SUCCESS',
            usage_type: 'MERCHANT',
            customer_type: 'CONSUMER',
            permit_multiple_payment_tokens: false,
          },
          customer: { id: 'cust_123' },
        },
      },
    })
    const stranger = sourceBody({ kind: 'wallet', funding: 'paypal', keep: true }, { ...context, vaultCustomer: null })
    expect(JSON.stringify(stranger)).not.toContain('customer"')
  })

  it('Venmo gets the parts of the experience that it knows', () => {
    expect(sourceBody({ kind: 'wallet', funding: 'venmo', keep: false }, context)).toEqual({
      venmo: {
        experience_context: {
          brand_name: 'Shop',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          return_url: 'https://shop.example/return',
          cancel_url: 'https://shop.example/cancel',
        },
      },
    })
  })

  it('a card in the provider’s fields is asked for by its bank as the merchant wants', () => {
    expect(sourceBody({ kind: 'card-fields', keep: true }, { ...context, verification: 'SCA_ALWAYS' })).toEqual({
      card: {
        attributes: {
          verification: { method: 'SCA_ALWAYS' },
          vault: { store_in_vault: 'ON_SUCCESS' },
          customer: { id: 'cust_123' },
        },
        experience_context: { return_url: 'https://shop.example/return', cancel_url: 'https://shop.example/cancel' },
      },
    })
  })

  it('a saved payment method is charged as the buyer’s own, single payment', () => {
    const credential = { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' }
    expect(sourceBody({ kind: 'kept', as: 'wallet', token: 'tok' }, context)).toEqual({
      paypal: { vault_id: 'tok', stored_credential: credential },
    })
    expect(sourceBody({ kind: 'kept', as: 'card', token: 'tok' }, context)).toMatchObject({
      card: { vault_id: 'tok', stored_credential: credential },
    })
    expect(sourceBody({ kind: 'single-use', token: 'once', keep: false }, context)).toMatchObject({
      card: { single_use_token: 'once' },
    })
    expect(sourceBody({ kind: 'agreement', token: 'B-1' }, context)).toEqual({
      token: { id: 'B-1', type: 'BILLING_AGREEMENT' },
    })
  })

  it('one wallet order serves the wallet’s own fundings, and no other', () => {
    expect(sourceKey({ kind: 'wallet', funding: 'paylater', keep: false })).toBe('wallet:paypal')
    expect(sourceKey({ kind: 'wallet', funding: 'venmo', keep: false })).toBe('wallet:venmo')
    expect(sourceKey({ kind: 'wallet', funding: 'paypal', keep: true })).toBe('wallet:paypal:keep')
    expect(sourceKey({ kind: 'kept', as: 'card', token: 'secret' })).not.toContain('secret')
  })

  it('a saved payment method needs no approval', () => {
    expect(isImmediateSource({ kind: 'kept', as: 'card', token: 't' })).toBe(true)
    expect(isImmediateSource({ kind: 'card-fields', keep: false })).toBe(false)
  })
})
