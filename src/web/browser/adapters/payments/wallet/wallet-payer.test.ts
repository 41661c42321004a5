import { describe, expect, it } from 'vitest'
import { payerOfAgreement, payerOfOrder, payerOfToken } from './wallet-payer.ts'

const street = { address_line_1: '2211 N First Street', admin_area_2: 'San Jose', admin_area_1: 'CA' }
const sanJose = {
  address_1: '2211 N First Street',
  address_2: '',
  city: 'San Jose',
  state: 'CA',
  postcode: '95131',
  country: 'US',
}

describe('the owner of a wallet', () => {
  it('FLOW-05 has name, mail address and phone by the shop’s keys, and the address of the order', () => {
    const order = {
      payer: {
        name: { given_name: 'Ann', surname: 'Lee' },
        email_address: 'ann@example.test',
        phone: { phone_number: { national_number: '4085551234' } },
        address: { country_code: 'US' },
      },
      purchase_units: [
        {
          shipping: {
            name: { full_name: 'Ann van Lee' },
            address: { ...street, postal_code: '95131', country_code: 'us' },
          },
        },
      ],
    }
    expect(payerOfOrder(order)).toEqual({
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'ann@example.test',
      phone: '4085551234',
      billing: sanJose,
      shipping: { ...sanJose, first_name: 'Ann van', last_name: 'Lee' },
    })
  })

  it('has an own billing address where the wallet gives a street', () => {
    const payer = { address: { address_line_1: 'Elm 1', admin_area_1: 'Oregon', country_code: 'US' } }
    const units = [{ shipping: { address: { ...street, postal_code: '95131', country_code: 'US' } } }]
    const read = payerOfOrder({ payer, purchase_units: units })
    // A state name is replaced by its code.
    expect(read?.billing).toMatchObject({ address_1: 'Elm 1', state: 'OR' })
    expect(read?.shipping?.address_1).toBe('2211 N First Street')
  })

  it.each([[undefined], ['text'], [{ payer: 7, purchase_units: 'x' }], [{ purchase_units: [null] }]])(
    'takes nothing from %j',
    (order) => {
      const read = payerOfOrder(order)
      expect(read?.billing).toBeUndefined()
      expect(read?.email ?? '').toBe('')
    },
  )

  it('FLOW-08 is read from a kept wallet, and from one that is none not at all', () => {
    const address = { ...street, postal_code: '95131', country_code: 'US' }
    const paypal = { name: { full_name: 'Ann Lee' }, email_address: 'ann@example.test', shipping: { address } }
    expect(payerOfToken({ id: 'tok1', payment_source: { paypal } })).toMatchObject({
      first_name: 'Ann',
      email: 'ann@example.test',
      shipping: sanJose,
    })
    expect(payerOfToken({ id: 'tok1', payment_source: { card: { brand: 'VISA' } } })).toBeUndefined()
  })

  it('FLOW-09 is read from an agreement, whose addresses are spelled in the older way', () => {
    const address = { line1: '2211 N First Street', city: 'San Jose', state: 'CA', postal_code: '95131' }
    const read = payerOfAgreement({
      id: 'BA-1',
      payer: { name: { given_name: 'Ann', surname: 'Lee' }, email_address: 'ann@example.test', phone: '408' },
      shipping: { address: { ...address, country_code: 'US' } },
    })
    expect(read).toMatchObject({ first_name: 'Ann', phone: '408', billing: sanJose, shipping: sanJose })
  })
})
