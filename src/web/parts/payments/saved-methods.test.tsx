import { expect, it } from 'vitest'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { renderPart } from '../../pages/shared/render.tsx'
import { PaymentMethods } from './payment.tsx'

const card: PaymentMethodFacts = {
  id: 'ppcp_card',
  title: 'Credit or debit card',
  description: '',
  orderButtonText: '',
  chosen: true,
  fields: 'card',
}
const kept = [
  { id: 7, label: 'Visa ending in 1111 (expires 04/27)', brand: 'visa', chosen: true },
  { id: 9, label: 'Card ending in 0003', brand: 'constructor', chosen: false },
]
const shop = aShop()
const rendered = (method: PaymentMethodFacts, cardName?: 'optional') =>
  renderPart(
    { ...shop, wallet: { ...shop.wallet, ...(cardName ? { cardName } : {}) } },
    <PaymentMethods methods={[method]} none="" />,
  )

it('CHK-11 kept cards are radios by their ids, with a new one last, and a tick saves what is new', () => {
  const html = rendered({ ...card, kept, canKeep: true })
  const radios = [...html.matchAll(/<input id="wc-ppcp_card-payment-token-[^>]*>/g)].map(([tag]) => ({
    value: /value="([^"]*)"/.exec(tag)?.[1],
    name: /name="([^"]*)"/.exec(tag)?.[1],
    checked: tag.includes('checked'),
  }))
  const name = 'wc-ppcp_card-payment-token'
  expect(radios).toEqual([
    { value: '7', name, checked: true },
    { value: '9', name, checked: false },
    { value: 'new', name, checked: false },
  ])
  expect(html).toContain('Use another card')
  expect(html).toContain('name="ppcp_card_save_payment"')
  expect(html).toContain('/cards/visa.svg')
})

it('CHK-11 without anything kept there is nothing to choose, and without leave nothing to tick', () => {
  const html = rendered(card)
  expect(html).not.toContain('payment-token')
  expect(html).not.toContain('save_payment')
})

it('CHK-11 a kept wallet is told from a kept card', () => {
  const wallet = {
    ...card,
    id: 'ppcp',
    fields: undefined,
    kept: [{ id: 3, label: 'a@b.test', brand: '', chosen: true }],
  }
  const { fields: _, ...method } = wallet
  expect(rendered(method)).toContain('Use another wallet')
})

it('CARD-01 a card has places for number, expiry and code, and for the name where it is asked for', () => {
  const idsIn = (html: string) => [...html.matchAll(/<div id="(ppcp-card-[a-z]+)"/g)].map(([, id]) => id)
  expect(idsIn(rendered(card))).toEqual(['ppcp-card-number', 'ppcp-card-exp', 'ppcp-card-cvv'])
  expect(idsIn(rendered(card, 'optional'))).toEqual([
    'ppcp-card-name',
    'ppcp-card-number',
    'ppcp-card-exp',
    'ppcp-card-cvv',
  ])
})

it('the box of a card is one element, so that the fields in it outlive markup that comes anew', () => {
  expect(rendered({ ...card, kept })).toMatch(/^<ul\b/)
})
