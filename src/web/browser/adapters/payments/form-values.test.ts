import { expect, it } from 'vitest'
import { formFieldName } from './form-values.ts'

it.each([
  ['first_name', 'billing_first_name'],
  ['email', 'billing_email'],
  ['billing_city', 'billing_city'],
  ['shipping_city', 'shipping_city'],
  ['ppcp_paypal_order_id', 'ppcp_paypal_order_id'],
  ['ppcp_payment_token', 'ppcp_payment_token'],
])('CHK-12 a value named %s belongs to the field %s', (name, field) => {
  expect(formFieldName(name)).toBe(field)
})
