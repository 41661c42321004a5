import { expect, it } from 'vitest'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { anotherProcess } from '#tests/support/payments/bookkeeping.ts'
import { aShop } from '#tests/support/shop.ts'

it('P11 the log of a second process names what it was given otherwise than the first', async () => {
  const shop = await aShop()
  const started = async (secret?: string) => {
    const errors: Record<string, unknown>[] = []
    const log = {
      ...systemLog('silent'),
      info: () => {},
      warn: () => {},
      error: (facts: Record<string, unknown>) => errors.push(facts),
    }
    const second = await anotherProcess(shop, { environment: systemEnvironment(log), ...(secret ? { secret } : {}) })
    await second.stop()
    // Stopped as soon as it is open, it says more.
    return errors.filter((facts) => 'setting' in facts)
  }
  try {
    expect(await started()).toEqual([])
    expect(await started('another secret, which is long enough too')).toEqual([{ setting: 'VITRINE_SECRET' }])
  } finally {
    await shop.close()
  }
})
