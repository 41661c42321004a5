import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemEnvironment, systemLog } from '../operations/startup/environment.ts'
import { runEmulator } from './demo-emulator.ts'

const root = join(import.meta.dirname, '../../..')

it('P2 the demo’s provider gives no wallet order the id of one from before a restart', async () => {
  const { chance } = systemEnvironment(systemLog('silent'))
  const ids: string[] = []
  for (const shopPort of [4_800, 4_900]) {
    const { url, stop } = await runEmulator({
      root,
      host: '127.0.0.1',
      shopPort,
      shopUrl: 'http://127.0.0.1:9',
      chance,
    })
    try {
      const basic = Buffer.from('sb:emulator-secret').toString('base64')
      const granted = await fetch(`${url}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      const { access_token: token } = (await granted.json()) as { access_token: string }
      const amount = { currency_code: 'USD', value: '1.00' }
      const created = await fetch(`${url}/v2/checkout/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ intent: 'CAPTURE', purchase_units: [{ amount }] }),
      })
      ids.push(((await created.json()) as { id: string }).id)
    } finally {
      await stop()
    }
  }
  expect(ids[0]).toMatch(/^[A-Z0-9]{17}$/)
  expect(ids[1]).not.toBe(ids[0])
})
