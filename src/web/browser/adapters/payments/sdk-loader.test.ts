import { describe, expect, it } from 'vitest'
import { PaymentFailure } from './payment-failure.ts'
import {
  createSdkLoader,
  refusalIn,
  refusedParameter,
  type SdkHost,
  type SdkParameters,
  scriptUrl,
} from './sdk-loader.ts'

type Sdk = { url: string }
const parameters = {
  'client-id': 'sb',
  currency: 'USD',
  locale: 'en_US',
  'data-page-type': 'checkout',
  'enable-funding': '',
}
const refusal = (said: string) =>
  `throw new Error("SDK Validation error: '${said}'" );\n\n/* Original Error:\n\n${said} (debug id: f1e2d3c4b5a69)\n\n*/\n`

/**
 * A page in which each load ends as `answer` decides: a refusal's body, null for no response, or undefined for success.
 */
function aPage(answer: (url: string) => string | null | undefined = () => undefined) {
  const events: string[] = []
  const runs: string[] = []
  let onPage: Sdk | undefined
  let giveUp = () => {}
  const host: SdkHost<Sdk> = {
    async run(url) {
      runs.push(url)
      await new Promise<void>((resolve, reject) => {
        giveUp = () => reject(new PaymentFailure('given up'))
        setTimeout(resolve, 1)
      })
      if (answer(url) !== undefined) throw new Error('load error')
      if (onPage) throw new Error('two scripts at once')
      onPage = { url }
      return onPage
    },
    giveUp: () => giveUp(),
    errorText: async (url) => answer(url) ?? undefined,
    destroy: () => {
      onPage = undefined
    },
    announceCleanup: (sdk) => events.push(`cleanup ${new URL(sdk.url).searchParams.get('currency')}`),
    announceLoaded: (_, { currency }) => events.push(`loaded ${currency}`),
    announceFailure: ({ code, message }) => events.push(`failed ${code ?? message}`),
  }
  return { events, runs, host }
}

async function failureOf(load: Promise<unknown>): Promise<PaymentFailure> {
  const failure = await load.then(
    () => undefined,
    (error: unknown) => error,
  )
  // The tests read `code` and `message`; anything else fails them.
  return failure as PaymentFailure
}

describe('loading the payment script', () => {
  it('SDK-01 loads once for all who ask with equal parameters, in whatever order they stand', async () => {
    const { host, runs } = aPage()
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    const reordered: SdkParameters = Object.fromEntries(Object.entries(parameters).toReversed())
    const [one, two] = await Promise.all([loader.load(parameters), loader.load(reordered)])
    expect(one).toBe(two)
    expect(await loader.load({ ...parameters })).toBe(one)
    expect(runs).toHaveLength(1)
  })

  it('SDK-02 other parameters clean up the old instance by an event, then load', async () => {
    const { host, events, runs } = aPage()
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    await loader.load(parameters)
    const euro = await loader.load({ ...parameters, currency: 'EUR' })
    expect(events).toEqual(['loaded USD', 'cleanup USD', 'loaded EUR'])
    expect(euro.url).toContain('currency=EUR')
    expect(runs).toHaveLength(2)
  })

  it('SDK-02 each caller gets the instance for its own parameters while loads overlap', async () => {
    const { host, events } = aPage()
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    const [usd, eur, again] = await Promise.all([
      loader.load(parameters),
      loader.load({ ...parameters, currency: 'EUR' }),
      loader.load(parameters),
    ])
    expect([usd, eur, again].map(({ url }) => new URL(url).searchParams.get('currency'))).toEqual(['USD', 'EUR', 'USD'])
    expect(events.at(-1)).toBe('loaded USD')
  })

  it('SDK-03 announces a failure and tries again when asked again', async () => {
    let broken = true
    const { host, events } = aPage(() => (broken ? null : undefined))
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    expect((await failureOf(loader.load(parameters))).message).toBe('The payment script did not load.')
    broken = false
    await loader.load(parameters)
    expect(events).toEqual(['failed The payment script did not load.', 'loaded USD'])
  })

  it('SDK-04 a refused locale is left out in one more try', async () => {
    const { host, events, runs } = aPage((url) =>
      url.includes('locale=') ? refusal('Invalid query value for locale: en_001') : undefined,
    )
    await createSdkLoader('https://pay.test/sdk/js', host).load(parameters)
    expect(runs).toHaveLength(2)
    expect(runs[1]).not.toContain('locale')
    expect(events).toEqual(['loaded USD'])
  })

  it('SDK-04 tries no third time when the one without a locale fails too', async () => {
    const { host, runs } = aPage(() => refusal('Invalid query value for locale: en_001'))
    const failure = await failureOf(createSdkLoader('https://pay.test/sdk/js', host).load(parameters))
    expect(failure.message).toBe('Invalid query value for locale: en_001')
    expect(runs).toHaveLength(2)
  })

  it('SDK-04 does not take a broken connection for a locale error, though the address says locale', async () => {
    const { host, runs } = aPage(() => null)
    await failureOf(createSdkLoader('https://pay.test/sdk/js', host).load(parameters))
    expect(runs).toHaveLength(1)
  })

  it('starting over gives up what is awaited, and loads anew for whoever asks then', async () => {
    const { host, events, runs } = aPage()
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    const hanging = failureOf(loader.load(parameters))
    await Promise.resolve()
    loader.startOver()
    const next = await loader.load(parameters)
    expect((await hanging).message).toBe('given up')
    expect(next.url).toBe(runs[1])
    // Else the browser would go on waiting for the first response.
    expect(runs[1]).toBe('https://pay.test/sdk/js?currency=USD&locale=en_US&client-id=sb')
    expect(events).toEqual(['failed given up', 'loaded USD'])
  })

  it('starting over takes an instance away that has failed, and leaves one that works', async () => {
    const { host, events, runs } = aPage()
    const loader = createSdkLoader('https://pay.test/sdk/js', host)
    const first = await loader.load(parameters)
    loader.startOver()
    expect(await loader.load(parameters)).toBe(first)
    loader.doubt(first)
    // Only an explicit retry gets another one.
    expect(await loader.load(parameters)).toBe(first)
    loader.startOver()
    expect(await loader.load(parameters)).not.toBe(first)
    expect(events).toEqual(['loaded USD', 'cleanup USD', 'loaded USD'])
    expect(runs).toHaveLength(2)
  })

  it.each([
    'client-id not recognized for either production or sandbox: nobody',
    'Invalid query value for client-id: bad id!',
  ])('SDK-05 "%s" has the code invalid_client_id', async (said) => {
    const { host, events } = aPage(() => refusal(said))
    const failure = await failureOf(createSdkLoader('https://pay.test/sdk/js', host).load(parameters))
    expect(failure.code).toBe('invalid_client_id')
    expect(events).toEqual(['failed invalid_client_id'])
  })

  it('SDK-06 a refused currency is known as such and gets no code', async () => {
    const said = 'Invalid query value for currency: XXX'
    expect(refusedParameter(said)).toBe('currency')
    const failure = await failureOf(createSdkLoader('', aPage(() => refusal(said)).host).load(parameters))
    expect(failure).toMatchObject({ code: undefined, message: said })
  })

  it('SDK-08 goes to the provider unless another address is set', async () => {
    const usual = aPage()
    await createSdkLoader(undefined, usual.host).load(parameters)
    expect(usual.runs[0]).toMatch(/^https:\/\/www\.paypal\.com\/sdk\/js\?client-id=sb&/)

    const own = aPage()
    await createSdkLoader('http://127.0.0.1:4100/sdk/js', own.host).load(parameters)
    expect(own.runs[0]).toMatch(/^http:\/\/127\.0\.0\.1:4100\/sdk\/js\?client-id=sb&/)
  })

  it('puts attributes and empty values not into the address, and encodes the rest', () => {
    expect(scriptUrl('https://pay.test/sdk/js', { ...parameters, components: 'buttons,messages' })).toBe(
      'https://pay.test/sdk/js?client-id=sb&components=buttons%2Cmessages&currency=USD&locale=en_US',
    )
  })

  it('reads the refusal out of a script that only throws', () => {
    expect(refusalIn(`throw new Error("SDK Validation error: 'Disallowed query param: _'" );`)).toBe(
      'Disallowed query param: _',
    )
    expect(refusalIn('<html>502 locale</html>')).toBeUndefined()
  })
})
