import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from '../../emulator/start-emulator.ts'
import { compareProviders, type Provider } from './compare-providers.ts'

let one: Emulator
let other: Emulator
beforeAll(async () => {
  one = await startEmulator({})
  other = await startEmulator({})
})
afterAll(() => Promise.all([one.close(), other.close()]))

const provider = ({ url }: Emulator): Provider => ({
  apiBase: url,
  sdkUrl: `${url}/sdk/js`,
  clientId: 'sb',
  clientSecret: 'emulator-secret',
})

describe('two providers that are held against each other', () => {
  it('do not differ when they are of one kind', async () => {
    expect(await compareProviders(provider(one), provider(other), 'alike')).toEqual([])
  })

  it('differ in what one of them does otherwise, and in nothing else', async () => {
    const fault = { route: 'orders.get', issue: 'INTERNAL_SERVER_ERROR', times: 1 }
    await fetch(`${other.url}/__emulator/fault`, { method: 'POST', body: JSON.stringify(fault) })
    const found = await compareProviders(provider(one), provider(other), 'unlike')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ step: 'read an order', one: '200', other: expect.stringMatching(/^500/) })
  })

  it('are not compared when one of them refuses the credentials', async () => {
    const stranger = { ...provider(other), clientSecret: 'wrong' }
    await expect(compareProviders(provider(one), stranger, 'stranger')).rejects.toThrow(/does not take the credentials/)
  })
})
