import { expect, it } from 'vitest'
import { serverOf } from './server-address.ts'

it.each([
  ['', 'none'],
  ['?sslmode=disable', 'none'],
  ['?sslmode=prefer', 'preferred'],
  ['?sslmode=require', 'unverified'],
  ['?sslmode=verify-full', 'verified'],
  // A misspelled mode must not send a password in clear text.
  ['?sslmode=verify-ful', 'verified'],
])('an address with "%s" asks for encryption: %s', (query, encryption) => {
  expect(serverOf(`postgres://db.example/shop${query}`, 'vitrine', {}).encryption).toBe(encryption)
})

it('an address names server, login and database, with escapes', () => {
  expect(serverOf('postgres://a%40b:p%2Fw@db.example:6432/my%20shop', 'vitrine', {}).server).toEqual({
    host: 'db.example',
    port: 6432,
    user: 'a@b',
    password: 'p/w',
    database: 'my shop',
    application_name: 'vitrine',
  })
})

it('the parameter "host" names the folder of a Unix socket', () => {
  expect(serverOf('postgres://me@localhost/shop?host=/run/pg', 'vitrine', {}).server.host).toBe('/run/pg')
})

it('other parameters are settings of the session', () => {
  const { server } = serverOf('postgres://db/shop?statement_timeout=5s&options=-c%20geqo%3Doff', 'vitrine', {
    search_path: 'a b',
  })
  expect(server.options).toBe('-c geqo=off -c statement_timeout=5s -c search_path=a\\ b')
})
