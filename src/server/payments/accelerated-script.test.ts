import { expect, it } from 'vitest'
import { registrableDomain } from './accelerated-script.tsx'

it('FAST-09 the token is requested for the domain that the merchant has registered', () => {
  expect(registrableDomain('https://www.example.com')).toBe('example.com')
  expect(registrableDomain('https://shop.eu.example.com:8443/store')).toBe('example.com')
  expect(registrableDomain('https://example.com')).toBe('example.com')
  expect(registrableDomain('https://shop.example.co.uk')).toBe('example.co.uk')
  expect(registrableDomain('https://www.example.com.au')).toBe('example.com.au')
  // Not every short label below a country code belongs to a registry.
  expect(registrableDomain('https://shop.bee.de')).toBe('bee.de')
})

it('FAST-09 IP addresses stay unchanged', () => {
  expect(registrableDomain('http://127.0.0.1:3000')).toBe('127.0.0.1')
  expect(registrableDomain('http://localhost:3000')).toBe('localhost')
  expect(registrableDomain('http://[::1]:3000')).toBe('[::1]')
})
