import { expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'

it('without a proxy of our own it is the socket’s, whatever the visitor says', () => {
  expect(clientAddress('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7')
})

it('behind proxies it is what the outermost of ours has seen', () => {
  expect(clientAddress('10.0.0.1', '198.51.100.1', 1)).toBe('198.51.100.1')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1', 1)).toBe('198.51.100.1')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2)).toBe('198.51.100.1')
  expect(clientAddress('10.0.0.1', '2001:db8::1', 1)).toBe('2001:db8::1')
})

it('odd headers give the socket’s', () => {
  expect(clientAddress('10.0.0.1', null, 1)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', '', 1)).toBe('10.0.0.1')
})
