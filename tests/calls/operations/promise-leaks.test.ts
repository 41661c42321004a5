import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { countPendingPromises } from '#tests/support/process/promise-count.ts'
import { aShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const { clock } = systemEnvironment(systemLog('silent'))

it('M17 keeps no promise of the time that passes, nor of those who came', async () => {
  // What the shop waits for between two looks passes a hundred times as fast, while nobody is there who waits for an answer.
  let hurry = 100
  const hurried = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms / hurry, signal) }
  await using shop = await aShop({ environment: { clock: hurried } })
  await pause(1_000)
  const idle = countPendingPromises()
  await pause(5_000)
  // One each second were five hundred.
  expect(countPendingPromises() - idle).toBeLessThan(100)

  hurry = 1
  // Whatever is made once is made.
  await visits(8)
  await pause(1_000)
  const visited = countPendingPromises()
  await visits(40)
  await pause(1_000)
  // One for each request were four hundred. What is made once in a while is some forty.
  expect(countPendingPromises() - visited).toBeLessThan(100)

  async function visits(count: number): Promise<void> {
    for (let nr = 0; nr < count; nr += 1) {
      const shopper = new Shopper(shop, `visitor${nr}`)
      for (const path of [
        '/',
        '/shop/',
        `/shop/?orderby=price&some=${nr}`,
        '/?s=mug',
        '/nowhere/',
        '/cart/',
        '/checkout/',
      ])
        await (await shopper.request(path)).text()
      const { walletOrderId } = await shopper.startToPay('MUG', 1)
      await shopper.approve(walletOrderId)
      await shopper.returnFromWallet(walletOrderId)
    }
  }
})
