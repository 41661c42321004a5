import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ecbXml } from '#tests/support/currency/rates-fixtures.ts'
import { dayMs, type RatesResponse, ratesSource } from '#tests/support/currency/rates-source.ts'
import { fetchRates } from './fetch-exchange-rates.ts'
import { updateRates } from './update-exchange-rates.ts'

const source = ratesSource()

describe('a source that fails', () => {
  it.each([
    ['eight megabytes', { body: Buffer.alloc(8 * 1024 * 1024, '<Cube/>\n') }, 'the answer has more than a megabyte'],
    [
      'a small parcel that holds thirty megabytes',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(30 * 1024 * 1024, ' ')) },
      'the answer has more than a megabyte',
    ],
    ['a page', { body: '<html><p>Sorry</html>' }, 'it is no sound XML at line 1'],
    ['nothing', { body: '' }, 'it is empty'],
    ['another place', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'HTTP 302'],
    ['another encoding', { body: Buffer.from('\uFEFF<Cube/>', 'utf16le') }, 'it is not written in UTF-8'],
    ['a day to come', { body: ecbXml.replace('2026-01-05', '2026-01-07') }, '2026-01-07 has not come yet'],
    [
      'rates without the own currency',
      { body: ecbXml.replace('USD', 'CHF') },
      "there is no rate of USD, the shop's own currency, in it",
    ],
    [
      'half an answer',
      { body: (to: ServerResponse) => to.writeHead(200, { 'content-length': '999' }).write('<', () => to.destroy()) },
      /^no connection \(/,
    ],
  ])('that answers with %s changes nothing', async (_, wrong: RatesResponse, fault) => {
    await source.setUp([{ code: 'EUR' }])
    await source.minute()
    const before = await source.stored()
    source.respond(wrong)
    source.advance(dayMs / 2)
    source.setTime('2026-01-05T22:00:00Z')
    const taken = await updateRates(await source.tools(), { accept: false })
    expect(taken).toMatchObject({ ok: false, fault: typeof fault === 'string' ? fault : expect.stringMatching(fault) })
    expect(await source.stored()).toEqual(before)
    expect(await source.offered()).toHaveLength(1)
    expect(source.logged.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringContaining('exchange rates not updated'),
    })
  })

  it('is given up after a while, even where the network does not listen', async () => {
    await source.setUp([{ code: 'EUR' }])
    const deaf = await source.tools({
      clock: { now: () => source.now, sleep: async () => {} },
      network: { fetch: () => new Promise(() => {}) },
    })
    expect(await fetchRates(deaf, source.address())).toEqual({ ok: false, fault: 'no answer within 5 seconds' })
  })

  it('a day ahead is another time zone, and figures that are none are left out', async () => {
    await source.setUp([{ code: 'EUR' }, { code: 'JPY' }, { code: 'GBP' }])
    source.setTime('2026-01-04T12:00:00Z')
    source.respond({ body: ecbXml.replace('163.27', 'N/A').replace('0.83465', '-0.83465') })
    await source.minute()
    expect(await source.offered()).toEqual([['EUR', '0.9220839096', '2026-01-05', 'ecb']])
  })
})
